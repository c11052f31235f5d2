/** Bodies of stations. Source: WEB 1.2. */
import { facilityTypeOf } from '../../core/catalog/index.ts'
import { fail, ok } from '../../core/errors.ts'
import type { ShownFacility } from '../../core/public/frame.ts'
import { type StationBody, stationBody, stationsBody } from '../../core/public/world.ts'
import type { PublicRow } from './row.ts'
import { docOf, docsOf } from './state.ts'

/** Fields of the body of one station that the list leaves out. */
const DETAILS = ['hull', 'max_hull', 'shield', 'max_shield', 'armor', 'weapon_reach']
  .concat('public_access', 'facilities')
  .map((name) => [name, undefined])

function renderFacility(facility: ShownFacility): StationBody['facilities'][number] {
  const type = facilityTypeOf(facility.type)
  return {
    id: facility.id,
    name: facility.name ?? type.name,
    description: type.description,
    active_description: facility.isActive ? (facility.said ?? '') : '',
    category: type.category,
    service_type: type.service ?? type.faction_service_type ?? '',
    empire: type.empire ?? '',
    lore: '',
    level: type.level,
    unique: type.unique === true,
    maintenance_satisfied: facility.isMaintained,
    active: facility.isActive,
  }
}

export const STATION_ROWS: readonly PublicRow[] = [
  {
    path: '/api/stations',
    operationId: 'getPublicStations',
    about: 'all stations with services and condition',
    cache: 'M',
    bucket: 'page',
    schema: stationsBody,
    source: 'frame',
    reads: ['stations', 'chart'],
    body: (state) =>
      ok({
        stations: docsOf(state, 'stations').map((station) => ({
          ...station,
          ...Object.fromEntries(DETAILS),
        })),
        empires: state.chart.empires,
      }),
  },
  {
    path: '/api/stations/:station_id',
    operationId: 'getPublicStation',
    about: 'a station: its defences, services and public facilities',
    param: { name: 'station_id', about: 'Id of a station.', example: 'sol_station' },
    cache: 'T',
    bucket: 'page',
    schema: stationBody,
    source: 'frame',
    reads: ['stations'],
    body(state, { params }) {
      const station = docOf(state, 'stations', params.station_id)
      if (!station) return fail('not_found')
      const { facility_count: _, ...body } = station
      return ok({ ...body, facilities: body.facilities.map(renderFacility) })
    },
  },
]
