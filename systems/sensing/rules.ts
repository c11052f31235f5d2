/**
 * What a viewer may see: the one room where it is decided (DESIGN 2, Seeing). Views of other
 * domains ask here before they show a player, a ship or a hidden place, and refusals treat what is
 * not seen as unknown.
 */
import type { Eid, WorldView } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { Ship } from '../ship/columns.ts'
import { Poi, REVEALED } from '../travel/columns.ts'
import { shipsAt } from '../travel/rules.ts'

/**
 * nothing: as if it were not there; anonymous: a ship, but not whose; full: everything that is
 * public.
 */
export type Sight = 'nothing' | 'anonymous' | 'full'

/** What a viewer sees of a player; viewer 0 is anybody. Source: travel.md section 8. */
export function seePlayer(view: WorldView, viewer: Eid, player: Eid): Sight {
  if (viewer === player) return 'full'
  const { cloaked, anonymous } = view.read(Player)
  if (cloaked[player] === 1) return 'nothing'
  return anonymous[player] === 1 ? 'anonymous' : 'full'
}

/**
 * True for places on everybody's chart, and for hidden ones revealed to the viewer. Source:
 * travel.md section 8.
 */
export function seesPoi(view: WorldView, viewer: Eid, poi: Eid): boolean {
  const { hidden, seq } = view.read(Poi)
  if (hidden[poi] === 0) return true
  if (viewer === 0) return false
  const revealed = view.records(REVEALED).get(String(view.read(Player).seq[viewer]))
  return revealed?.includes(seq[poi]) ?? false
}

/** Players at a place as anybody sees them, in the order of their ships. */
export interface Gathering {
  readonly online: readonly Eid[]
  readonly offline: readonly Eid[]
}

/**
 * Sorts whom anybody sees at a place by presence. O(ships there), and asked for by everyone in a
 * crowd: columns are read once, and no list is made in between.
 */
export function gatheringAt(view: WorldView, poi: Eid): Gathering {
  const { cloaked, bound, ship: flown } = view.read(Player)
  const { owner } = view.read(Ship)
  const online: Eid[] = []
  const offline: Eid[] = []
  for (const ship of shipsAt(view, poi)) {
    const player = owner[ship]
    if (flown[player] !== ship || cloaked[player] === 1) continue
    if (bound[player] !== 0) online.push(player)
    else offline.push(player)
  }
  return { online, offline }
}
