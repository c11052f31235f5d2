/**
 * Rent that completed runs owe to the owners of facilities. It stays in the escrow of the base
 * until phase settle, so that only additions cross bases. Source: crafting.md section 2; DESIGN 2.
 */
import { canReceive, namedAccount, post } from '../../core/ledger.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Row, World } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { walletOf } from '../account/rules.ts'
import { baseName, baseTreasury } from '../base/rules.ts'
import { Facility, OF_FACTION, OF_PLAYER } from '../facility/columns.ts'
import { facilityId, facilityName } from '../facility/rules.ts'
import { Faction } from '../faction/columns.ts'
import { noteFactionLog, treasuryOf } from '../faction/rules.ts'
import { logCredits } from '../log/rules.ts'
import { Bench, Job } from './columns.ts'
import { escrowAt } from './rules.ts'

/** Credits by facility. Emptied by `craft.settle` in the same tick: never there between batches. */
const OWED = defineIndex('craft.rent', () => new Map<Row, number>())

/** Notes that runs of a job owe rent to the owner of its facility. */
export function oweRent(world: World, job: Row, credits: number): void {
  if (credits === 0) return
  const { facility } = world.read(Job)
  const owed = world.index(OWED)
  owed.set(facility[job], (owed.get(facility[job]) ?? 0) + credits)
}

/** Account of who owns a facility. */
function ownerAccount(world: World, facility: Row): Row {
  const { ownerKind, player, faction, base } = world.read(Facility)
  if (ownerKind[facility] === OF_PLAYER) return walletOf(world, player[facility])
  if (ownerKind[facility] === OF_FACTION) return treasuryOf(world, faction[facility])
  return baseTreasury(world, base[facility])
}

function pay(world: World, facility: Row, credits: number): void {
  const { ownerKind, player, faction, base } = world.read(Facility)
  const from = escrowAt(world, base[facility])
  const to = ownerAccount(world, facility)
  const fits = canReceive(world, to, credits)
  post(world, from, fits ? to : namedAccount('fee_sink'), credits)
  const name = facilityName(world, facility)
  const said = `Rent of ${name} at ${baseName(world, base[facility])}.`
  if (fits && ownerKind[facility] === OF_FACTION) {
    const leader = world.read(Faction).leader[faction[facility]]
    const data = { facility_id: facilityId(world, facility), credits }
    noteFactionLog(world, faction[facility], leader, { verb: 'rent_income', summary: said, data })
  }
  if (!fits || ownerKind[facility] !== OF_PLAYER) return
  logCredits(world, player[facility], credits, 'crafting', 'rent_income', said, {
    facility_id: facilityId(world, facility),
  })
}

export const settleRent: SystemDef = {
  name: 'craft.settle',
  phase: 'settle',
  reads: [Facility],
  writes: [Bench],
  run(world) {
    const owed = world.index(OWED)
    // in the order of the queues, which is that of the facilities' numbers
    for (const [facility, credits] of owed) pay(world, facility, credits)
    owed.clear()
  },
}
