/**
 * The kernels of boarding: `close` answers requests and advances the latch (step H3 of a fight),
 * `assault` applies the losses of people from weapon fire and fighting aboard (H7). They write
 * columns of boardings and of people; rules.ts creates and releases rows. Source: combat.md
 * sections 3, 9, 10; ships.md section 4.
 */
import type { KernelColumns } from '../../core/columns.ts'
import { drawBelow, hash32, hashNext, hashPrefix, hashText } from '../../core/rng.ts'
import { type KernelEnv, kernel } from '../../core/system.ts'
import {
  ATTACK_FLAGS,
  Attack,
  Battle,
  FATES,
  PARTICIPANT_KINDS,
  Participant,
  SIDES_WIDTH,
  STANCES,
} from '../combat/state.ts'
import { Ship } from '../ship/state.ts'
import {
  assaultLosses,
  attackStrength,
  crewEfficiencyPct,
  deathPermille,
  defenseStrength,
  exposure,
  HITS_DIVISOR,
  injuredOf,
  isInContact,
  isShieldDown,
  LATCH_SLIP,
  LATCHED,
  LUCK_MIN,
  LUCK_SPAN,
  latchGain,
  STALLED_TICKS,
  WITHDRAWAL_TICKS,
  withdrawalLosses,
} from './assault-kernels.ts'
import {
  BattleBoarding,
  BOARDABLE_KINDS,
  BOARDING_ANSWERS,
  BOARDING_OUTCOMES,
  Boarding,
  LINK_PHASES,
  Link,
} from './state.ts'

export const kernelsFile = import.meta.url

const LUCK = hashText('boarding luck')
const HITS = hashText('personnel hits')

const BOARD_ORDER = STANCES.indexOf('board') + 1
const CAPTURED = FATES.indexOf('captured')
const BOARDABLE: readonly boolean[] = PARTICIPANT_KINDS.map((kind) =>
  BOARDABLE_KINDS.includes(kind),
)
const [CLOSING, ASSAULT, WITHDRAWING] = LINK_PHASES.map((_, index) => index)
const ANSWER = {
  started: BOARDING_ANSWERS.indexOf('started'),
  contested: BOARDING_ANSWERS.indexOf('contested_same_tick'),
  linked: BOARDING_ANSWERS.indexOf('already_linked'),
  target: BOARDING_ANSWERS.indexOf('invalid_target'),
  marines: BOARDING_ANSWERS.indexOf('no_marines'),
} as const
const OUTCOME = {
  captured: BOARDING_OUTCOMES.indexOf('captured'),
  plundered: BOARDING_OUTCOMES.indexOf('plundered'),
  defeated: BOARDING_OUTCOMES.indexOf('boarding_force_defeated'),
  withdrawn: BOARDING_OUTCOMES.indexOf('withdrawn'),
  stalled: BOARDING_OUTCOMES.indexOf('closing_stalled'),
  attackerDestroyed: BOARDING_OUTCOMES.indexOf('attacker_destroyed'),
  targetDestroyed: BOARDING_OUTCOMES.indexOf('target_destroyed'),
} as const

const tablesOf = (columns: KernelColumns) => ({
  battle: columns.of(Battle),
  part: columns.of(Participant),
  ship: columns.of(Ship),
  boarding: columns.of(Boarding),
  boardings: columns.of(BattleBoarding),
  link: columns.of(Link),
})
type Tables = ReturnType<typeof tablesOf>

/* H3 */

/** Scratch space for ranking the requests of one battle. */
interface RequestRanks {
  readonly rows: Uint32Array
  /** Sort keys, the best first: by speed, then latch strength, then place in the battle. */
  readonly keys: Float64Array
  /** By participant: 1 once a request that involves it is granted. */
  readonly taken: Uint8Array
}
/** Factor of the rank in a sort key: more than the places in a battle. */
const RANK_FACTOR = 0x1000000

/** Advances the boardings of battles, then answers their requests (H3). */
export const close = kernel((columns) => {
  const tables = tablesOf(columns)
  const { length } = tables.part.alive
  const ranks: RequestRanks = {
    rows: new Uint32Array(length),
    keys: new Float64Array(length),
    taken: new Uint8Array(length),
  }
  return (rows, from, to) => {
    for (let i = from; i < to; i++) {
      const battle = rows[i]
      const { first, asked } = tables.boardings
      for (let link = first[battle]; link !== 0; link = tables.link.next[link]) {
        advance(tables, link)
      }
      if (asked[battle] === 1) grant(tables, ranks, battle)
    }
  }
})

/** Advances a boarding before weapons fire: a withdrawal under way, then orders, then the latch. */
function advance(tables: Tables, row: number): void {
  const { link } = tables
  if (link.phase[row] === WITHDRAWING && --link.timer[row] === 0) {
    link.outcome[row] = OUTCOME.withdrawn
  }
  applyOrder(tables, row)
  if (link.phase[row] === CLOSING) latch(tables, row)
}

/** Starts a withdrawal if another stance is ordered; a repeated order to board changes nothing. */
function applyOrder({ link, part, boarding }: Tables, row: number): void {
  const attacker = link.attacker[row]
  const order = part.orderStance[attacker]
  part.orderStance[attacker] = 0
  if (order === 0 || order === BOARD_ORDER) return
  boarding.stanceAfter[attacker] = order
  if (link.phase[row] === WITHDRAWING) return
  link.phase[row] = WITHDRAWING
  link.timer[row] = WITHDRAWAL_TICKS
}

function latch({ link, part, ship, boarding }: Tables, row: number): void {
  const attacker = link.attacker[row]
  const target = link.target[row]
  const hull = part.ship[target]
  if (
    !isInContact(part, attacker, target) ||
    !isShieldDown(ship.shield[hull], ship.shieldMax[hull])
  ) {
    link.progress[row] = Math.max(0, link.progress[row] - LATCH_SLIP)
    if (++link.timer[row] >= STALLED_TICKS) link.outcome[row] = OUTCOME.stalled
    return
  }
  link.timer[row] = 0
  const gain = latchGain({
    attackerSpeed: part.effectiveSpeed[attacker],
    targetSpeed: part.effectiveSpeed[target],
    strength: boarding.latchStrength[attacker],
    resistance: boarding.latchResistance[target],
  })
  link.progress[row] = Math.min(LATCHED, link.progress[row] + gain)
  if (link.progress[row] < LATCHED) return
  link.phase[row] = ASSAULT
  link.attached[row] = 1
}

/** Answers the requests of a battle; of those that share a hull, grants the best ranked one. */
function grant(tables: Tables, ranks: RequestRanks, battle: number): void {
  const { part, boarding } = tables
  const { rows, keys, taken } = ranks
  let count = 0
  let place = 0
  for (let row = tables.battle.first[battle]; row !== 0; row = part.next[row]) {
    place++
    if (part.orderStance[row] !== BOARD_ORDER) continue
    part.orderStance[row] = 0
    const answer = judge(tables, row)
    boarding.answer[row] = answer
    if (answer !== ANSWER.started) continue
    const rank = (255 - part.effectiveSpeed[row]) * 256 + (255 - boarding.latchStrength[row])
    rows[place] = row
    keys[count++] = rank * RANK_FACTOR + place
  }
  keys.subarray(0, count).sort()
  for (let i = 0; i < count; i++) {
    const row = rows[keys[i] % RANK_FACTOR]
    const target = boarding.wanted[row]
    if (taken[row] === 1 || taken[target] === 1) boarding.answer[row] = ANSWER.contested
    else {
      taken[row] = 1
      taken[target] = 1
    }
  }
  for (let i = 0; i < count; i++) {
    const row = rows[keys[i] % RANK_FACTOR]
    taken[row] = 0
    taken[boarding.wanted[row]] = 0
  }
}

/** Returns the answer that a request would get if it were the only one. */
function judge({ battle, part, ship, boarding }: Tables, row: number): number {
  const target = boarding.wanted[row]
  const own = part.battle[row]
  if (target === 0 || part.alive[target] === 0 || part.battle[target] !== own) return ANSWER.target
  const hostile = battle.hostile[own * SIDES_WIDTH + part.side[target]]
  if (((hostile >>> (part.side[row] - 1)) & 1) === 0) return ANSWER.target
  if (!BOARDABLE[part.kind[target]] || boarding.uncapturable[target] === 1) return ANSWER.target
  if (boarding.link[row] !== 0 || boarding.link[target] !== 0) return ANSWER.linked
  return ship.marinesFit[part.ship[row]] === 0 ? ANSWER.marines : ANSWER.started
}

/* H7 */

/** Applies losses from weapon fire and fighting aboard (H7). */
export const assault = kernel((columns) => {
  const tables = tablesOf(columns)
  const { target } = columns.of(Attack)
  const triage = new Uint8Array(SIDES_WIDTH)
  const wound = makeWound(columns)
  return (rows, from, to, env) => {
    const prefix = hashPrefix(env.seed, env.tick, HITS)
    for (let i = from; i < to; i++) {
      const battle = rows[i]
      findHospitals(tables, battle, triage)
      const start = tables.battle.firstAttack[battle]
      const end = start + tables.battle.attackCount[battle]
      for (let entry = start; entry < end; entry++) {
        if (wound(entry, triage, prefix)) countCrew(tables, target[entry])
      }
      for (let row = tables.boardings.first[battle]; row !== 0; row = tables.link.next[row]) {
        if (tables.link.outcome[row] === 0) fight(tables, row, env)
      }
    }
  }
})

/** Finds the best hospital of each side in the battle. */
function findHospitals(tables: Tables, battle: number, triage: Uint8Array): void {
  triage.fill(0)
  if (tables.boardings.triage[battle] === 0) return
  const { part, boarding } = tables
  for (let row = tables.battle.first[battle]; row !== 0; row = part.next[row]) {
    if (boarding.triagePct[row] > triage[part.side[row]]) {
      triage[part.side[row]] = boarding.triagePct[row]
    }
  }
}

/**
 * Makes the function that hits people where fire reaches the hull, for one entry of the attack list
 * at a time. Source: combat.md section 9.
 */
function makeWound(columns: KernelColumns) {
  const { attacker, target, type, flags, hullHit } = columns.of(Attack)
  const { seq, ship, side } = columns.of(Participant)
  const { hull, hullMax, crewFit, crewInjured, marinesFit, marinesInjured } = columns.of(Ship)
  const { link: linkOf } = columns.of(Boarding)
  const link = columns.of(Link)

  /** Returns the marines of a ship that fight aboard another. */
  function marinesAway(row: number): number {
    const own = linkOf[row]
    const isAboard = own !== 0 && link.attached[own] === 1 && link.attacker[own] === row
    return isAboard ? link.committed[own] : 0
  }

  /** Kills or injures a random person aboard. The last of a crew is never killed. */
  function hitPerson(row: number, dies: boolean, luck: number): void {
    const hullRow = ship[row]
    const crew = crewFit[hullRow]
    const marines = marinesFit[hullRow] - marinesAway(row)
    if ((luck >>> 8) % (crew + marines) < crew) {
      const isLast = crew + crewInjured[hullRow] === 1
      crewFit[hullRow]--
      if (!dies || isLast) crewInjured[hullRow]++
      return
    }
    marinesFit[hullRow]--
    if (!dies) marinesInjured[hullRow]++
    const boarding = linkOf[row]
    if (boarding === 0 || link.attacker[boarding] !== row) return
    link.committed[boarding] = Math.min(link.committed[boarding], marinesFit[hullRow])
  }

  /** Hits people for an attack entry; returns whether any were hit. `prefix`: hash of the tick. */
  return (entry: number, triage: Uint8Array, prefix: number): boolean => {
    const points = hullHit[entry]
    if (points <= 0 || (flags[entry] & ATTACK_FLAGS.burn) !== 0) return false
    const row = target[entry]
    const hullRow = ship[row]
    const fit = crewFit[hullRow] + marinesFit[hullRow] - marinesAway(row)
    if (fit === 0 || hull[hullRow] === 0) return false
    const exposed = exposure(points, hull[hullRow], hullMax[hullRow], fit)
    if (exposed === 0) return false
    const source = hashNext(hashNext(prefix, seq[row]), seq[attacker[entry]] * 8 + type[entry])
    const isOneMore = drawBelow(HITS_DIVISOR, source >>> 0) < exposed % HITS_DIVISOR
    const hits = Math.min(fit, Math.trunc(exposed / HITS_DIVISOR) + (isOneMore ? 1 : 0))
    const permille = deathPermille(triage[side[row]])
    for (let i = 0; i < hits; i++) {
      const luck = hashNext(source, i) >>> 0
      hitPerson(row, drawBelow(1000, luck) < permille, luck)
    }
    return hits > 0
  }
}

/** Updates efficiency and speed, which depend on the number of a ship's crew. */
function countCrew({ part, ship }: Tables, participant: number): void {
  const hull = part.ship[participant]
  const efficiency = crewEfficiencyPct(ship.crewFit[hull], ship.crewMin[hull])
  ship.personnelVersion[hull]++
  ship.crewEffPct[hull] = efficiency
  ship.speed[hull] = Math.max(1, Math.trunc((ship.baseSpeed[hull] * efficiency) / 100))
  part.speed[participant] = ship.speed[hull]
}

/** Advances a boarding after weapons have fired. */
function fight(tables: Tables, row: number, env: KernelEnv): void {
  const { link, part, ship, boarding } = tables
  const attacker = link.attacker[row]
  const target = link.target[row]
  if (ship.hull[part.ship[attacker]] === 0) link.outcome[row] = OUTCOME.attackerDestroyed
  else if (ship.hull[part.ship[target]] === 0) link.outcome[row] = OUTCOME.targetDestroyed
  if (link.outcome[row] !== 0) return
  const isAssault = link.phase[row] === ASSAULT
  const isManned = fitAboard(tables, target) > 0
  const isInContact = link.phase[row] === CLOSING || link.attached[row] === 1
  let losses = isInContact ? boarding.contactDefense[target] : 0
  if (link.phase[row] === WITHDRAWING) losses += withdrawalLosses(link.committed[row])
  if (isAssault && isManned) losses += exchange(tables, row, env)
  loseMarines(tables, row, losses)
  if (link.committed[row] === 0) link.outcome[row] = OUTCOME.defeated
  else if (isAssault && fitAboard(tables, target) === 0) endAssault(tables, row)
}

/** Returns the crew and marines aboard a ship who can fight. */
const fitAboard = ({ part, ship }: Tables, participant: number): number => {
  const hull = part.ship[participant]
  return ship.crewFit[hull] + ship.marinesFit[hull]
}

/** Plays a round of the assault: applies the defenders' losses and returns the boarders'. */
function exchange(tables: Tables, row: number, env: KernelEnv): number {
  const { link, part, ship, boarding } = tables
  const attacker = link.attacker[row]
  const target = link.target[row]
  const hull = part.ship[target]
  const strength = attackStrength(link.committed[row], boarding.marineBonusPct[attacker])
  const defense = defenseStrength({
    marines: ship.marinesFit[hull],
    crew: ship.crewFit[hull],
    crewBonusPct: boarding.crewBonusPct[target],
    defenseBonusPct: boarding.defenseBonusPct[target],
  })
  const luck = (side: number) =>
    LUCK_MIN + drawBelow(LUCK_SPAN, hash32(env.seed, env.tick, LUCK, link.number[row], side))
  const losses = Math.min(fitAboard(tables, target), assaultLosses(strength, luck(0)))
  const marines = Math.min(losses, ship.marinesFit[hull])
  const crew = losses - marines
  const hurtMarines = injuredOf(marines)
  ship.marinesFit[hull] -= marines
  ship.marinesInjured[hull] += hurtMarines
  ship.crewFit[hull] -= crew
  ship.crewInjured[hull] += injuredOf(losses) - hurtMarines
  // ours: as under fire, the last of a crew is injured and never killed
  if (crew > 0 && ship.crewFit[hull] + ship.crewInjured[hull] === 0) ship.crewInjured[hull] = 1
  countCrew(tables, target)
  return assaultLosses(defense, luck(1))
}

/** Applies losses to the boarders. */
function loseMarines({ link, part, ship }: Tables, row: number, losses: number): void {
  const hull = part.ship[link.attacker[row]]
  const lost = Math.min(losses, link.committed[row])
  if (lost === 0) return
  link.committed[row] -= lost
  ship.marinesFit[hull] -= lost
  ship.marinesInjured[hull] += injuredOf(lost)
  ship.personnelVersion[hull]++
}

/** Ends an assault that has no defenders left: the hull is captured, or plundered by plunderers. */
function endAssault({ link, part, boarding }: Tables, row: number): void {
  const target = link.target[row]
  if (boarding.plunders[link.attacker[row]] === 1) {
    link.outcome[row] = OUTCOME.plundered
    return
  }
  link.outcome[row] = OUTCOME.captured
  part.fate[target] = CAPTURED
  part.selfDestructTicks[target] = 0
}
