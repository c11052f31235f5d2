/**
 * Freight at the end of a tick: packages that are no more are judged, timers ring, claims that wait
 * are paid. It runs when everything of the tick has happened, so that who comes in the last tick
 * still comes in time. Source: crafting.md section 11.
 */
import { assert } from '../../core/assert.ts'
import { Container, Stack } from '../../core/goods.ts'
import { Account } from '../../core/ledger.ts'
import { divFloor } from '../../core/math.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Row, World } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { Locker } from '../cargo/columns.ts'
import { FactionStore } from '../faction/columns.ts'
import { Package } from '../package/columns.ts'
import { IN_TRANSIT, POSTED, Shipment } from './columns.ts'
import { forget, giveUp, judgeFate, payClaims, withdraw } from './settle.ts'
import { setDue, takeDue, takeFated } from './store.ts'
import { tellOverdue } from './tell.ts'
import { RECOVERY_TICKS } from './terms.ts'

/** Ticks after the deadline at which the parties are told, and at which it is over. */
const CALLS: readonly number[] = [0, divFloor(RECOVERY_TICKS, 2), RECOVERY_TICKS]

/** A package is late: the parties are told twice, then the contract fails. */
function call(world: World, row: Row): void {
  const { calls, deadlineTick } = world.write(Shipment)
  assert(world.tick === deadlineTick[row] + CALLS[calls[row]], `contract ${row} rings at no time`)
  if (calls[row] === CALLS.length - 1) {
    giveUp(world, row)
    return
  }
  tellOverdue(world, row)
  calls[row]++
  setDue(world, row, deadlineTick[row] + CALLS[calls[row]])
}

function ring(world: World, row: Row): void {
  const status = world.read(Shipment).status[row]
  if (status === POSTED) withdraw(world, row, 'expired')
  else if (status === IN_TRANSIT) call(world, row)
  else forget(world, row)
}

export const settleFreight: SystemDef = {
  name: 'freight.settle',
  phase: 'settle',
  reads: [Player],
  writes: [Account, Container, Stack, Package, Locker, FactionStore, Shipment],
  run(world) {
    for (const row of takeFated(world)) judgeFate(world, row)
    for (const row of takeDue(world)) ring(world, row)
    payClaims(world)
  },
}
