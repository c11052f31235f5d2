/** The closing of the books at the end of each day. */
import { Container, Stack } from '../../core/goods.ts'
import { Account } from '../../core/ledger.ts'
import type { SystemDef } from '../../core/system.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { World } from '../../core/types.ts'
import { booksOf } from './books.ts'

function closeDay(world: World): void {
  if (world.tick === 0 || world.tick % DAY_TICKS !== 0) return
  world.outbox.writes.push({ method: 'closeBooks', args: { ...booksOf(world) } })
}

/** Last of its phase: nothing moves behind it. */
export const closeBooks: SystemDef = {
  name: 'economy.close_books',
  phase: 'settle',
  reads: [Account, Container, Stack],
  writes: [],
  run: closeDay,
}
