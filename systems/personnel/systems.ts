/** What happens to people by itself: survivors get up, pools of bases fill up again. */
import { itemIndex } from '../../core/catalog/index.ts'
import { Container, Stack, unitsIn } from '../../core/goods.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { Fighting } from '../combat/columns.ts'
import { logAction } from '../log/rules.ts'
import { Ship } from '../ship/columns.ts'
import { shipName } from '../ship/rules.ts'
import { Leaderless, POOL_NAMES, Pools, Survivors } from './columns.ts'
import { changePeople, refilled } from './rules.ts'

/** Each base has its turn once in so many ticks, by its row. Source: ships.md section 11. */
const REFILL_TICKS = 100
const RATIONS = itemIndex('rations')
const MEDICAL = itemIndex('medical_supplies')
/** What a base must have in stock for a pool to grow. */
const SUPPLY = { crew: RATIONS, marines: RATIONS, medical: MEDICAL } as const

/** Ships that wait for a survivor only: they carry a tag. Source: ships.md section 4. */
export const rally: SystemDef = {
  name: 'personnel.rally',
  phase: 'produce',
  reads: [Fighting],
  writes: [Ship, Survivors],
  run(world) {
    const { rallyTick } = world.read(Survivors)
    for (const ship of world.byId(Ship, [Leaderless])) {
      if (rallyTick[ship] > world.tick) continue
      changePeople(world, ship, { injuredCrew: -1, fitCrew: 1 })
      const owner = world.read(Ship).owner[ship]
      if (owner === 0) continue
      const said = `One of the injured aboard ${shipName(world, ship)} is up again.`
      logAction(world, owner, 'ship', 'survivor', said)
    }
  },
}

/** Held by the station manager, or on offer at its exchange. */
function isInStock(view: WorldView, base: Eid, item: number): boolean {
  const { stock, escrow } = view.read(Base)
  return unitsIn(view, stock[base], item) > 0 || unitsIn(view, escrow[base], item) > 0
}

export const refill: SystemDef = {
  name: 'personnel.refill',
  phase: 'produce',
  reads: [Base, Container, Stack],
  writes: [Pools],
  run(world: World) {
    const { alive } = world.read(Base)
    const pools = world.write(Pools)
    for (let base = world.tick % REFILL_TICKS; base <= world.highOf(Base); base += REFILL_TICKS) {
      if (base === 0 || alive[base] === 0) continue
      for (const pool of POOL_NAMES) {
        if (isInStock(world, base, SUPPLY[pool])) pools[pool][base] = refilled(world, base, pool)
      }
    }
  },
}
