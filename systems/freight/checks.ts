/** What holds of freight after a tick. Source: crafting.md section 12, Shipment. */
import { assert } from '../../core/assert.ts'
import { Container } from '../../core/goods.ts'
import { balanceOf, namedAccount } from '../../core/ledger.ts'
import { SHIPMENT_BEACONS_MAX } from '../../core/limits-freight.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { placeOf } from '../package/rules.ts'
import { trackOf } from './beacons.ts'
import { CLAIMS, DEBTS, IN_TRANSIT, POSTED, Shipment, TRACKS } from './columns.ts'
import { policyAt } from './settle.ts'
import { isEntered, isLive, packageOf } from './store.ts'

function checkLive(view: WorldView, row: Row): void {
  const { status, escrow, reward, bonus, premium, crate, fate, dueTick } = view.read(Shipment)
  const isPending = policyAt(view, row) === 'pending'
  const due = reward[row] + bonus[row] + (isPending ? premium[row] : 0)
  assert(balanceOf(view, escrow[row]) === due, `escrow of contract ${row} is not ${due}`)
  const pkg = packageOf(view, row)
  assert((pkg === 0) === (fate[row] !== 0), `contract ${row} has lost its package`)
  const isWaiting = status[row] === POSTED
  assert((crate[row] !== 0) === isWaiting, `contract ${row} has a wrong crate`)
  if (isWaiting) {
    assert(view.read(Container).packages[crate[row]] === 1, `crate of contract ${row}`)
    assert(placeOf(view, pkg) === 'shipment', `the package of contract ${row} is elsewhere`)
  }
  assert(dueTick[row] > view.tick, `the timer of contract ${row} has not rung`)
}

function checkRow(view: WorldView, row: Row): void {
  const { status, escrow, crate, acceptedTick, endedTick } = view.read(Shipment)
  assert(isEntered(view, row), `contract ${row} is not where it is looked for`)
  assert(trackOf(view, row).beacons.length <= SHIPMENT_BEACONS_MAX, `track of contract ${row}`)
  assert((endedTick[row] === 0) === isLive(view, row), `contract ${row} has a wrong end`)
  if (status[row] === IN_TRANSIT) assert(acceptedTick[row] > 0, `nobody took contract ${row}`)
  if (isLive(view, row)) checkLive(view, row)
  else assert(escrow[row] === 0 && crate[row] === 0, `contract ${row} has ended, but not all of it`)
}

export const freightHolds: CheckDef = {
  name: 'freight: escrow is reward and bonus, a package is in one place, the insurer never owes',
  run(view, full) {
    if (!full) return
    assert(balanceOf(view, namedAccount('freight_insurance')) >= 0, 'the insurer is overdrawn')
    const { alive } = view.read(Shipment)
    for (let row = 1; row <= view.highOf(Shipment); row++) {
      if (alive[row] === 1) checkRow(view, row)
    }
    assert(view.records(TRACKS).size <= view.countOf(Shipment), 'a track without a contract')
    for (const [key, { credits }] of view.records(CLAIMS).entries()) {
      assert(credits > 0, `the claim of contract ${key} is paid`)
    }
    for (const [key, debts] of view.records(DEBTS).entries()) {
      assert(debts.length > 0, `${key} owes nothing`)
      for (const { outstanding, original } of debts) {
        assert(outstanding > 0 && outstanding <= original, `${key} owes ${outstanding}`)
      }
    }
  },
}
