/**
 * What holds of holds and lockers after a tick. Source: trade-storage.md section 7, RELIABILITY 4
 * (I2, I8).
 */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Ship } from '../ship/columns.ts'
import { Locker } from './columns.ts'
import { lockerOf, spaceUsed } from './rules.ts'

export const cargoAddsUp: CheckDef = {
  name: 'I8 a hold uses the space of what is in it',
  run(view, full) {
    if (!full) return
    const { alive, cargoUsed, hold } = view.read(Ship)
    for (let ship = 1; ship <= view.highOf(Ship); ship++) {
      if (alive[ship] === 0 || hold[ship] === 0) continue
      const used = spaceUsed(view, ship)
      assert(cargoUsed[ship] === used, `ship ${ship} counts ${cargoUsed[ship]} of ${used} in use`)
    }
  },
}

export const lockersFound: CheckDef = {
  name: 'lockers are found by owner and base',
  run(view, full) {
    if (!full) return
    const { alive, player, base, container } = view.read(Locker)
    for (let row = 1; row <= view.highOf(Locker); row++) {
      if (alive[row] === 0) continue
      const found = lockerOf(view, player[row], base[row])
      assert(found === container[row], `locker ${row} is not the one of its owner`)
    }
  },
}
