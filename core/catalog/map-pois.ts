/**
 * Plans the places of a system: sun, worlds, fields, relics, hidden sites and the place of its
 * station.
 */
import type { Draws } from './draws.ts'
import {
  beltDeposits,
  cloudDeposits,
  type DepositSite,
  deepCoreDeposits,
  LEGENDARY_ORES,
  pocketDeposits,
  rockDeposits,
  starterBelt,
} from './map-deposits.ts'
import { slugOf } from './map-names.ts'
import { CAPITALS, TRACT_TEXTS } from './map-notable.ts'
import { PLACES, PLANETS, SUNS } from './map-text.ts'
import type { DepositPlan, PoiPlan, PoiType } from './types.ts'

/** 16 directions, ×1000. */
const COMPASS: readonly (readonly [number, number])[] = [
  [1000, 0],
  [924, 383],
  [707, 707],
  [383, 924],
  [0, 1000],
  [-383, 924],
  [-707, 707],
  [-924, 383],
  [-1000, 0],
  [-924, -383],
  [-707, -707],
  [-383, -924],
  [0, -1000],
  [383, -924],
  [707, -707],
  [924, -383],
]

/** milli-AU. */
const FIRST_ORBIT = 700
const ORBIT_STEP = 480
const ORBIT_SWAY = 180

/** Positions of the start station, first world and beginners' belt, milli-AU from the sun. */
const START_STATION: readonly [number, number] = [800, 0]
const START_WORLD: readonly [number, number] = [880, 140]
const START_BELT: readonly [number, number] = [800, 1_300]

interface SystemSite extends DepositSite {
  id: string
  name: string
  /** Index into CAPITALS, or -1. */
  capital: number
  /** 0-5 in lawless space, else -1. */
  tract: number
  /** The handwritten place of the tract is here. */
  notable: boolean
  station: boolean
  arena: boolean
}

interface Builder {
  site: SystemSite
  pois: PoiPlan[]
  orbit: number
}

type PoiText = Pick<PoiPlan, 'name' | 'description'>

function place(draws: Draws, orbit: number): readonly [number, number] {
  const [dx, dy] = draws.pick(COMPASS)
  const radius = FIRST_ORBIT + ORBIT_STEP * orbit + draws.below(ORBIT_SWAY)
  return [Math.trunc((dx * radius) / 1000), Math.trunc((dy * radius) / 1000)]
}

interface PoiOptions {
  cls?: string
  deposits?: readonly DepositPlan[]
  at?: readonly [number, number]
  difficulty?: number
}

function addPoi(b: Builder, suffix: string, type: PoiType, text: PoiText, o: PoiOptions = {}) {
  const [x, y] = o.at ?? place(b.site.draws, b.orbit++)
  const poi: PoiPlan = {
    id: `${b.site.id}_${suffix}`,
    type,
    ...(o.cls === undefined ? {} : { class: o.cls }),
    ...text,
    x,
    y,
    hidden: o.difficulty !== undefined,
    difficulty: o.difficulty ?? 0,
    deposits: o.deposits ?? [],
  }
  b.pois.push(poi)
  return poi
}

function textOf(b: Builder, kind: string): PoiText {
  const fresh = PLACES[kind]!.filter(([noun]) => !b.site.name.endsWith(noun))
  const [noun, description] = b.site.draws.pick(fresh)
  return { name: `${b.site.name} ${noun}`, description }
}

export function buildPois(site: SystemSite): PoiPlan[] {
  const b: Builder = { site, pois: [], orbit: 0 }
  addSun(b)
  if (site.capital >= 0) addCapitalPlaces(b)
  else addWorlds(b)
  addFields(b)
  addRelics(b)
  addHidden(b)
  if (site.station && site.capital < 0) addStationSpot(b)
  return b.pois
}

function addSun(b: Builder): void {
  const { site } = b
  const [cls, description] = site.draws.pick(SUNS)
  const name = site.capital >= 0 ? CAPITALS[site.capital]!.sun : `${site.name} Star`
  addPoi(b, 'sun', 'sun', { name, description }, { cls, at: [0, 0] })
}

function addCapitalPlaces(b: Builder): void {
  const text = CAPITALS[b.site.capital]!
  const world = { name: text.world, description: text.worldText }
  addPoi(b, 'world', 'planet', world, { cls: 'terran', at: START_WORLD })
  const station = { name: `${text.station} Approach`, description: text.stationText }
  addPoi(b, 'station', 'station', station, { at: START_STATION })
  const belt = { name: text.belt, description: text.beltText }
  const deposits = starterBelt(b.site.table, b.site.draws)
  addPoi(b, 'belt', 'asteroid_belt', belt, { at: START_BELT, deposits })
  b.orbit = 3
}

const NUMERALS = ['I', 'II', 'III', 'IV'] as const

function addWorlds(b: Builder): void {
  const { draws, name } = b.site
  const count = draws.between(1, 4)
  for (let i = 0; i < count; i++) {
    const [cls, description] = draws.pick(PLANETS)
    const title = `${name} ${NUMERALS[i]}`
    const world = addPoi(b, `${i + 1}`, 'planet', { name: title, description }, { cls })
    if (!draws.chance(35)) continue
    const [noun, text] = draws.pick(PLACES.moon!)
    const at: readonly [number, number] = [world.x + draws.between(110, 190), world.y + 90]
    addPoi(b, `${i + 1}_moon`, 'moon', { name: `${title} ${noun}`, description: text }, { at })
  }
}

function addFields(b: Builder): void {
  const { site } = b
  const { draws } = site
  const core = !site.lawless && site.depth <= 1
  const gasLand = site.table === 'nebula'
  const capital = site.capital >= 0
  if (!capital && (core || draws.chance(62))) {
    addPoi(b, 'belt', 'asteroid_belt', textOf(b, 'belt'), { deposits: beltDeposits(site) })
  }
  if (draws.chance(18)) {
    addPoi(b, 'outer_belt', 'asteroid_belt', textOf(b, 'belt'), { deposits: beltDeposits(site) })
  }
  if (capital || draws.chance(24)) {
    const deposits = cloudDeposits('ice', site)
    addPoi(b, 'ice', 'asteroid_belt', textOf(b, 'ice'), { cls: 'ice_field', deposits })
  }
  if (capital || draws.chance(gasLand ? 42 : 21)) {
    addPoi(b, 'cloud', 'gas_cloud', textOf(b, 'cloud'), { deposits: cloudDeposits('gas', site) })
  }
  if (draws.chance(gasLand ? 22 : 10)) {
    addPoi(b, 'nebula', 'nebula', textOf(b, 'nebula'), { deposits: cloudDeposits('gas', site) })
  }
  if (draws.chance(15)) {
    addPoi(b, 'rock', 'asteroid', textOf(b, 'rock'), { deposits: rockDeposits(site) })
  }
}

function addRelics(b: Builder): void {
  const { site } = b
  const { draws } = site
  if (site.notable) {
    const { place: name, placeText: description } = TRACT_TEXTS[site.tract]!
    addPoi(b, slugOf(name), 'relic', { name, description }, { cls: 'ancient_site' })
  } else if (draws.chance(site.lawless ? 6 : 2)) {
    addPoi(b, 'relic', 'relic', textOf(b, 'relic'), { cls: 'ancient_site' })
  }
  if (draws.chance(site.lawless ? 16 : 4)) {
    addPoi(b, 'debris', 'relic', textOf(b, 'debris'), { cls: 'debris' })
  }
  if (site.arena) addPoi(b, 'arena', 'relic', textOf(b, 'arena'), { cls: 'arena' })
}

function addHidden(b: Builder): void {
  const { site } = b
  const { draws } = site
  const prize = site.notable ? LEGENDARY_ORES[site.tract % LEGENDARY_ORES.length] : undefined
  if (site.notable || draws.chance(site.lawless ? 17 : site.depth >= 3 ? 9 : 0)) {
    const deposits = deepCoreDeposits(draws, prize)
    const difficulty = site.notable ? 110 : draws.between(25, 95)
    const text = textOf(b, 'core')
    addPoi(b, 'core', 'asteroid', text, { cls: 'deep_core', deposits, difficulty })
  }
  if (site.notable || (site.lawless && draws.chance(7))) {
    const family = site.notable
      ? site.tract % 2 === 0
        ? 'ice'
        : 'gas'
      : draws.pick(['ice', 'gas'])
    const deposits = pocketDeposits(family as 'ice' | 'gas', draws, site.notable)
    const difficulty = draws.between(20, 70)
    const options = { deposits, difficulty }
    if (family === 'gas') addPoi(b, 'blind', 'gas_cloud', textOf(b, 'pocket'), options)
    else addPoi(b, 'blind', 'asteroid_belt', textOf(b, 'pocket'), { ...options, cls: 'ice_field' })
  }
}

/**
 * Adds the place of a station next to the first world; the base itself is added once all deposits
 * are known.
 */
function addStationSpot(b: Builder): void {
  const world = b.pois[1]!
  const at: readonly [number, number] = [world.x + 70, world.y - 120]
  addPoi(b, 'station', 'station', { name: '', description: '' }, { at })
}
