/** The galaxy generator: counts, shape, reachability, and the start of every empire. */
import { describe, expect, test } from 'vitest'
import {
  EMPIRE_IDS,
  type GalaxyPlan,
  generateGalaxy,
  goodOf,
  ITEMS,
  type ItemRow,
  isModule,
  MODULES,
  REGIONS,
  rarityRank,
  STARTER,
  type SystemPlan,
  shipClassOf,
} from '../../../core/catalog/index.ts'
import { divCeil, isqrt, mulDivCeil } from '../../../core/math.ts'

const SEEDS = [1, 2, 42, 20_260_101]
const GALAXIES: readonly GalaxyPlan[] = SEEDS.map(generateGalaxy)
const SLUG = /^[a-z0-9]+(_[a-z0-9]+)*$/
const SERVICES = ['refuel', 'repair', 'market', 'storage', 'shipyard', 'missions', 'cloning']
const CAPACITY_MAX = [40_000, 25_000, 10_000, 4_000, 800]

const poisOf = (galaxy: GalaxyPlan) => galaxy.systems.flatMap((system) => system.pois)
const basesOf = (galaxy: GalaxyPlan) => poisOf(galaxy).flatMap((poi) => poi.base ?? [])
const itemOf = (id: string) => goodOf(id) as ItemRow

function reachFrom(galaxy: GalaxyPlan, start: number): Set<number> {
  const seen = new Set([start])
  for (const here of seen) for (const next of galaxy.systems[here]!.lanes) seen.add(next)
  return seen
}

function distance(a: { x: number; y: number }, b: { x: number; y: number }): number {
  const dx = a.x - b.x
  const dy = a.y - b.y
  return isqrt(dx * dx + dy * dy)
}

describe.each(GALAXIES.map((galaxy) => [galaxy.seed, galaxy] as const))('seed %i', (_, galaxy) => {
  const { systems } = galaxy
  const pois = poisOf(galaxy)
  const bases = basesOf(galaxy)

  test('the galaxy has at least 520 systems and 70 stations', () => {
    expect(systems.length).toBeGreaterThanOrEqual(520)
    expect(bases.length).toBeGreaterThanOrEqual(70)
    for (const empire of EMPIRE_IDS) {
      const own = systems.filter((system) => system.empire === empire).length
      expect(own).toBeGreaterThanOrEqual(38)
      expect(own).toBeLessThanOrEqual(62)
    }
    expect(systems.filter((system) => system.empire === null).length).toBeGreaterThan(200)
    expect(systems.filter((system) => system.is_stronghold).length).toBeGreaterThanOrEqual(3)
    expect(new Set(systems.map((system) => system.region)).size).toBe(REGIONS.length)
  })

  test('ids, names and positions are unique', () => {
    const ids = [
      ...systems.map((system) => system.id),
      ...pois.map((poi) => poi.id),
      ...bases.map((base) => base.id),
    ]
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(SLUG)
    expect(new Set(bases.map((base) => base.name.toLowerCase())).size).toBe(bases.length)
    expect(new Set(systems.map((system) => system.name)).size).toBe(systems.length)
    expect(new Set(systems.map((system) => `${system.x},${system.y}`)).size).toBe(systems.length)
    for (const system of systems) {
      const spots = system.pois.map((poi) => `${poi.x},${poi.y}`)
      expect(new Set(spots).size, system.id).toBe(spots.length)
      expect(spots.length).toBeLessThanOrEqual(32)
    }
  })

  test('no name contains that of an empire', () => {
    for (const { name } of [...systems, ...bases]) {
      const key = name.toLowerCase().replaceAll(' ', '')
      for (const empire of EMPIRE_IDS) expect(key).not.toContain(empire)
    }
  })

  test('lanes lead both ways, are short and connect all systems', () => {
    expect(reachFrom(galaxy, 0).size).toBe(systems.length)
    for (const [index, system] of systems.entries()) {
      expect(system.lanes).toEqual([...system.lanes].sort((a, b) => a - b))
      expect(system.lanes).not.toContain(index)
      for (const next of system.lanes) {
        expect(systems[next]!.lanes).toContain(index)
        expect(distance(system, systems[next]!)).toBeLessThan(900)
      }
    }
  })

  test('the police level falls from 100 at a capital and is 0 in lawless space', () => {
    for (const system of systems) {
      const { empire, depth, police_level } = system
      expect(police_level).toBe(empire === null ? 0 : ([100, 85, 70, 50, 30, 15][depth] ?? 5))
    }
    expect(Math.min(...systems.filter((s) => s.empire).map((s) => s.police_level))).toBe(5)
  })

  test('all nine kinds of place occur, and the classes that rules need', () => {
    expect(new Set(pois.map((poi) => poi.type)).size).toBe(9)
    const classes = new Set(pois.map((poi) => poi.class))
    for (const name of ['ice_field', 'deep_core', 'arena', 'debris']) {
      expect(classes.has(name)).toBe(true)
    }
    for (const system of systems) expect(system.pois[system.entry_poi]!.type).toBe('sun')
    expect(pois.some((poi) => poi.name === '' || poi.description === '')).toBe(false)
  })

  test('deposits name raw items, with fitting family, region, richness and capacity', () => {
    for (const system of systems) {
      for (const poi of system.pois) {
        const items = poi.deposits.map((deposit) => deposit.item)
        expect(new Set(items).size).toBe(items.length)
        for (const { item, richness, capacity } of poi.deposits) {
          const row = itemOf(item)
          expect(row.extracted_by).toBe(familyAt(poi.type, poi.class))
          if (row.region_lock) expect(row.region_lock).toContain(system.empire)
          expect(richness >= 1 && richness <= 100).toBe(true)
          expect(capacity === -1 || capacity >= 20).toBe(true)
          expect(capacity).toBeLessThanOrEqual(CAPACITY_MAX[rarityRank(row.rarity)]!)
          if (poi.class === 'deep_core') expect(rarityRank(row.rarity)).toBeGreaterThanOrEqual(2)
        }
        expect(poi.hidden).toBe(poi.difficulty > 0)
        if (poi.class === 'deep_core') expect(poi.hidden).toBe(true)
      }
    }
  })

  test('in lawless space, visible deposits have little rare ore', () => {
    const open = systems
      .filter(({ empire }) => empire === null)
      .flatMap((system) => system.pois.filter(({ hidden }) => !hidden))
      .filter(({ type, class: kind }) => familyAt(type, kind) === 'mining')
    const rare = open
      .flatMap(({ deposits }) => deposits)
      .filter(({ item }) => itemOf(item).rarity === 'rare')
    expect(rare.length).toBeGreaterThan(0)
    expect(Math.max(...rare.map(({ richness }) => richness))).toBeLessThanOrEqual(13)
  })

  test('every raw item occurs, and its tool is sold at some station', () => {
    const found = new Set(pois.flatMap((poi) => poi.deposits.map((deposit) => deposit.item)))
    const sold = new Set(bases.flatMap((base) => base.managed.map((row) => row.item)))
    for (const row of ITEMS) {
      if (row.extracted_by === undefined) continue
      expect(found.has(row.id), row.id).toBe(true)
      const tools = MODULES.filter((module) => module.mining_family === row.extracted_by)
      expect(
        tools.some((tool) => sold.has(tool.id)),
        row.id,
      ).toBe(true)
    }
    expect(sold.has('deep_core_extractor_i')).toBe(true)
    expect(sold.has('survey_scanner_i')).toBe(true)
  })

  test('every station trades 30 to 110 goods, a capital 160, and buys local ores', () => {
    for (const system of systems) {
      const base = system.pois.find((poi) => poi.base)?.base
      if (base === undefined) continue
      const items = base.managed.map((row) => row.item)
      expect(new Set(items).size).toBe(items.length)
      expect(items.length, base.id).toBeGreaterThanOrEqual(30)
      expect(items.length, base.id).toBeLessThanOrEqual(base.capital ? 160 : 110)
      for (const { item, target } of base.managed) {
        expect(isModule(goodOf(item)) || itemOf(item).tradeable).toBe(true)
        expect(Number.isSafeInteger(target) && target >= 20).toBe(true)
      }
      for (const poi of system.pois) {
        for (const deposit of poi.deposits) expect(items).toContain(deposit.item)
      }
      expect(items).toContain('fuel_cell')
      expect(items).toContain('mining_laser_i')
    }
  })

  test('every deposit is bought at the nearest station', () => {
    for (const [index, system] of systems.entries()) {
      const items = system.pois.flatMap((poi) => poi.deposits.map((deposit) => deposit.item))
      const bought = boughtNear(systems, index)
      for (const item of items) expect(bought.has(item), `${system.id} ${item}`).toBe(true)
    }
  })

  test('every capital has all services, and a belt nearby whose ores it buys', () => {
    expect(galaxy.empires.map((seat) => seat.empire)).toEqual(EMPIRE_IDS)
    for (const [index, seat] of galaxy.empires.entries()) {
      const system = systems[seat.capital_system]!
      const start = system.pois[seat.start_poi]!
      const base = start.base!
      expect(system.empire).toBe(seat.empire)
      expect(base.id).toBe(seat.start_base)
      expect(base.capital && base.fuel_max === 50_000).toBe(true)
      for (const service of SERVICES) expect(base.services).toContain(service)
      for (const next of system.lanes) expect(systems[next]!.empire).toBe(seat.empire)
      const ship = shipClassOf(STARTER[index]!.ship_class)
      const belt = system.pois.find((poi) => poi.type === 'asteroid_belt' && !poi.class)!
      const milliAu = distance(start, belt)
      expect(divCeil(milliAu, ship.base_speed * 1_000)).toBeLessThanOrEqual(3)
      const fuel = mulDivCeil(1_000_000 * ship.base_speed * milliAu, 7 * 100 * 100, 10 ** 15)
      expect(fuel).toBeLessThanOrEqual(3)
      const bought = base.managed.map((row) => row.item)
      expect(belt.deposits.length).toBeGreaterThan(0)
      for (const { item } of belt.deposits) {
        expect(itemOf(item).extracted_by).toBe('mining')
        expect(bought).toContain(item)
      }
    }
  })
})

/** Returns which family of ores places of a type and class have. */
function familyAt(type: string, poiClass: string | undefined): string {
  if (poiClass === 'ice_field') return 'ice'
  return type === 'gas_cloud' || type === 'nebula' ? 'gas' : 'mining'
}

/** Returns the goods that the stations nearest to a system buy. */
function boughtNear(systems: readonly SystemPlan[], from: number): Set<string> {
  const seen = new Set([from])
  for (let ring = [from]; ring.length > 0; ) {
    const bases = ring.flatMap((here) => systems[here]!.pois.flatMap((poi) => poi.base ?? []))
    if (bases.length > 0) {
      return new Set(bases.flatMap((base) => base.managed.map((row) => row.item)))
    }
    const next: number[] = []
    for (const here of ring) {
      for (const lane of systems[here]!.lanes) {
        if (!seen.has(lane)) next.push(lane)
        seen.add(lane)
      }
    }
    ring = next
  }
  return new Set()
}

test('the same seed gives the same galaxy, and another seed another one', () => {
  const repeated = generateGalaxy(SEEDS[0]!)
  expect(JSON.stringify(repeated)).toBe(JSON.stringify(GALAXIES[0]))
  const first = GALAXIES[0]!.systems.map((system) => `${system.name} ${system.x}`)
  const second = GALAXIES[1]!.systems.map((system) => `${system.name} ${system.x}`)
  expect(first).not.toEqual(second)
})
