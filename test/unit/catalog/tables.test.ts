/** Tables of goods, ship classes, skills and empires: sizes, ids, references and figures. */
import { describe, expect, test } from 'vitest'
import {
  EMPIRE_IDS,
  EMPIRES,
  FIRST_MODULE,
  findGoods,
  findShipClasses,
  GOODS,
  goodOf,
  ITEMS,
  isModule,
  itemIndex,
  MODULES,
  precisionMilli,
  RARITIES,
  RESERVED_CONTAINS,
  SHIP_CLASSES,
  SKILL_CATEGORIES,
  SKILLS,
  STARTER,
  shipClassIndex,
  shipClassOf,
  skillIndex,
  wireEntry,
} from '../../../core/catalog/index.ts'
import { BOUNDS } from '../../../core/catalog/ship-roles.ts'

const SLUG = /^[a-z0-9]+(_[a-z0-9]+)*$/

function expectUnique(values: readonly string[]) {
  expect(new Set(values).size).toBe(values.length)
}

describe('items and modules', () => {
  test('there are at least 500 items and 200 modules', () => {
    expect(ITEMS.length).toBeGreaterThanOrEqual(500)
    expect(MODULES.length).toBeGreaterThanOrEqual(200)
  })

  test('ids are slugs, ids and names are unique, fields are whole and positive', () => {
    expectUnique(GOODS.map((row) => row.id))
    expectUnique(GOODS.map((row) => row.name.toLowerCase()))
    for (const row of GOODS) {
      expect(row.id).toMatch(SLUG)
      expect(row.description.length).toBeGreaterThan(10)
      expect(Number.isSafeInteger(row.size) && row.size >= 1).toBe(true)
      expect(Number.isSafeInteger(row.base_value) && row.base_value >= 1).toBe(true)
    }
  })

  test('one frozen list holds items and then modules', () => {
    expect(GOODS.length).toBe(ITEMS.length + MODULES.length)
    expect(GOODS.length).toBeLessThan(65_536)
    expect(GOODS.findIndex(isModule)).toBe(FIRST_MODULE)
    for (const [index, row] of GOODS.entries()) expect(itemIndex(row.id)).toBe(index)
    expect(itemIndex('no_such_thing')).toBe(-1)
    expect(Object.isFrozen(GOODS) && Object.isFrozen(GOODS[0])).toBe(true)
  })

  test('look-ups accept an id or a display name in any case', () => {
    expect(findGoods('iron_ore')).toEqual([itemIndex('iron_ore')])
    expect(findGoods('Mining LASER i')).toEqual([itemIndex('mining_laser_i')])
    expect(findGoods("gunner's stim")).toEqual([itemIndex('gunners_stim')])
    expect(findGoods('nonsense')).toEqual([])
    expect(findShipClasses('LAST word')).toEqual([shipClassIndex('last_word')])
  })

  test('every family has ores of every rarity', () => {
    for (const family of ['mining', 'ice', 'gas'] as const) {
      for (const rarity of RARITIES) {
        const rows = ITEMS.filter((row) => row.extracted_by === family && row.rarity === rarity)
        expect(rows.length, `${family} ${rarity}`).toBeGreaterThan(0)
      }
    }
  })

  test('the ids that the rule sheets name exist', () => {
    const named =
      'fuel fuel_cell premium_fuel_cell military_fuel_cell repair_kit hull_patch shield_cell ' +
      'advanced_repair_kit medical_supplies rations cargo_container station_core outpost_kit ' +
      'steel_plate salvage_metal salvage_components rare_salvage combat_drone mining_drone ' +
      'repair_drone salvage_drone scout_drone light_drone_bay combat_drone_bay ' +
      'advanced_drone_bay emergency_cloak emergency_warp_stabilizer pathfinder_drive ' +
      'fine_beam_adapter extraction_filter'
    for (const id of named.split(' ')) expect(itemIndex(id), id).toBeGreaterThanOrEqual(0)
  })

  test('mining modules have the published figures', () => {
    const power = (id: string) => MODULES.find((row) => row.id === id)!.mining_power
    expect(['i', 'ii', 'iii', 'iv'].map((grade) => power(`mining_laser_${grade}`))).toEqual([
      5, 12, 26, 45,
    ])
    expect(['i', 'ii'].map((grade) => power(`strip_miner_${grade}`))).toEqual([80, 140])
    expect(['i', 'ii', 'iii'].map((grade) => power(`deep_core_extractor_${grade}`))).toEqual([
      10, 20, 40,
    ])
    const row = (id: string) => MODULES.find((module) => module.id === id)!
    expect(precisionMilli(row('strip_miner_i'))).toBe(1_200)
    expect(precisionMilli(row('mining_laser_i'))).toBe(1_000)
    expect(precisionMilli(row('fine_beam_adapter'))).toBe(-250)
  })

  test('every weapon has its figures, and every magazine has ammunition', () => {
    const fits = new Set(ITEMS.map((row) => row.effect?.subtype))
    for (const row of MODULES.filter((module) => module.slot === 'weapon')) {
      expect(row.damage).toBeGreaterThan(0)
      expect(row.reach).toBeGreaterThanOrEqual(2)
      expect(row.cooldown).toBeGreaterThanOrEqual(1)
      if (row.ammo_type === undefined) expect(row.magazine_size).toBeUndefined()
      else if (row.special !== 'ammo_from_cargo') expect(fits.has(row.ammo_type)).toBe(true)
    }
    const types = new Set(MODULES.map((row) => row.damage_type).filter((type) => type))
    expect(types.size).toBe(6)
  })

  test('a wire entry has no internal field', () => {
    expect(wireEntry(goodOf('mining_laser_i'))).not.toHaveProperty('mining_family')
    expect(wireEntry(SKILLS[1]!)).not.toHaveProperty('prerequisites')
    expect(wireEntry(shipClassOf('barge'))).not.toHaveProperty('faction')
    expect(wireEntry(shipClassOf('wick')).faction).toBe('outerrim')
  })
})

describe('ship classes', () => {
  test('there are at least 150, over all tiers, scales and empires', () => {
    expect(SHIP_CLASSES.filter((row) => !row.hidden).length).toBeGreaterThanOrEqual(150)
    for (const empire of EMPIRE_IDS) {
      const own = SHIP_CLASSES.filter((row) => row.faction === empire)
      expect(new Set(own.map((row) => row.tier))).toEqual(new Set([0, 1, 2, 3, 4, 5]))
      expect(own.filter((row) => row.starter_ship).length).toBe(1)
    }
    expect(new Set(SHIP_CLASSES.map((row) => row.scale))).toEqual(new Set([1, 2, 3, 4, 5]))
  })

  test('ids and names are unique, and references exist', () => {
    expectUnique(SHIP_CLASSES.map((row) => row.id))
    expectUnique(SHIP_CLASSES.map((row) => row.name.toLowerCase()))
    for (const row of SHIP_CLASSES) {
      expect(row.id).toMatch(SLUG)
      expect(row.class).not.toBe('')
      for (const id of row.default_modules) expect(isModule(goodOf(id))).toBe(true)
      expect(row.build_materials.length).toBeGreaterThan(0)
      for (const part of row.build_materials) expect(isModule(goodOf(part.item_id))).toBe(false)
      expectUnique(row.build_materials.map((part) => part.item_id))
    }
  })

  test('figures lie within the observed ranges', () => {
    for (const row of SHIP_CLASSES) {
      const bounds = BOUNDS[row.tier]!
      const pairs = [
        [row.base_hull, bounds.hull],
        [row.base_armor, bounds.armor],
        [row.base_shield, bounds.shield],
        [row.base_shield_recharge, bounds.regen],
        [row.base_speed, bounds.speed],
        [row.base_fuel, bounds.fuel],
        [row.cargo_capacity, bounds.cargo],
      ] as const
      for (const [value, [low, , high]] of pairs) {
        expect(Number.isSafeInteger(value)).toBe(true)
        expect(value, row.id).toBeGreaterThanOrEqual(low)
        expect(value, row.id).toBeLessThanOrEqual(high)
      }
    }
  })

  test('the default modules fit into slots, CPU and power', () => {
    for (const row of SHIP_CLASSES) {
      const fit = MODULES.filter((module) => row.default_modules.includes(module.id))
      const all = row.default_modules.map((id) => fit.find((module) => module.id === id)!)
      const used = (slot: string) => all.filter((module) => module.slot === slot).length
      expect(used('weapon')).toBeLessThanOrEqual(row.weapon_slots)
      expect(used('defense')).toBeLessThanOrEqual(row.defense_slots)
      expect(used('utility')).toBeLessThanOrEqual(row.utility_slots)
      expect(all.reduce((sum, module) => sum + module.cpu_usage, 0)).toBeLessThanOrEqual(
        row.cpu_capacity,
      )
      expect(all.reduce((sum, module) => sum + module.power_usage, 0)).toBeLessThanOrEqual(
        row.power_capacity,
      )
      expect(all.length).toBeGreaterThan(0)
    }
  })
})

describe('skills, empires, starter kits', () => {
  test('each of 12 categories has a skill, and prerequisites have no cycle', () => {
    expect(SKILL_CATEGORIES.length).toBe(12)
    expectUnique(SKILLS.map((row) => row.id))
    for (const category of SKILL_CATEGORIES) {
      expect(SKILLS.some((row) => row.category === category)).toBe(true)
    }
    const expectNoCycle = (id: string, path: readonly string[]): void => {
      expect(path).not.toContain(id)
      expect(skillIndex(id)).toBeGreaterThanOrEqual(0)
      for (const needed of Object.keys(SKILLS[skillIndex(id)]!.prerequisites)) {
        expectNoCycle(needed, [...path, id])
      }
    }
    for (const row of SKILLS) expectNoCycle(row.id, [])
    for (const row of MODULES) {
      for (const id of Object.keys(row.required_skills ?? {})) {
        expect(skillIndex(id), id).toBeGreaterThanOrEqual(0)
      }
    }
  })

  test('the XP for a level grow from 60 to 350,025', () => {
    const { xp_per_level: xp } = SKILLS[0]!
    expect(xp.length).toBe(100)
    expect([xp[0], xp[99]]).toEqual([60, 350_025])
  })

  test('each empire has its own origin skill, names and policy', () => {
    expect(EMPIRES.map((row) => row.id)).toEqual(EMPIRE_IDS)
    for (const empire of EMPIRES) {
      expect(SKILLS.filter((row) => row.empire_restriction === empire.id).length).toBe(1)
      for (const id of empire.policy.contraband_items) goodOf(id)
      expect(RESERVED_CONTAINS).toContain(empire.leader_name.toLowerCase().replaceAll(' ', ''))
      expect(empire.primary_color).toMatch(/^#[0-9A-F]{6}$/)
    }
    expectUnique(RESERVED_CONTAINS)
  })

  test('a starter kit is a starter hull with a laser and goods that exist', () => {
    expect(STARTER.map((kit) => kit.empire)).toEqual(EMPIRE_IDS)
    for (const kit of STARTER) {
      const ship = shipClassOf(kit.ship_class)
      expect(ship.starter_ship && ship.tier === 0 && ship.faction === kit.empire).toBe(true)
      expect(ship.cargo_capacity).toBeGreaterThanOrEqual(60)
      expect(ship.cargo_capacity).toBeLessThanOrEqual(70)
      expect(kit.modules).toContain('mining_laser_i')
      expect(kit.credits).toBeGreaterThan(0)
      let size = 0
      for (const { item_id, quantity } of kit.cargo) size += goodOf(item_id).size * quantity
      expect(size).toBeLessThanOrEqual(10)
    }
  })
})
