/**
 * Describes a player for operators: what the player's own queries return, and what only the server
 * knows.
 */
import { definitionOf, type Engine } from '../core/engine.ts'
import type { Eid } from '../core/types.ts'
import { PENDING } from '../core/world.ts'
import type { PlayerAccount } from '../storage/accounts.ts'
import { playerById } from '../systems/account/model.ts'
import { BOUND, Player } from '../systems/account/state.ts'
import { namesOfMask } from '../systems/settings/model.ts'
import { pairs, time } from './format.ts'
import { ToolError } from './tool.ts'

/** Runs a query of the game as the player, and returns its result. */
function runQuery(engine: Engine, player: Eid, command: string): Record<string, unknown> {
  const def = definitionOf(engine.registry, command)
  if (def.kind !== 'query') throw new Error(`${command} is not a query`)
  const outcome = def.run(engine.world, player, {})
  if (!outcome.ok) throw new ToolError(`${command} answers ${outcome.code}: ${outcome.message}`)
  return outcome.result as Record<string, unknown>
}

/** Returns the flags of a player that their own queries do not show. */
function flagsOf(engine: Engine, player: Eid, number: number) {
  const { world } = engine
  const columns = world.read(Player)
  const bound = Object.entries(BOUND).filter(([, bit]) => (columns.bound[player] & bit) !== 0)
  const pending = world.records(PENDING).get(String(number))
  return {
    bound: bound.map(([channel]) => channel),
    muted: namesOfMask(columns.muteMask[player]),
    anonymous: columns.anonymous[player] === 1,
    cloaked: columns.cloaked[player] === 1,
    pending: pending ? { command: pending.command, since_tick: pending.sinceTick } : null,
  }
}

const accountData = (row: PlayerAccount) => ({
  number: row.number,
  account_id: row.accountId,
  claimed_at: row.claimedAt,
  registered_at: row.createdAt,
})

/** Collects the data about the player of an account; throws ToolError if the world has none. */
export function describePlayer(engine: Engine, row: PlayerAccount) {
  const player = playerById(engine.world, row.playerId)
  if (player === 0) throw new ToolError(`The world has no player ${row.playerId}.`)
  const status = runQuery(engine, player, 'get_status') as Record<string, Record<string, unknown>>
  return {
    tick: engine.world.tick,
    account: accountData(row),
    player: status.player,
    ship: status.ship,
    modules: status.modules,
    cargo: runQuery(engine, player, 'get_cargo'),
    flags: flagsOf(engine, player, row.number),
  }
}

interface PlayerData {
  readonly tick: number
  readonly account: ReturnType<typeof accountData>
  readonly player: Record<string, unknown>
  readonly ship: Record<string, unknown>
  readonly flags: ReturnType<typeof flagsOf>
}

/** Joins names by commas; returns 'none' for an empty list. */
const list = (names: readonly string[]): string => names.join(', ') || 'none'

const yesNo = (flag: boolean): string => (flag ? 'yes' : 'no')

/** Returns the data about a player as lines of text. */
export function playerText({ tick, account, player, ship, flags }: PlayerData): string {
  const skills = Object.entries(player.skills as Record<string, number>)
    .filter(([, level]) => level > 0)
    .map(([skill, level]) => `${skill} ${level}`)
  return pairs([
    ['at tick', String(tick)],
    ['user name', player.username],
    ['id', player.id],
    ['number', String(account.number)],
    ['empire', player.empire],
    ['credits', player.credits],
    ['system', player.current_system],
    ['place', player.current_poi ?? 'in transit'],
    ['docked at', player.docked_at_base],
    ['ship', `${ship.class_id} ${ship.id}`],
    ['hull, shield', `${ship.hull} of ${ship.max_hull}, ${ship.shield} of ${ship.max_shield}`],
    ['fuel', `${ship.fuel} of ${ship.max_fuel}`],
    ['cargo', `${ship.cargo_used} of ${ship.cargo_capacity}`],
    ['skills', list(skills)],
    ['connected on', list(flags.bound)],
    ['muted', list(flags.muted)],
    ['cloaked, anonymous', `${yesNo(flags.cloaked)}, ${yesNo(flags.anonymous)}`],
    [
      'pending command',
      flags.pending && `${flags.pending.command} since tick ${flags.pending.since_tick}`,
    ],
    ['account', account.account_id],
    ['registered', time(account.registered_at)],
    ['claimed', account.claimed_at && time(account.claimed_at)],
  ])
}
