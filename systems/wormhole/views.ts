/** Renders the mouths of wormholes for pilots. Source: spec, get_poi; travel.md section 4. */
import { counted } from '../../core/say.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { poiName, systemId, systemName } from '../travel/model.ts'
import { exitSystem, knowsPath, pathAt } from './model.ts'
import { ENTRANCE, EXIT, LEVEL_PER_STABILITY, Mouth, Wormhole } from './state.ts'

/** Renders the fields of a mouth, for a viewer who is there; none for other places. */
export function renderMouth(view: WorldView, viewer: Eid, poi: Eid) {
  const state = view.read(Mouth).state[poi]
  if (state === EXIT) {
    return { wormhole_prediction_hint: 'Ships come out here; the path cannot be flown back.' }
  }
  if (state !== ENTRANCE) return {}
  const path = pathAt(view, poi)
  const { endTick, stability } = view.read(Wormhole)
  if (!knowsPath(view, viewer, path)) {
    const level = LEVEL_PER_STABILITY * stability[path]
    return {
      wormhole_prediction_hint:
        'You do not know where it leads: fly through it, or survey it with wormhole_navigation ' +
        `${level}. Jump with the id of this place to enter.`,
    }
  }
  const system = exitSystem(view, path)
  return {
    wormhole_destination: systemName(view, system),
    wormhole_destination_id: systemId(view, system),
    wormhole_expires_in: counted(endTick[path] - view.tick, 'tick'),
  }
}

/** Renders a sentence about where a path leads, for those who have predicted it. */
export const renderPrediction = (view: WorldView, path: Row): string =>
  `${poiName(view, view.read(Wormhole).entrance[path])} leads to ` +
  `${systemName(view, exitSystem(view, path))} (${systemId(view, exitSystem(view, path))}).`
