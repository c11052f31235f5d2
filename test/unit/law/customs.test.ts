/** Customs: who is searched, what is seized, what it costs, and who evades them. */
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
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
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
async function smuggler(units = 3): Promise<{ scene: Scene; player: Eid; ship: Eid }> {
  const scene = await policed(1, 40)
  const { world, system } = scene
  const [player] = scene.players
  customsShip(world, system)
  const ship = hullOf(world, player)
  if (units > 0) loadCargo(world, ship, namedContainer('produced'), BANNED, units)
  return { scene, player, ship }
}

describe('customs', () => {
  test('seize contraband and take a fine of twice its value', async () => {
    const { scene, player, ship } = await smuggler()
    const { world, system } = scene
    setCredits(world, player, 100_000)
    expect(isBorder(world, system)).toBe(true)
    inspectCargo(world, player, system)
    scene.small.ticks(1)
    expect(cargoUnits(world, ship, BANNED)).toBe(0)
    const fine = 2 * 3 * GOODS[BANNED].base_value
    expect(fineOf(LAW, [{ item: BANNED, units: 3 }])).toBe(fine)
    expect(creditsOf(world, player)).toBe(100_000 - fine)
    expect(owed(scene, player)).toBe(0)
  })

  test('open packages and seize those that hold contraband', async () => {
    const { scene, player, ship } = await smuggler(0)
    const { world, system } = scene
    setCredits(world, player, 100_000)
    const allowed = packAt(world, { kind: 'cargo', ship })
    const banned = packAt(world, { kind: 'cargo', ship }, { item: BANNED, units: 2 })
    inspectCargo(world, player, system)
    expect(packagesIn(world, world.read(Ship).hold[ship])).toEqual([allowed])
    expect(world.read(Package).alive[banned]).toBe(0)
    expect(creditsOf(world, player)).toBe(100_000 - 2 * 2 * GOODS[BANNED].base_value)
  })

  test('turn an unpaid fine into a bounty', async () => {
    const { scene, player } = await smuggler()
    setCredits(scene.world, player, 1)
    inspectCargo(scene.world, player, scene.system)
    expect(creditsOf(scene.world, player)).toBe(1)
    expect(owed(scene, player)).toBeGreaterThan(1)
  })

  test('leave a hold without contraband alone', async () => {
    const { scene, player, ship } = await smuggler(0)
    const { world } = scene
    const fuel = itemIndex('fuel_cell')
    loadCargo(world, ship, namedContainer('produced'), fuel, 2)
    inspectCargo(world, player, scene.system)
    expect(cargoUnits(world, ship, fuel)).toBeGreaterThanOrEqual(2)
    expect(statOf(world, player, 'customs_evaded')).toBe(0)
  })

  test('miss the contraband of a skilled smuggler, who gains experience', async () => {
    const { scene, player, ship } = await smuggler()
    const { world } = scene
    world.write(PlayerSkills).level.fill(100, player * SKILLS_WIDTH, (player + 1) * SKILLS_WIDTH)
    inspectCargo(world, player, scene.system)
    expect(cargoUnits(world, ship, BANNED)).toBe(3)
    expect(statOf(world, player, 'customs_evaded')).toBe(1)
    expect(owed(scene, player)).toBe(0)
  })

  test('cannot search a ship whose cloak is as strong as their scanner', async () => {
    const { scene, player, ship } = await smuggler()
    const { world } = scene
    world.write(Player).cloaked[player] = 1
    const { cloakPower } = world.write(Ship)
    cloakPower[ship] = 39
    inspectCargo(world, player, scene.system)
    expect(cargoUnits(world, ship, BANNED)).toBe(0)
    loadCargo(world, ship, namedContainer('produced'), BANNED, 1)
    cloakPower[ship] = 40
    inspectCargo(world, player, scene.system)
    expect(cargoUnits(world, ship, BANNED)).toBe(1)
    expect(statOf(world, player, 'customs_evaded')).toBe(1)
  })

  test('search nobody inside an empire, nor where there is no customs ship', async () => {
    const { scene, player, ship } = await smuggler()
    const { world, system } = scene
    const { empire } = world.write(StarSystem)
    for (const { to } of neighboursOf(world, system)) empire[to] = LAW + 1
    expect(isBorder(world, system)).toBe(false)
    inspectCargo(world, player, system)
    expect(cargoUnits(world, ship, BANNED)).toBe(3)
    const unwatched = await policed(1, 40)
    const [trader] = unwatched.players
    const hull = hullOf(unwatched.world, trader)
    loadCargo(unwatched.world, hull, namedContainer('produced'), BANNED, 1)
    inspectCargo(unwatched.world, trader, unwatched.system)
    expect(cargoUnits(unwatched.world, hull, BANNED)).toBe(1)
  })

  test('search a ship that arrives by a jump', async () => {
    const { scene, player, ship } = await smuggler()
    const { world, system, small } = scene
    setCredits(world, player, 0)
    const [{ to }] = neighboursOf(world, system)
    placeInSpace(world, ship, world.read(StarSystem).entryPoi[to])
    startFlight(world, ship, world.read(StarSystem).entryPoi[system], 1)
    small.ticks(1)
    expect(world.read(Player).ship[player]).toBe(ship)
    expect(cargoUnits(world, ship, BANNED)).toBe(0)
    expect(notices(scene, player)).toMatchObject([
      { kind: 'customs', system_id: systemId(world, system) },
    ])
  })
})
