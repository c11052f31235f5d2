/**
 * Upkeep of a faction's own station, every cycle: labor is paid from its treasury, goods come from
 * its store; a facility that is not paid for stops until a later cycle is paid. Source: crafting.md
 * section 6, Maintenance.
 */
import { type FacilityRow, itemIndex } from '../../core/catalog/index.ts'
import { moveItems, namedContainer, unitsIn } from '../../core/goods.ts'
import { balanceOf, canReceive, post } from '../../core/ledger.ts'
import type { Row, World } from '../../core/types.ts'
import { baseId, baseName } from '../base/model.ts'
import { treasuryOf } from '../faction/model.ts'
import { notifyFaction } from '../faction/rules.ts'
import { Faction } from '../faction/state.ts'
import { closeEmptyStore, findMainStore, storeContainer } from '../faction/store-model.ts'
import { isOutpost, ownerOfBase } from '../station/model.ts'
import { recordCorporateExpense } from '../tax/rules.ts'
import { changeState } from './lifecycle-rules.ts'
import { facilitiesAt, facilityName, facilityTypeAt } from './model.ts'
import { openCitizenPool } from './rules.ts'
import { Facility, OFFLINE, ONLINE } from './state.ts'
import { isStationFacility } from './types-model.ts'

/** Accounts and container from which a station is maintained, and the receiver of the wages. */
interface UpkeepSources {
  readonly faction: Row
  readonly treasury: Row
  /** Ledger account of the citizens there, who receive the wages. */
  readonly pool: Row
  /** Container of the faction's store; 0 if it is empty or out of reach. */
  readonly store: Row
}

function upkeepSources(world: World, base: Row): UpkeepSources {
  const faction = ownerOfBase(world, base)
  const found = findMainStore(world, faction, base)
  return {
    faction,
    treasury: treasuryOf(world, faction),
    pool: openCitizenPool(world, base),
    store: found.ok ? storeContainer(world, found.result) : 0,
  }
}

/** Pays a cycle of one facility in full, or nothing; returns whether it was paid. */
function payUpkeep(world: World, sources: UpkeepSources, type: FacilityRow): boolean {
  const { labor_cost, maintenance_inputs } = type
  const { treasury, pool, store } = sources
  const isStocked = maintenance_inputs.every(
    ({ item_id, quantity }) => store !== 0 && unitsIn(world, store, itemIndex(item_id)) >= quantity,
  )
  if (!isStocked || balanceOf(world, treasury) < labor_cost) return false
  if (!canReceive(world, pool, labor_cost)) return false
  post(world, treasury, pool, labor_cost)
  for (const { item_id, quantity } of maintenance_inputs) {
    moveItems(world, store, namedContainer('consumption'), itemIndex(item_id), quantity)
  }
  return true
}

function notifyShortage(world: World, base: Row, stopped: readonly string[]): void {
  const faction = ownerOfBase(world, base)
  const message =
    `${baseName(world, base)} lacks labor or goods: ${stopped.join(', ')} ` +
    `${stopped.length === 1 ? 'stops' : 'stop'} until the next cycle that is paid for.`
  const actor = world.read(Faction).leader[faction]
  const details = { base_id: baseId(world, base) }
  notifyFaction(world, faction, { event: 'base_short', actor, message, details })
}

/** Maintains the facilities of a faction's own station for a cycle, the oldest first. */
export function maintain(world: World, base: Row): void {
  if (isOutpost(world, base)) return
  const sources = upkeepSources(world, base)
  const { status } = world.read(Facility)
  const stopped: string[] = []
  let paid = 0
  for (const row of [...facilitiesAt(world, base)]) {
    const type = facilityTypeAt(world, row)
    if (!isStationFacility(type) || (status[row] !== ONLINE && status[row] !== OFFLINE)) continue
    const isKept = payUpkeep(world, sources, type)
    if (isKept) paid += type.labor_cost
    if (isKept === (status[row] === ONLINE)) continue
    changeState(world, row, { status: isKept ? ONLINE : OFFLINE })
    if (!isKept) stopped.push(facilityName(world, row))
  }
  recordCorporateExpense(world, sources.faction, base, paid)
  closeEmptyStore(world, { faction: sources.faction, base, bucket: 0 })
  if (stopped.length > 0) notifyShortage(world, base, stopped)
}
