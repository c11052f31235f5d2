/**
 * The kernel of mining: draws a deposit for each request, computes the pull (the units extracted),
 * and divides scarce deposits. It writes only the result columns of requests and the amounts of
 * deposits. Source: mining.md sections 2-4, 7, 9.
 */
import { assert } from '../../core/assert.ts'
import { DEPLETION_FLOOR_PCT, OVERKILL_RATIO, PRECISION_K } from '../../core/catalog/mining.ts'
import type { KernelColumns } from '../../core/columns.ts'
import { Container, Stack } from '../../core/goods.ts'
import { DEPOSITS_PER_POI_MAX } from '../../core/limits.ts'
import { divCeil, divFloor } from '../../core/math.ts'
import { hash32, hashText } from '../../core/rng.ts'
import { type KernelEnv, kernel } from '../../core/system.ts'
import { FAMILIES, Ship } from '../ship/state.ts'
import { Poi } from '../travel/state.ts'
import { Deposit, MINE_STATUS, MineRequest } from './state.ts'

export const kernelsFile = import.meta.url

const DRAW = hashText('mine')
const STATUS = {
  yield: MINE_STATUS.indexOf('yield'),
  filtered: MINE_STATUS.indexOf('filtered'),
  no_resources: MINE_STATUS.indexOf('no_resources'),
  depleted: MINE_STATUS.indexOf('depleted'),
  too_sparse: MINE_STATUS.indexOf('too_sparse'),
  no_cargo_space: MINE_STATUS.indexOf('no_cargo_space'),
} as const
const GAS = FAMILIES.indexOf('gas')
const FAMILY_COUNT = FAMILIES.length

const tablesOf = (columns: KernelColumns) => ({
  deposit: columns.of(Deposit),
  request: columns.of(MineRequest),
  ship: columns.of(Ship),
  poi: columns.of(Poi),
  firstStack: columns.of(Container).first,
  stack: columns.of(Stack),
})
type Tables = ReturnType<typeof tablesOf>

/** Intermediate values for the deposits of one place, by their order there. */
interface Scratch {
  /** Units at the start of the phase; -1 means unlimited. */
  readonly remaining: Int32Array
  /** Fraction of a unit to save if the deposit is written. */
  readonly fraction: Float64Array
  /** Sum of the pulls from the deposit, units. */
  readonly demand: Float64Array
  /** Weight in the draw of the current request; 0 means not a candidate. */
  readonly weight: Float64Array
}

export const extract = kernel((columns) => {
  const tables = tablesOf(columns)
  const scratch: Scratch = {
    remaining: new Int32Array(DEPOSITS_PER_POI_MAX),
    fraction: new Float64Array(DEPOSITS_PER_POI_MAX),
    demand: new Float64Array(DEPOSITS_PER_POI_MAX),
    weight: new Float64Array(DEPOSITS_PER_POI_MAX),
  }
  return (rows, from, to, env) => {
    let start = from
    while (start < to) {
      const poi = tables.request.poi[rows[start]]
      let end = start + 1
      while (end < to && tables.request.poi[rows[end]] === poi) end++
      readDeposits(tables, scratch, poi, env.tick)
      for (let i = start; i < end; i++) decide(tables, scratch, rows[i], env)
      share(tables, scratch, { rows, start, end, poi })
      write(tables, scratch, poi, env.tick)
      start = end
    }
  }
})

/** Reads the deposits of a place as of this tick. */
function readDeposits(tables: Tables, scratch: Scratch, poi: number, tick: number): void {
  const { deposit } = tables
  const count = tables.poi.depositCount[poi]
  assert(count <= DEPOSITS_PER_POI_MAX, 'a place has more deposits than allowed')
  for (let i = 0; i < count; i++) {
    const row = tables.poi.firstDeposit[poi] + i
    scratch.demand[i] = 0
    if (deposit.unlimited[row] === 1) {
      scratch.remaining[i] = -1
      continue
    }
    const state = depositState(deposit, row)
    scratch.remaining[i] = remainingAt(state, tick)
    scratch.fraction[i] = fractionAt(state, tick)
  }
}

/** Chooses the deposit of a request, and how much it pulls before scarce deposits are divided. */
function decide(tables: Tables, scratch: Scratch, row: number, env: KernelEnv): void {
  const { request } = tables
  const blocked = weigh(tables, scratch, row)
  if (blocked !== STATUS.yield) {
    request.status[row] = blocked
    return
  }
  const index = draw(tables, scratch, row, env)
  const deposit = tables.poi.firstDeposit[request.poi[row]] + index
  const units = Math.min(
    pullOf(tables, row, deposit, scratch.remaining[index]),
    unitsThatFit(tables, row, deposit),
  )
  request.deposit[row] = deposit
  request.status[row] = units > 0 ? STATUS.yield : STATUS.no_cargo_space
  request.units[row] = units
  scratch.demand[index] += units
}

/**
 * Computes the weights of the candidates of a request; returns `yield`, or why there are none.
 * Source: mining.md sections 3.1, 8.
 */
function weigh(tables: Tables, scratch: Scratch, row: number): number {
  const { deposit, request, ship, poi } = tables
  const rig = request.ship[row]
  const first = poi.firstDeposit[request.poi[row]]
  const count = poi.depositCount[request.poi[row]]
  let best: number = STATUS.no_resources
  for (let i = 0; i < count; i++) {
    const source = first + i
    const family = rig * FAMILY_COUNT + deposit.family[source]
    const power = ship.minePower[family]
    const remaining = scratch.remaining[i]
    scratch.weight[i] = 0
    if (power === 0) continue
    const fine = ship.mineFine[family]
    const status = candidateStatus(tables, { row, source, power, fine, remaining })
    if (rankOf(status) > rankOf(best)) best = status
    if (status !== STATUS.yield) continue
    const { richness, rank } = deposit
    scratch.weight[i] = pickWeight(richness[source], request.miningLevel[row], rank[source])
  }
  return best
}

/** Ranks statuses by how far a request gets: that of its best deposit becomes the refusal. */
function rankOf(status: number): number {
  if (status === STATUS.yield) return 4
  if (status === STATUS.too_sparse) return 3
  if (status === STATUS.filtered) return 2
  return status === STATUS.depleted ? 1 : 0
}

interface Candidate {
  /** The request. */
  readonly row: number
  /** The deposit. */
  readonly source: number
  readonly power: number
  readonly fine: number
  readonly remaining: number
}

function candidateStatus(tables: Tables, candidate: Candidate): number {
  const { deposit, request, ship } = tables
  const { row, source, remaining } = candidate
  if (remaining === 0) return STATUS.depleted
  if ((ship.filterMask[request.ship[row]] >> deposit.rank[source]) & 1) return STATUS.filtered
  if (remaining < 0) return STATUS.yield
  const isDeepCore = deposit.deepCore[source] === 1
  const isSparse = isTooSparse(candidate, remaining, deposit.max[source], isDeepCore)
  return isSparse ? STATUS.too_sparse : STATUS.yield
}

/** Draws a candidate by weight; returns its index among the deposits of the place. */
function draw(tables: Tables, scratch: Scratch, row: number, env: KernelEnv): number {
  const { request, ship, poi } = tables
  const place = request.poi[row]
  const count = poi.depositCount[place]
  let sum = 0
  for (let i = 0; i < count; i++) sum += scratch.weight[i]
  assert(sum > 0, 'a draw without candidates')
  let left = hash32(env.seed, env.tick, DRAW, ship.seq[request.ship[row]], poi.seq[place]) % sum
  for (let i = 0; i < count; i++) {
    if (left < scratch.weight[i]) return i
    left -= scratch.weight[i]
  }
  assert(false, 'a draw went past its candidates')
}

/** Returns the units of a pull, before the limits of the hold and of a scarce deposit. */
function pullOf(tables: Tables, row: number, source: number, remaining: number): number {
  const { deposit, request, ship } = tables
  const rig = request.ship[row]
  const family = rig * FAMILY_COUNT + deposit.family[source]
  const power = ship.minePower[family]
  const attunement = deposit.family[source] === GAS ? request.attunementPct[row] : 0
  return yieldOf({
    power:
      remaining < 0 ? power : Math.min(power, supportedPower(remaining, ship.mineFine[family])),
    richness: deposit.richness[source],
    mining: request.miningLevel[row],
    deepCoreMining: deposit.deepCore[source] === 1 ? request.deepLevel[row] : 0,
    bonusPct: ship.yieldBonusPct[family] + attunement,
    crewPct: ship.crewEffPct[rig],
  })
}

/**
 * Returns the units of a deposit's item that still fit in the hold. The space of the stack that is
 * already there was rounded up; the part it does not use counts as free.
 */
function unitsThatFit(tables: Tables, row: number, source: number): number {
  const { deposit, request, ship, stack, firstStack } = tables
  const rig = request.ship[row]
  const item = deposit.item[source]
  let held = 0
  // Stacks are sorted by item.
  let other = firstStack[ship.hold[rig]]
  while (other !== 0 && stack.item[other] <= item) {
    if (stack.item[other] === item) held = stack.units[other]
    other = stack.next[other]
  }
  const compression = ship.compressionPct[rig * FAMILY_COUNT + deposit.family[source]]
  const unitSpace = deposit.size[source] * compression
  assert(unitSpace >= 1, 'a unit takes no space')
  const room = request.freeSpace[row] + Math.ceil((held * unitSpace) / 100)
  return room <= 0 ? 0 : Math.max(0, divFloor(room * 100, unitSpace) - held)
}

/** The requests at one place: consecutive rows of a part. */
interface Group {
  readonly rows: Uint32Array
  readonly start: number
  readonly end: number
  readonly poi: number
}

/** Divides deposits that cannot satisfy all pulls from them. Source: mining.md section 7. */
function share(tables: Tables, scratch: Scratch, group: Group): void {
  const { request, poi } = tables
  const first = poi.firstDeposit[group.poi]
  for (let i = 0; i < poi.depositCount[group.poi]; i++) {
    const remaining = scratch.remaining[i]
    const demand = scratch.demand[i]
    if (demand === 0) continue
    const isScarce = remaining >= 0 && demand > remaining
    let left = isScarce ? remaining : 0
    for (let r = group.start; isScarce && r < group.end; r++) {
      const row = group.rows[r]
      if (request.deposit[row] !== first + i) continue
      request.units[row] = shareOf(request.units[row], remaining, demand)
      left -= request.units[row]
    }
    assert(left >= 0, 'shares exceed the deposit')
    for (let r = group.start; r < group.end; r++) {
      const row = group.rows[r]
      if (request.deposit[row] !== first + i || request.status[row] !== STATUS.yield) continue
      if (left > 0) {
        request.units[row]++
        left--
      }
      if (request.units[row] === 0) request.status[row] = STATUS.depleted
      request.remaining[row] = remaining < 0 ? -1 : Math.max(0, remaining - demand)
    }
    assert(left === 0, 'units of a shared deposit are left over')
  }
}

/** Writes the new amounts of the deposits that were mined; unlimited ones are not written. */
function write(tables: Tables, scratch: Scratch, poi: number, tick: number): void {
  const { deposit } = tables
  for (let i = 0; i < tables.poi.depositCount[poi]; i++) {
    if (scratch.demand[i] === 0 || scratch.remaining[i] < 0) continue
    const row = tables.poi.firstDeposit[poi] + i
    deposit.base[row] = Math.max(0, scratch.remaining[i] - scratch.demand[i])
    deposit.frac[row] = scratch.fraction[i]
    deposit.baseTick[row] = tick
  }
}

/* The arithmetic of mining: pure integer functions, used by the kernel and by views. */

const RARITY_WEIGHT_PCT = 10

/** The saved values of a deposit. */
export interface DepositState {
  readonly max: number
  readonly base: number
  readonly baseTick: number
  /** Fraction of a unit at baseTick, in 1/window units. */
  readonly frac: number
  readonly window: number
}

type DepositColumns = Readonly<Record<keyof DepositState, ArrayLike<number>>>

export const depositState = (columns: DepositColumns, row: number): DepositState => ({
  max: columns.max[row],
  base: columns.base[row],
  baseTick: columns.baseTick[row],
  frac: columns.frac[row],
  window: columns.window[row],
})

/**
 * Returns how much has regrown by `tick`, in 1/window units. It stays below 2^53, since max < 2^31
 * and window < 2^18.
 */
function grownParts(deposit: DepositState, tick: number): number {
  // A deposit is full after one window, so more ticks make no difference and could overflow.
  const ticks = Math.min(tick - deposit.baseTick, deposit.window)
  return deposit.frac + ticks * deposit.max
}

/** Returns the units in a limited deposit at a tick. */
export function remainingAt(deposit: DepositState, tick: number): number {
  assert(tick >= deposit.baseTick, 'a deposit is read before its last change')
  const grown = divFloor(grownParts(deposit, tick), deposit.window)
  return Math.min(deposit.max, deposit.base + grown)
}

/**
 * Returns the fraction of a unit to save when the amount is written at a tick; 0 for a full
 * deposit.
 */
export function fractionAt(deposit: DepositState, tick: number): number {
  if (remainingAt(deposit, tick) >= deposit.max) return 0
  return grownParts(deposit, tick) % deposit.window
}

/** Returns the power that a deposit can sustain for a rig of this weighted precision (×1000). */
export function supportedPower(remaining: number, fine: number): number {
  if (remaining <= 0) return 0
  return Math.max(1, divFloor(remaining * 1000, PRECISION_K * fine))
}

/**
 * Returns the stock below which a rig cannot mine a depleted deposit; 0 for a weak rig, which
 * always can.
 */
export function lockMinimumStock(power: number, fine: number): number {
  if (power * fine <= PRECISION_K * 1000) return 0
  return divCeil(power * PRECISION_K * fine, OVERKILL_RATIO * 1000)
}

interface Rig {
  readonly power: number
  /** Weighted precision ×1000. */
  readonly fine: number
}

/** Returns whether a deposit is too sparse for a rig; at deep-core places none ever is. */
export function isTooSparse(rig: Rig, remaining: number, max: number, deepCore: boolean): boolean {
  const isDepleted = remaining * 100 < max * DEPLETION_FLOOR_PCT
  return !deepCore && isDepleted && remaining < lockMinimumStock(rig.power, rig.fine)
}

/** Returns the weight of a deposit in the draw of a request. */
export function pickWeight(richness: number, miningLevel: number, rank: number): number {
  return Math.max(1, richness * (RARITY_WEIGHT_PCT + miningLevel * rank))
}

interface Pull {
  /** Power, limited by what the deposit can sustain. */
  readonly power: number
  readonly richness: number
  /** Skill level of mining. */
  readonly mining: number
  /** Skill level of deep-core mining at a deep-core place; 0 elsewhere. */
  readonly deepCoreMining: number
  /** Yield bonus of hull, modules and origin, %. */
  readonly bonusPct: number
  /** Crew efficiency, %. */
  readonly crewPct: number
}

const YIELD_DIVISOR = 100_000_000

/**
 * Returns the units of a pull before the limits of hold and deposit, at least 1. The product may
 * exceed 2^53, so it is split to stay exact.
 */
export function yieldOf(pull: Pull): number {
  const skill = 100 + pull.mining + 5 * pull.deepCoreMining
  const left = pull.power * (50 + pull.richness) * skill
  const right = (100 + pull.bonusPct) * pull.crewPct
  const quotient = divFloor(left, YIELD_DIVISOR)
  const rest = divFloor((left % YIELD_DIVISOR) * right, YIELD_DIVISOR)
  return Math.max(1, quotient * right + rest)
}

/**
 * Returns the share of one pull from a deposit that cannot satisfy them all. The caller distributes
 * the units left over by rounding, one each by initiative.
 */
export const shareOf = (pull: number, remaining: number, demand: number): number =>
  demand <= remaining ? pull : divFloor(pull * remaining, demand)
