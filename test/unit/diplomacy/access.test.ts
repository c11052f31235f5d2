/** Fuel bunkers that a faction shares with its allies. */
import { beforeEach, expect, test } from 'vitest'
import type { Eid, Row } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { makeAlliance } from '../../../systems/diplomacy/rules.ts'
import { foundFaction } from '../../../systems/faction/member-rules.ts'
import { Faction } from '../../../systems/faction/state.ts'
import { bunkerFuel } from '../../../systems/faction/store-model.ts'
import { changeBunker } from '../../../systems/faction/store-rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { addService, dockAt, type Guild, guild } from '../faction/scene.ts'

onSmallMap()

let scene: Guild
let base: Eid
let other: Row

beforeEach(async () => {
  scene = await guild()
  const { small, faction, stranger } = scene
  base = dockAt(small.world, stranger)
  other = foundFaction(small.world, stranger, 'Thirsty Moths', 'MOTH')
  for (const service of ['faction_storage', 'faction_fuel_bunker']) {
    addService(small.world, faction, base, service)
  }
  changeBunker(small.world, faction, base, 30)
})

/** Burns fuel of a player's ship until this much is missing. */
function drain(player: Eid, missing: number): void {
  const { world } = scene.small
  const ship = world.read(Player).ship[player]
  const { fuel, fuelMax } = world.write(Ship)
  fuel[ship] = fuelMax[ship] - missing
}

const refuel = () => scene.small.act(scene.stranger, 'refuel')

test('an ally refuels from a shared bunker, which is recorded by its owner', () => {
  const { small, faction, stranger, leader } = scene
  const { world } = small
  drain(stranger, 20)
  world.write(Faction).allyFuelAccess[faction] = 1
  expect(refuel()).not.toMatchObject({ result: { source: 'faction_bunker' } })
  makeAlliance(world, { own: faction, other })
  small.ticks(1)
  drain(stranger, 20)
  world.write(Faction).allyFuelAccess[faction] = 0
  expect(refuel()).not.toMatchObject({ result: { source: 'faction_bunker' } })
  drain(stranger, 20)
  world.write(Faction).allyFuelAccess[faction] = 1
  expect(refuel()).toMatchObject({ result: { source: 'faction_bunker', fuel: 20, cost: 0 } })
  expect(bunkerFuel(world, faction, base)).toBe(10)
  dockAt(world, leader, base)
  expect(small.ask(leader, 'view_faction_storage')).toMatchObject({
    result: { recent_activity: [{ action: 'refuel', player: 'Stranger', quantity: 20 }] },
  })
})

test("a player refuels from the own faction's bunker first, then from an ally's", () => {
  const { small, faction, stranger } = scene
  const { world } = small
  for (const service of ['faction_storage', 'faction_fuel_bunker']) {
    addService(world, other, base, service)
  }
  changeBunker(world, other, base, 5)
  world.write(Faction).allyFuelAccess[faction] = 1
  makeAlliance(world, { own: faction, other })
  small.ticks(1)
  drain(stranger, 12)
  expect(refuel()).toMatchObject({ result: { source: 'faction_bunker', fuel: 12, cost: 0 } })
  expect([bunkerFuel(world, other, base), bunkerFuel(world, faction, base)]).toEqual([0, 23])
})
