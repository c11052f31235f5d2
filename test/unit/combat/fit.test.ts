/** Figures of a participant by its modules and skills; the fits may exceed the slots of a hull. */
import { expect, test } from 'vitest'
import { GOODS, isModule, itemIndex, type ModuleRow } from '../../../core/catalog/index.ts'
import { addSide, joinBattle, openBattle } from '../../../systems/combat/battles-rules.ts'
import { Ammo, DAMAGE_TYPES, GUNS_MAX, Participant } from '../../../systems/combat/state.ts'
import { Module } from '../../../systems/ship/state.ts'
import { skillIndex } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { meeting, putAt } from './scene.ts'

onSmallMap()

async function fitted(modules: readonly string[], skills: Record<string, number> = {}) {
  const scene = await meeting(1)
  const { world } = scene
  const [one] = scene.players
  for (const [skill, level] of Object.entries(skills)) {
    world.write(PlayerSkills).level[one * SKILLS_WIDTH + skillIndex(skill)] = level
  }
  const ship = putAt(world, one, scene.poi, { shipClass: 'reaver', modules })
  const battle = openBattle(world, ship)
  const row = joinBattle(world, battle, ship, addSide(world, battle))
  return { world, row, part: world.read(Participant) }
}

const slots = (column: ArrayLike<number>, row: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => column[row * GUNS_MAX + i])

test('weapons are listed by damage type, each with its own figures', async () => {
  const { world, row, part } = await fitted([
    'missile_rack_i',
    'railgun_i',
    'pulse_laser_i',
    'autocannon_i',
    'scrap_hurler',
  ])
  const types = slots(part.gunType, row, part.guns[row]).map((type) => DAMAGE_TYPES[type])
  expect(types).toEqual(['kinetic', 'kinetic', 'kinetic', 'energy', 'explosive'])
  const names = slots(part.gunModule, row, 5).map(
    (module) => GOODS[world.read(Module).type[module]].id,
  )
  expect(names).toEqual([
    'railgun_i',
    'autocannon_i',
    'scrap_hurler',
    'pulse_laser_i',
    'missile_rack_i',
  ])
  // Hulls of the Oathhold do 5 % more damage, rounded down.
  expect(slots(part.gunDamage, row, 5)).toEqual([44, 8, 14, 9, 27])
  expect(slots(part.gunReach, row, 5)).toEqual([5, 2, 2, 3, 6])
  expect(slots(part.gunPeriod, row, 5)).toEqual([3, 1, 2, 1, 2])
  expect(slots(part.gunMagazine, row, 5)).toEqual([6, 200, 10, 0, 8])
  expect(slots(part.gunAccuracyPct, row, 5)).toEqual([0, 0, -5, 3, 5])
  expect(slots(part.gunArmorBypassPct, row, 5)).toEqual([10, 0, 0, 0, 0])
})

test('the effects of modules add up, resistances to 75 % at most', async () => {
  const { row, part } = await fitted([
    ...Array.from({ length: 4 }, () => 'kinetic_hardener'),
    'em_hardener',
    'damage_dampener_i',
    'adaptive_plating_i',
    'armor_repairer_i',
    'targeting_computer_i',
    'tracking_computer',
    'repair_beam',
    'warp_stabilizer',
    'warp_disruptor',
    'warp_scrambler',
    'stasis_webifier',
    'stasis_webifier',
    'stasis_webifier',
    'emergency_cloak',
    'emergency_warp_stabilizer',
  ])
  const resist = (type: string) =>
    part.resistPct[
      row * DAMAGE_TYPES.length + DAMAGE_TYPES.indexOf(type as (typeof DAMAGE_TYPES)[number])
    ]
  expect([resist('kinetic'), resist('em'), resist('void')]).toEqual([75, 30, 0])
  expect([part.flatPct[row], part.repairPower[row], part.remotePower[row]]).toEqual([14, 3, 18])
  expect([part.accuracyPct[row], part.stabilizers[row]]).toEqual([11, 1])
  expect([part.disruptPoints[row], part.scramblePoints[row]]).toEqual([1, 2])
  expect([part.webPct[row], part.webifiers[row], part.specials[row]]).toEqual([80, 3, 3])
  expect(part.guns[row]).toBe(0)
})

test('skills of the pilot count from the start of the battle', async () => {
  const { row, part } = await fitted([], {
    weapons: 20,
    gunnery: 15,
    tactics: 7,
    shields: 90,
    crimson_oath: 4,
    voidborn_mastery: 3,
    solarian_doctrine: 2,
  })
  expect([part.weaponSkillPct[row], part.critPermille[row]]).toEqual([35, 60])
  expect([part.tacticsPct[row], part.shieldSkillPct[row]]).toEqual([7, 75])
  expect([part.woundedPct[row], part.armorBypassPct[row]]).toEqual([4, 4])
  expect([part.energyPct[row], part.accuracyPct[row]]).toEqual([3, 2])
})

test('the kernels read the figures of ammunition from the catalogue', async () => {
  const { world } = await fitted([])
  const ammo = world.read(Ammo)
  const rowOfAmmo = (id: string): number => itemIndex(id) + 1
  const melt = rowOfAmmo('melt_torpedoes')
  expect([ammo.meltPct[melt], ammo.meltTicks[melt], ammo.special[melt]]).toEqual([30, 5, 1])
  const missiles = rowOfAmmo('em_missiles')
  expect([ammo.damagePct[missiles], ammo.shieldPct[missiles]]).toEqual([-30, 50])
  expect([ammo.disruptTicks[missiles], ammo.hitPct[rowOfAmmo('seeker_missiles')]]).toEqual([3, 5])
  expect([ammo.special[rowOfAmmo('seeker_missiles')], ammo.special[rowOfAmmo('iron_ore')]]).toEqual(
    [0, 0],
  )
})

test('the catalogue has a weapon and a resistance of every type, tackle and repair', () => {
  const modules = GOODS.filter(isModule) as ModuleRow[]
  const weapons = modules.filter(({ slot, damage }) => slot === 'weapon' && (damage ?? 0) > 0)
  for (const type of DAMAGE_TYPES) {
    expect(weapons.some(({ damage_type }) => damage_type === type)).toBe(true)
    const resists = modules.some(({ resistance_bonus }) => (resistance_bonus?.[type] ?? 0) > 0)
    expect(resists, type).toBe(true)
  }
  for (const { id, reach, cooldown, ammo_type, magazine_size } of weapons) {
    expect([(reach ?? 0) >= 1, (cooldown ?? 0) >= 1], id).toEqual([true, true])
    expect(ammo_type === undefined, id).toBe(magazine_size === undefined)
  }
  const fields = [
    'disruptor_power',
    'scramble_power',
    'webify_strength',
    'warp_stabilization',
    'armor_repair_rate',
    'remote_repair_power',
    'damage_reduction',
    'adaptive_resistance',
  ] as (keyof ModuleRow)[]
  for (const field of fields) expect(modules.some((row) => Number(row[field]) > 0)).toBe(true)
})
