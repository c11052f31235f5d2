/** A faction and its members, for tests. */
import { expect } from 'vitest'
import { FACILITIES, itemIndex } from '../../../core/catalog/index.ts'
import type { Outcome } from '../../../core/errors.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import type { PublishedEmission } from '../../../core/ports.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { hasService } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { openLocker } from '../../../systems/cargo/model.ts'
import { addFacility, changeState } from '../../../systems/facility/lifecycle-rules.ts'
import { OF_FACTION, ONLINE, REPOSSESSED } from '../../../systems/facility/state.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { FACTION_REVIEW_TICKS } from '../../../systems/faction/state.ts'
import { openStore } from '../../../systems/faction/store-model.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

export interface Guild {
  readonly small: SmallWorld
  readonly faction: Row
  readonly leader: Eid
  readonly recruit: Eid
  readonly stranger: Eid
}

/** Makes a faction of a leader and a recruit, and a player outside it. */
export async function guild(): Promise<Guild> {
  const small = await smallWorld()
  const [leader, recruit, stranger] = ['Leader', 'Recruit', 'Stranger'].map((name) =>
    small.join(name),
  )
  const faction = foundFaction(small.world, leader, 'Free Haulers', 'FREE')
  addMember(small.world, recruit, faction)
  small.takeEmissions()
  return { small, faction, leader, recruit, stranger }
}

/** Returns the faction events that a player got since the last call. */
export function heard(small: SmallWorld, player: Eid): PublishedEmission['payload'][] {
  const number = small.world.read(Player).seq[player]
  return small
    .takeEmissions()
    .filter(({ type, to }) => type === 'faction_event' && to.includes(number))
    .map(({ payload }) => payload)
}

/** Expects an immediate or a query to be refused and to change nothing. */
export function refusesNow(
  small: SmallWorld,
  player: Eid,
  [command, params]: readonly [string, object],
  refusal: object | string,
): void {
  const before = small.hash()
  const expected = typeof refusal === 'string' ? { code: refusal } : refusal
  expect(small.ask(player, command, params)).toMatchObject({ ok: false, ...expected })
  expect(small.hash()).toBe(before)
}

export type Answer = Outcome<Record<string, unknown>>

/** Returns a base that is open to everybody, and has storage. */
export function openBase(world: World): Eid {
  const { alive, pirateRepRequired } = world.read(Base)
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0 || pirateRepRequired[base] !== 0) continue
    if (hasService(world, base, 'storage') && hasService(world, base, 'market')) return base
  }
  throw new Error('no base is open')
}

/** Docks a player at an open base. */
export function dockAt(world: World, player: Eid, base = openBase(world)): Eid {
  dockShip(world, world.read(Player).ship[player], base)
  return base
}

export interface DockedGuild extends Guild {
  readonly world: World
  readonly base: Eid
  /** Puts mined goods into a player's locker at the base. */
  stock(player: Eid, item: string, units: number): void
  /** Puts mined goods into the store of the faction at the base. */
  fill(item: string, units: number, bucket?: number): void
}

/** Makes a guild with all three docked at one base, with ore in their lockers. */
export async function dockedGuild(): Promise<DockedGuild> {
  const scene = await guild()
  const { small, faction, leader, recruit, stranger } = scene
  const { world } = small
  const base = dockAt(world, leader)
  const mine = (to: Row, item: string, units: number): void =>
    moveItems(world, namedContainer('mined'), to, itemIndex(item), units)
  const stock = (player: Eid, item: string, units: number): void =>
    mine(openLocker(world, player, base), item, units)
  for (const player of [recruit, stranger]) dockAt(world, player, base)
  for (const player of [leader, recruit, stranger]) stock(player, 'iron_ore', 100)
  const fill = (item: string, units: number, bucket = 0): void =>
    mine(openStore(world, { faction, base, bucket }), item, units)
  return { ...scene, world, base, stock, fill }
}

/** Repossesses the facilities of buckets, and runs until the next review has folded the stores. */
export function loseBuckets(small: SmallWorld, facilities: readonly Row[]): void {
  const { world } = small
  for (const facility of facilities) changeState(world, facility, { status: REPOSSESSED })
  // Each store is reviewed in one tick of FACTION_REVIEW_TICKS; those of the first rows come next.
  world.tick += FACTION_REVIEW_TICKS - (world.tick % FACTION_REVIEW_TICKS) - 1
  small.ticks(4)
}

/** Adds a working facility of the faction at the base, of this service and tier. */
export function addService(world: World, faction: Row, base: Eid, service: string, level = 1): Row {
  const type = FACILITIES.findIndex(
    (row) => row.faction_service_type === service && row.level === level,
  )
  const owner = { kind: OF_FACTION, player: 0, faction }
  return addFacility(world, { type, base, owner, status: ONLINE })
}
