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
  variant?: string
  deposits?: readonly DepositPlan[]
  position?: readonly [number, number]
  difficulty?: number
}

function addPoi(
  builder: Builder,
  suffix: string,
  type: PoiType,
  text: PoiText,
  options: PoiOptions = {},
) {
  const [x, y] = options.position ?? place(builder.site.draws, builder.orbit++)
  const poi: PoiPlan = {
    id: `${builder.site.id}_${suffix}`,
    type,
    ...(options.variant === undefined ? {} : { class: options.variant }),
    ...text,
    x,
    y,
    hidden: options.difficulty !== undefined,
    difficulty: options.difficulty ?? 0,
    deposits: options.deposits ?? [],
  }
  builder.pois.push(poi)
  return poi
}

function textOf(builder: Builder, kind: string): PoiText {
  const fresh = PLACES[kind]!.filter(([noun]) => !builder.site.name.endsWith(noun))
  const [noun, description] = builder.site.draws.pick(fresh)
  return { name: `${builder.site.name} ${noun}`, description }
}

/** Plans the places of a system. */
export function buildPois(site: SystemSite): PoiPlan[] {
  const builder: Builder = { site, pois: [], orbit: 0 }
  addSun(builder)
  if (site.capital >= 0) addCapitalPlaces(builder)
  else addWorlds(builder)
  addFields(builder)
  addRelics(builder)
  addHidden(builder)
  if (site.station && site.capital < 0) addStationSpot(builder)
  return builder.pois
}

function addSun(builder: Builder): void {
  const { site } = builder
  const [variant, description] = site.draws.pick(SUNS)
  const name = site.capital >= 0 ? CAPITALS[site.capital]!.sun : `${site.name} Star`
  addPoi(builder, 'sun', 'sun', { name, description }, { variant, position: [0, 0] })
}

function addCapitalPlaces(builder: Builder): void {
  const text = CAPITALS[builder.site.capital]!
  const world = { name: text.world, description: text.worldText }
  addPoi(builder, 'world', 'planet', world, { variant: 'terran', position: START_WORLD })
  const station = { name: `${text.station} Approach`, description: text.stationText }
  addPoi(builder, 'station', 'station', station, { position: START_STATION })
  const belt = { name: text.belt, description: text.beltText }
  const deposits = starterBelt(builder.site.table, builder.site.draws)
  addPoi(builder, 'belt', 'asteroid_belt', belt, { position: START_BELT, deposits })
  builder.orbit = 3
}

const NUMERALS = ['I', 'II', 'III', 'IV'] as const

function addWorlds(builder: Builder): void {
  const { draws, name } = builder.site
  const count = draws.between(1, 4)
  for (let i = 0; i < count; i++) {
    const [variant, description] = draws.pick(PLANETS)
    const title = `${name} ${NUMERALS[i]}`
    const world = addPoi(builder, `${i + 1}`, 'planet', { name: title, description }, { variant })
    if (!draws.chance(35)) continue
    const [noun, text] = draws.pick(PLACES.moon!)
    const position: readonly [number, number] = [world.x + draws.between(110, 190), world.y + 90]
    addPoi(
      builder,
      `${i + 1}_moon`,
      'moon',
      { name: `${title} ${noun}`, description: text },
      { position },
    )
  }
}

function addFields(builder: Builder): void {
  const { site } = builder
  const { draws } = site
  const core = !site.lawless && site.depth <= 1
  const gasLand = site.table === 'nebula'
  const capital = site.capital >= 0
  if (!capital && (core || draws.chance(62))) {
    addPoi(builder, 'belt', 'asteroid_belt', textOf(builder, 'belt'), {
      deposits: beltDeposits(site),
    })
  }
  if (draws.chance(18)) {
    addPoi(builder, 'outer_belt', 'asteroid_belt', textOf(builder, 'belt'), {
      deposits: beltDeposits(site),
    })
  }
  if (capital || draws.chance(24)) {
    const deposits = cloudDeposits('ice', site)
    addPoi(builder, 'ice', 'asteroid_belt', textOf(builder, 'ice'), {
      variant: 'ice_field',
      deposits,
    })
  }
  if (capital || draws.chance(gasLand ? 42 : 21)) {
    addPoi(builder, 'cloud', 'gas_cloud', textOf(builder, 'cloud'), {
      deposits: cloudDeposits('gas', site),
    })
  }
  if (draws.chance(gasLand ? 22 : 10)) {
    addPoi(builder, 'nebula', 'nebula', textOf(builder, 'nebula'), {
      deposits: cloudDeposits('gas', site),
    })
  }
  if (draws.chance(15)) {
    addPoi(builder, 'rock', 'asteroid', textOf(builder, 'rock'), { deposits: rockDeposits(site) })
  }
}

function addRelics(builder: Builder): void {
  const { site } = builder
  const { draws } = site
  if (site.notable) {
    const { place: name, placeText: description } = TRACT_TEXTS[site.tract]!
    addPoi(builder, slugOf(name), 'relic', { name, description }, { variant: 'ancient_site' })
  } else if (draws.chance(site.lawless ? 6 : 2)) {
    addPoi(builder, 'relic', 'relic', textOf(builder, 'relic'), { variant: 'ancient_site' })
  }
  if (draws.chance(site.lawless ? 16 : 4)) {
    addPoi(builder, 'debris', 'relic', textOf(builder, 'debris'), { variant: 'debris' })
  }
  if (site.arena) addPoi(builder, 'arena', 'relic', textOf(builder, 'arena'), { variant: 'arena' })
}

function addHidden(builder: Builder): void {
  const { site } = builder
  const { draws } = site
  const prize = site.notable ? LEGENDARY_ORES[site.tract % LEGENDARY_ORES.length] : undefined
  if (site.notable || draws.chance(site.lawless ? 17 : site.depth >= 3 ? 9 : 0)) {
    const deposits = deepCoreDeposits(draws, prize)
    const difficulty = site.notable ? 110 : draws.between(25, 95)
    const text = textOf(builder, 'core')
    addPoi(builder, 'core', 'asteroid', text, { variant: 'deep_core', deposits, difficulty })
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
    if (family === 'gas') addPoi(builder, 'blind', 'gas_cloud', textOf(builder, 'pocket'), options)
    else
      addPoi(builder, 'blind', 'asteroid_belt', textOf(builder, 'pocket'), {
        ...options,
        variant: 'ice_field',
      })
  }
}

/**
 * Adds the place of a station next to the first world; the base itself is added once all deposits
 * are known.
 */
function addStationSpot(builder: Builder): void {
  const world = builder.pois[1]!
  const position: readonly [number, number] = [world.x + 70, world.y - 120]
  addPoi(builder, 'station', 'station', { name: '', description: '' }, { position })
}
