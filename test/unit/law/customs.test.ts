/** Customs: who is searched, what is seized, what it costs, and who slips through. */
import { describe, expect, test } from 'vitest'
import {
  EMPIRES,
  empireNpcIndex,
  GOODS,
  itemIndex,
  shipClassIndex,
} from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import type { Eid, World } from '../../../core/types.ts'
import { statOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { packagesIn } from '../../../systems/cargo/model.ts'
import { Package } from '../../../systems/cargo/state.ts'
import { inspectCargo } from '../../../systems/law/customs-rules.ts'
import { fineOf, isBorder } from '../../../systems/law/model.ts'
import { EMPIRE_SHIP } from '../../../systems/npc/model.ts'
import { addNpc } from '../../../systems/npc/rules.ts'
import { cargoUnits, loadCargo } from '../../../systems/ship/model.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { PlayerSkills } from '../../../systems/skill/state.ts'
import { neighboursOf, systemId } from '../../../systems/travel/model.ts'
import { placeInSpace, startFlight } from '../../../systems/travel/rules.ts'
import { StarSystem } from '../../../systems/travel/state.ts'
import { packAt } from '../package/stage.ts'
import { creditsOf, hullOf, LAW, notices, owed, policed, type Scene, setCredits } from './scene.ts'

const [BANNED_ID] = EMPIRES[LAW].policy.contraband_items
const BANNED = itemIndex(BANNED_ID)

function customsShip(world: World, system: Eid): Eid {
  const shipClass = shipClassIndex('cutpurse')
  const ship = createShip(world, { owner: 0, shipClass, modules: [] })
  addNpc(world, ship, { kind: EMPIRE_SHIP, type: empireNpcIndex('customs'), system })
  placeInSpace(world, ship, world.read(StarSystem).entryPoi[system])
  return ship
}

/** Makes a smuggler in a border system with customs. */
async function smuggler(units = 3): Promise<{ scene: Scene; one: Eid; ship: Eid }> {
  const scene = await policed(1, 40)
  const { world, system } = scene
  const [one] = scene.players
  customsShip(world, system)
  const ship = hullOf(world, one)
  if (units > 0) loadCargo(world, ship, namedContainer('produced'), BANNED, units)
  return { scene, one, ship }
}

describe('customs', () => {
  test('seize contraband and take a fine of twice its value', async () => {
    const { scene, one, ship } = await smuggler()
    const { world, system } = scene
    setCredits(world, one, 100_000)
    expect(isBorder(world, system)).toBe(true)
    inspectCargo(world, one, system)
    scene.small.ticks(1)
    expect(cargoUnits(world, ship, BANNED)).toBe(0)
    const fine = 2 * 3 * GOODS[BANNED].base_value
    expect(fineOf(LAW, [{ item: BANNED, units: 3 }])).toBe(fine)
    expect(creditsOf(world, one)).toBe(100_000 - fine)
    expect(owed(scene, one)).toBe(0)
  })

  test('open packages, and seize the whole of one with contraband in it', async () => {
    const { scene, one, ship } = await smuggler(0)
    const { world, system } = scene
    setCredits(world, one, 100_000)
    const allowed = packAt(world, { kind: 'cargo', ship })
    const banned = packAt(world, { kind: 'cargo', ship }, { item: BANNED, units: 2 })
    inspectCargo(world, one, system)
    expect(packagesIn(world, world.read(Ship).hold[ship])).toEqual([allowed])
    expect(world.read(Package).alive[banned]).toBe(0)
    expect(creditsOf(world, one)).toBe(100_000 - 2 * 2 * GOODS[BANNED].base_value)
  })

  test('turn a fine that is not paid into a bounty', async () => {
    const { scene, one } = await smuggler()
    setCredits(scene.world, one, 1)
    inspectCargo(scene.world, one, scene.system)
    expect(creditsOf(scene.world, one)).toBe(1)
    expect(owed(scene, one)).toBeGreaterThan(1)
  })

  test('leave allowed goods alone, and empty holds', async () => {
    const { scene, one, ship } = await smuggler(0)
    const { world } = scene
    const fuel = itemIndex('fuel_cell')
    loadCargo(world, ship, namedContainer('produced'), fuel, 2)
    inspectCargo(world, one, scene.system)
    expect(cargoUnits(world, ship, fuel)).toBeGreaterThanOrEqual(2)
    expect(statOf(world, one, 'customs_evaded')).toBe(0)
  })

  test('miss the contraband of a skilled smuggler, who gains experience', async () => {
    const { scene, one, ship } = await smuggler()
    const { world } = scene
    world.write(PlayerSkills).level.fill(100, one * 64, one * 64 + 64)
    inspectCargo(world, one, scene.system)
    expect(cargoUnits(world, ship, BANNED)).toBe(3)
    expect(statOf(world, one, 'customs_evaded')).toBe(1)
    expect(owed(scene, one)).toBe(0)
  })

  test('cannot see into a hold under a cloak stronger than their scanner', async () => {
    const { scene, one, ship } = await smuggler()
    const { world } = scene
    world.write(Player).cloaked[one] = 1
    const { cloakPower } = world.write(Ship)
    cloakPower[ship] = 39
    inspectCargo(world, one, scene.system)
    expect(cargoUnits(world, ship, BANNED)).toBe(0)
    loadCargo(world, ship, namedContainer('produced'), BANNED, 1)
    cloakPower[ship] = 40
    inspectCargo(world, one, scene.system)
    expect(cargoUnits(world, ship, BANNED)).toBe(1)
    expect(statOf(world, one, 'customs_evaded')).toBe(1)
  })

  test('search nobody inside an empire, nor where there is no customs ship', async () => {
    const { scene, one, ship } = await smuggler()
    const { world, system } = scene
    const { empire } = world.write(StarSystem)
    for (const { to } of neighboursOf(world, system)) empire[to] = LAW + 1
    expect(isBorder(world, system)).toBe(false)
    inspectCargo(world, one, system)
    expect(cargoUnits(world, ship, BANNED)).toBe(3)
    const open = await policed(1, 40)
    const [two] = open.players
    loadCargo(open.world, hullOf(open.world, two), namedContainer('produced'), BANNED, 1)
    inspectCargo(open.world, two, open.system)
    expect(cargoUnits(open.world, hullOf(open.world, two), BANNED)).toBe(1)
  })

  test('search a ship that arrives by a jump', async () => {
    const { scene, one, ship } = await smuggler()
    const { world, system, small } = scene
    setCredits(world, one, 0)
    const [{ to }] = neighboursOf(world, system)
    placeInSpace(world, ship, world.read(StarSystem).entryPoi[to])
    startFlight(world, ship, world.read(StarSystem).entryPoi[system], 1)
    small.ticks(1)
    expect(world.read(Player).ship[one]).toBe(ship)
    expect(cargoUnits(world, ship, BANNED)).toBe(0)
    expect(notices(scene, one)).toMatchObject([
      { kind: 'customs', system_id: systemId(world, system) },
    ])
  })
})
