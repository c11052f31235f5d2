/** Players side by side at one base, with goods in their holds. */
import { GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { contentsOf, namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { PublishedEmission } from '../../../core/ports.ts'
import type { Eid, World } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Giving, Player } from '../../../systems/account/state.ts'
import { Locker, Package } from '../../../systems/cargo/state.ts'
import { activeShip, loadCargo } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { TRADES } from '../../../systems/trade/state.ts'
import type { SmallWorld } from '../../small-world.ts'
import { freighter } from '../package/stage.ts'

export const ORE = itemIndex('iron_ore')
export const PLATE = itemIndex('steel_plate')
export const QUEST_ITEM = GOODS.findIndex((good) => good.quest_item === true)
export const HAZARD = GOODS.findIndex((good) => 'hazardous' in good && good.hazardous === true)

/** Makes a new player in a hull with a large hold, docked at home. */
export function trader(small: SmallWorld, name = `Trader ${small.players.length}`): Eid {
  const player = small.join(name)
  freighter(small.world, player)
  allowGiving(small.world, player, 1_000_000_000)
  return player
}

/** Lets a player give away this many credits more than they have earned. */
export function allowGiving(world: World, player: Eid, credits: number): void {
  world.write(Giving).granted[player] -= credits
}

/** Puts units of a good into the hold of a player, out of the supply account. */
export const load = (world: World, player: Eid, item: number, units: number): void =>
  loadCargo(world, activeShip(world, player), namedContainer('supply'), item, units)

export const fund = (world: World, player: Eid, credits: number): void =>
  post(world, namedAccount('starting_grant'), walletOf(world, player), credits)

export const creditsOf = (world: World, player: Eid): number =>
  balanceOf(world, walletOf(world, player))

/**
 * Returns, as text, all that players own and the offers that outlast a tick: a refusal must change
 * none of it.
 */
function possessions(world: World, tick: number): string {
  const { alive, hold, cargoUsed, owner } = world.read(Ship)
  const rows: unknown[] = []
  for (let ship = 1; ship <= world.highOf(Ship); ship++) {
    if (alive[ship] === 1 && owner[ship] !== 0) {
      rows.push([ship, owner[ship], cargoUsed[ship], contentsOf(world, hold[ship])])
    }
  }
  const locker = world.read(Locker)
  for (let row = 1; row <= world.highOf(Locker); row++) {
    if (locker.alive[row] === 1) rows.push([row, contentsOf(world, locker.container[row])])
  }
  const pkg = world.read(Package)
  for (let row = 1; row <= world.highOf(Package); row++) {
    if (pkg.alive[row] === 1) rows.push([pkg.holder[row], pkg.kind[row], pkg.player[row]])
  }
  const { alive: lives } = world.read(Player)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (lives[player] === 1) rows.push(creditsOf(world, player))
  }
  const trades = [...world.records(TRADES).entries()].filter(([, trade]) => trade.expireTick > tick)
  return JSON.stringify([rows, trades])
}

/** Runs a command that must be refused and change nothing; returns its code. */
export function refusal(
  small: SmallWorld,
  player: Eid,
  command: string,
  params: object,
  run: 'act' | 'ask' = 'act',
): string {
  const tick = small.world.tick + (run === 'act' ? 1 : 0)
  const before = possessions(small.world, tick)
  const outcome = small[run](player, command, params)
  if (outcome.ok) throw new Error(`${command} is not refused: ${JSON.stringify(outcome.result)}`)
  if (possessions(small.world, tick) !== before) throw new Error(`${command} changed something`)
  return outcome.code
}

/** Runs a command that must succeed; returns its result. */
export function done(
  small: SmallWorld,
  player: Eid,
  command: string,
  params: object,
  run: 'act' | 'ask' = 'act',
): Record<string, unknown> {
  const outcome = small[run](player, command, params)
  if (!outcome.ok) throw new Error(`${command}: ${outcome.code} ${JSON.stringify(outcome)}`)
  return outcome.result as Record<string, unknown>
}

/** Returns the payloads of a type that these emissions send to a player. */
export const heardBy = (
  emissions: readonly PublishedEmission[],
  small: SmallWorld,
  player: Eid,
  type: string,
): Record<string, unknown>[] => {
  const number = small.world.read(Player).seq[player]
  return emissions
    .filter((emission) => emission.type === type && emission.to.includes(number))
    .map(({ payload }) => payload as Record<string, unknown>)
}
