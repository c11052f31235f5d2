/** Empires of a new world. */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { openAccount } from '../../core/ledger.ts'
import type { World } from '../../core/types.ts'
import { Empire } from './state.ts'

/** Creates a row and a treasury for each empire. */
export function createEmpires(world: World): void {
  for (const index of EMPIRES.keys()) {
    const row = world.take(Empire)
    assert(row === index + 1, 'the rows of empires follow the catalogue')
    world.write(Empire).treasury[row] = openAccount(world)
  }
}
