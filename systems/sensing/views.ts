/**
 * Wire forms of what is seen at a place: one entry a ship, whoever flies it, as anybody sees it.
 * Players come before ships of the server.
 */
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { isBound } from '../account/rules.ts'
import { Fighting } from '../combat/columns.ts'
import { isCreature } from '../creature/rules.ts'
import { describeCreature } from '../creature/views.ts'
import { helmName, npcOf } from '../npc/rules.ts'
import { Ship } from '../ship/columns.ts'
import { shipClassOf, shipId } from '../ship/rules.ts'
import type { nearbyPlayerSchema } from '../travel/schemas.ts'
import { nearbyPlayer } from '../travel/views.ts'

export type Entry = Static<typeof nearbyPlayerSchema>

/** The player who flies a ship; 0 when nobody does. */
export function pilotOfShip(view: WorldView, ship: Eid): Eid {
  const { alive, owner } = view.read(Ship)
  const player = alive[ship] === 1 ? owner[ship] : 0
  return player !== 0 && view.read(Player).ship[player] === ship ? player : 0
}

/** A ship as anybody sees it at a place; undefined where nobody does, or nobody flies it. */
export function renderSeen(view: WorldView, ship: Eid): Entry | undefined {
  const player = pilotOfShip(view, ship)
  if (player !== 0) return nearbyPlayer(view, 0, player)
  if (view.read(Ship).alive[ship] === 0) return undefined
  const in_combat = view.read(Fighting).participant[ship] !== 0
  if (isCreature(view, ship)) {
    const { name, species } = describeCreature(view, ship)
    const id = shipId(view, ship)
    const animal = { player_id: id, username: name, ship_class: species }
    return { ...animal, anonymous: false, in_combat, docked: false }
  }
  if (npcOf(view, ship) === 0) return undefined
  return {
    player_id: shipId(view, ship),
    username: helmName(view, ship),
    ship_class: shipClassOf(view, ship).id,
    anonymous: false,
    in_combat,
    docked: false,
  }
}

/** As `renderSeen` of players who are online: the list of a system has nobody else. */
export function renderAgent(view: WorldView, ship: Eid): Entry | undefined {
  const player = pilotOfShip(view, ship)
  return player !== 0 && isBound(view, player) ? nearbyPlayer(view, 0, player) : undefined
}
