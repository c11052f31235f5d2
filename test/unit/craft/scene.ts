/** A crafter docked where there is a workshop and storage, with ore in the locker. */
import { expect } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import type { ErrorCode, Failure, Outcome } from '../../../core/errors.ts'
import { contentsOf, moveItems, namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { PublishedEmission } from '../../../core/ports.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseId, hasService } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { lockerOf, openLocker, storedUnits } from '../../../systems/cargo/model.ts'
import { removeFacility } from '../../../systems/facility/lifecycle-rules.ts'
import { facilitiesAt } from '../../../systems/facility/model.ts'
import { Facility } from '../../../systems/facility/state.ts'
import { dockShip, undockShip } from '../../../systems/travel/rules.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

export const ORE = itemIndex('iron_ore')
export const INGOT = itemIndex('iron_ingot')

export interface Scene {
  readonly small: SmallWorld
  readonly world: World
  readonly players: readonly Eid[]
  readonly base: Row
}

/** Returns a base that anyone may dock at, with some services and without others. */
export function baseWith(world: World, has: readonly string[], lacks: readonly string[] = []): Row {
  const { alive, pirateRepRequired } = world.read(Base)
  const offers = (base: Row, name: string) => hasService(world, base, name as 'crafting')
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0 || pirateRepRequired[base] !== 0) continue
    if (has.every((name) => offers(base, name)) && !lacks.some((name) => offers(base, name))) {
      return base
    }
  }
  throw new Error(`no base has ${has.join(', ')} without ${lacks.join(', ')}`)
}

/** Removes all facilities at a base: a test builds those that it needs. */
function clearBase(world: World, base: Row): void {
  for (const row of [...facilitiesAt(world, base)]) {
    if (world.read(Facility).alive[row] === 1) removeFacility(world, row)
  }
}

export const give = (world: World, player: Eid, base: Row, item: number, units: number): void =>
  moveItems(world, namedContainer('mined'), openLocker(world, player, base), item, units)

export const pay = (world: World, player: Eid, credits: number): void =>
  post(world, namedAccount('starting_grant'), walletOf(world, player), credits)

/** Makes players docked at a base with a workshop, each with ore in the locker. */
export async function bench(players = 2, ore = 1_000): Promise<Scene> {
  const small = await smallWorld({ players })
  const { world } = small
  const base = baseWith(world, ['crafting', 'storage'])
  clearBase(world, base)
  for (const player of small.players) {
    dockAt(world, player, base)
    if (ore > 0) give(world, player, base, ORE, ore)
  }
  return { small, world, players: small.players, base }
}

export const dockAt = (world: World, player: Eid, base: Row): void =>
  dockShip(world, world.read(Player).ship[player], base)
export const leave = (world: World, player: Eid): void =>
  undockShip(world, world.read(Player).ship[player])

type Answer = Outcome<Record<string, unknown>>

export const act = ({ small }: Scene, player: Eid, command: string, params: object = {}): Answer =>
  small.act(player, command, params) as Answer

/** Returns the result of a command that must succeed. */
export function done(scene: Scene, player: Eid, params: object, command = 'craft') {
  const outcome = act(scene, player, command, params)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome))
  return outcome.result as Record<string, unknown> & { job_id: string }
}

export const stored = ({ world, base }: Scene, player: Eid, item: number): number =>
  storedUnits(world, player, base, item)
export const wallet = ({ world }: Scene, player: Eid): number =>
  balanceOf(world, walletOf(world, player))

/** Expects a refusal with this code that changes nothing; returns its details. */
export function refuses(
  { small, world }: Scene,
  player: Eid,
  params: object,
  code: ErrorCode,
  command = 'craft',
) {
  const def = small.registry.commands.get(command)
  if (def?.kind !== 'mutation') throw new Error(`${command} is no mutation`)
  const before = small.hash()
  const outcome = def.run(world, player, params)
  expect(outcome).toMatchObject({ ok: false, code })
  expect(def.errors.concat(['not_docked', 'invalid_payload'])).toContain(code)
  expect(small.hash()).toBe(before)
  return (outcome as Failure).details
}

export const lockerContents = ({ world, base }: Scene, player: Eid) => {
  const locker = lockerOf(world, player, base)
  return locker === 0 ? [] : contentsOf(world, locker)
}
export { baseId }

/** Returns the payloads of an event that these emissions send to a player. */
export function payloadsTo(
  { world }: Scene,
  emissions: readonly PublishedEmission[],
  player: Eid,
  type: string,
) {
  const number = world.read(Player).seq[player]
  return emissions
    .filter((emission) => emission.type === type && emission.to.includes(number))
    .map(({ payload }) => payload as Record<string, unknown>)
}
