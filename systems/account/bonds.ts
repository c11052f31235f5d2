/** Who stands by whom, whichever of the domains that bind players says so. */
import { isGranted } from '../../core/guard.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { allied } from './columns.ts'

/** Returns true for players of one fleet, one faction, or allied ones; nobody is their own ally. */
export const areAllied = (view: WorldView, player: Eid, other: Eid): boolean =>
  player !== other && isGranted(view, allied, { player, other })
