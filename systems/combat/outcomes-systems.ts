/**
 * The end of a tick's fight: carries out the fates of ships, takes them out of their battles, sends
 * pilots the state of their battle, and ends battles that are decided. Source: combat.md sections
 * 8, 15.
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
import { Convoy } from '../npc/convoy-state.ts'
import { Hunter, Npc, NpcPilot, Outlaw, SystemNpcs } from '../npc/state.ts'
import { PlayerPrizes, Prize } from '../prize/state.ts'
import { Tow, Wreck } from '../salvage/state.ts'
import { SHIP_WRITES } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { Siege, StationHull } from '../siege/state.ts'
import { awardXp, XP_WRITES } from '../skill/rules.ts'
import { delayFlight, PLACE_WRITES } from '../travel/rules.ts'
import {
  BATTLE_WRITES,
  closeBattle,
  countDamage,
  countTick,
  forgetDeparted,
  isStale,
  release,
  resetStalemate,
} from './battles-rules.ts'
import { type Death, describeDeath } from './destruction-model.ts'
import { destroyShip } from './destruction-rules.ts'
import { notifyBattle } from './feed-systems.ts'
import { deleteRecord, haveOpponentsDied, recordDeparture, recordInLog } from './log-model.ts'
import {
  battleKindOf,
  battles,
  gunName,
  isMatch,
  kindOf,
  type LeaveReason,
  participantsOf,
  pilotOf,
} from './model.ts'
import { notifyCalls, notifyDamage, notifyEnd, notifyJoins, notifyLeft } from './notice-rules.ts'
import { logEnd } from './queries.ts'
import { callAfterLoss } from './reinforcement-rules.ts'
import { hideShip, warpAway } from './rules.ts'
import { countDown } from './self-destruct-rules.ts'
import {
  Attack,
  Battle,
  DamageClaim,
  FATES,
  GUNS_MAX,
  HeldUp,
  Participant,
  SIDES_WIDTH,
} from './state.ts'

/** XP of getting away. Source: missions.md section 5, tactics. */
const ESCAPE_XP = 10

const STAYS = FATES.indexOf('stays')
const DESTROYED = FATES.indexOf('destroyed')
const SELF_DESTRUCTED = FATES.indexOf('self_destructed')
/** Left to the boarding domain. */
const CAPTURED = FATES.indexOf('captured')
const isLost = (fate: number): boolean => fate === DESTROYED || fate === SELF_DESTRUCTED

/* Fates */

/** Takes a ship out of a match, where nothing is lost: a ship that has not fled is knocked out. */
function leaveMatch(world: World, row: Row): void {
  const hasFled = FATES[world.read(Participant).fate[row]] === 'fled'
  recordDeparture(world, row, hasFled)
  release(world, row, hasFled ? 'fled' : 'knocked_out')
}

/** Takes a ship that fled, warped or cloaked out of a battle. */
function letEscape(world: World, row: Row, reason: LeaveReason): void {
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

/** Counts the hits on victims in the exchange that ended them, by victim and name of weapon. */
function countHits(world: World, battle: Row, victims: readonly Row[]) {
  const hitsOn = new Map<Row, Record<string, number>>(victims.map((row) => [row, {}]))
  if (victims.length === 0) return hitsOn
  const { firstAttack, attackCount } = world.read(Battle)
  const { attacker, target, hits } = world.read(Attack)
  const first = firstAttack[battle]
  for (let entry = first; entry < first + attackCount[battle]; entry++) {
    const weapons = hits[entry] === 0 ? undefined : hitsOn.get(target[entry])
    if (weapons === undefined) continue
    for (let gun = 0; gun < GUNS_MAX; gun++) {
      if (((hits[entry] >>> gun) & 1) === 0) continue
      const name = gunName(world, attacker[entry], gun)
      weapons[name] = (weapons[name] ?? 0) + 1
    }
  }
  return hitsOn
}

/** Destroys the ships lost in this tick; kills are credited and logged while all still exist. */
function destroyAll(world: World, battle: Row, rows: readonly Row[]): void {
  const { fate } = world.read(Participant)
  const hitsOn = countHits(world, battle, rows)
  const deaths = rows.map((row) =>
    describeDeath(world, row, {
      isSelfDestruct: fate[row] === SELF_DESTRUCTED,
      hits: hitsOn.get(row),
    }),
  )
  const hasLostPirate = rows.some((row) => kindOf(world, row) === 'pirate')
  const { kills } = world.write(Participant)
  for (const { killer } of deaths) if (killer) kills[killer.row]++
  for (const death of deaths) recordInLog(world, battle, 'kills', renderKill(death))
  for (const death of deaths) {
    recordDeparture(world, death.row, false)
    destroyShip(world, death)
  }
  world.write(Battle).destroyed[battle] += deaths.length
  if (hasLostPirate) callAfterLoss(world, battle)
}

/** Carries out the fates of a battle's participants; returns whether any of them left it. */
function carryOutFates(world: World, battle: Row): boolean {
  const { fate } = world.read(Participant)
  const gone = survey(world, battle).due.filter(
    (row) => fate[row] !== STAYS && fate[row] !== CAPTURED,
  )
  if (gone.length === 0) return false
  for (const row of gone) countDamage(world, row)
  if (isMatch(world, battle)) {
    for (const row of gone) leaveMatch(world, row)
    forgetDeparted(world, battle)
    return true
  }
  const lost = gone.filter((row) => isLost(fate[row]))
  const escaped = gone.filter((row) => !isLost(fate[row]))
  destroyAll(world, battle, lost)
  for (const row of escaped) letEscape(world, row, FATES[fate[row]] as LeaveReason)
  forgetDeparted(world, battle)
  return true
}

/* Ending */

/** What one walk over a battle's participants finds. */
interface Survey {
  /** Those with a fate or a countdown. */
  readonly due: readonly Row[]
  /** Sides that have members: bit s-1 for side s. */
  readonly manned: number
  /** Whether a hull was damaged in this tick. */
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

/** Returns whether two sides with members are enemies. */
function isFought(view: WorldView, battle: Row, manned: number): boolean {
  const { hostile, sides } = view.read(Battle)
  for (let side = 1; side <= sides[battle]; side++) {
    const isManned = ((manned >>> (side - 1)) & 1) === 1
    if (isManned && (hostile[battle * SIDES_WIDTH + side] & manned) !== 0) return true
  }
  return false
}

/** Returns the lowest side of a set that is not empty. */
const lowestOf = (manned: number): number => 32 - Math.clz32(manned & -manned)

/**
 * Returns how a battle ends now; undefined while it goes on. ours: it is a stalemate when the last
 * ships flee and nothing was destroyed, and when a hunt is won without a kill; of several sides
 * left, at peace with each other, the lowest is named the winner.
 */
function outcomeOf(view: WorldView, battle: Row, manned: number): Verdict | undefined {
  if (isMatch(view, battle)) return verdictOf(view, battle, manned)
  if (isFought(view, battle, manned)) {
    return isStale(view, battle) ? { reason: 'stalemate', winner: -1 } : undefined
  }
  if (manned !== 0) {
    const winner = lowestOf(manned)
    const isHunt = battleKindOf(view, battle) === 'hunt'
    return isHunt && !haveOpponentsDied(view, battle, winner)
      ? { reason: 'stalemate', winner: -1 }
      : { reason: 'victory', winner }
  }
  const reason = view.read(Battle).destroyed[battle] > 0 ? 'mutual_destruction' : 'stalemate'
  return { reason, winner: -1 }
}

function endBattle(world: World, battle: Row, verdict: Verdict): void {
  const { reason, winner } = verdict
  if (isMatch(world, battle)) settleMatch(world, battle, verdict)
  notifyEnd(world, battle, reason, winner)
  logEnd(world, battle, { reason, winner })
  for (const row of participantsOf(world, battle)) {
    countDamage(world, row)
    release(world, row, reason === 'stalemate' ? 'stalemate' : 'battle_ended')
  }
  deleteRecord(world, battle)
  closeBattle(world, battle)
}

function resolve(world: World, battle: Row): void {
  const before = survey(world, battle)
  let { manned } = before
  countDown(world, before.due)
  if (before.due.length > 0 && carryOutFates(world, battle)) {
    resetStalemate(world, battle)
    manned = survey(world, battle).manned
  }
  countTick(world, battle, before.isHullHit)
  notifyLeft(world)
  notifyCalls(world)
  notifyBattle(world, battle, renderBoardings(world, battle))
  const outcome = outcomeOf(world, battle, manned)
  if (outcome) endBattle(world, battle, outcome)
}

/** Sends hits while all ships still exist. */
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
    Base,
    Body,
    Convoy,
    Cover,
    Creature,
    DamageClaim,
    Drone,
    DroneMemo,
    DroneScript,
    DroneWord,
    Facility,
    FleetRide,
    PlayerPrizes,
    NpcPilot,
    Herd,
    Hunter,
    JettisonContainer,
    Link,
    Mission,
    Note,
    Npc,
    Outlaw,
    Policy,
    Prize,
    Risk,
    ShipMatch,
    Siege,
    Squadron,
    StationHull,
    SystemNpcs,
    Tow,
    Wild,
    Wreck,
  ],
  run(world) {
    notifyJoins(world)
    for (const battle of battles(world)) resolve(world, battle)
    for (const ship of world.byId(Ship, [HeldUp])) delayFlight(world, ship, 1)
  },
}
