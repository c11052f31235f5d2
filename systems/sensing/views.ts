/** Wire forms of what the public sees at a place: one entry per ship, of players or the server. */
import type { Eid, WorldView } from '../../core/types.ts'
import { isBound } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { fighterOf } from '../arena/model.ts'
import { ShipCombat } from '../combat/state.ts'
import { isCreature, renderCreature } from '../creature/model.ts'
import { renderEmpireShip, renderPirate } from '../npc/listing-model.ts'
import { npcKindOf, pilotName } from '../npc/model.ts'
import { prizeId, prizeOf } from '../prize/model.ts'
import { renderSeenPrize } from '../prize/views.ts'
import { shipClassOf, shipId } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { nearbyPlayer } from '../travel/nearby-views.ts'
import type { Rows, Seen, SeenList } from './state.ts'

/** Returns the player who flies a ship; 0 none. */
export function pilotOfShip(view: WorldView, ship: Eid): Eid {
  const { alive, owner } = view.read(Ship)
  const player = alive[ship] === 1 ? owner[ship] : 0
  return player !== 0 && view.read(Player).ship[player] === ship ? player : 0
}

/** Returns the rows of one of the lists. */
export const rowsIn = <L extends SeenList>(seen: readonly Seen[], list: L): Rows[L][] =>
  seen.flatMap((entry) => (entry.list === list ? [entry.row as Rows[L]] : []))

/** Renders a ship as the public sees it; undefined if it is cloaked, or stored without a pilot. */
export function renderSeen(view: WorldView, ship: Eid): Seen | undefined {
  const player = pilotOfShip(view, ship)
  if (player !== 0) {
    const row = nearbyPlayer(view, 0, player)
    return row && { list: 'nearby', id: row.player_id ?? '', row }
  }
  return view.read(Ship).alive[ship] === 0 ? undefined : renderUnpiloted(view, ship)
}

function renderUnpiloted(view: WorldView, ship: Eid): Seen | undefined {
  const id = shipId(view, ship)
  const prize = prizeOf(view, ship)
  if (prize !== 0) {
    return { list: 'prizes', id: prizeId(view, prize), row: renderSeenPrize(view, prize) }
  }
  if (isCreature(view, ship)) return { list: 'creatures', id, row: renderCreature(view, ship) }
  if (fighterOf(view, ship)) return { list: 'arena_npcs', id, row: renderFighter(view, ship) }
  const kind = npcKindOf(view, ship)
  if (kind === undefined) return undefined
  return kind === 'pirate'
    ? { list: 'pirates', id, row: renderPirate(view, ship) }
    : { list: 'empire_npcs', id, row: renderEmpireShip(view, ship) }
}

/** Renders a ship of the server in an arena; knocked out it has no hull left. */
function renderFighter(view: WorldView, ship: Eid): Rows['arena_npcs'] {
  const { hull, hullMax, shield, shieldMax } = view.read(Ship)
  return {
    npc_id: shipId(view, ship),
    name: pilotName(view, ship),
    ship_class: shipClassOf(view, ship).id,
    hull: hull[ship],
    max_hull: hullMax[ship],
    shield: shield[ship],
    max_shield: shieldMax[ship],
    in_combat: view.read(ShipCombat).participant[ship] !== 0,
  }
}

/** Renders a ship as `renderSeen` does, if a player who is online flies it; undefined otherwise. */
export function renderAgent(view: WorldView, ship: Eid): Seen | undefined {
  const player = pilotOfShip(view, ship)
  const row = player !== 0 && isBound(view, player) ? nearbyPlayer(view, 0, player) : undefined
  return row && { list: 'nearby', id: row.player_id ?? '', row }
}
