/** The public chart: all systems, and the places that nobody has to discover. Source: WEB 1.2. */
import { EMPIRES } from '../../core/catalog/index.ts'
import type { ChartPoi, ChartSystem, PublicChart } from '../../core/public/frame.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { baseId, capitalOf, capitalSystems } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { strangerSeesPlace } from '../sensing/model.ts'
import { neighboursOf, poiId, poiName, poiType, systemId, systemName } from '../travel/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import { securityStatus } from '../travel/views.ts'

export interface Charted {
  readonly chart: PublicChart
  /** By row of a place: its index in the chart; -1 if strangers do not know it. */
  readonly poiIndexes: Int32Array
  readonly signature: number
}

/** Returns the index of a system in the chart, which lists all of them. */
export const systemIndexOf = (system: Eid): number => system - 1

const MILLI = 1_000

function renderPoi(view: WorldView, poi: Eid): ChartPoi {
  const { class: kind, system, x, y, base } = view.read(Poi)
  const subtype = view.texts.get(kind[poi])
  return {
    id: poiId(view, poi),
    name: poiName(view, poi),
    type: poiType(view, poi),
    ...(subtype === '' ? {} : { class: subtype }),
    system: systemIndexOf(system[poi]),
    x: x[poi] / MILLI,
    y: y[poi] / MILLI,
    ...(base[poi] === 0 ? {} : { base_id: baseId(view, base[poi]) }),
  }
}

function renderSystem(view: WorldView, system: Eid, isHome: boolean): ChartSystem {
  const { description, empire, police, stronghold, x, y } = view.read(StarSystem)
  const owner = empire[system] === 0 ? undefined : EMPIRES[empire[system] - 1]
  const position = { x: x[system], y: y[system] }
  return {
    id: systemId(view, system),
    name: systemName(view, system),
    description: view.texts.get(description[system]),
    empire: owner?.id ?? '',
    ...(owner ? { empire_color: owner.primary_color } : {}),
    ...position,
    position,
    police_level: police[system],
    security_status: securityStatus(police[system]),
    is_home: isHome,
    is_stronghold: stronghold[system] === 1,
    connections: neighboursOf(view, system).map(({ to }) => systemId(view, to)),
  }
}

/**
 * Returns the id of the system of the first empire's capital, for clients that expect a capital
 * that moves; ours do not.
 */
export function homeOfCapital(view: WorldView): string {
  const base = capitalOf(view, 0)
  return systemId(view, view.read(Poi).system[view.read(Base).poi[base]])
}

const isCharted = (view: WorldView, poi: Eid): boolean =>
  view.read(Poi).alive[poi] === 1 && strangerSeesPlace(view, poi)

/**
 * Returns a number that changes whenever the chart does, as when a place is made or gets a station.
 * It includes the number of rows, since `poiIndexes` needs an entry for hidden places too.
 */
export function chartSignature(view: WorldView): number {
  const { id, name, base } = view.read(Poi)
  const high = view.highOf(Poi)
  let sum = high
  for (let poi = 1; poi <= high; poi++) {
    if (!isCharted(view, poi)) continue
    sum = (Math.imul(sum, 31) + poi) | 0
    sum = (Math.imul(sum, 31) + id[poi]) | 0
    sum = (Math.imul(sum, 31) + name[poi]) | 0
    sum = (Math.imul(sum, 31) + base[poi]) | 0
  }
  return sum
}

/** Renders the chart of all places that strangers know now. */
export function readChart(view: WorldView): Charted {
  const poiIndexes = new Int32Array(view.highOf(Poi) + 1).fill(-1)
  const pois: ChartPoi[] = []
  for (let poi = 1; poi <= view.highOf(Poi); poi++) {
    if (!isCharted(view, poi)) continue
    poiIndexes[poi] = pois.length
    pois.push(renderPoi(view, poi))
  }
  const homes = capitalSystems(view)
  const systems = Array.from({ length: view.highOf(StarSystem) }, (_, i) =>
    renderSystem(view, i + 1, homes.has(i + 1)),
  )
  const empires = EMPIRES.map(({ id, name, primary_color }) => ({ id, name, color: primary_color }))
  return { chart: { systems, pois, empires }, poiIndexes, signature: chartSignature(view) }
}
