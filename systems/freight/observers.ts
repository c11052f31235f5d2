/** What freight keeps of packages, of factions that end, and whom its business lets in. */
import { grant } from '../../core/guard.ts'
import { observe } from '../../core/occurrence.ts'
import { disbanded } from '../faction/columns.ts'
import { packageGone, packageMoved } from '../package/columns.ts'
import { admitted } from '../station/columns.ts'
import { trackGone, trackMoved } from './beacons.ts'
import { leaveFreight } from './disband.ts'
import { hasContractAt } from './rules.ts'

export const followPackage = observe(packageMoved, (world, { pkg }) => trackMoved(world, pkg))
export const losePackage = observe(packageGone, (world, { pkg, how }) => trackGone(world, pkg, how))

/** Hands what a faction has in freight to its heir. */
export const handFreight = observe(disbanded, (world, { faction, heir }) =>
  leaveFreight(world, faction, heir),
)

export const carriersMayDock = grant(admitted, (view, { player, base }) =>
  hasContractAt(view, player, base),
)
