/**
 * Wire forms of a station for players docked there: everything that get_base shows, and the repairs
 * that it needs. Source: contract, GetBaseResponse; newer.md section 7.
 */
import { FACILITIES, GOODS, itemIndex } from '../../core/catalog/index.ts'
import { unitsIn } from '../../core/goods.ts'
import { FACILITIES_LISTED_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { hasService, workingServices } from '../base/model.ts'
import type { getBaseSchema, repairEntrySchema, repairsSchema } from '../base/schemas.ts'
import { Base } from '../base/state.ts'
import { renderBase, renderCondition, renderFuel } from '../base/views.ts'
import { lockerOf } from '../cargo/model.ts'
import { facilitiesAt, facilityId, facilityName, ownerOf } from '../facility/model.ts'
import {
  DAMAGED,
  FACILITY_STATUSES,
  Facility,
  OF_FACTION,
  OF_PLAYER,
  OF_STATION,
  REPAIRING,
} from '../facility/state.ts'
import { repairMaterials } from '../facility/types-model.ts'
import { renderAir, renderPower } from '../facility/views.ts'
import { factionOf } from '../faction/model.ts'
import { findMainStore, storeContainer } from '../faction/store-model.ts'
import { bookOf } from '../market/book-model.ts'
import { bestPrice } from '../market/model.ts'
import { BID } from '../market/state.ts'
import { renderPersonnelService } from '../personnel/views.ts'
import { isWrecked } from './model.ts'
import { Siege } from './state.ts'

type Repairs = Static<typeof repairsSchema>
type Material = NonNullable<Repairs['materials']>[number]

/** A player docked at a station, for whom it is rendered. */
interface Visit {
  readonly view: WorldView
  readonly player: Eid
  readonly base: Eid
}

/** Lists the facilities out of order that the station, the player or their faction owns. */
function brokenAt({ view, player, base }: Visit): Row[] {
  const { status } = view.read(Facility)
  const faction = factionOf(view, player)
  return facilitiesAt(view, base).filter((row) => {
    if (status[row] !== DAMAGED && status[row] !== REPAIRING) return false
    const owner = ownerOf(view, row)
    if (owner.kind === OF_PLAYER) return owner.player === player
    return owner.kind === OF_STATION || owner.faction === faction
  })
}

/** Returns the store a repair takes from first: the owning faction's, or the player's locker. */
function storeFor({ view, player, base }: Visit, row: Row): Row {
  const { kind, faction } = ownerOf(view, row)
  const store = kind === OF_FACTION ? findMainStore(view, faction, base) : undefined
  return store?.ok ? storeContainer(view, store.result) : lockerOf(view, player, base)
}

/** Renders a material that a repair needs, and how much of it a store has. */
function renderMaterial({ view, base }: Visit, store: Row, id: string, need: number): Material {
  const item = itemIndex(id)
  const have = store === 0 ? 0 : unitsIn(view, store, item)
  const book = hasService(view, base, 'market') ? bookOf(view, base, item) : 0
  return {
    item_id: id,
    name: GOODS[item].name,
    quantity_required: need,
    quantity_in_storage: have,
    quantity_missing: Math.max(0, need - have),
    buy_order_available: book !== 0 && bestPrice(view, book, BID) > 0,
  }
}

/** Renders a facility out of order; those of the station are repaired without materials. */
function renderEntry(visit: Visit, row: Row): Static<typeof repairEntrySchema> {
  const { view, base } = visit
  const { status, dueTick, type } = view.read(Facility)
  const isOwned = ownerOf(view, row).kind !== OF_STATION
  const due = isOwned ? dueTick[row] : view.read(Siege).repairedTick[base]
  const store = storeFor(visit, row)
  const { id, category } = FACILITIES[type[row]]
  return {
    instance_id: facilityId(view, row),
    definition_id: id,
    name: facilityName(view, row),
    category,
    status: FACILITY_STATUSES[status[row]],
    ...(due === 0 ? {} : { ticks_until_complete: Math.max(0, due - view.tick) }),
    ...(isOwned && status[row] === DAMAGED
      ? {
          materials: repairMaterials(FACILITIES[type[row]]).map(({ item_id, quantity }) =>
            renderMaterial(visit, store, item_id, quantity),
          ),
        }
      : {}),
  }
}

/** Sums up what several repairs lack; the contents of a store count only once for all of them. */
function shortagesOf(visit: Visit, rows: readonly Row[]): Material[] {
  const { type } = visit.view.read(Facility)
  const needs = new Map<Row, Map<string, number>>()
  for (const row of rows) {
    const store = storeFor(visit, row)
    const sums = needs.get(store) ?? new Map<string, number>()
    for (const { item_id, quantity } of repairMaterials(FACILITIES[type[row]])) {
      sums.set(item_id, (sums.get(item_id) ?? 0) + quantity)
    }
    needs.set(store, sums)
  }
  const totals = new Map<string, Material>()
  for (const [store, sums] of needs) {
    for (const [id, need] of sums) {
      const part = renderMaterial(visit, store, id, need)
      const total = totals.get(id)
      if (!total) totals.set(id, part)
      else {
        total.quantity_required += part.quantity_required
        total.quantity_in_storage += part.quantity_in_storage
        total.quantity_missing += part.quantity_missing
      }
    }
  }
  return [...totals.values()].filter(({ quantity_missing }) => quantity_missing > 0)
}

const isBlocked = ({ materials = [] }: Static<typeof repairEntrySchema>): boolean =>
  materials.some(({ quantity_missing }) => quantity_missing > 0)

const REMEDY = say`{facility} with action repair mends one, using materials from storage and hold.`
const REMEDY_WRECK = 'The station is a wreck: it repairs itself and its own facilities in time.'

/** Renders what needs repair at a station; nothing while all of it is intact. */
function renderRepairs(visit: Visit): { repairs?: Repairs } {
  const { view, base } = visit
  const { hull, hullMax } = view.read(Base)
  const broken = brokenAt(visit)
  const wrecked = isWrecked(view, base)
  const missing = hullMax[base] - hull[base]
  if (broken.length === 0 && missing === 0 && !wrecked) return {}
  const { status } = view.read(Facility)
  const damaged = broken.filter((row) => status[row] === DAMAGED)
  const owned = damaged.filter((row) => ownerOf(view, row).kind !== OF_STATION)
  const facilities = broken.slice(0, FACILITIES_LISTED_MAX).map((row) => renderEntry(visit, row))
  const next = facilities.find(isBlocked)
  const remediation = wrecked ? REMEDY_WRECK : owned.length > 0 ? REMEDY : undefined
  return {
    repairs: {
      wrecked,
      hull_current: hull[base],
      hull_required: hullMax[base],
      hull_missing: missing,
      damaged_count: damaged.length,
      repairing_count: broken.length - damaged.length,
      waiting_count: facilities.filter(isBlocked).length,
      facilities,
      materials: shortagesOf(visit, owned),
      ...(next ? { next_blocked: next } : {}),
      ...(remediation === undefined ? {} : { remediation }),
    },
  }
}

/** Renders a station for a player who is docked there. */
export function renderStation(
  view: WorldView,
  player: Eid,
  base: Eid,
): Static<typeof getBaseSchema> {
  return {
    base: renderBase(view, base),
    condition: renderCondition(view, base),
    services: workingServices(view, base),
    ...renderFuel(view, base),
    ...renderPersonnelService(view, base),
    power: renderPower(view, base),
    life_support: renderAir(view, base),
    ...renderRepairs({ view, player, base }),
  }
}
