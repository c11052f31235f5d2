/**
 * Addresses of the intel map, one row each: what the players of an account and their factions know,
 * only for the bearer of that account. Routes, OpenAPI and the HTTP page are derived from these
 * rows. Source: WEB 1.4.
 */
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { INTEL_MINUTES, INTEL_MOVEMENTS, PUBLIC_QUERY_CHARACTERS_MAX } from '../../core/limits.ts'
import {
  type IntelMovements,
  intelMapBody,
  intelMovementsBody,
  intelSystemBody,
} from '../../core/public/intel-map.ts'
import { runForPlayer } from '../dispatch.ts'
import type { PlayerAccount } from '../ports.ts'
import { readQuery } from '../public/routes.ts'
import type { PublicRow, QueryParam } from '../public/row.ts'
import type { Net } from '../session/types.ts'
import type { Params } from '../validate.ts'
import { type Handler, playersOf, type Visit } from './account-visit.ts'

/** A row of the table of public addresses, with a handler in place of the source of its body. */
export type AccountRow = Pick<
  PublicRow,
  'path' | 'operationId' | 'about' | 'param' | 'query' | 'schema' | 'errors'
> & { readonly handler: Handler }

const playersParam: QueryParam = {
  name: 'players',
  about: 'Ids of players of the account, separated by commas; absent: all of them.',
  kind: 'text',
  max: 2_000,
}

/** Returns the requested players. Refuses players of other accounts with player_not_found. */
async function requestedPlayers(
  net: Net,
  { account, query }: Visit,
): Promise<Outcome<readonly PlayerAccount[]>> {
  const own = await playersOf(net, account)
  const { players } = readQuery({ query: [playersParam] }, query)
  const wanted = String(players)
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
  const unknown = wanted.find((id) => !own.some(({ playerId }) => playerId === id))
  if (unknown !== undefined) {
    const message = 'This is not a player of this account: /api/players lists its players.'
    return fail('player_not_found', { player_id: unknown }, message)
  }
  return ok(wanted.length === 0 ? own : own.filter(({ playerId }) => wanted.includes(playerId)))
}

/** Returns a handler that runs a query about the players in the world. */
const askWorld =
  (command: string, paramsOf: (visit: Visit) => Params): Handler =>
  async (net, visit) => {
    const players = await requestedPlayers(net, visit)
    if (!players.ok) return players
    const numbers = players.result.map(({ number }) => number)
    const params = { ...paramsOf(visit), players: numbers }
    const outcome = await runForPlayer(net, 0, command, params)
    return outcome.ok ? (outcome.result as Params) : outcome
  }

const windowParams: readonly QueryParam[] = [
  playersParam,
  {
    name: 'minutes',
    about: 'Minutes to look back; if 0, `hours` counts.',
    kind: 'int',
    min: 0,
    max: INTEL_MINUTES.max,
    fallback: 0,
  },
  {
    name: 'hours',
    about: 'Hours to look back if `minutes` is 0.',
    kind: 'int',
    min: 1,
    max: INTEL_MINUTES.max / 60,
    fallback: INTEL_MINUTES.default / 60,
  },
  {
    name: 'limit',
    about: 'Maximum number of rows.',
    kind: 'int',
    min: 1,
    max: INTEL_MOVEMENTS.max,
    fallback: INTEL_MOVEMENTS.default,
  },
]

interface Jump {
  readonly player: number
  readonly from: string
  readonly to: string
  readonly first_visit: boolean
  readonly at: string
}

const MINUTE_MS = 60_000

async function listMovements(net: Net, visit: Visit): Promise<Params | Failure> {
  const players = await requestedPlayers(net, visit)
  if (!players.ok) return players
  const query = readQuery({ query: windowParams }, visit.query)
  const minutes = Number(query.minutes) || 60 * Number(query.hours)
  const sinceMs = net.clock.wallMs() - minutes * MINUTE_MS
  const numbers = players.result.map(({ number }) => number)
  const args = { players: numbers, sinceMs, limit: Number(query.limit) }
  const read = await net.archive.read({ method: 'jumps', args })
  if (!read.ok) return read
  const { jumps, truncated } = read.result as { jumps: Jump[]; truncated: boolean }
  const byNumber = new Map(players.result.map((row) => [row.number, row]))
  const body: IntelMovements = {
    movements: jumps.flatMap(({ player, ...jump }) => {
      const row = byNumber.get(player)
      return row ? [{ player_id: row.playerId, username: row.username, ...jump }] : []
    }),
    truncated,
    window_minutes: minutes,
    window_hours: Math.ceil(minutes / 60),
  }
  return body
}

/** Returns the parameter of the system id, cut to the longest possible id. */
const systemOf = ({ path }: Visit): Params => ({
  system_id: String(path.id ?? '').slice(0, PUBLIC_QUERY_CHARACTERS_MAX),
})

export const INTEL_ROWS: readonly AccountRow[] = [
  {
    path: '/api/intel-map',
    operationId: 'getIntelMap',
    about: 'the players of the account, and what they and their factions know',
    query: [playersParam],
    schema: intelMapBody,
    errors: ['player_not_found'],
    handler: askWorld('internal:intel_map', () => ({})),
  },
  {
    path: '/api/intel-map/movements',
    operationId: 'getIntelMovements',
    about: 'jumps of the players of the account, the latest first; of the last 7 days at most',
    query: windowParams,
    schema: intelMovementsBody,
    errors: ['player_not_found'],
    handler: listMovements,
  },
  {
    path: '/api/intel-map/system/:id',
    operationId: 'getIntelSystem',
    about: 'a system as the players of the account and their factions know it',
    param: { name: 'id', about: 'Id of a system.', example: 'sol' },
    query: [playersParam],
    schema: intelSystemBody,
    errors: ['player_not_found'],
    handler: askWorld('internal:intel_system', systemOf),
  },
]
