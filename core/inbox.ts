/**
 * The world's inbox: commands that wait for the next batch. Mutations wait for the tick, one per
 * player, with a second one behind it if the channel blocks until it is answered; immediates wait
 * for the next gap between batches. The inbox is bounded: a full one refuses, it never drops.
 */
import type { ArchiveRead } from './archive-calls.ts'
import { type CommandDef, needsRefusal } from './command.ts'
import { admissionRefusal, answerTo, definitionOf, type Engine } from './engine.ts'
import { type Failure, fail, inboxFull, type Outcome, ok } from './errors.ts'
import { holdsNoMoreGoods } from './goods.ts'
import { INBOX_MAX } from './limits.ts'
import { pendingOf } from './pending.ts'
import type { Answer } from './ports.ts'
import { readReferences } from './reference.ts'
import type { Registry } from './registry.ts'
import type { Eid, Submission, World, WorldView } from './types.ts'

/** The ref of a command that no exchange waits for: its answer is not sent. */
export const NO_REPLY = 0

export interface Inbox {
  readonly mutations: Map<number, Submission>
  /**
   * Second mutations, by player: HTTP and MCP wait instead of failing (interface, Limits). They are
   * acknowledged, and checked again when the first is answered.
   */
  readonly second: Map<number, Submission>
  readonly immediates: Submission[]
}

export const createInbox = (): Inbox => ({
  mutations: new Map(),
  second: new Map(),
  immediates: [],
})

const sizeOf = ({ mutations, second, immediates }: Inbox): number =>
  mutations.size + second.size + immediates.length

/** Returns true for HTTP and MCP, whose requests block anyway; a WebSocket is refused at once. */
const isBlocking = ({ framing }: Submission): boolean => framing !== 'ws1' && framing !== 'ws2'

/** Takes all mutations that wait for the tick. */
export function takeMutations(inbox: Inbox): Submission[] {
  const taken = [...inbox.mutations.values()]
  inbox.mutations.clear()
  return taken
}

/** Takes the first immediates, at most `max`. */
export function takeImmediates(inbox: Inbox, max: number): Submission[] {
  return inbox.immediates.splice(0, max)
}

/**
 * Gives each slot that has become free to the player's second mutation; returns the refusals of
 * those that are no longer possible. Called before each tick.
 */
export function promoteWaiting(
  { world, registry, heartbeat }: Pick<Engine, 'world' | 'registry' | 'heartbeat'>,
  inbox: Inbox,
): Answer[] {
  const refusals: Answer[] = []
  for (const [player, submission] of inbox.second) {
    if (inbox.mutations.has(player)) continue
    heartbeat(submission.ref)
    const row = world.rowOf(world.players, player)
    if (pendingOf(world, row)) continue
    inbox.second.delete(player)
    const def = definitionOf(registry, submission.command)
    const refused = inadmissible(world, registry, def, row)
    if (refused) refusals.push(answerTo(world, submission, refused))
    else inbox.mutations.set(player, submission)
  }
  heartbeat(0)
  return refusals
}

/** Refuses the second mutations that still wait when the world stops: they have not run. */
export function refuseWaiting({ world }: Pick<Engine, 'world'>, inbox: Inbox): Answer[] {
  const waiting = [...inbox.second.values()]
  inbox.second.clear()
  return waiting.map((submission) => answerTo(world, submission, fail('restarting')))
}

/**
 * Answers a query at once, acknowledges a mutation, or queues an immediate (no answer yet). Nothing
 * here writes to the world, so an error ends this command alone (DESIGN 4).
 */
export function receive(
  world: World,
  registry: Registry,
  inbox: Inbox,
  submission: Submission,
): Answer | undefined {
  try {
    return decide(world, registry, inbox, submission)
  } catch (error) {
    const sentence = `The server failed at this: ${String(error)}`
    return answerTo(world, submission, fail('internal_error', undefined, sentence))
  }
}

function decide(
  world: World,
  registry: Registry,
  inbox: Inbox,
  submission: Submission,
): Answer | undefined {
  const def = registry.commands.get(submission.command)
  if (!def) return answerTo(world, submission, fail('unknown_command'))
  const player = submission.player === 0 ? 0 : world.rowOf(world.players, submission.player)
  if (player === 0 && !def.open) return answerTo(world, submission, fail('not_authenticated'))
  const { params } = submission
  if (readsOnly(def, submission)) {
    const read = readReferences(world, registry.references, { def, player, params })
    if (!read.ok) return answerTo(world, submission, read)
    const query = { ...submission, params: read.result.params }
    const answer = answerQuery(world, def, player, query)
    if (answer.outcome.ok) addTouch(world, inbox, def, { player, submission: query })
    return answer
  }
  if (sizeOf(inbox) >= INBOX_MAX) return answerTo(world, submission, inboxFull())
  if (isImmediate(def, submission)) {
    inbox.immediates.push(submission)
    return undefined
  }
  const refused = inadmissible(world, registry, def, player)
  if (refused) return answerTo(world, submission, refused)
  const { mutations, second } = inbox
  const first = mutations.get(submission.player) ?? pendingOf(world, player)
  const waiting = first ?? second.get(submission.player)
  if (waiting) return queueSecond(world, inbox, submission, waiting)
  const fields = preview(world, registry, { def, player, params })
  inbox.mutations.set(submission.player, submission)
  return acknowledge(world, submission, fields)
}

/** Queues a second mutation if its channel blocks; otherwise refuses it, as it does a third. */
function queueSecond(
  world: World,
  inbox: Inbox,
  submission: Submission,
  first: { readonly command: string },
): Answer {
  const { player } = submission
  if (!isBlocking(submission) || inbox.second.has(player)) {
    return answerTo(world, submission, fail('action_pending', { pending_command: first.command }))
  }
  inbox.second.set(player, submission)
  return acknowledge(world, submission)
}

/** Returns further fields of the acknowledgement; none if the mutation will be refused. */
function preview(
  view: WorldView,
  registry: Registry,
  call: { def: CommandDef; player: Eid; params: Submission['params'] },
) {
  const { def, player } = call
  if (def.kind !== 'mutation' || !def.preview) return undefined
  const read = readReferences(view, registry.references, call)
  return read.ok ? def.preview(view, player, read.result.params) : undefined
}

type Call = Pick<Submission, 'params'>

/** Returns whether a command is answered at once and changes nothing. */
export function readsOnly(def: CommandDef, { params }: Call): boolean {
  if (def.kind === 'query') return true
  if (def.kind === 'archive') return def.as === 'query'
  return def.kind !== 'session' && (def.readsOnly?.(params) ?? false)
}

/** Returns whether a command writes outside a tick, without a slot. */
export function isImmediate(def: CommandDef, call: Call): boolean {
  if (def.kind === 'archive') return def.as === 'immediate'
  if (def.kind === 'mutation') return def.isImmediate?.(call.params) ?? false
  return def.kind === 'immediate' && !readsOnly(def, call)
}

/** Queues what a query changes by being read, as an immediate; drops it when the inbox is full. */
function addTouch(
  view: WorldView,
  inbox: Inbox,
  def: CommandDef,
  { player, submission }: { player: Eid; submission: Submission },
): void {
  if (player === 0 || (def.kind !== 'query' && def.kind !== 'archive')) return
  const touch = def.touch?.(view, player, submission.params)
  if (!touch || inbox.immediates.length >= INBOX_MAX) return
  const { player: number, framing } = submission
  inbox.immediates.push({ ref: NO_REPLY, player: number, framing, ...touch })
}

function inadmissible(
  view: WorldView,
  registry: Registry,
  def: CommandDef,
  player: Eid,
): Failure | undefined {
  const refused = admissionRefusal(view, registry, def, player)
  if (refused) return refused
  if (def.kind === 'mutation' && def.changes.includes('cargo') && holdsNoMoreGoods(view)) {
    return fail('limit_reached', { full: 'goods' }, 'This world holds no more goods.')
  }
  return undefined
}

function answerQuery(world: World, def: CommandDef, player: Eid, submission: Submission): Answer {
  const outcome = runQuery(world, def, player, submission.params)
  if (def.kind !== 'archive' || !outcome.ok) return answerTo(world, submission, outcome)
  const archive = { method: def.method, args: outcome.result, after: world.batch } as ArchiveRead
  return { ...answerTo(world, submission, outcome), archive }
}

function runQuery(
  world: World,
  def: CommandDef,
  player: Eid,
  params: Submission['params'],
): Outcome<unknown> {
  if (def.kind === 'session') return fail('unknown_command')
  const refused = player === 0 ? undefined : needsRefusal(def.needs, world, player)
  if (refused) return refused
  if (def.kind === 'archive') return def.scope(world, player, params)
  const outcome = def.run(world, player, params)
  return typeof outcome === 'symbol' ? fail('internal_error') : outcome
}

/** Returns the acknowledgement of a mutation: its outcome follows. */
const acknowledge = (view: WorldView, submission: Submission, fields?: object): Answer => ({
  ...answerTo(view, submission, ok({ pending: true, ...fields })),
  stage: 'accepted',
})
