/** What is told of a wreck to those who hear of a death. Source: combat.md section 15. */
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Wreck } from '../salvage/columns.ts'
import { hasCargo, hasModules, wreckId } from '../salvage/rules.ts'
import { seesPoi } from '../sensing/rules.ts'
import { Poi } from '../travel/columns.ts'
import { poiId, poiName, systemId, systemName } from '../travel/rules.ts'

/** Where a wreck is, as far as the viewer knows the place. */
export function wreckPlace(view: WorldView, viewer: Eid, wreck: Row) {
  if (wreck === 0) return {}
  const poi = view.read(Wreck).poi[wreck]
  if (!seesPoi(view, viewer, poi)) return { wreck_id: wreckId(view, wreck) }
  const system = view.read(Poi).system[poi]
  return {
    wreck_id: wreckId(view, wreck),
    wreck_poi_id: poiId(view, poi),
    wreck_poi_name: poiName(view, poi),
    wreck_system_id: systemId(view, system),
    wreck_system_name: systemName(view, system),
  }
}

/** What the killer hears of a wreck; nothing where none is left. */
export function wreckNews(view: WorldView, killer: Eid, wreck: Row) {
  if (wreck === 0) return {}
  return {
    ...wreckPlace(view, killer, wreck),
    wreck_has_cargo: hasCargo(view, wreck),
    wreck_has_modules: hasModules(view, wreck),
  }
}
