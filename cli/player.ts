/** A player as the world has it, for operators: what the player sees, and what the world keeps. */
import { definitionOf, type Engine } from '../core/engine.ts'
import type { Eid } from '../core/types.ts'
import { PENDING } from '../core/world.ts'
import type { PlayerAccount } from '../storage/accounts.ts'
import { playerById } from '../systems/account/model.ts'
import { BOUND, Player } from '../systems/account/state.ts'
import { namesOfMask } from '../systems/settings/model.ts'
import { pairs, time } from './format.ts'
import { ToolError } from './tool.ts'

/** Answer of a query of the game, as the player gets it. */
function ask(engine: Engine, player: Eid, command: string): Record<string, unknown> {
  const def = definitionOf(engine.registry, command)
  if (def.kind !== 'query') throw new Error(`${command} is no query`)
  const outcome = def.run(engine.world, player, {})
  if (!outcome.ok) throw new ToolError(`${command} says ${outcome.code}: ${outcome.message}`)
  return outcome.result as Record<string, unknown>
}

/** What the world keeps of a player beyond the own record. */
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

/** All there is about a player; throws ToolError when the world does not have the account's one. */
export function describePlayer(engine: Engine, row: PlayerAccount) {
  const player = playerById(engine.world, row.playerId)
  if (player === 0) throw new ToolError(`The world has no player ${row.playerId}.`)
  const status = ask(engine, player, 'get_status') as Record<string, Record<string, unknown>>
  return {
    tick: engine.world.tick,
    account: accountData(row),
    player: status.player,
    ship: status.ship,
    modules: status.modules,
    cargo: ask(engine, player, 'get_cargo'),
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

const list = (names: readonly string[]): string => names.join(', ') || 'none'

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
    ['place', player.current_poi ?? 'under way'],
    ['docked at', player.docked_at_base],
    ['ship', `${ship.class_id} ${ship.id}`],
    ['hull, shield', `${ship.hull} of ${ship.max_hull}, ${ship.shield} of ${ship.max_shield}`],
    ['fuel', `${ship.fuel} of ${ship.max_fuel}`],
    ['cargo', `${ship.cargo_used} of ${ship.cargo_capacity}`],
    ['skills', list(skills)],
    ['bound on', list(flags.bound)],
    ['muted', list(flags.muted)],
    ['cloaked, anonymous', `${flags.cloaked}, ${flags.anonymous}`],
    [
      'answer owed',
      flags.pending && `${flags.pending.command} since tick ${flags.pending.since_tick}`,
    ],
    ['account', account.account_id],
    ['registered', time(account.registered_at)],
    ['claimed', account.claimed_at && time(account.claimed_at)],
  ])
}
