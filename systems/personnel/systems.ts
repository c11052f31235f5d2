/** What happens to people without a command: survivors recover, and pools of bases are refilled. */
import { assert } from '../../core/assert.ts'
import { itemIndex } from '../../core/catalog/index.ts'
import { unitsIn } from '../../core/goods.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { offersService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { disbanded } from '../faction/state.ts'
import { logAction } from '../log/rules.ts'
import { shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { isLeaderless, poolAfterRefill, poolSize } from './model.ts'
import { changePeople, endReserves } from './rules.ts'
import { Leaderless, POOL_NAMES, Pools, Survivors } from './state.ts'

/* Invariants of personnel. */

/** Checks the pools of every base. */
export const poolsAreSound: CheckDef = {
  name: 'personnel: no pool of a base is fuller than it can be',
  run(view, full) {
    if (!full) return
    const { alive } = view.read(Base)
    const pools = view.read(Pools)
    for (let base = 1; base <= view.highOf(Base); base++) {
      // A hall that is closed keeps its people: they are for hire again once it works.
      if (alive[base] === 0 || !offersService(view, base, 'personnel')) continue
      for (const pool of POOL_NAMES) {
        const have = pools[pool][base]
        if (have > poolSize(view, base, pool)) assert(false, `base ${base}: ${have} in ${pool}`)
      }
    }
  },
}

/** Checks which ships wait for the recovery of a crew member. */
export const survivorsAreScheduled: CheckDef = {
  name: 'personnel: a ship with injured crew and nobody fit waits for one to recover',
  run(view, full) {
    if (!full) return
    const { alive } = view.read(Ship)
    const { rallyTick } = view.read(Survivors)
    for (let ship = 1; ship <= view.highOf(Ship); ship++) {
      if (alive[ship] === 0) continue
      const isWaiting = isLeaderless(view, ship)
      if ((rallyTick[ship] !== 0) !== isWaiting) assert(false, `rally tick of ship ${ship}`)
      if (isWaiting && !view.has(Ship, ship, Leaderless)) assert(false, `ship ${ship} has no tag`)
    }
  },
}

/** Removes the reserves of a faction that is disbanded. Source: factions.md section 3. */
export const releaseReserves = observe(disbanded, (world, { faction }) =>
  endReserves(world, faction),
)

/** Ticks between two refills of a base; its row decides when. Source: ships.md section 11. */
const REFILL_TICKS = 100
const RATIONS = itemIndex('rations')
const MEDICAL = itemIndex('medical_supplies')
/** The good that a base must have in stock for each pool to be refilled. */
const SUPPLY = { crew: RATIONS, marines: RATIONS, medical: MEDICAL } as const

/**
 * Makes one injured crew member recover aboard ships where none is fit and RALLY_TICKS have passed.
 * Only ships with the tag `Leaderless` are visited. Source: ships.md section 4.
 */
export const rallySurvivors: SystemDef = {
  name: 'personnel.rally',
  phase: 'produce',
  writes: [Ship, Survivors],
  run(world) {
    const { rallyTick } = world.read(Survivors)
    for (const ship of world.byId(Ship, [Leaderless])) {
      if (rallyTick[ship] > world.tick) continue
      changePeople(world, ship, { injuredCrew: -1, fitCrew: 1 })
      const owner = world.read(Ship).owner[ship]
      if (owner === 0) continue
      const message = `An injured crew member aboard ${shipName(world, ship)} has recovered.`
      logAction(world, owner, 'ship', 'survivor', message)
    }
  },
}

/** Returns whether the station manager of a base has a good, or somebody sells it there. */
function isInStock(view: WorldView, base: Eid, item: number): boolean {
  const { stock, escrow } = view.read(Base)
  return unitsIn(view, stock[base], item) > 0 || unitsIn(view, escrow[base], item) > 0
}

/** Refills the pools of the bases that are due, if their supplies are in stock. */
export const refillPools: SystemDef = {
  name: 'personnel.refill',
  phase: 'produce',
  writes: [Pools],
  run(world: World) {
    const { alive } = world.read(Base)
    const pools = world.write(Pools)
    for (let base = world.tick % REFILL_TICKS; base <= world.highOf(Base); base += REFILL_TICKS) {
      if (base === 0 || alive[base] === 0) continue
      for (const pool of POOL_NAMES) {
        if (isInStock(world, base, SUPPLY[pool]))
          pools[pool][base] = poolAfterRefill(world, base, pool)
      }
    }
  },
}
