/** Empires: their treasuries. Their policies are catalogue data. */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { openAccount } from '../../core/ledger.ts'
import type { DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { Empire } from './columns.ts'
import { getEmpireInfo } from './queries.ts'

/** Row i+1 is EMPIRES[i]. */
function foundEmpires(world: World): void {
  for (let index = 0; index < EMPIRES.length; index++) {
    const row = world.take(Empire)
    assert(row === index + 1, 'empires come in the order of the catalogue')
    world.write(Empire).treasury[row] = openAccount(world)
  }
}

export const empireDomain: DomainDef = {
  name: 'empire',
  tables: [Empire],
  commands: [getEmpireInfo],
  genesis: foundEmpires,
}
