/** Factions with a mission service at a base, and the missions they post there. */
import { expect } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import type { MutationDef } from '../../../core/command.ts'
import type { Outcome } from '../../../core/errors.ts'
import { moveItems, namedContainer, unitsIn } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { treasuryOf } from '../../../systems/faction/model.ts'
import { openStore, storeContainer } from '../../../systems/faction/store-model.ts'
import type { SmallWorld } from '../../small-world.ts'
import { addService, dockAt } from '../faction/scene.ts'

export interface Company {
  readonly faction: Row
  readonly base: Eid
  readonly leader: Eid
  readonly recruit: Eid
  readonly stranger: Eid
}

let founded = 0

/**
 * Makes a faction with storage and a mission service at a base, its members and a stranger docked.
 */
export function company(small: SmallWorld, base: Eid, level = 1): Company {
  founded++
  const { world } = small
  const [leader, recruit, stranger] = ['Boss', 'Hand', 'Drifter'].map((name) =>
    small.join(`${name} ${founded}`),
  )
  const tag = `C${String(founded).padStart(3, '0')}`
  const faction = foundFaction(world, leader, `Company ${founded}`, tag)
  addMember(world, recruit, faction)
  for (const player of [leader, recruit, stranger]) dockAt(world, player, base)
  addService(world, faction, base, 'faction_storage')
  addService(world, faction, base, 'faction_missions', level)
  post(world, namedAccount('starting_grant'), treasuryOf(world, faction), 50_000)
  stock(world, faction, base, 'steel_plate', 100)
  small.takeEmissions()
  return { faction, base, leader, recruit, stranger }
}

/** Puts goods into the store of a faction, out of the supply account. */
function stock(world: World, faction: Row, base: Eid, id: string, units: number): void {
  const store = openStore(world, { faction, base, bucket: 0 })
  moveItems(world, namedContainer('supply'), store, itemIndex(id), units)
}

/** Returns the units in the main store of a faction. */
export function storeUnits(world: World, faction: Row, base: Eid, id: string): number {
  const store = storeContainer(world, { faction, base, bucket: 0 })
  return store === 0 ? 0 : unitsIn(world, store, itemIndex(id))
}

export const treasury = (world: World, faction: Row): number =>
  balanceOf(world, treasuryOf(world, faction))

/** Bread for the canteen, for 1,000 credits and five plates. */
export const ORDER = {
  title: 'Bread for the yard',
  type: 'delivery',
  description: 'The canteen is empty, and the welders sing about it.',
  objectives: [
    { type: 'deliver_item', item_id: 'bread', quantity: 4, description: 'Bring bread.' },
  ],
  rewards: { credits: 1_000, items: { steel_plate: 5 } },
}

export function result(outcome: Outcome<unknown>): Record<string, unknown> {
  expect(outcome).toMatchObject({ ok: true })
  return (outcome as { result: Record<string, unknown> }).result
}

/** Posts a mission; returns its id. */
export const postMission = (small: SmallWorld, player: Eid, overrides: object = {}): string => {
  const params = { ...ORDER, ...overrides }
  return result(small.act(player, 'faction_post_mission', params)).template_id as string
}

/** Expects a mutation to be refused and to change nothing; other tests cover its needs. */
export function refusesRun(
  small: SmallWorld,
  player: Eid,
  [command, params]: readonly [string, object],
  refusal: object | string,
): void {
  const before = small.hash()
  const def = small.registry.commands.get(command) as MutationDef
  const expected = typeof refusal === 'string' ? { code: refusal } : refusal
  const outcome = def.run(small.world, player, params)
  expect(outcome).toMatchObject({ ok: false, ...expected })
  expect(def.errors).toContain((outcome as { code: string }).code)
  expect(small.hash()).toBe(before)
}

/** Takes the payloads of a kind of faction event that were sent since the last call. */
export function takeFactionEvents(small: SmallWorld, event: string): Record<string, unknown>[] {
  return small
    .takeEmissions()
    .filter(({ type, payload }) => type === 'faction_event' && payload.event === event)
    .map(({ payload }) => payload as Record<string, unknown>)
}
