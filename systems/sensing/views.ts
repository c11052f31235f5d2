/**
 * Wire forms of what is seen at a place: one entry a ship, whoever flies it, as anybody sees it.
 * Players come before ships of the server.
 */
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { isBound } from '../account/rules.ts'
import { fighterOf } from '../arena/rules.ts'
import { Fighting } from '../combat/columns.ts'
import { isCreature } from '../creature/rules.ts'
import type { creatureSchema } from '../creature/schemas.ts'
import { renderCreature } from '../creature/views.ts'
import { helmName, npcKindOf } from '../npc/rules.ts'
import type { empireNpcSchema, pirateSchema } from '../npc/schemas.ts'
import { renderEmpireShip, renderPirate } from '../npc/views.ts'
import { prizeId, prizeOf } from '../prize/rules.ts'
import type { seenPrizeSchema } from '../prize/schemas.ts'
import { renderSeenPrize } from '../prize/views.ts'
import { Ship } from '../ship/columns.ts'
import { shipClassOf, shipId } from '../ship/rules.ts'
import type { nearbyPlayerSchema } from '../travel/schemas.ts'
import { nearbyPlayer } from '../travel/views.ts'
import type { arenaNpcSchema } from './schemas.ts'

export type Entry = Static<typeof nearbyPlayerSchema>

/** The player who flies a ship; 0 when nobody does. */
export function pilotOfShip(view: WorldView, ship: Eid): Eid {
  const { alive, owner } = view.read(Ship)
  const player = alive[ship] === 1 ? owner[ship] : 0
  return player !== 0 && view.read(Player).ship[player] === ship ? player : 0
}

/** What stands in the lists of a place, by list; `nearby` are players. Source: newer.md section 4. */
interface Rows {
  readonly nearby: Entry
  readonly pirates: Static<typeof pirateSchema>
  readonly empire_npcs: Static<typeof empireNpcSchema>
  readonly creatures: Static<typeof creatureSchema>
  readonly prizes: Static<typeof seenPrizeSchema>
  readonly arena_npcs: Static<typeof arenaNpcSchema>
}
export type SeenList = keyof Rows

/** A row, the list it stands in, and the id by which it is told there. */
export type Seen = {
  readonly [L in SeenList]: { readonly list: L; readonly id: string; readonly row: Rows[L] }
}[SeenList]

/** The rows of one of the lists. */
export const rowsIn = <L extends SeenList>(seen: readonly Seen[], list: L): Rows[L][] =>
  seen.flatMap((one) => (one.list === list ? [one.row as Rows[L]] : []))

/** A ship as anybody sees it at a place; undefined where nobody does, or nobody flies it. */
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
  if (prize !== 0)
    return { list: 'prizes', id: prizeId(view, prize), row: renderSeenPrize(view, prize) }
  if (isCreature(view, ship)) return { list: 'creatures', id, row: renderCreature(view, ship) }
  if (fighterOf(view, ship)) return { list: 'arena_npcs', id, row: renderFighter(view, ship) }
  const kind = npcKindOf(view, ship)
  if (kind === 'pirate') return { list: 'pirates', id, row: renderPirate(view, ship) }
  return kind === undefined
    ? undefined
    : { list: 'empire_npcs', id, row: renderEmpireShip(view, ship) }
}

/** A ship of the house; knocked out it has no hull left. */
function renderFighter(view: WorldView, ship: Eid): Rows['arena_npcs'] {
  const { hull, hullMax, shield, shieldMax } = view.read(Ship)
  return {
    npc_id: shipId(view, ship),
    name: helmName(view, ship),
    ship_class: shipClassOf(view, ship).id,
    hull: hull[ship],
    max_hull: hullMax[ship],
    shield: shield[ship],
    max_shield: shieldMax[ship],
    in_combat: view.read(Fighting).participant[ship] !== 0,
  }
}

/** As `renderSeen` of players who are online: the list of a system has nobody else. */
export function renderAgent(view: WorldView, ship: Eid): Seen | undefined {
  const player = pilotOfShip(view, ship)
  const row = player !== 0 && isBound(view, player) ? nearbyPlayer(view, 0, player) : undefined
  return row && { list: 'nearby', id: row.player_id ?? '', row }
}
