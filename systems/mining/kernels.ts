/**
 * The kernel of mining: picks a deposit for each request, works out the pull, and shares scarce
 * deposits. It writes the result columns of requests and the amounts of deposits, nothing else.
 * Source: mining.md sections 2-4, 7, 9.
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

/** Working figures of the deposits of one place, by their order there. */
interface Scratch {
  /** Units at the start of the phase; -1 = unlimited. */
  readonly remaining: Int32Array
  /** Part-unit to save if the deposit is written. */
  readonly fraction: Float64Array
  /** Sum of the pulls on it, in units. */
  readonly demand: Float64Array
  /** Weight in the draw of the current request; 0 = no candidate. */
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
      refresh(tables, scratch, poi, env.tick)
      for (let i = start; i < end; i++) decide(tables, scratch, rows[i], env)
      share(tables, scratch, { rows, start, end, poi })
      write(tables, scratch, poi, env.tick)
      start = end
    }
  }
})

/** Reads the deposits of a place as of this tick. */
function refresh(tables: Tables, scratch: Scratch, poi: number, tick: number): void {
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

/** Settles what a request pulls from, and how much before others have their share. */
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
    fitting(tables, row, deposit),
  )
  request.deposit[row] = deposit
  request.status[row] = units > 0 ? STATUS.yield : STATUS.no_cargo_space
  request.units[row] = units
  scratch.demand[index] += units
}

/** Weighs the candidates of a request; returns `yield`, or why there is none. mining.md 3.1, 8. */
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

/** Orders statuses by how far a request gets: the best of its deposits names the refusal. */
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

/** Draws a candidate by weight; returns its order at the place. */
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

/** Returns the units of the pull, before hold and contention. */
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
 * Returns the units of a deposit's item that still fit the hold, counting the rounding of the stack
 * there.
 */
function fitting(tables: Tables, row: number, source: number): number {
  const { deposit, request, ship, stack, firstStack } = tables
  const rig = request.ship[row]
  const item = deposit.item[source]
  let held = 0
  for (let s = firstStack[ship.hold[rig]]; s !== 0 && stack.item[s] <= item; s = stack.next[s]) {
    if (stack.item[s] === item) held = stack.units[s]
  }
  const compression = ship.compressionPct[rig * FAMILY_COUNT + deposit.family[source]]
  const unitSpace = deposit.size[source] * compression
  assert(unitSpace >= 1, 'a unit takes no space')
  const room = request.freeSpace[row] + Math.ceil((held * unitSpace) / 100)
  return room <= 0 ? 0 : Math.max(0, divFloor(room * 100, unitSpace) - held)
}

/** The requests at one place: a run of the rows of a part. */
interface Group {
  readonly rows: Uint32Array
  readonly start: number
  readonly end: number
  readonly poi: number
}

/** Cuts the pulls on deposits that cannot satisfy them all. Source: mining.md section 7. */
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

/** Writes the amounts of the deposits that were mined. Unlimited ones stay as they are. */
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

/* The arithmetic of mining: pure integer functions, for the kernel and the views alike. */

const RARITY_WEIGHT_PCT = 10

/** A deposit's saved figures. */
export interface DepositState {
  readonly max: number
  readonly base: number
  readonly baseTick: number
  /** Part-unit at baseTick, in 1/window units. */
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
 * Returns the part-units by `tick`, in 1/window units: below 2^53, for max < 2^31 and window <
 * 2^18.
 */
function grownParts(deposit: DepositState, tick: number): number {
  // Full after a window at most: the rest of a long absence need not be multiplied out.
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
 * Returns the part-unit to keep when the amount is written at a tick; a full deposit keeps none.
 */
export function fractionAt(deposit: DepositState, tick: number): number {
  if (remainingAt(deposit, tick) >= deposit.max) return 0
  return grownParts(deposit, tick) % deposit.window
}

/** Returns the power a deposit sustains, for a rig of this weighted precision (×1000). */
export function supportedPower(remaining: number, fine: number): number {
  if (remaining <= 0) return 0
  return Math.max(1, divFloor(remaining * 1000, PRECISION_K * fine))
}

/**
 * Returns the stock below which a depleted deposit locks the rig out; 0 for a rig too weak for
 * that.
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

/** Returns whether a deposit is too depleted for the rig; those of deep-core places never are. */
export function isTooSparse(rig: Rig, remaining: number, max: number, deepCore: boolean): boolean {
  const isDepleted = remaining * 100 < max * DEPLETION_FLOOR_PCT
  return !deepCore && isDepleted && remaining < lockMinimumStock(rig.power, rig.fine)
}

/** Returns the weight of a deposit in the draw. */
export function pickWeight(richness: number, miningLevel: number, rank: number): number {
  return Math.max(1, richness * (RARITY_WEIGHT_PCT + miningLevel * rank))
}

interface Pull {
  /** Power after the deposit's cap. */
  readonly power: number
  readonly richness: number
  /** Skill level. */
  readonly mining: number
  /** Skill level at a deep-core place, 0 elsewhere. */
  readonly deepCoreMining: number
  /** Yield bonus of hull, modules and origin, %. */
  readonly bonusPct: number
  /** Crew efficiency, %. */
  readonly crewPct: number
}

const YIELD_DIVISOR = 100_000_000

/**
 * Returns the units of a pull before hold and contention, at least 1. Exact: the product may pass
 * 2^53, so it is split.
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
 * Returns the share of one pull on a deposit that cannot satisfy them all; the caller hands out the
 * units left over, one each by initiative.
 */
export const shareOf = (pull: number, remaining: number, demand: number): number =>
  demand <= remaining ? pull : divFloor(pull * remaining, demand)
