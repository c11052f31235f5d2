/**
 * Stations as other domains see them in and after a fight: how they are found, called to arms, and
 * wrecked. What they are is station-rules.ts.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import { holdsNoMoreGoods } from '../../core/goods.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { baseById, empireOfBase } from '../base/rules.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { Participant } from '../combat/columns.ts'
import { factionIdOf } from '../faction/rules.ts'
import { crewRowIn } from '../npc/crew-rules.ts'
import { seesPoi } from '../sensing/rules.ts'
import { Ship } from '../ship/columns.ts'
import { isOutpost, ownerOfBase } from '../station/access-rules.ts'
import { Poi, StarSystem } from '../travel/columns.ts'
import { poiById, poisOf } from '../travel/rules.ts'
import { isPirateBase, systemOfBase } from './station-rules.ts'

export { forgetStation, mobilize, rearm } from './muster.ts'
export { callStronghold, type Fall, wreckStation } from './wrecking.ts'

/** The station of a system's crew, or of its empire; 0 none. */
export function stationIn(view: WorldView, system: Eid, isCrews: boolean): Eid {
  const { base } = view.read(Poi)
  const { empire } = view.read(StarSystem)
  for (const poi of poisOf(view, system)) {
    const found = base[poi]
    if (found === 0) continue
    const isTheirs = isCrews
      ? isPirateBase(view, found)
      : empireOfBase(view, found) >= 0 && empireOfBase(view, found) === empire[system] - 1
    if (isTheirs) return found
  }
  return 0
}

/** The station of a faction in a system; 0 none. Outposts have no guns. */
export function stationOfFaction(view: WorldView, system: Eid, faction: Row): Eid {
  const { base } = view.read(Poi)
  const isTheirs = (at: Eid) => ownerOfBase(view, at) === faction && !isOutpost(view, at)
  const poi = poisOf(view, system).find((place) => base[place] !== 0 && isTheirs(base[place]))
  return poi === undefined ? 0 : base[poi]
}

/** Wire id of whom a station belongs to: an empire, a crew, a faction; empty for nobody. */
export function ownerOfStation(view: WorldView, base: Eid): string {
  const faction = ownerOfBase(view, base)
  if (faction !== 0) return factionIdOf(view, faction)
  const empire = empireOfBase(view, base)
  if (empire >= 0) return EMPIRES[empire].id
  return isPirateBase(view, base) ? crewRowIn(view, systemOfBase(view, base)).key : ''
}

/** A station by its id or that of its place, as far as the player knows the place; 0 none. */
export function stationById(view: WorldView, player: Eid, id: string): Eid {
  const named = baseById(view, id)
  const poi = named === 0 ? poiById(view, id) : view.read(Base).poi[named]
  return poi !== 0 && seesPoi(view, player, poi) ? view.read(Poi).base[poi] : 0
}

/** True while the tables have room for the hull of another station. */
export const hasRoomForStation = (view: WorldView): boolean =>
  !isNearlyFull(view, Ship) && !isNearlyFull(view, Participant) && !holdsNoMoreGoods(view)
