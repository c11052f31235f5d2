/**
 * Canned bodies of the map, made from the real galaxy: flights, battles and counts depend on the
 * tick alone, so that they are the same in each run.
 */
import { generateGalaxy } from '../../core/catalog/map.ts'
import type {
  ActivityBody,
  MapBody,
  StationsBody,
  StatsBody,
  SystemBody,
  TerritoryBody,
} from '../../core/public/world.ts'

export const FIRST_TICK = 48_210
export const TICK_MS = 2_000
const JUMP_TICKS = 5
const SEED = 7

const galaxy = generateGalaxy(SEED)
const { systems } = galaxy

export const EMPIRE_COLORS: Readonly<Record<string, string>> = {
  solarian: '#f2c14e',
  voidborn: '#8f7ae5',
  crimson: '#d1495b',
  nebula: '#3fb8af',
  outerrim: '#7a9e3f',
}
const FACTIONS = [
  { tag: 'HALO', name: 'Halo Compact', color: '#ff9f1c' },
  { tag: 'RUST', name: 'Rust Union', color: '#c0c7d6' },
]

/** Returns a number from 0 up to `below`, the same for the same parts. */
export function draw(below: number, ...parts: number[]): number {
  let hash = 2_166_136_261
  for (const part of parts) hash = Math.imul(hash ^ part, 16_777_619) ^ (hash >>> 13)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return ((hash ^ (hash >>> 16)) >>> 0) % below
}

const isBusy = (system: number): boolean =>
  systems[system].pois.some(({ base }) => base !== undefined)

export const stats = (tick: number): StatsBody => ({
  version: '0.4.0',
  public_at: new Date().toISOString(),
  epoch: 'fixture',
  online_players: 214,
  total_players: 1_872,
  total_systems: systems.length,
  tick,
  forum_threads: 42,
  forum_replies: 318,
  tick_ms: TICK_MS,
  delay_ticks: 2,
})

export const map = (): MapBody => ({
  systems: systems.map((plan, index) => ({
    id: plan.id,
    name: plan.name,
    empire: plan.empire ?? '',
    x: plan.x,
    y: plan.y,
    police_level: plan.police_level,
    position: { x: plan.x, y: plan.y },
    connections: plan.lanes.map((lane) => systems[lane].id),
    ...(plan.empire ? { empire_color: EMPIRE_COLORS[plan.empire] } : {}),
    ...(index < galaxy.empires.length ? { is_home: true } : {}),
    ...(plan.is_stronghold ? { is_stronghold: true } : {}),
  })),
  empires: EMPIRE_COLORS,
})

/** Makes `groups` flights at the same time, each one jump long. */
function transits(tick: number, groups: number) {
  return Array.from({ length: groups }, (_, group) => {
    const start = tick - draw(JUMP_TICKS, group, 3)
    const round = Math.floor(start / JUMP_TICKS)
    const from = draw(systems.length, group, round)
    const { lanes } = systems[from]
    return {
      from_system: systems[from].id,
      to_system: systems[lanes[draw(lanes.length, group, round, 1)]].id,
      start_tick: start,
      arrival_tick: start + JUMP_TICKS,
      count: 1 + draw(draw(9, group) === 0 ? 40 : 5, group, 2),
    }
  })
}

export function activity(tick: number, groups = 90): ActivityBody {
  const fought = [3, 57, 141, 260].filter((index) => index < systems.length)
  return {
    current_tick: tick,
    online: Object.fromEntries(
      systems.flatMap(({ id }, index) =>
        isBusy(index) ? [[id, 1 + draw(14, index, Math.floor(tick / 7))]] : [],
      ),
    ),
    battles: Object.fromEntries(fought.map((index) => [systems[index].id, `battle-${index}`])),
    strongholds: Object.fromEntries(
      systems.filter(({ is_stronghold }) => is_stronghold).map(({ id }) => [id, true]),
    ),
    transits: transits(tick, groups),
    npc: Object.fromEntries(
      systems.flatMap(({ id }, index) => (index % 5 === 0 ? [[id, 1 + draw(6, index)]] : [])),
    ),
    heat: Object.fromEntries(
      fought.flatMap((index) =>
        [index, ...systems[index].lanes].map((near, far) => [
          systems[near].id,
          far === 0 ? 90 : 20 + draw(30, near),
        ]),
      ),
    ),
  }
}

/** Makes a map on which two factions hold a few lawless systems each, one of them contested. */
export function territory(): TerritoryBody {
  const held = systems.flatMap(({ id, empire }) =>
    empire ? [[id, { empire, color: EMPIRE_COLORS[empire] }] as const] : [],
  )
  const lawless = systems.flatMap((plan, index) => (plan.empire ? [] : [index]))
  const claimed = FACTIONS.flatMap(({ tag, color }, faction) => {
    const first = lawless[draw(lawless.length, faction, 11)]
    return [first, ...systems[first].lanes.filter((next) => !systems[next].empire)].map(
      (index, place) =>
        [systems[index].id, { faction_tag: tag, color, contested: place === 1 }] as const,
    )
  })
  return {
    systems: Object.fromEntries([...held, ...claimed]),
    wars: [{ a: 'HALO', b: 'RUST', since_tick: FIRST_TICK - 900 }],
  }
}

export function system(id: string, tick: number): SystemBody | undefined {
  const index = systems.findIndex((plan) => plan.id === id)
  if (index < 0) return undefined
  const plan = systems[index]
  const pois = plan.pois.filter(({ hidden }) => !hidden)
  return {
    id,
    name: plan.name,
    description: plan.description,
    security_status: plan.police_level > 0 ? 'High security' : 'Lawless',
    police_level: plan.police_level,
    pirates: plan.empire ? 0 : draw(5, index),
    empire_npcs: plan.empire ? 1 + draw(3, index) : 0,
    is_stronghold: plan.is_stronghold,
    ...(plan.empire ? { empire: plan.empire } : {}),
    connections: plan.lanes.map((lane) => systems[lane].id),
    pois: pois.map((poi, place) => {
      const online = poi.base ? 3 + draw(4, index, place) : draw(3, index, place, tick >> 3)
      return {
        id: poi.id,
        name: poi.name,
        type: poi.type,
        x: poi.x / 1_000,
        y: poi.y / 1_000,
        has_base: poi.base !== undefined,
        online,
        ...(poi.class ? { class: poi.class } : {}),
        ...(online > 0 ? { players: names(index, place).slice(0, online) } : {}),
        ...(poi.base
          ? {
              base_id: poi.base.id,
              station_name: poi.base.name,
              station_empire: plan.empire ?? '',
              station_condition: 'operational',
              station_services: [...poi.base.services],
            }
          : {}),
      }
    }),
    flights: pois.slice(1, 5).map((poi, place) => ({
      from_poi: pois[place].id,
      to_poi: poi.id,
      start_tick: tick - draw(4, place, tick >> 2),
      arrival_tick: tick + 4,
      count: 1 + draw(3, place),
    })),
  }
}

const NAMES = ['Vesper', 'Orrin Kade', 'Talia Wren', 'Sable', 'Juno Marsh', 'Ilex', 'Corvin']

const names = (index: number, place: number) =>
  NAMES.map((_, i) => ({
    username: NAMES[(i + index + place) % NAMES.length],
    ...(i % 3 === 0 ? { clan_tag: 'HALO', primary_color: '#ff9f1c' } : {}),
  }))

export function stations(): StationsBody {
  return {
    stations: systems.flatMap((plan) =>
      plan.pois.flatMap(({ base }) =>
        base
          ? [
              {
                id: base.id,
                type: base.kind === 'empire' ? 'station' : 'outpost',
                name: base.name,
                description: base.description,
                empire: base.empire ?? '',
                empire_name: base.empire ?? 'Independent',
                system_id: plan.id,
                system_name: plan.name,
                condition: 'operational',
                condition_text: 'Everything works.',
                satisfaction_pct: 82,
                weapon_dps: base.weapon_damage,
                wrecked: false,
                services: [...base.services],
                facility_count: 6,
              },
            ]
          : [],
      ),
    ),
    empires: Object.entries(EMPIRE_COLORS).map(([id, color]) => ({ id, name: id, color })),
  }
}
