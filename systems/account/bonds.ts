/**
 * Who stands by whom. Domains that bind players to each other (fleets, factions, alliances) add a
 * bond each, in their `rebuild`; whoever asks does not care which of them holds.
 */
import { defineIndex, type Eid, type World, type WorldView } from '../../core/world.ts'

/** True while two different players stand by each other. */
export type Bond = (view: WorldView, player: Eid, other: Eid) => boolean

const BONDS = defineIndex<Bond[]>('account.bonds', () => [])

export function addBond(world: World, bond: Bond): void {
  world.index(BONDS).push(bond)
}

/** Of one fleet, one faction, or allied ones. Nobody is allied with himself. */
export const areAllied = (view: WorldView, player: Eid, other: Eid): boolean =>
  player !== other && view.index(BONDS).some((bond) => bond(view, player, other))
