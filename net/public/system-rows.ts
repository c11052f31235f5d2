/** Bodies of territory, a system, the mobile capital. Source: WEB 1.2. */
import { fail, ok } from '../../core/errors.ts'
import { PUBLIC_NAMES_A_POI_MAX } from '../../core/limits.ts'
import type { ChartPoi, PlayerCard, StationEntry, WorldNotes } from '../../core/public/frame.ts'
import {
  mobileBaseBody,
  type SystemBody,
  systemBody,
  type TerritoryBody,
  territoryBody,
} from '../../core/public/world.ts'
import type { PublicInfo, PublicRow } from './row.ts'
import { docOf, eachGroup, type PublicState } from './state.ts'

/** Returns a fact about the world as a whole; undefined until it is published. */
export const noteOf = <N extends keyof WorldNotes>(
  state: PublicState,
  name: N,
): WorldNotes[N] | undefined => docOf(state, 'world', name) as WorldNotes[N] | undefined

type Poi = SystemBody['pois'][number]
type SeenPlayer = NonNullable<Poi['players']>[number]

const renderSeen = (card: PlayerCard): SeenPlayer => {
  const { username, clan_tag, status_message, primary_color, secondary_color } = card
  return {
    username,
    ...(clan_tag === undefined ? {} : { clan_tag }),
    ...(status_message === undefined ? {} : { status: status_message }),
    primary_color,
    secondary_color,
  }
}

/** Returns the players shown at the places of a system, by index of the place. */
function seenIn(state: PublicState, system: number): ReadonlyMap<number, SeenPlayer[]> {
  const { pois } = state.chart
  const seen = new Map<number, SeenPlayer[]>()
  eachGroup(state.presence.named, 2, (code, number) => {
    const place = code >> 1
    if (pois[place].system !== system) return
    const players = seen.get(place) ?? []
    const card = docOf(state, 'players', String(number))
    if (!card || players.length >= PUBLIC_NAMES_A_POI_MAX) return
    players.push(renderSeen(card))
    seen.set(place, players)
  })
  return seen
}

function stationFields(station: StationEntry | undefined): Partial<Poi> {
  if (!station) return {}
  const { faction_name, faction_tag, faction_color } = station
  return {
    station_name: station.name,
    station_empire: station.empire,
    ...(faction_name === undefined ? {} : { station_faction_name: faction_name }),
    ...(faction_tag === undefined ? {} : { station_faction_tag: faction_tag }),
    ...(faction_color === undefined ? {} : { station_faction_color: faction_color }),
    station_condition: station.condition,
    station_services: station.services,
  }
}

interface PoiParts {
  readonly poi: ChartPoi
  readonly online: number
  readonly players: SeenPlayer[] | undefined
}

function renderPoi(state: PublicState, { poi, online, players }: PoiParts): Poi {
  const { id, name, type, class: kind, x, y, base_id } = poi
  const station = base_id === undefined ? undefined : docOf(state, 'stations', base_id)
  return {
    id,
    name,
    type,
    ...(kind === undefined ? {} : { class: kind }),
    x,
    y,
    has_base: base_id !== undefined,
    ...(base_id === undefined ? {} : { base_id }),
    online,
    ...(players === undefined ? {} : { players }),
    ...stationFields(station),
  }
}

/** Renders a system, without names if the server does not show them. */
function renderSystem(state: PublicState, system: number, about: PublicInfo): SystemBody {
  const { chart, presence, flights } = state
  const { id, name, description, empire, security_status, police_level, ...rest } =
    chart.systems[system]
  const online = new Map<number, number>()
  eachGroup(presence.online, 2, (place, count) => void online.set(place, count))
  let [pirates, official] = [0, 0]
  eachGroup(presence.npcs, 3, (npcSystem, pirateCount, officialCount) => {
    if (npcSystem === system) [pirates, official] = [pirateCount, officialCount]
  })
  const seen = about.showsNames ? seenIn(state, system) : undefined
  const local: SystemBody['flights'] = []
  eachGroup(flights.local, 5, (from, to, start_tick, arrival_tick, count) => {
    if (chart.pois[from].system !== system) return
    const [from_poi, to_poi] = [chart.pois[from].id, chart.pois[to].id]
    local.push({ from_poi, to_poi, start_tick, arrival_tick, count })
  })
  return {
    id,
    name,
    description,
    ...(empire === '' ? {} : { empire }),
    security_status,
    police_level,
    is_stronghold: rest.is_stronghold === true,
    connections: rest.connections,
    pois: chart.pois.flatMap((poi, place) =>
      poi.system === system
        ? [
            renderPoi(state, {
              poi,
              online: online.get(place) ?? 0,
              players: seen && (seen.get(place) ?? []),
            }),
          ]
        : [],
    ),
    flights: local,
    pirates,
    empire_npcs: official,
  }
}

export const renderTerritory = (state: PublicState): TerritoryBody =>
  noteOf(state, 'territory') ?? { systems: {}, wars: [] }

export const SYSTEM_ROWS: readonly PublicRow[] = [
  {
    path: '/api/map/territory',
    operationId: 'getTerritory',
    about: 'which systems belong to whom, and which factions are at war',
    cache: 'M',
    bucket: 'page',
    schema: territoryBody,
    source: 'frame',
    reads: ['world'],
    body: (state) => ok(renderTerritory(state)),
  },
  {
    path: '/api/map/system/:system_id',
    operationId: 'getPublicSystem',
    about: 'a system: its places, who is there, its stations, what flies',
    param: { name: 'system_id', about: 'Id of a system of the map.', example: 'sol' },
    cache: 'T',
    bucket: 'page',
    schema: systemBody,
    source: 'frame',
    reads: ['tick'],
    body(state, { params, about }) {
      const system = state.systemIndexes.get(params.system_id)
      return system === undefined ? fail('not_found') : ok(renderSystem(state, system, about))
    },
  },
  {
    path: '/wheres-mobile-base',
    operationId: 'getMobileBase',
    about: 'where the mobile capital is; on this server it does not move',
    cache: 'M',
    bucket: 'page',
    schema: mobileBaseBody,
    source: 'frame',
    reads: ['world'],
    errors: ['not_found'],
    body(state) {
      const system = noteOf(state, 'mobile_base')
      return system ? ok({ system }) : fail('not_found')
    },
  },
]
