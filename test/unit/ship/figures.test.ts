/** Figures derived from hull, fit, skills and crew. Source: ships.md and mining.md, section 2. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { itemIndex, SHIP_CLASSES, STARTER, shipClassIndex } from '../../../core/catalog/index.ts'
import type { Eid } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import {
  activeShip,
  hasSpecial,
  moduleById,
  moduleId,
  modulesOf,
  moduleTypeOf,
  shipById,
  shipId,
  shipsOf,
} from '../../../systems/ship/model.ts'
import {
  createShip,
  fitModule,
  recompute,
  setOwner,
  unfitModule,
} from '../../../systems/ship/rules.ts'
import { Module, Ship } from '../../../systems/ship/state.ts'
import { skillIndex } from '../../../systems/skill/model.ts'
import { AWARD_XP_MAX, awardXp } from '../../../systems/skill/rules.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let small: SmallWorld
let player: Eid
beforeAll(async () => {
  small = await smallWorld()
})
beforeEach(() => {
  player = small.join(`Pilot ${small.players.length}`)
})

const starter = shipClassIndex(STARTER[0].ship_class)
const shipWith = (...modules: string[]): Eid =>
  createShip(small.world, { owner: player, shipClass: starter, modules: modules.map(itemIndex) })
const figureOf = (column: 'hullMax' | 'speed' | 'cpuUsed' | 'powerUsed' | 'cargoCap', ship: Eid) =>
  small.world.read(Ship)[column][ship]
function setLevel(skill: string, value: number): void {
  small.world.write(PlayerSkills).level[player * SKILLS_WIDTH + skillIndex(skill)] = value
}
const rigOf = (ship: Eid) => {
  const { minePower, mineFine } = small.world.read(Ship)
  return [0, 1, 2].map((family) => [minePower[ship * 3 + family], mineFine[ship * 3 + family]])
}

describe('a rig', () => {
  test('has power only in the family of its modules', () => {
    expect(rigOf(shipWith('mining_laser_i'))).toEqual([
      [5, 1000],
      [0, 0],
      [0, 0],
    ])
    expect(rigOf(shipWith('ice_harvester_ii', 'gas_harvester_iii'))).toEqual([
      [0, 0],
      [12, 1000],
      [26, 1000],
    ])
  })

  test('weighs precision by power', () => {
    // (5·1000 + 80·1200) / 85
    expect(rigOf(shipWith('mining_laser_i', 'strip_miner_i'))[0]).toEqual([85, 1188])
  })

  test('gets finer with each adapter, down to a quarter', () => {
    expect(rigOf(shipWith('mining_laser_i', 'fine_beam_adapter'))[0]).toEqual([5, 750])
    const many = ['mining_laser_i', ...Array(5).fill('fine_beam_adapter')]
    expect(rigOf(shipWith(...many))[0]).toEqual([5, 250])
    expect(rigOf(shipWith('fine_beam_adapter'))[0]).toEqual([0, 0])
  })

  test('excludes one rarity for each filter, the most common first', () => {
    const mask = (...modules: string[]) => small.world.read(Ship).filterMask[shipWith(...modules)]
    expect([mask(), mask('extraction_filter')]).toEqual([0, 1])
    expect(mask('extraction_filter', 'extraction_filter')).toBe(3)
  })

  test('opens deep-core places with an extractor', () => {
    expect(small.world.read(Ship).deepCore[shipWith('deep_core_extractor_i')]).toBe(1)
    const ship = shipWith('deep_core_extractor_i')
    expect(hasSpecial(small.world, ship, 'deep_core_access')).toBe(true)
    expect(small.world.read(Ship).deepCore[shipWith('mining_laser_i')]).toBe(0)
  })
})

describe('skills', () => {
  test('engineering lowers usage to a half at most, rounded up for each module', () => {
    const ship = shipWith('mining_laser_i', 'mining_laser_i')
    expect([figureOf('cpuUsed', ship), figureOf('powerUsed', ship)]).toEqual([4, 10])
    setLevel('engineering', 30)
    recompute(small.world, ship)
    // ceil(2·0.7) and ceil(5·0.7), twice
    expect([figureOf('cpuUsed', ship), figureOf('powerUsed', ship)]).toEqual([4, 8])
    setLevel('engineering', 100)
    recompute(small.world, ship)
    expect([figureOf('cpuUsed', ship), figureOf('powerUsed', ship)]).toEqual([2, 6])
  })

  test('of the owner count, and a ship without an owner has none', () => {
    setLevel('armor', 100)
    const own = shipWith()
    const stray = createShip(small.world, { owner: 0, shipClass: starter, modules: [] })
    expect(figureOf('hullMax', own)).toBe(SHIP_CLASSES[starter].base_hull * 2)
    expect(figureOf('hullMax', stray)).toBe(SHIP_CLASSES[starter].base_hull)
  })
})

describe('personnel', () => {
  test('a short crew slows the ship, down to a quarter', () => {
    const ship = createShip(small.world, {
      owner: player,
      shipClass: SHIP_CLASSES.findIndex((row) => row.base_speed >= 4 && row.minimum_crew >= 4),
      modules: [],
    })
    const columns = small.world.write(Ship)
    const full = columns.speed[ship]
    columns.crewFit[ship] = Math.trunc(columns.crewMin[ship] / 2)
    recompute(small.world, ship)
    expect(columns.crewEffPct[ship]).toBe(
      Math.trunc((100 * columns.crewFit[ship]) / columns.crewMin[ship]),
    )
    expect(columns.speed[ship]).toBe(
      Math.max(1, Math.trunc((full * columns.crewEffPct[ship]) / 100)),
    )
    columns.crewFit[ship] = 0
    recompute(small.world, ship)
    expect([columns.crewEffPct[ship], columns.speed[ship] >= 1]).toEqual([25, true])
  })
})

describe('fitting', () => {
  test('keeps modules in the order of fitting, and finds them by id', () => {
    const before = small.world.countOf(Module)
    const ship = shipWith('mining_laser_i', 'shield_booster_i')
    const added = fitModule(small.world, ship, itemIndex('cargo_expander_i'))
    recompute(small.world, ship)
    const types = () => modulesOf(small.world, ship).map((row) => moduleTypeOf(small.world, row).id)
    expect(types()).toEqual(['mining_laser_i', 'shield_booster_i', 'cargo_expander_i'])
    expect(figureOf('cargoCap', ship)).toBe(SHIP_CLASSES[starter].cargo_capacity + 25)
    expect(moduleById(small.world, ship, moduleId(small.world, added))).toBe(added)
    const first = modulesOf(small.world, ship)[0]
    unfitModule(small.world, first)
    recompute(small.world, ship)
    expect(types()).toEqual(['shield_booster_i', 'cargo_expander_i'])
    expect(small.world.countOf(Module)).toBe(before + 2)
  })

  test('cuts fuel to a lowered maximum', () => {
    const ship = shipWith('fuel_tank_ii')
    const columns = small.world.write(Ship)
    const full = columns.fuel[ship]
    unfitModule(small.world, modulesOf(small.world, ship)[0])
    recompute(small.world, ship)
    expect(columns.fuel[ship]).toBe(full - 100)
    expect(columns.fuel[ship]).toBe(columns.fuelMax[ship])
  })
})

test('ships are found by their wire id', () => {
  const ship = activeShip(small.world, player)
  expect(shipById(small.world, shipId(small.world, ship))).toBe(ship)
  expect(shipById(small.world, '00000000-0000-8000-8000-000000000000')).toBe(0)
})

test('a new skill level applies to all ships of the pilot, parked ones too', () => {
  const parked = shipWith()
  dockShip(small.world, parked, small.world.read(Player).homeBase[player])
  const before = figureOf('hullMax', parked)
  for (let level = 0; level < 3; level++) awardXp(small.world, player, 'armor', AWARD_XP_MAX)
  expect(figureOf('hullMax', parked)).toBeGreaterThan(before)
})

test('shipsOf follows changes of owner, with the newest ship first', () => {
  const { world } = small
  const other = small.join(`Pilot ${small.players.length}`)
  const [first, second, third] = [shipWith(), shipWith(), shipWith()]
  expect(shipsOf(world, player)).toEqual([third, second, first, activeShip(world, player)])
  setOwner(world, second, other)
  setOwner(world, third, 0)
  expect(shipsOf(world, player)).toEqual([first, activeShip(world, player)])
  expect(shipsOf(world, other)).toEqual([second, activeShip(world, other)])
})
