/**
 * The end of a tick's fight: what the kernels decided becomes of ships is done, whoever is out of
 * it leaves, pilots are told, and battles that are decided end. Source: combat.md sections 8, 15.
 */

import type { SystemDef } from '../../core/system.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { type Verdict, verdictOf } from '../arena/model.ts'
import { settleMatch } from '../arena/rules.ts'
import { ShipMatch } from '../arena/state.ts'
import { Base } from '../base/state.ts'
import { Link } from '../boarding/state.ts'
import { renderBoardings } from '../boarding/views.ts'
import { PACKAGE_WRITES } from '../cargo/rules.ts'
import { JettisonContainer } from '../cargo/state.ts'
import { BUFF_WRITES } from '../consumable/rules.ts'
import { Creature, Herd, Wild } from '../creature/state.ts'
import { Body, Drone, DroneMemo, DroneScript, DroneWord, Squadron } from '../drone/state.ts'
import { Facility } from '../facility/state.ts'
import { FleetRide } from '../fleet/state.ts'
import { Cover, Policy, Risk } from '../insurance/state.ts'
import { CHARGE_WRITES } from '../law/crimes-rules.ts'
import { Mission } from '../mission/state.ts'
import { Note } from '../note/state.ts'
import { Helm, Hunter, Npc, Outlaw, SystemNpcs } from '../npc/state.ts'
import { Flotilla, Prize } from '../prize/state.ts'
import { Tow, Wreck } from '../salvage/state.ts'
import { SHIP_WRITES } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { Siege, StationHull } from '../siege/state.ts'
import { awardXp, XP_WRITES } from '../skill/rules.ts'
import { holdUp, PLACE_WRITES } from '../travel/rules.ts'
import { BATTLE_WRITES, closeBattle, countDamage, forgetGone, release } from './battles-rules.ts'
import { hasLosses } from './crimes-model.ts'
import { type Death, describeDeath } from './destruction-model.ts'
import { destroyShip } from './destruction-rules.ts'
import { notifyBattle } from './feed-systems.ts'
import { battles, gunName, type LeaveReason, participantsOf, pilotOf } from './model.ts'
import { blast, notifyDamage, notifyEnd, notifyJoins, notifyLeft } from './notice-rules.ts'
import { logEnd } from './queries.ts'
import { closeRoll, recordDeparture, recordInLog, recordTurn } from './rules.ts'
import {
  Attack,
  BATTLE_KINDS,
  Battle,
  DamageClaim,
  FATES,
  GUNS_MAX,
  HeldUp,
  Participant,
  SIDES_WIDTH,
} from './state.ts'
import { countTick, hideShip, isStale, warpAway } from './systems.ts'

/** XP of getting away. Source: missions.md section 5, tactics. */
const ESCAPE_XP = 10

const STAYS = FATES.indexOf('stays')
const DESTROYED = FATES.indexOf('destroyed')
const SELF_DESTRUCTED = FATES.indexOf('self_destructed')
/** Boarding deals with hulls that were taken. */
const CAPTURED = FATES.indexOf('captured')
const isLost = (fate: number): boolean => fate === DESTROYED || fate === SELF_DESTRUCTED

/* Self-destruction */

function countDown(world: World, rows: readonly Row[]): void {
  const { selfDestructTicks, fate } = world.write(Participant)
  for (const row of rows) {
    if (selfDestructTicks[row] === 0 || fate[row] !== STAYS) continue
    selfDestructTicks[row]--
    if (selfDestructTicks[row] > 0) continue
    fate[row] = SELF_DESTRUCTED
    blast(world, row)
  }
}

const isMatch = (view: WorldView, battle: Row): boolean =>
  BATTLE_KINDS[view.read(Battle).kind[battle]] === 'arena'

/** Out of a match: who has not fled is knocked out, whatever it was, and nothing is lost. */
function leaveMatch(world: World, row: Row): void {
  const hasFled = FATES[world.read(Participant).fate[row]] === 'fled'
  recordDeparture(world, row, hasFled)
  release(world, row, hasFled ? 'fled' : 'knocked_out')
}

function getAway(world: World, row: Row, reason: LeaveReason): void {
  const player = pilotOf(world, row)
  const ship = world.read(Participant).ship[row]
  recordDeparture(world, row, true)
  release(world, row, reason)
  if (reason === 'emergency_warp') warpAway(world, ship)
  if (reason === 'emergency_cloak') hideShip(world, ship)
  if (player === 0) return
  addStat(world, player, 'battles_fled', 1)
  awardXp(world, player, 'tactics', ESCAPE_XP)
}

const renderKill = ({ killer, id, name, isSelfDestruct }: Death) => ({
  killer_id: killer?.id ?? '',
  killer_username: killer?.name ?? '',
  victim_id: id,
  victim_username: name,
  cause: isSelfDestruct ? 'self_destruct' : killer ? killer.kind : 'burned',
})

/** By victim: the weapons that hit it in the exchange that ended it, and how often. */
function weaponsThatHit(world: World, battle: Row, victims: readonly Row[]) {
  const found = new Map<Row, Record<string, number>>(victims.map((row) => [row, {}]))
  if (victims.length === 0) return found
  const { firstAttack, attackCount } = world.read(Battle)
  const { attacker, target, hits } = world.read(Attack)
  const from = firstAttack[battle]
  for (let entry = from; entry < from + attackCount[battle]; entry++) {
    const weapons = hits[entry] === 0 ? undefined : found.get(target[entry])
    if (weapons === undefined) continue
    for (let gun = 0; gun < GUNS_MAX; gun++) {
      if (((hits[entry] >>> gun) & 1) === 0) continue
      const name = gunName(world, attacker[entry], gun)
      weapons[name] = (weapons[name] ?? 0) + 1
    }
  }
  return found
}

/** Everyone lost in a battle in this tick; who destroyed whom is noted before anyone is gone. */
function buryAll(world: World, battle: Row, rows: readonly Row[]): void {
  const { fate } = world.read(Participant)
  const hits = weaponsThatHit(world, battle, rows)
  const deaths = rows.map((row) =>
    describeDeath(world, row, {
      isSelfDestruct: fate[row] === SELF_DESTRUCTED,
      hits: hits.get(row),
    }),
  )
  const { kills } = world.write(Participant)
  for (const { killer } of deaths) if (killer) kills[killer.row]++
  for (const death of deaths) recordInLog(world, battle, 'kills', renderKill(death))
  for (const death of deaths) {
    recordDeparture(world, death.row, false)
    destroyShip(world, death)
  }
  world.write(Battle).destroyed[battle] += deaths.length
}

/** Takes those out of a battle whose fate has come; true if there were any. */
function depart(world: World, battle: Row): boolean {
  const { fate } = world.read(Participant)
  const gone = survey(world, battle).due.filter(
    (row) => fate[row] !== STAYS && fate[row] !== CAPTURED,
  )
  if (gone.length === 0) return false
  for (const row of gone) countDamage(world, row)
  if (isMatch(world, battle)) {
    for (const row of gone) leaveMatch(world, row)
    forgetGone(world, battle)
    return true
  }
  const lost = gone.filter((row) => isLost(fate[row]))
  const away = gone.filter((row) => !isLost(fate[row]))
  buryAll(world, battle, lost)
  for (const row of away) getAway(world, row, FATES[fate[row]] as LeaveReason)
  forgetGone(world, battle)
  return true
}

/* Ending */

/** What one walk along a battle finds. */
interface Survey {
  /** Those whose fate has come, or comes nearer with each tick. */
  readonly due: readonly Row[]
  /** Sides that have members: bit s-1 for side s. */
  readonly manned: number
  /** True when a hull was damaged in this tick. */
  readonly isHullHit: boolean
}

function survey(view: WorldView, battle: Row): Survey {
  const { next, side, fate, selfDestructTicks, hullHit } = view.read(Participant)
  const due: Row[] = []
  let manned = 0
  let hullHits = 0
  for (let row = view.read(Battle).first[battle]; row !== 0; row = next[row]) {
    manned |= 1 << (side[row] - 1)
    hullHits |= hullHit[row]
    if (fate[row] !== STAYS || selfDestructTicks[row] !== 0) due.push(row)
  }
  return { due, manned: manned >>> 0, isHullHit: hullHits !== 0 }
}

/** True while two sides with members are enemies. */
function isFought(view: WorldView, battle: Row, manned: number): boolean {
  const { hostile, sides } = view.read(Battle)
  for (let side = 1; side <= sides[battle]; side++) {
    const isManned = ((manned >>> (side - 1)) & 1) === 1
    if (isManned && (hostile[battle * SIDES_WIDTH + side] & manned) !== 0) return true
  }
  return false
}

/** Lowest side of a set that is not empty. */
const lowestOf = (manned: number): number => 32 - Math.clz32(manned & -manned)

/**
 * How a battle ends now, and who won; undefined while it goes on. ours: when the last of all flee
 * nobody was destroyed mutually, so that is a stalemate too, and so is a hunt that somebody got
 * away from; of several sides left that are at peace the lowest is named.
 */
function outcomeOf(view: WorldView, battle: Row, manned: number): Verdict | undefined {
  if (isMatch(view, battle)) return verdictOf(view, battle, manned)
  if (isFought(view, battle, manned)) {
    return isStale(view, battle) ? { reason: 'stalemate', winner: -1 } : undefined
  }
  if (manned !== 0) {
    const winner = lowestOf(manned)
    const isHunt = BATTLE_KINDS[view.read(Battle).kind[battle]] === 'hunt'
    return isHunt && !hasLosses(view, battle, winner)
      ? { reason: 'stalemate', winner: -1 }
      : { reason: 'victory', winner }
  }
  const reason = view.read(Battle).destroyed[battle] > 0 ? 'mutual_destruction' : 'stalemate'
  return { reason, winner: -1 }
}

function end(world: World, battle: Row, verdict: Verdict): void {
  const { reason, winner } = verdict
  if (isMatch(world, battle)) settleMatch(world, battle, verdict)
  notifyEnd(world, battle, reason, winner)
  logEnd(world, battle, { reason, winner })
  for (const row of participantsOf(world, battle)) {
    countDamage(world, row)
    release(world, row, reason === 'stalemate' ? 'stalemate' : 'battle_ended')
  }
  closeRoll(world, battle)
  closeBattle(world, battle)
}

function resolve(world: World, battle: Row): void {
  const { due, isHullHit, ...seen } = survey(world, battle)
  let { manned } = seen
  countDown(world, due)
  if (due.length > 0 && depart(world, battle)) {
    recordTurn(world, battle)
    manned = survey(world, battle).manned
  }
  countTick(world, battle, isHullHit)
  notifyLeft(world)
  notifyBattle(world, battle, renderBoardings(world, battle))
  const outcome = outcomeOf(world, battle, manned)
  if (outcome) end(world, battle, outcome)
}

/** Before anything becomes of ships: what was fired. */
export const report: SystemDef = {
  name: 'combat.report',
  phase: 'fight',
  writes: [],
  run(world) {
    for (const battle of battles(world)) notifyDamage(world, battle)
  },
}

export const fate: SystemDef = {
  name: 'combat.fate',
  phase: 'fight',
  writes: [
    ...SHIP_WRITES,
    ...PLACE_WRITES,
    ...PACKAGE_WRITES,
    ...BATTLE_WRITES,
    ...XP_WRITES,
    ...CHARGE_WRITES,
    ...BUFF_WRITES,
    ...[Base, Body, Cover, Creature, DamageClaim, Drone, DroneMemo, DroneScript],
    ...[DroneWord, Facility, FleetRide, Flotilla, Helm, Herd, Hunter, JettisonContainer],
    ...[Link, Mission, Note, Npc, Outlaw, Policy, Prize, Risk, ShipMatch, Siege],
    ...[Squadron, StationHull, SystemNpcs, Tow, Wild, Wreck],
  ],
  run(world) {
    notifyJoins(world)
    for (const battle of battles(world)) resolve(world, battle)
    for (const ship of world.byId(Ship, [HeldUp])) holdUp(world, ship, 1)
  },
}
