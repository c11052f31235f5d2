/**
 * The kernels of combat: a part is a star system, a row a battle. They write the participants,
 * ships and modules of that battle alone, and leave what happens to a ship in `Participant.fate`.
 * Source: combat.md section 3, steps H1, H2, H4 to H6, H8, H9.
 */
import type { KernelColumns } from '../../core/columns.ts'
import { ATTACKS_PER_PARTICIPANT } from '../../core/limits.ts'
import { hashNext, hashPrefix, hashText } from '../../core/rng.ts'
import { type KernelEnv, kernel } from '../../core/system.ts'
import { makeExchangeEnd } from './burn-kernels.ts'
import { AGGRESSION_TICKS, POINTS_MAX, ROLL } from './damage-kernels.ts'
import {
  computeSpeed,
  createRivals,
  type Members,
  membersOf,
  moveRings,
  sampleOrders,
  takeAim,
} from './maneuver-kernels.ts'
import { makeFates, makeHelp, makeRegrow } from './mend-kernels.ts'
import {
  ATTACK_FLAGS,
  Attack,
  Battle,
  DAMAGE_TYPES,
  PARTICIPANT_KINDS,
  Participant,
  ShipCombat,
  SIDES_WIDTH,
  STANCES,
  Turn,
} from './state.ts'
import {
  AT,
  createEntries,
  type Entries,
  makeStrike,
  makeWound,
  type Wound,
} from './strike-kernels.ts'
import { makeCooling, makeGuns } from './volley-kernels.ts'

export const kernelsFile = import.meta.url

// V8 reads an import through a cell and checks it each time; it folds constants of the module.
const NEXT = AT.next
const hashFor = hashNext
const MAX_POINTS = POINTS_MAX
const FLAG_TICKS = AGGRESSION_TICKS
const HIT_FLAG = ATTACK_FLAGS.hit
const FIRE = STANCES.indexOf('fire')
const PLAYER = PARTICIPANT_KINDS.indexOf('player')
/** A participant's rows of Attack besides one for each damage type and one for a burn. */
const SPLASHES_PER_PARTICIPANT = ATTACKS_PER_PARTICIPANT - DAMAGE_TYPES.length - 1
const ORDER = hashText('combat.order')

/** Runs H1 and H2: orders, moves, aim, tackle. */
export const maneuver = kernel((columns) => {
  const members = membersOf(columns)
  const champion = new Uint32Array(SIDES_WIDTH)
  const before = createRivals(columns)
  const after = createRivals(columns, champion)
  const fastest = createRivals(columns)
  const orders = sampleOrders(columns, members, before)
  const move = moveRings(columns, members, { before, after, champion })
  const aim = takeAim(columns, members, { nearest: after, champion })
  const compute = computeSpeed(columns, members, fastest)
  return (battles, from, to, env) => {
    for (let i = from; i < to; i++) {
      const battle = battles[i]
      const count = members.gather(battle)
      before.clear(battle)
      after.clear(battle)
      fastest.clear(battle)
      orders(battle, count, env)
      before.compare(battle)
      move(battle, count, env)
      after.compare(battle)
      aim(battle, count, env)
      compute(battle, count, env)
    }
  }
})

/** Runs H4 to H6: weapons, damage, burns. */
export const fire = kernel((columns) => {
  const { firstAttack, attackCount, damage } = columns.of(Battle)
  const { stance, seq } = columns.of(Participant)
  const { aim } = columns.of(Turn)
  const members = membersOf(columns)
  const order = makeOrder(columns, members)
  const entries = createEntries()
  const wound = makeWound(columns)
  const guns = makeGuns(columns, entries)
  const cool = makeCooling(columns)
  const settle = makeSettlement(columns, entries, wound)
  const endExchange = makeExchangeEnd(columns, entries, wound)
  const { state } = entries
  const { rows } = members
  const firstOf = new Uint32Array(rows.length + 1)

  /** Runs H4: in the order of the battle. */
  function shoot(count: number, { seed, tick }: KernelEnv): void {
    const prefix = hashPrefix(seed, tick, ROLL)
    for (let i = 0; i < count; i++) {
      const row = rows[i]
      firstOf[i] = state[NEXT]
      if (stance[row] !== FIRE || aim[row] === 0) cool(row)
      else guns(row, aim[row], hashFor(prefix, seq[row]))
    }
    firstOf[count] = state[NEXT]
  }

  function fight(battle: number, env: KernelEnv): void {
    const count = members.gather(battle)
    const turns = order(count, hashPrefix(env.seed, env.tick, ORDER))
    state[NEXT] = firstAttack[battle]
    state[AT.splashLeft] = count * SPLASHES_PER_PARTICIPANT
    state[AT.battle] = battle
    let dealt = 0
    shoot(count, env)
    for (let i = 0; i < count; i++) {
      const member = turns[i]
      const first = firstOf[member]
      const end = firstOf[member + 1]
      if (first !== end) dealt += settle(rows[member], first, end, env.tick)
    }
    for (let i = 0; i < count; i++) dealt += endExchange(rows[i], env.tick)
    attackCount[battle] = state[NEXT] - firstAttack[battle]
    damage[battle] += dealt
  }

  return (battles, from, to, env) => {
    for (let i = from; i < to; i++) fight(battles[i], env)
  }
})

/** Makes H5, which applies the entries of one ship to its target; returns the damage dealt. */
function makeSettlement(columns: KernelColumns, entries: Entries, wound: Wound) {
  const { ship, kind, dealt: dealtSoFar, xpDealt } = columns.of(Participant)
  const { aim, volleys, scores } = columns.of(Turn)
  const { aggressiveUntil } = columns.of(ShipCombat)
  const { flags } = columns.of(Attack)
  const strike = makeStrike(columns, entries, wound)
  const { dealt } = entries

  /** Counts what a player learns from their volleys. */
  function learn(row: number, duel: number, fired: number, hit: number): void {
    const index = 2 * row
    volleys[index + duel] += fired
    scores[index + duel] += hit
    xpDealt[index] = Math.min(MAX_POINTS, xpDealt[index] + dealt[0])
    xpDealt[index + 1] = Math.min(MAX_POINTS, xpDealt[index + 1] + dealt[1])
  }

  return (row: number, first: number, end: number, tick: number): number => {
    const target = aim[row]
    const duel = kind[target] === PLAYER ? 1 : 0
    dealt[0] = 0
    dealt[1] = 0
    let hit = 0
    let direct = 0
    for (let entry = first; entry < end; entry++) {
      if ((flags[entry] & HIT_FLAG) === 0) continue
      hit++
      direct += strike(entry, target)
    }
    dealt[duel] += direct
    const total = dealt[0] + dealt[1]
    if (kind[row] === PLAYER) learn(row, duel, end - first, hit)
    if (duel === 1) scores[2 * target + (kind[row] === PLAYER ? 1 : 0)] += end - first - hit
    if (total === 0) return 0
    dealtSoFar[row] = Math.min(MAX_POINTS, dealtSoFar[row] + total)
    aggressiveUntil[ship[row]] = tick + FLAG_TICKS
    return total
  }
}

/**
 * Orders the members for the application of their hits by a hash of the tick and the ship, so that
 * none is always first: counted into buckets by the upper bits, then sorted.
 */
function makeOrder(columns: KernelColumns, { rows }: Members) {
  const { seq } = columns.of(Participant)
  const keys = new Uint32Array(rows.length)
  const sorted = new Uint32Array(rows.length)
  const sortedKeys = new Uint32Array(rows.length)
  const starts = new Uint32Array(2 * rows.length + 1)

  /** Sorts the nearly ordered entries; equal keys stay ascending by seq, as in `rows`. */
  function insertionSort(count: number): void {
    for (let i = 1; i < count; i++) {
      const key = sortedKeys[i]
      const member = sorted[i]
      let slot = i
      for (; slot > 0 && sortedKeys[slot - 1] > key; slot--) {
        sortedKeys[slot] = sortedKeys[slot - 1]
        sorted[slot] = sorted[slot - 1]
      }
      sortedKeys[slot] = key
      sorted[slot] = member
    }
  }

  return (count: number, prefix: number): Uint32Array => {
    const bits = count < 2 ? 1 : 32 - Math.clz32(count - 1)
    const shift = 32 - bits
    starts.fill(0, 0, (1 << bits) + 1)
    for (let i = 0; i < count; i++) {
      keys[i] = hashFor(prefix, seq[rows[i]])
      starts[(keys[i] >>> shift) + 1]++
    }
    for (let i = 1; i <= 1 << bits; i++) starts[i] += starts[i - 1]
    for (let i = 0; i < count; i++) {
      const slot = starts[keys[i] >>> shift]++
      sortedKeys[slot] = keys[i]
      sorted[slot] = i
    }
    insertionSort(count)
    return sorted
  }
}

/** Runs H8 and H9: repair, shields, flight, fates. */
export const mend = kernel((columns: KernelColumns) => {
  const members = membersOf(columns)
  const regrow = makeRegrow(columns, members)
  const help = makeHelp(columns, members)
  const fates = makeFates(columns, members)
  return (battles, from, to, { tick }) => {
    for (let i = from; i < to; i++) {
      const count = members.gather(battles[i])
      regrow(battles[i], count, tick)
      help(battles[i], count, tick)
      fates(battles[i], count, tick)
    }
  }
})
