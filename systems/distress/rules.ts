/**
 * The life of distress signals: the first to help closes one, and is paid for it where the two
 * cannot have agreed on it beforehand. Source: missions.md section 4.
 */
import { RESCUES } from '../../core/catalog/index.ts'
import { balanceOf, canReceive } from '../../core/ledger.ts'
import { dayStartOf } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { empireTreasury } from '../base/model.ts'
import { tuned } from '../empire/balance-model.ts'
import { areRelated } from '../insurance/model.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { missionsOf, missionsOfSignal } from '../mission/model.ts'
import { dropMission, openRescue } from '../mission/rules.ts'
import { Mission } from '../mission/state.ts'
import { Ship } from '../ship/state.ts'
import { awardXp } from '../skill/rules.ts'
import { recordIncome } from '../tax/rules.ts'
import { dockedBase, shipOf, systemOf } from '../travel/location-model.ts'
import { poiId } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'
import {
  empireOfSignal,
  promisedCredits,
  publicName,
  signalOf,
  signals,
  systemOfSignal,
} from './model.ts'
import { Caller, DISTRESS_TYPES, RESCUES_PAID_PER_DAY_MAX, SIGNALS, Signal } from './state.ts'

const RESCUE_XP = 50
/** Skill that a rescue trains, by type. */
const SKILLS = ['piloting', 'engineering', 'tactics'] as const
const COMBAT = DISTRESS_TYPES.indexOf('combat')

/** Assigns a call to a pilot who passed `callRefusal`; returns the mission. */
export function acceptDistressCall(world: World, player: Eid, signal: Row): Row {
  const { type, expireTick } = world.read(Signal)
  const system = systemOfSignal(world, signal)
  return openRescue(world, player, {
    signal,
    system,
    isNear: systemOf(world, player) === system,
    template: RESCUES[type[signal]],
    expireTick: expireTick[signal],
    credits: promisedCredits(world, signal),
  })
}

/** Puts a signal whose columns are set on the air. */
export function enterSignal(world: World, signal: Row): void {
  world.index(SIGNALS).add(signal)
}

/** Ends a signal and the missions that answer it, without penalty. */
function endSignal(world: World, signal: Row): void {
  for (const mission of [...missionsOfSignal(world, signal)]) dropMission(world, mission)
  world.write(Caller).signal[world.read(Signal).sender[signal]] = 0
  world.index(SIGNALS).delete(signal)
  world.release(Signal, signal)
}

/** Returns whether a helper has had all the paid rescues of the day. */
function hasReachedCap(view: WorldView, helper: Eid): boolean {
  const { paidTick, paid } = view.read(Caller)
  return paidTick[helper] === dayStartOf(view.tick) + 1 && paid[helper] >= RESCUES_PAID_PER_DAY_MAX
}

/** Returns why a rescue pays nothing; undefined if an empire pays for it. */
function unpaidReason(view: WorldView, signal: Row, helper: Eid): string | undefined {
  const { sender, isPaid } = view.read(Signal)
  const empire = empireOfSignal(view, signal)
  if (empire < 0) return 'no empire pays for rescues out here'
  if (isPaid[signal] === 0) return 'only the first call of the day of a pilot in need is paid'
  if (hasReachedCap(view, helper)) return 'you have had all the paid rescues of the day'
  if (areRelated(view, sender[signal], helper)) return 'pilots who belong together help for nothing'
  if (balanceOf(view, empireTreasury(view, empire)) <= 0) return 'the treasury is empty'
  return undefined
}

/** Returns the credits of a rescue: what the empire can pay; 0 where a condition fails. */
function rewardFor(view: WorldView, signal: Row, helper: Eid): number {
  if (unpaidReason(view, signal, helper) !== undefined) return 0
  const promised = tuned(view, 'rescue_credits')
  const treasury = empireTreasury(view, empireOfSignal(view, signal))
  const credits = Math.min(promised, balanceOf(view, treasury))
  return canReceive(view, walletOf(view, helper), credits) ? credits : 0
}

function payRescue(world: World, signal: Row, helper: Eid): number {
  const credits = rewardFor(world, signal, helper)
  const { sender, poi } = world.read(Signal)
  const reason = unpaidReason(world, signal, helper)
  const unpaid = reason === undefined ? '' : ` It pays nothing: ${reason}.`
  const summary = `Came to the help of ${publicName(world, sender[signal])}.${unpaid}`
  const data = { poi_id: poiId(world, poi[signal]) }
  if (credits === 0) {
    logAction(world, helper, 'mission', 'rescue', summary, data)
    return 0
  }
  const treasury = empireTreasury(world, empireOfSignal(world, signal))
  const wallet = walletOf(world, helper)
  creditMove(world, helper, treasury, wallet, credits, 'mission', 'rescue', summary, data)
  recordIncome(world, helper, 'rescue', credits)
  addStat(world, helper, 'credits_earned', credits)
  const { paidTick, paid } = world.write(Caller)
  const today = dayStartOf(world.tick) + 1
  paid[helper] = paidTick[helper] === today ? paid[helper] + 1 : 1
  paidTick[helper] = today
  return credits
}

/** Closes a signal in favour of its first helper; returns the credits they were paid. */
function rescue(world: World, signal: Row, helper: Eid): number {
  const { sender, type } = world.read(Signal)
  const caller = sender[signal]
  const credits = payRescue(world, signal, helper)
  // ours: like fighting a friend, helping one in a fight gives no experience
  const isFriendlyFight = type[signal] === COMBAT && areRelated(world, caller, helper)
  if (!isFriendlyFight) awardXp(world, helper, SKILLS[type[signal]], RESCUE_XP)
  logAction(world, caller, 'mission', 'rescued', `${publicName(world, helper)} came to your help.`)
  endSignal(world, signal)
  return credits
}

/**
 * Completes the calls that a player has accepted from the place where they arrive, the oldest
 * first. A call accepted in its own system is answered by coming to any place there.
 */
export function completeCallsAt(world: World, player: Eid, poi: Eid): void {
  const { system } = world.read(Poi)
  for (const mission of [...missionsOf(world, player)]) {
    const { signal, near } = world.read(Mission)
    const call = signal[mission]
    if (call === 0) continue
    const from = world.read(Signal).poi[call]
    const isThere = near[mission] === 1 ? system[from] === system[poi] : from === poi
    if (isThere) rescue(world, call, player)
  }
}

/** Completes the call of a player who got fuel or repairs. ours: no mission is needed to help. */
export function completeCallOf(
  world: World,
  helper: Eid,
  sender: Eid,
): { rescue_completed?: true; rescue_reward?: number } {
  const signal = signalOf(world, sender)
  if (signal === 0 || helper === sender) return {}
  return { rescue_completed: true, rescue_reward: rescue(world, signal, helper) }
}

/** Returns whether a signal needs no help any more: expired, sender docked, or ship gone. */
function isOver(view: WorldView, signal: Row): boolean {
  const { sender, ship, expireTick } = view.read(Signal)
  const player = sender[signal]
  const isGone = view.read(Ship).seq[shipOf(view, player)] !== ship[signal]
  return isGone || expireTick[signal] <= view.tick || dockedBase(view, player) !== 0
}

/** Ends the signals that need no help any more. O(signals on the air). */
export function sweepSignals(world: World): void {
  for (const signal of signals(world)) if (isOver(world, signal)) endSignal(world, signal)
}

/** Fills the index from the table, after a restore. */
export function rebuildSignals(world: World): void {
  world.index(SIGNALS).clear()
  const { alive, seq } = world.read(Signal)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Signal); row++) if (alive[row] === 1) rows.push(row)
  for (const row of rows.sort((a, b) => seq[a] - seq[b])) enterSignal(world, row)
}
