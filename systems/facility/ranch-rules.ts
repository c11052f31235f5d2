/**
 * Ranches: tame herds of grazers. A herd eats out of its owner's store, grows while it is fed, and
 * what is above the cull target is slaughtered into the same store, so much a cycle. The sheet
 * leaves all figures open; ours follow the rule that what comes out is worth more than what went
 * in only while the herd is kept near its capacity.
 */
import { CREATURES, FACILITIES, type FacilityRow, itemIndex } from '../../core/catalog/index.ts'
import { badFields, type Failure } from '../../core/errors.ts'
import { unitsIn } from '../../core/goods.ts'
import { divCeil, divFloor, mulDivFloor } from '../../core/math.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { lockerOf } from '../cargo/rules.ts'
import { factionStore, storeRoom } from '../faction/store-rules.ts'
import { Facility, OF_FACTION, OF_PLAYER, OF_STATION } from './columns.ts'
import { facilityTypeAt } from './rules.ts'
import { isRanch } from './types.ts'

/** Heads for which one is born in a cycle, while all are fed. */
export const HEADS_A_BIRTH = 20
/** A herd never starves below a pair: it can always be brought up again. */
export const HERD_MIN = 2
/** Feed below which heads are lost, thousandths. */
const STARVING_PERMILLE = 500
/** A herd that has all it eats, thousandths. */
export const FED = 1000
/** Part of the capacity that is slaughtered in a cycle at most. */
const CULL_DIVISOR = 20
/** What a herd is bred from: as many heads as the building of a tier takes. */
const EMBRYOS = 'livestock_embryos'
const HIDE = 'raw_hide'

/** Kinds that can be kept: indices into CREATURES. */
const TAME: readonly number[] = [...CREATURES.keys()].filter(
  (kind) => CREATURES[kind].role === 'grazer',
)

/**
 * The kind a new herd is of. Without a name the first of the catalogue. Refusal: invalid_payload
 * for what is no ranch, no grazer, or too high for the tier.
 */
export function speciesFor(type: FacilityRow, id: string | undefined): number | Failure {
  if (!isRanch(type)) {
    const field = { field: 'species', expected: 'nothing: only ranches keep a herd' }
    return id === undefined ? 0 : badFields(field)
  }
  const fits = TAME.filter((kind) => CREATURES[kind].tier <= type.level)
  const kind = id === undefined ? fits[0] : fits.find((other) => CREATURES[other].id === id)
  if (kind !== undefined) return kind + 1
  const expected = `a grazer of tier ${type.level} or below`
  return badFields({ field: 'species', expected })
}

/** Heads that the building of a type brings. */
export const headsBred = ({ build_materials }: FacilityRow): number =>
  build_materials.find(({ item_id }) => item_id === EMBRYOS)?.quantity ?? 0

/** Puts the heads of a type that has just been finished to the herd; nothing for other types. */
export function stockRanch(world: World, row: Row): void {
  const type = facilityTypeAt(world, row)
  const { herd, species, fed } = world.write(Facility)
  if (!isRanch(type) || species[row] === 0) return
  herd[row] = Math.min(type.capacity ?? 0, herd[row] + headsBred(type))
  fed[row] = FED
}

export const maxCull = ({ capacity = 0 }: FacilityRow): number =>
  Math.max(1, divFloor(capacity, CULL_DIVISOR))

/** Units a cycle of one feed for so many heads. */
export const feedOf = (quantity: number, heads: number, { capacity = 1 }: FacilityRow): number =>
  divCeil(quantity * heads, capacity)

/** What a head gives: its hide, and what its kind is kept for. */
export function yieldOf(species: number): ReadonlyMap<number, number> {
  const prize = CREATURES[species - 1].drops[1]?.items[0] ?? HIDE
  const units = new Map([[itemIndex(HIDE), 1]])
  units.set(itemIndex(prize), (units.get(itemIndex(prize)) ?? 0) + 1)
  return units
}

/** Heads that are born or lost in a cycle with so much of its feed. */
export function growthOf(herd: number, fed: number, { capacity = 0 }: FacilityRow): number {
  if (herd === 0) return 0
  if (fed < STARVING_PERMILLE) {
    const lost = Math.min(herd - HERD_MIN, divCeil(herd, HEADS_A_BIRTH))
    return lost > 0 ? -lost : 0
  }
  const births = mulDivFloor(herd, fed, HEADS_A_BIRTH * FED)
  const born = fed === FED ? Math.max(1, births) : births
  return Math.max(0, Math.min(capacity - herd, born))
}

/** Container the herd eats out of; 0 while it is empty or cannot be reached. */
export function larderOf(view: WorldView, row: Row): Row {
  const { ownerKind, player, faction, base } = view.read(Facility)
  if (ownerKind[row] === OF_STATION) return 0
  if (ownerKind[row] === OF_PLAYER) return lockerOf(view, player[row], base[row])
  const store = factionStore(view, faction[row], base[row])
  return typeof store === 'number' ? store : 0
}

/** Units of an item that the owner's store still takes. */
export function larderRoom(view: WorldView, row: Row, item: number): number {
  const { ownerKind, faction, base } = view.read(Facility)
  if (ownerKind[row] !== OF_FACTION) return Number.MAX_SAFE_INTEGER
  return storeRoom(view, { faction: faction[row], base: base[row] }, item)
}

export interface Feed {
  readonly item: number
  readonly need: number
  readonly stocked: number
}

/** What the herd eats in a cycle, and what is there of it. */
export function feedsOf(view: WorldView, row: Row): Feed[] {
  const type = facilityTypeAt(view, row)
  const larder = larderOf(view, row)
  const heads = view.read(Facility).herd[row]
  return type.maintenance_inputs.map(({ item_id, quantity }) => {
    const item = itemIndex(item_id)
    const stocked = larder === 0 ? 0 : unitsIn(view, larder, item)
    return { item, need: feedOf(quantity, heads, type), stocked }
  })
}

/** Thousandths of a cycle's feed that are there: of several feeds the scarcest decides. */
export const fedBy = (feeds: readonly Feed[]): number =>
  feeds.reduce(
    (least, { need, stocked }) =>
      need === 0 ? least : Math.min(least, mulDivFloor(FED, stocked, need)),
    FED,
  )

/** Why a row of the table cannot be: for the check. */
export const ranchHolds = (view: WorldView, row: Row): boolean => {
  const { type, herd, species, fed } = view.read(Facility)
  const of = FACILITIES[type[row]]
  if (!isRanch(of)) return herd[row] === 0 && species[row] === 0
  return herd[row] <= (of.capacity ?? 0) && fed[row] <= FED && species[row] <= CREATURES.length
}
