/** What a pilot can see, before an attack, of those who may join the other side. */
import { counted } from '../../core/say.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { empireShipsHere, pilotName, piratesHere } from '../npc/model.ts'
import { Location } from '../travel/state.ts'
import { ShipCombat } from './state.ts'

const NAMED_MAX = 10

/**
 * Renders who at the place of an NPC ship may support it: its own kind, if in no battle yet. Others
 * of the system may come later, which cannot be foreseen. Empty for players' ships.
 */
export function renderSupporters(view: WorldView, ship: Eid): Record<string, unknown> {
  const { poi } = view.read(Location)
  const { participant } = view.read(ShipCombat)
  if (poi[ship] === 0) return {}
  const kin = [piratesHere(view, poi[ship]), empireShipsHere(view, poi[ship])].find((ships) =>
    ships.includes(ship),
  )
  if (!kin) return {}
  const supporters = kin.filter((other) => other !== ship && participant[other] === 0)
  const others = counted(supporters.length, 'other ship')
  return {
    may_join: supporters.slice(0, NAMED_MAX).map((other) => pilotName(view, other)),
    may_join_count: supporters.length,
    warning: `${others} of its kind at this place may join; more of the system may come.`,
  }
}
