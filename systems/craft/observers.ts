/** What becomes of jobs when the faction they are for ends. Source: factions.md section 3. */
import { fail } from '../../core/errors.ts'
import { Container, Stack } from '../../core/goods.ts'
import { guard } from '../../core/guard.ts'
import { balanceOf, canReceive } from '../../core/ledger.ts'
import { divFloor } from '../../core/math.ts'
import { observe } from '../../core/occurrence.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/rules.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { disbanded, disbanding, Faction, FactionStore } from '../faction/columns.ts'
import { treasuryOf } from '../faction/rules.ts'
import { Job } from './columns.ts'
import { cancelJob, creditsHeld, inputsHeld, setTarget } from './rules.ts'
import { OWN_STORE } from './store-rules.ts'

/** Jobs that a faction paid for, or gets something from. It ends rarely: all are looked at. */
function jobsFor(view: WorldView, faction: Row, column: 'fromFaction' | 'toFaction'): Row[] {
  const { alive, [column]: of } = view.read(Job)
  const number = view.read(Faction).seq[faction]
  const rows: Row[] = []
  for (let job = 1; job <= view.highOf(Job); job++) {
    if (alive[job] === 1 && of[job] === number) rows.push(job)
  }
  return rows
}

/** Refunds need rows for stacks and stores; the heir's wallet must hold what comes back. */
function refuses(view: WorldView, faction: Row, heir: Row) {
  const jobs = jobsFor(view, faction, 'fromFaction')
  if (jobs.length === 0) return undefined
  const stacks = jobs.reduce((sum, job) => sum + inputsHeld(view, job).length, 0)
  const isFull =
    [Container, Stack, FactionStore].some((table) => isNearlyFull(view, table)) ||
    stacks > divFloor(view.roomIn(Stack), 4) ||
    jobs.length > divFloor(Math.min(view.roomIn(FactionStore), view.roomIn(Container)), 4)
  if (isFull) return fail('limit_reached')
  const held = jobs.reduce(
    (sum, job) => {
      const { labor, fee } = creditsHeld(view, job)
      return sum + labor + fee
    },
    balanceOf(view, treasuryOf(view, faction)),
  )
  return canReceive(view, walletOf(view, heir), held) ? undefined : fail('amount_too_large')
}

export const refundsFit = guard(disbanding, (view, { faction, heir }) =>
  refuses(view, faction, heir),
)

/**
 * Calls off what the faction paid for, with refunds to what its heir gets, and sends the outputs of
 * other jobs to the lockers of who ordered them.
 */
export const endFactionJobs = observe(disbanded, (world, { faction }) => {
  for (const job of jobsFor(world, faction, 'fromFaction')) cancelJob(world, job)
  for (const job of jobsFor(world, faction, 'toFaction')) setTarget(world, job, OWN_STORE)
})
