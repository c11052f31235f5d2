/**
 * The kernels of combat: a part is a star system, a row a battle. They write participants and what
 * stands in their ships and modules, nothing of another battle; what becomes of a ship is left in
 * `Participant.fate`. Source: combat.md section 3, steps H1, H2, H4 to H6, H8, H9.
 */
import type { KernelColumns } from '../../core/columns.ts'
import { ATTACKS_PER_PARTICIPANT } from '../../core/limits.ts'
import { hashNext, hashPrefix, hashText } from '../../core/rng.ts'
import { type KernelEnv, kernel } from '../../core/system.ts'
import { makeSmoulder } from './burn-kernels.ts'
import { AGGRESSION_TICKS, POINTS_MAX, ROLL } from './damage-kernels.ts'
import {
  createRivals,
  type Muster,
  moveRings,
  musterOf,
  reckonSpeed,
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

/*
 * Step of combat.mend: remote repair. Every carrier mends the ship of its side with the lowest hull
 * percentage that is not itself: two of a side at most, the lowest, and for that one the next.
 * Source: combat.md section 9, step H8.
 */

export const kernelsFile = import.meta.url

// V8 reads an import through a cell and checks it each time; constants of the module it folds.
const NEXT = AT.next
const hashFor = hashNext
const MOST_POINTS = POINTS_MAX
const FLAG_TICKS = AGGRESSION_TICKS
const HIT_FLAG = ATTACK_FLAGS.hit
const FIRE = STANCES.indexOf('fire')
const PLAYER = PARTICIPANT_KINDS.indexOf('player')
/** What an entry a damage type and a burn leave of a participant's rows. */
const SPLASHES_PER_PARTICIPANT = ATTACKS_PER_PARTICIPANT - DAMAGE_TYPES.length - 1
const ORDER = hashText('combat.order')

/** H1 and H2: orders, moves, aim, tackle. */
export const maneuver = kernel((columns) => {
  const muster = musterOf(columns)
  const champion = new Uint32Array(SIDES_WIDTH)
  const before = createRivals(columns)
  const after = createRivals(columns, champion)
  const fastest = createRivals(columns)
  const orders = sampleOrders(columns, muster, before)
  const move = moveRings(columns, muster, { before, after, champion })
  const aim = takeAim(columns, muster, { nearest: after, champion })
  const reckon = reckonSpeed(columns, muster, fastest)
  return (battles, from, to, env) => {
    for (let i = from; i < to; i++) {
      const battle = battles[i]
      const count = muster.gather(battle)
      before.clear(battle)
      after.clear(battle)
      fastest.clear(battle)
      orders(battle, count, env)
      before.compare(battle)
      move(battle, count, env)
      after.compare(battle)
      aim(battle, count, env)
      reckon(battle, count, env)
    }
  }
})

/** H4 to H6: weapons, damage, burns. */
export const fire = kernel((columns) => {
  const { firstAttack, attackCount, damage } = columns.of(Battle)
  const { stance, seq } = columns.of(Participant)
  const { aim } = columns.of(Turn)
  const muster = musterOf(columns)
  const order = makeOrder(columns, muster)
  const entries = createEntries()
  const wound = makeWound(columns)
  const guns = makeGuns(columns, entries)
  const cool = makeCooling(columns)
  const settle = makeSettlement(columns, entries, wound)
  const smoulder = makeSmoulder(columns, entries, wound)
  const { state } = entries
  const { rows } = muster
  const firstOf = new Uint32Array(rows.length + 1)

  /** H4: in the order of the battle. */
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
    const count = muster.gather(battle)
    const turns = order(count, hashPrefix(env.seed, env.tick, ORDER))
    state[NEXT] = firstAttack[battle]
    state[AT.splashLeft] = count * SPLASHES_PER_PARTICIPANT
    state[AT.battle] = battle
    let dealt = 0
    shoot(count, env)
    for (let i = 0; i < count; i++) {
      const at = turns[i]
      if (firstOf[at] !== firstOf[at + 1]) {
        dealt += settle(rows[at], firstOf[at], firstOf[at + 1], env.tick)
      }
    }
    for (let i = 0; i < count; i++) dealt += smoulder(rows[i], env.tick)
    attackCount[battle] = state[NEXT] - firstAttack[battle]
    damage[battle] += dealt
  }

  return (battles, from, to, env) => {
    for (let i = from; i < to; i++) fight(battles[i], env)
  }
})

/** H5: what the entries of one ship do to its aim; returns the damage dealt. */
function makeSettlement(columns: KernelColumns, entries: Entries, wound: Wound) {
  const { ship, kind, dealt: dealtSoFar, xpDealt } = columns.of(Participant)
  const { aim, volleys, scores } = columns.of(Turn)
  const { aggressiveUntil } = columns.of(ShipCombat)
  const { flags } = columns.of(Attack)
  const strike = makeStrike(columns, entries, wound)
  const { dealt } = entries

  /** What a player learns of its volleys. */
  function learn(row: number, duel: number, fired: number, hit: number): void {
    const of = 2 * row
    volleys[of + duel] += fired
    scores[of + duel] += hit
    xpDealt[of] = Math.min(MOST_POINTS, xpDealt[of] + dealt[0])
    xpDealt[of + 1] = Math.min(MOST_POINTS, xpDealt[of + 1] + dealt[1])
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
    dealtSoFar[row] = Math.min(MOST_POINTS, dealtSoFar[row] + total)
    aggressiveUntil[ship[row]] = tick + FLAG_TICKS
    return total
  }
}

/**
 * Places of the members in the order in which their hits are applied: by a hash of the tick and the
 * ship, so that nobody stands first for good. Counted into buckets by the upper bits, then put in
 * order.
 */
function makeOrder(columns: KernelColumns, { rows }: Muster) {
  const { seq } = columns.of(Participant)
  const keys = new Uint32Array(rows.length)
  const sorted = new Uint32Array(rows.length)
  const sortedKeys = new Uint32Array(rows.length)
  const starts = new Uint32Array(2 * rows.length + 1)

  /** Equal keys stay ascending by seq, as in `rows`. */
  function settle(count: number): void {
    for (let i = 1; i < count; i++) {
      const key = sortedKeys[i]
      const place = sorted[i]
      let at = i
      for (; at > 0 && sortedKeys[at - 1] > key; at--) {
        sortedKeys[at] = sortedKeys[at - 1]
        sorted[at] = sorted[at - 1]
      }
      sortedKeys[at] = key
      sorted[at] = place
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
      const at = starts[keys[i] >>> shift]++
      sortedKeys[at] = keys[i]
      sorted[at] = i
    }
    settle(count)
    return sorted
  }
}

/** H8 and H9: repair, shields, flight, fates. */
export const mend = kernel((columns: KernelColumns) => {
  const muster = musterOf(columns)
  const regrow = makeRegrow(columns, muster)
  const help = makeHelp(columns, muster)
  const fates = makeFates(columns, muster)
  return (battles, from, to, { tick }) => {
    for (let i = from; i < to; i++) {
      const count = muster.gather(battles[i])
      regrow(battles[i], count, tick)
      help(battles[i], count, tick)
      fates(battles[i], count, tick)
    }
  }
})
