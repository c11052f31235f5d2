/**
 * The commands of the server, as listed by `GET /api/console.json`, and the search for them.
 */

export interface ConsoleParam {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly description: string
  readonly example?: unknown
  /** The allowed values, if they are listed. */
  readonly values?: readonly string[]
}

export interface ConsoleOperation {
  /** `/api/v2/game/mine`. */
  readonly path: string
  readonly group: string
  readonly summary: string
  readonly mutation: boolean
  /** Whether the command works without login. */
  readonly open: boolean
  readonly errors: readonly string[]
  readonly params: readonly ConsoleParam[]
  /** Address of its documentation. */
  readonly about: string
}

export interface ConsoleBody {
  readonly operations: readonly ConsoleOperation[]
}

/** A command to send. */
export interface Call {
  readonly address: string
  readonly payload: Readonly<Record<string, unknown>>
}

const BASE = '/api/v2/'

/** Commands of the login form, which have no form of their own. */
const OF_LOGIN: ReadonlySet<string> = new Set(
  ['register', 'login', 'login_token', 'login_link', 'login_link_poll', 'logout'].map(
    (action) => `game_auth/${action}`,
  ),
)

/** Returns the v2 address of an operation: `game/mine`; for a tool without actions, its name. */
const addressOf = ({ path }: ConsoleOperation): string =>
  path.startsWith(BASE) ? path.slice(BASE.length) : path

/** Splits an address into the fields of a frame. */
export function toolAndAction(address: string): { tool: string; action?: string } {
  const [tool, action] = address.split('/', 2)
  return action === undefined ? { tool } : { tool, action }
}

/** Returns the commands by address, without those of the login form. */
export function byAddress(body: ConsoleBody): ReadonlyMap<string, ConsoleOperation> {
  const entries = body.operations
    .map((operation) => [addressOf(operation), operation] as const)
    .filter(([address]) => !OF_LOGIN.has(address))
  return new Map(entries)
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[_/-]+/g, ' ')

/** Returns how well a word matches a command: 0 is best; undefined if it does not match. */
function scoreOf(word: string, address: string, operation: ConsoleOperation): number | undefined {
  const name = plain(address)
  const action = plain(address.split('/')[1] ?? address)
  if (action === word) return 0
  if (action.startsWith(word)) return 1
  if (action.split(' ').some((part) => part.startsWith(word))) return 2
  if (name.includes(word)) return 3
  return operation.summary.toLowerCase().includes(word) ? 4 : undefined
}

/**
 * Returns the addresses that match all words of a query, best first; among equal ones, those used
 * recently come first.
 */
export function findCommands(
  operations: ReadonlyMap<string, ConsoleOperation>,
  query: string,
  recent: readonly string[] = [],
): string[] {
  const words = plain(query).split(' ').filter(Boolean)
  const recency = (address: string) => {
    const index = recent.indexOf(address)
    return index < 0 ? recent.length : index
  }
  const found: { address: string; score: number }[] = []
  for (const [address, operation] of operations) {
    const scores = words.map((word) => scoreOf(word, address, operation))
    if (scores.includes(undefined)) continue
    found.push({ address, score: scores.reduce<number>((sum, score) => sum + (score ?? 0), 0) })
  }
  const order = new Map([...operations.keys()].map((address, index) => [address, index]))
  return found
    .sort(
      (a, b) =>
        a.score - b.score ||
        recency(a.address) - recency(b.address) ||
        (order.get(a.address) ?? 0) - (order.get(b.address) ?? 0),
    )
    .map(({ address }) => address)
}
