/**
 * Ranches: their cycle of feeding, growth and culling, and their actions. Source: crafting.md
 * sections 7 and 11.
 */
import { CREATURES, GOODS, itemIndex } from '../../core/catalog/index.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { moveItems, namedContainer, unitsIn } from '../../core/goods.ts'
import { balanceOf, canReceive, post } from '../../core/ledger.ts'
import { divFloor, mulDivCeil } from '../../core/math.ts'
import { CYCLE_TICKS } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseId, baseName, forBasesDue } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { closeEmptyLocker, isStorageNearlyFull, lockerOf, openLocker } from '../cargo/model.ts'
import { Herd } from '../creature/state.ts'
import { factionOf, recordFactionLog } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import {
  closeEmptyStore,
  factionStore,
  openStore,
  roomInStore,
  type StorePlace,
} from '../faction/store-model.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { systemOfBase } from '../siege/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { poiId, poiName } from '../travel/model.ts'
import {
  type FacilityRequest,
  facilitiesAt,
  facilityById,
  facilityId,
  facilityName,
  facilityTypeAt,
  ownerOf,
} from './model.ts'
import { accountOf, isOwn, managedAnywhere, openCitizenPool } from './rules.ts'
import { Facility, OF_FACTION, OF_PLAYER, OF_STATION, ONLINE } from './state.ts'
import {
  type Feed,
  FULLY_FED,
  fedPermille,
  feedUnits,
  growthOf,
  HERD_MIN,
  headsBred,
  isRanch,
  maxCull,
  yieldOf,
} from './types-model.ts'

/** Adds the animals that a newly built or upgraded ranch brings; does nothing for other types. */
export function stockRanch(world: World, row: Row): void {
  const type = facilityTypeAt(world, row)
  const { herd, species, fed } = world.write(Facility)
  if (!isRanch(type) || species[row] === 0) return
  herd[row] = Math.min(type.capacity ?? 0, herd[row] + headsBred(type))
  fed[row] = FULLY_FED
}

/** Returns the owner's container that feeds the herd; 0 while it is empty or out of reach. */
function ownerStoreOf(view: WorldView, row: Row): Row {
  const { ownerKind, player, faction, base } = view.read(Facility)
  if (ownerKind[row] === OF_STATION) return 0
  if (ownerKind[row] === OF_PLAYER) return lockerOf(view, player[row], base[row])
  const store = factionStore(view, faction[row], base[row])
  return typeof store === 'number' ? store : 0
}

/** Returns the units of an item that still fit into the owner's store. */
function ownerStoreRoom(view: WorldView, row: Row, item: number): number {
  const { ownerKind } = view.read(Facility)
  if (ownerKind[row] !== OF_FACTION) return Number.MAX_SAFE_INTEGER
  return roomInStore(view, storePlace(view, row), item)
}

/** Returns the feeds that the herd needs in a cycle, and how much of each is in store. */
function feedsOf(view: WorldView, row: Row): Feed[] {
  const type = facilityTypeAt(view, row)
  const store = ownerStoreOf(view, row)
  const heads = view.read(Facility).herd[row]
  return type.maintenance_inputs.map(({ item_id, quantity }) => {
    const item = itemIndex(item_id)
    const stocked = store === 0 ? 0 : unitsIn(view, store, item)
    return { item, need: feedUnits(quantity, heads, type), stocked }
  })
}

/* A cycle */

const storePlace = (view: WorldView, row: Row): StorePlace => {
  const { faction, base } = view.read(Facility)
  return { faction: faction[row], base: base[row], bucket: 0 }
}

/** Returns the owner's store; opens it where there is none. */
function openOwnerStore(world: World, row: Row): Row {
  const { ownerKind, player, base } = world.read(Facility)
  if (ownerKind[row] === OF_FACTION) return openStore(world, storePlace(world, row))
  return openLocker(world, player[row], base[row])
}

function closeEmptyOwnerStore(world: World, row: Row): void {
  const { ownerKind, player, base } = world.read(Facility)
  if (ownerKind[row] === OF_FACTION) closeEmptyStore(world, storePlace(world, row))
  else closeEmptyLocker(world, player[row], base[row])
}

/** Tends the ranches of every base that bills its rent in this tick. */
export function tendRanches(world: World): void {
  const { status, ownerKind, species } = world.read(Facility)
  forBasesDue(world, CYCLE_TICKS, (base) => {
    for (const row of facilitiesAt(world, base)) {
      const isTended = status[row] === ONLINE && ownerKind[row] !== OF_STATION
      if (isTended && species[row] !== 0) tend(world, row)
    }
  })
}

/** Runs a cycle of a ranch: the herd eats, grows or starves, and is culled. */
function tend(world: World, row: Row): void {
  const { herd, fed } = world.write(Facility)
  const feeds = feedsOf(world, row)
  fed[row] = fedPermille(feeds)
  const eaten = feeds.filter(({ need, stocked }) => Math.min(need, stocked) > 0)
  for (const { item, need } of eaten) {
    // Rounded up: a feed of which there is a little is eaten too, and never more than is in store.
    const units = mulDivCeil(need, fed[row], FULLY_FED)
    if (units > 0)
      moveItems(world, openOwnerStore(world, row), namedContainer('ranch'), item, units)
  }
  if (eaten.length > 0) closeEmptyOwnerStore(world, row)
  herd[row] += growthOf(herd[row], fed[row], facilityTypeAt(world, row))
  cull(world, row)
}

/** Returns how many animals to slaughter now: those above the target whose products have room. */
function headsToCull(view: WorldView, row: Row): number {
  const { herd, cullTarget, species } = view.read(Facility)
  if (cullTarget[row] === 0 || isStorageNearlyFull(view)) return 0
  const spare = herd[row] - Math.max(HERD_MIN, cullTarget[row])
  let heads = Math.min(spare, maxCull(facilityTypeAt(view, row)))
  for (const [item, units] of yieldOf(species[row])) {
    heads = Math.min(heads, divFloor(ownerStoreRoom(view, row, item), units))
  }
  return Math.max(0, heads)
}

/** Pays the wages of a cull. Returns false if the owner cannot: then there is no cull. */
function payWages(world: World, row: Row): boolean {
  const { base } = world.read(Facility)
  const owner = ownerOf(world, row)
  const account = accountOf(world, owner, base[row])
  const labor = facilityTypeAt(world, row).labor_cost
  if (labor === 0) return true
  const pool = openCitizenPool(world, base[row])
  if (balanceOf(world, account) < labor || !canReceive(world, pool, labor)) return false
  if (owner.kind === OF_PLAYER) {
    const summary = `Wages at ${facilityName(world, row)}.`
    creditMove(world, owner.player, account, pool, labor, 'other', 'facility.wages', summary)
  } else post(world, account, pool, labor)
  return true
}

function cull(world: World, row: Row): void {
  const heads = headsToCull(world, row)
  if (heads === 0 || !payWages(world, row)) return
  const { herd, species } = world.write(Facility)
  const products: string[] = []
  for (const [item, units] of yieldOf(species[row])) {
    moveItems(world, namedContainer('ranch'), openOwnerStore(world, row), item, units * heads)
    products.push(`${units * heads} ${GOODS[item].name}`)
  }
  herd[row] -= heads
  notifyCull(world, row, `${facilityName(world, row)}: ${heads} culled, ${products.join(', ')}.`)
}

function notifyCull(world: World, row: Row, summary: string): void {
  const owner = ownerOf(world, row)
  const data = { facility_id: facilityId(world, row) }
  if (owner.kind === OF_PLAYER) {
    logAction(world, owner.player, 'other', 'facility.culled', summary, data)
    return
  }
  // No member did this, so the log names the leader as the actor.
  const leader = world.read(Faction).leader[owner.faction]
  recordFactionLog(world, owner.faction, leader, { verb: 'production_cycle', summary, data })
}

/* Actions */

/** Returns the player's ranch where they are docked, else their faction's; 0 for none. */
function ranchHere(view: WorldView, player: Eid): Row {
  const faction = factionOf(view, player)
  const { ownerKind, player: owner, faction: factions } = view.read(Facility)
  const here = facilitiesAt(view, dockedBase(view, player)).filter((row) =>
    isRanch(facilityTypeAt(view, row)),
  )
  const own = here.find((row) => ownerKind[row] === OF_PLAYER && owner[row] === player)
  const shared = here.find(
    (row) => faction !== 0 && ownerKind[row] === OF_FACTION && factions[row] === faction,
  )
  return own ?? shared ?? 0
}

/**
 * Returns the requested ranch; without an id, the one at this base. Refusals: facility_not_found,
 * not_a_ranch.
 */
function requestedRanch(
  view: WorldView,
  player: Eid,
  { facility_id }: FacilityRequest,
): Row | Failure<'facility_not_found' | 'not_a_ranch'> {
  const row = facility_id === undefined ? ranchHere(view, player) : facilityById(view, facility_id)
  if (row === 0 && facility_id !== undefined) return fail('facility_not_found', { facility_id })
  return row !== 0 && isRanch(facilityTypeAt(view, row)) ? row : fail('not_a_ranch')
}

/**
 * Sums up the wild herds of a kind in a system: animals, animals at full size, and the place of the
 * largest herd.
 */
function wildHerds(view: WorldView, kind: number, system: Row) {
  const { kind: kinds, system: home, count, size, poi } = view.read(Herd)
  const wild = { count: 0, size: 0, poi: 0, largest: 0 }
  for (let herd = 1; herd <= view.highOf(Herd); herd++) {
    if (kinds[herd] !== kind || home[herd] !== system) continue
    wild.count += count[herd]
    wild.size += size[herd]
    if (count[herd] <= wild.largest) continue
    wild.largest = count[herd]
    wild.poi = poi[herd]
  }
  return wild
}

const fraction = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part * FULLY_FED) / whole) / FULLY_FED

/** Renders where the species grazes in this system; the base itself if it does not. */
function renderRange(view: WorldView, row: Row) {
  const { species, base } = view.read(Facility)
  const wild = wildHerds(view, species[row] - 1, systemOfBase(view, base[row]))
  const anchor = wild.poi === 0 ? view.read(Base).poi[base[row]] : wild.poi
  return {
    anchor_poi: poiId(view, anchor),
    anchor_name: poiName(view, anchor),
    wild_population: wild.count,
    range_health: fraction(wild.count, wild.size),
    // ours: herds are bred from embryos; none are taken from the wild
    domestication_active: false,
    domestication_reserve: 0,
  }
}

function renderHerd(view: WorldView, row: Row) {
  const { species, herd, fed, cullTarget } = view.read(Facility)
  const type = facilityTypeAt(view, row)
  const kind = CREATURES[species[row] - 1]
  const feeds = feedsOf(view, row)
  const heads = maxCull(type)
  return {
    species: kind?.id ?? '',
    species_name: kind?.name ?? '',
    herd: herd[row],
    capacity: type.capacity ?? 0,
    cull_target: cullTarget[row],
    max_cull_per_cycle: heads,
    fed_fraction: fraction(fed[row], FULLY_FED),
    growth_per_cycle: growthOf(herd[row], fedPermille(feeds), type),
    supplies_ok: fedPermille(feeds) === FULLY_FED,
    feed: feeds.map(({ item, need, stocked }) => ({
      resource: GOODS[item].id,
      per_cycle: need,
      stocked,
      cycles_left: need === 0 ? 0 : divFloor(stocked, need),
    })),
    ...(kind === undefined
      ? {}
      : {
          produces: [...yieldOf(species[row])].map(([item, units]) => ({
            item: GOODS[item].id,
            per_cycle: units * heads,
          })),
        }),
  }
}

/** Answers ranch_status. Refusals: facility_not_found, not_a_ranch, not_owner. */
export function ranchStatus(view: WorldView, player: Eid, request: FacilityRequest) {
  const row = requestedRanch(view, player, request)
  if (typeof row !== 'number') return row
  if (!isOwn(view, player, row)) return fail('not_owner')
  const { base, status } = view.read(Facility)
  const herd = renderHerd(view, row)
  const feedMessage = herd.supplies_ok
    ? 'The herd is fed.'
    : 'Feed is short: put more into the store.'
  return ok({
    action: 'ranch_status',
    facility_id: facilityId(view, row),
    facility_name: facilityName(view, row),
    base_id: baseId(view, base[row]),
    base_name: baseName(view, base[row]),
    level: facilityTypeAt(view, row).level,
    ...herd,
    ...renderRange(view, row),
    message: status[row] === ONLINE ? feedMessage : 'The ranch is not working.',
  })
}

/**
 * Sets the cull target of a ranch. Refusals: facility_not_found, not_a_ranch, not_owner,
 * no_permission.
 */
export function setCull(world: World, player: Eid, request: FacilityRequest) {
  const ranch = requestedRanch(world, player, request)
  if (typeof ranch !== 'number') return ranch
  const row = managedAnywhere(world, player, facilityId(world, ranch))
  if (typeof row !== 'number') return row
  const { cull_target = 0 } = request
  const { cullTarget, herd } = world.write(Facility)
  cullTarget[row] = cull_target
  return ok({
    action: 'ranch_set_cull',
    facility_id: facilityId(world, row),
    cull_target,
    herd: herd[row],
    message:
      cull_target === 0
        ? 'No more animals are slaughtered.'
        : `Animals above ${Math.max(HERD_MIN, cull_target)} are slaughtered, some each cycle.`,
  })
}
