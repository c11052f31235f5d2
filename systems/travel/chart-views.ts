/** Wire forms of the chart as a whole: every system in short, who is online where. */
import { EMPIRES } from '../../core/catalog/index.ts'
import type { Static } from '../../core/params.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Bound, Player } from '../account/state.ts'
import { capitalOf } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { seePlayer, seesPoi } from '../sensing/model.ts'
import { systemOf } from './drift-model.ts'
import { neighboursOf, poisOf, systemId, systemName, visitedBy } from './model.ts'
import type { mapSystemSchema, publicMapSchema } from './schemas.ts'
import { CHART, type Charted, Poi, StarSystem } from './state.ts'
import { empireOfSystem } from './views.ts'

/** Fixed parts of all systems, by row - 1. */
function chart(view: WorldView): readonly Charted[] {
  const kept = view.index(CHART)
  for (let row = kept.length + 1; row <= view.highOf(StarSystem); row++)
    kept.push(charted(view, row))
  return kept
}

function charted(view: WorldView, system: Eid): Charted {
  const { description, stronghold, x, y } = view.read(StarSystem)
  const empire = empireOfSystem(view, system)
  return {
    system_id: systemId(view, system),
    name: systemName(view, system),
    description: view.texts.get(description[system]),
    ...(empire === undefined ? {} : { empire }),
    is_stronghold: stronghold[system] === 1,
    position: { x: x[system], y: y[system] },
    connections: neighboursOf(view, system).map(({ to }) => systemId(view, to)),
  }
}

/** Players online in each system, by row, as anybody may know. O(players online). */
function onlineBySystem(view: WorldView): Uint32Array {
  const counts = new Uint32Array(view.highOf(StarSystem) + 1)
  for (const player of view.byId(Player, [Bound])) {
    if (seePlayer(view, 0, player) !== 'nothing') counts[systemOf(view, player)]++
  }
  return counts
}

/** Systems in short, as the viewer has charted them. */
export function renderChart(
  view: WorldView,
  viewer: Eid,
  systems: readonly Eid[],
): Static<typeof mapSystemSchema>[] {
  const online = onlineBySystem(view)
  const visited = visitedBy(view, viewer)
  const { seq } = view.read(StarSystem)
  const fixed = chart(view)
  return systems.map((system) => {
    const first = visited[String(seq[system])]
    return {
      ...fixed[system - 1],
      online: online[system],
      poi_count: poisOf(view, system).filter((poi) => seesPoi(view, viewer, poi)).length,
      visited: first !== undefined,
      visited_at: first === undefined ? '' : isoTime(first),
    }
  })
}

/** One system in short, as the viewer has charted it. */
export const renderMapSystem = (view: WorldView, viewer: Eid, system: Eid) =>
  renderChart(view, viewer, [system])[0]

export function allSystems(view: WorldView): Eid[] {
  return Array.from({ length: view.highOf(StarSystem) }, (_, i) => i + 1)
}

/** The chart of the public website data. Source: WIRE.md 6.6, newer.md section 3. */
export function renderPublicMap(view: WorldView): Static<typeof publicMapSchema> {
  const { police, empire } = view.read(StarSystem)
  const online = onlineBySystem(view)
  const { poi } = view.read(Base)
  const { system } = view.read(Poi)
  const homes = new Set(EMPIRES.map((_, i) => system[poi[capitalOf(view, i)]]))
  return {
    systems: chart(view).map((entry, i) => ({
      id: entry.system_id,
      name: entry.name,
      x: entry.position.x,
      y: entry.position.y,
      position: entry.position,
      empire: entry.empire ?? '',
      ...(entry.empire ? { empire_color: EMPIRES[empire[i + 1] - 1].primary_color } : {}),
      police_level: police[i + 1],
      is_home: homes.has(i + 1),
      is_stronghold: entry.is_stronghold,
      online: online[i + 1],
      connections: entry.connections,
    })),
    empires: Object.fromEntries(EMPIRES.map(({ id, primary_color }) => [id, primary_color])),
  }
}
