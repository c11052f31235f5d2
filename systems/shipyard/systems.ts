/**
 * Yards in each tick: hulls that are done are handed over; at a base's turn, once in a hundred
 * ticks, its yard decides about orders and buys materials. Source: ships.md sections 7, 8, 11.
 */
import { Container, Stack } from '../../core/goods.ts'
import { Account } from '../../core/ledger.ts'
import type { SystemDef } from '../../core/system.ts'
import { CYCLE_TICKS } from '../../core/time.ts'
import type { World } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { Base } from '../base/columns.ts'
import { Managed } from '../market/columns.ts'
import { TRADE } from '../market/purse-rules.ts'
import { Module, Ship } from '../ship/columns.ts'
import { Location } from '../travel/columns.ts'
import { Commission, ForSale, ShipListing, ShipOrder, Yard } from './columns.ts'
import { deliver, fillBays, holdUp, isHeldUp } from './commissions.ts'
import { sourceAt } from './sourcing.ts'
import { takeDone } from './store.ts'
import { decideAt, deliverOwn } from './yard-orders.ts'

function handOver(world: World): void {
  for (const row of takeDone(world)) {
    if (isHeldUp(world, row)) holdUp(world, row)
    else if (world.read(Commission).player[row] === 0) deliverOwn(world, row)
    else deliver(world, row)
  }
}

/** A base's turn; with it bays that a wrecked yard left empty are filled again. */
function takeTurn(world: World, base: number): void {
  fillBays(world, base)
  decideAt(world, base)
  sourceAt(world, base)
}

/**
 * Runs before the managers quote: what yards buy is worked out in a section of its own, and the
 * quotes see it.
 */
export const workYards: SystemDef = {
  name: 'shipyard.work',
  phase: 'produce',
  after: 'market.supply',
  reads: TRADE.reads,
  writes: [
    ...[...TRADE.writes, Managed, Account, Container, Stack, Player, Ship, Module],
    ...[Location, Commission, ForSale, ShipListing, ShipOrder, Yard],
  ],
  run(world) {
    handOver(world)
    const { alive } = world.read(Base)
    const first = CYCLE_TICKS - (world.tick % CYCLE_TICKS)
    for (let base = first; base <= world.highOf(Base); base += CYCLE_TICKS) {
      if (alive[base] === 1) takeTurn(world, base)
    }
  },
  split: TRADE.split,
}
