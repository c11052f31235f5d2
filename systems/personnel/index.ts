/** Personnel: hiring, treating and moving the people of ships, and what becomes of crews. */
import { type CommandDef, isMutation } from '../../core/command.ts'
import { type Failure, fail } from '../../core/errors.ts'
import type { DomainDef } from '../../core/registry.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { Ship } from '../ship/columns.ts'
import { activeShip } from '../ship/rules.ts'
import { poolsHold, survivorsWait } from './checks.ts'
import { Leaderless, POOL_NAMES, Pools, RESERVES, Survivors } from './columns.ts'
import { personnelUpdate } from './events.ts'
import { releaseReserves } from './observers.ts'
import { recruitPersonnel } from './recruit.ts'
import { factionPersonnel } from './reserve.ts'
import { isIncapacitated, poolSize } from './rules.ts'
import { rally, refill } from './systems.ts'
import { transferPersonnel } from './transfer.ts'
import { treatPersonnel } from './treat.ts'

export const personnelDomain: DomainDef = {
  name: 'personnel',
  tables: [Pools, Survivors],
  records: [RESERVES],
  commands: [recruitPersonnel, transferPersonnel, treatPersonnel, factionPersonnel],
  events: [personnelUpdate],
  systems: [rally, refill],
  checks: [poolsHold, survivorsWait],
  admission: refuseUnmanned,
  genesis: fillPools,
  observers: [releaseReserves],
  rebuild: tagLeaderless,
}

/** A new world's bases have everybody there. */
function fillPools(world: World): void {
  const { alive } = world.read(Base)
  const pools = world.write(Pools)
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0) continue
    for (const pool of POOL_NAMES) pools[pool][base] = poolSize(world, base, pool)
  }
}

function tagLeaderless(world: World): void {
  const { alive } = world.read(Ship)
  const { rallyTick } = world.read(Survivors)
  for (let ship = 1; ship <= world.highOf(Ship); ship++) {
    if (alive[ship] === 1 && rallyTick[ship] !== 0) world.tag(Ship, ship, Leaderless)
  }
}

/**
 * With nobody fit in the crew a ship does little. ours: beside treatment and self-destruction
 * people may be hired, or a hull that comes home without a crew would never have one again.
 * Source: ships.md section 4.
 */
function refuseUnmanned(view: WorldView, player: Eid, def: CommandDef): Failure | undefined {
  if (!isMutation(def) || (def.kind === 'mutation' && def.unmanned)) return undefined
  const ship = activeShip(view, player)
  return ship !== 0 && isIncapacitated(view, ship) ? fail('incapacitated') : undefined
}
