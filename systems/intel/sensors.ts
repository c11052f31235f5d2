/** Looking at a place from afar, with the sensors of one's faction. Source: factions.md 6. */
import { type FacilityRow, PIRATES } from '../../core/catalog/index.ts'
import { type CommandDef, mutation } from '../../core/command.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { SENSED_ROWS_MAX } from '../../core/limits-intel.ts'
import { obj, ref, str } from '../../core/params.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { baseName } from '../base/rules.ts'
import { Facility } from '../facility/columns.ts'
import { facilityTypeAt } from '../facility/rules.ts'
import { factionOf, IN_FACTION } from '../faction/rules.ts'
import { logAction } from '../log/rules.ts'
import { Npc } from '../npc/columns.ts'
import { npcName, npcOf } from '../npc/rules.ts'
import { empireShipsHere, piratesHere, renderEmpireShip } from '../npc/views.ts'
import { seesPoi } from '../sensing/rules.ts'
import { sensePlace } from '../sensing/sensor-rules.ts'
import { shipClassOf, shipId } from '../ship/rules.ts'
import { Poi } from '../travel/columns.ts'
import { lanesFrom, poiById, poiId, poiName, systemId } from '../travel/rules.ts'
import { serviceFacilities } from './level-rules.ts'
import { sensorResult } from './schemas.ts'

/** Jumps between two systems, up to `most`; undefined where it is further. */
function jumpsBetween(view: WorldView, from: Row, to: Row, most: number): number | undefined {
  let edge: readonly Row[] = [from]
  const seen = new Set(edge)
  for (let jumps = 0; jumps <= most; jumps++) {
    if (edge.includes(to)) return jumps
    const next = edge.flatMap((system) => lanesFrom(view, system))
    edge = [...new Set(next)].filter((system) => !seen.has(system))
    for (const system of edge) seen.add(system)
  }
  return undefined
}

interface Look {
  readonly type: FacilityRow
  readonly base: Row
  readonly jumps: number
  readonly power: number
}

/** Falloff counts from the sensor's own place, then its system, then jump by jump. */
function lookOf(view: WorldView, sensor: Row, poi: Eid): Look | undefined {
  const type = facilityTypeAt(view, sensor)
  const { system } = view.read(Poi)
  const base = view.read(Facility).base[sensor]
  const home = view.read(Base).poi[base]
  const jumps = jumpsBetween(view, system[home], system[poi], type.capacity ?? 0)
  if (jumps === undefined) return undefined
  const steps = home === poi ? 0 : 1 + jumps
  const power = (type.scan_power ?? 0) - (type.scan_falloff ?? 0) * steps
  return { type, base, jumps, power }
}

/** The sensor that sees most of a place; of equals the oldest. Refuses: no_sensor, out_of_range. */
function bestLook(view: WorldView, faction: Row, poi: Eid): Look | Failure {
  const sensors = serviceFacilities(view, faction, 'faction_sensor')
  if (sensors.length === 0) return fail('no_sensor')
  const looks = sensors.flatMap((row) => lookOf(view, row, poi) ?? [])
  if (looks.length === 0) return fail('out_of_range', { poi_id: poiId(view, poi) })
  return looks.reduce((best, look) => (look.power > best.power ? look : best))
}

const renderPirate = (view: WorldView, ship: Eid) => ({
  id: shipId(view, ship),
  name: npcName(view, ship),
  role: PIRATES[view.read(Npc).type[npcOf(view, ship)]].tier,
  ship_class: shipClassOf(view, ship).id,
})

function renderOfficial(view: WorldView, ship: Eid) {
  const { npc_id: id, name, empire, role } = renderEmpireShip(view, ship)
  return { id, name, empire, role, ship_class: shipClassOf(view, ship).id }
}

const said = (contacts: number, others: number, place: string): string =>
  contacts + others === 0
    ? `Nothing moves at ${place}.`
    : `${contacts} pilots and ${others} others made out at ${place}.`

export const scanPoi: CommandDef = mutation({
  name: 'faction_scan_poi',
  v2: { tool: 'game_intel', action: 'scan_poi' },
  summary: 'Look at a place from afar with the best sensor of your faction in reach.',
  category: 'faction',
  order: 'plain',
  needs: [IN_FACTION],
  changes: [],
  params: obj({ poi_id: ref('place', str('Id of the place.', { min: 1, example: 'sol_belt' })) }),
  result: sensorResult,
  errors: ['no_sensor', 'out_of_range', 'invalid_poi'],
  run(world, player, { poi_id }) {
    const poi = poiById(world, poi_id.trim())
    if (poi === 0 || !seesPoi(world, player, poi)) return fail('invalid_poi', { poi_id })
    const look = bestLook(world, factionOf(world, player), poi)
    if ('code' in look) return look
    const place = poiName(world, poi)
    const asked = { poi, power: look.power, most: SENSED_ROWS_MAX }
    const { contacts, isSignature } = sensePlace(world, player, asked)
    const pirates = piratesHere(world, poi).slice(0, SENSED_ROWS_MAX)
    const npcs = empireShipsHere(world, poi).slice(0, SENSED_ROWS_MAX)
    const message = said(contacts.length, pirates.length + npcs.length, place)
    logAction(world, player, 'exploration', 'sensor_scan', message, { poi_id: poiId(world, poi) })
    return ok({
      poi_id: poiId(world, poi),
      poi_name: place,
      system_id: systemId(world, world.read(Poi).system[poi]),
      facility_station: baseName(world, look.base),
      facility_level: look.type.level,
      hops: look.jumps,
      scan_power: look.power,
      contacts,
      signature_detected: isSignature,
      npcs: npcs.map((ship) => renderOfficial(world, ship)),
      pirates: pirates.map((ship) => renderPirate(world, ship)),
      message,
    })
  },
})
