/**
 * Acts of an empire towards a player: notices, reputation, warrants, bounties, detention. Police
 * that respond to a warrant are in systems.ts. Source: combat.md section 12; factions.md section
 * 10.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { balanceOf, canReceive, namedAccount } from '../../core/ledger.ts'
import { BOUNTY_CREDITS_MAX } from '../../core/limits.ts'
import { clamp } from '../../core/math.ts'
import { counted, say } from '../../core/say.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { reputationOf, walletOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { empireOfBase, empireTreasury } from '../base/model.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { StarSystem } from '../travel/state.ts'
import {
  bountyOf,
  detainingEmpire,
  empireIndex,
  isWanted,
  isWelcome,
  jurisdictionOf,
  responseTicks,
  restoredReputation,
  systemFields,
  warrantOf,
} from './model.ts'
import { empireNotice, type NoticeKind } from './schemas.ts'
import { CriminalRecord, Jailed, WARRANTS_OF, Warrant } from './state.ts'

/* Notices */

interface Notice {
  readonly kind: NoticeKind
  readonly message: string
  readonly amount?: number
  readonly reputation_change?: number
  readonly jailed_until_tick?: number
  readonly system_id?: string
  readonly system_name?: string
}

/** Sends a player a notice from an empire, and records it in their action log. */
export function sendNotice(world: World, player: Eid, empire: number, notice: Notice): void {
  const { id, name } = EMPIRES[empire]
  const payload = {
    empire_id: id,
    empire_name: name,
    bounty: bountyOf(world, player, empire),
    reputation: reputationOf(world, player, empire),
    ...notice,
  }
  emit(world, empireNotice, payload, toPlayer(player))
  const { message, ...data } = payload
  logAction(world, player, 'reputation', notice.kind, message, data)
}

/* Reputation */

const REPUTATION_MAX = 100
const LOST_MAX = 0xffff

/**
 * Changes the reputation of a player with an empire, within -100…100; returns the actual change.
 * Players who become welcome again will be warned again before they are hunted.
 */
export function changeReputation(
  world: World,
  player: Eid,
  empire: number,
  points: number,
): number {
  assert(Number.isInteger(points), `reputation changes by ${points}`)
  const { reputation } = world.write(Player)
  const before = reputation[empireIndex(player, empire)]
  const after = clamp(before + points, -REPUTATION_MAX, REPUTATION_MAX)
  reputation[empireIndex(player, empire)] = after
  if (isWelcome(world, player, empire)) world.write(CriminalRecord).warned[player] &= ~(1 << empire)
  return after - before
}

/** Takes reputation for a crime and returns the points; paying the bounty restores a part. */
export function loseReputation(world: World, player: Eid, empire: number, points: number): number {
  const before = reputationOf(world, player, empire)
  changeReputation(world, player, empire, -points)
  const taken = before - reputationOf(world, player, empire)
  const { lost } = world.write(CriminalRecord)
  lost[empireIndex(player, empire)] = Math.min(LOST_MAX, lost[empireIndex(player, empire)] + taken)
  return taken
}

/* Warrants */

/** Ticks for which a warrant is valid, and by which each further crime extends it. */
const WARRANT_TICKS = 60
/** Maximum that a warrant may last from now. ours: a day. */
const WARRANT_TICKS_MAX = 8_640

function addWarrant(world: World, player: Eid, system: Eid): Row {
  if (world.roomIn(Warrant) === 0) return 0
  const row = world.take(Warrant)
  const columns = world.write(Warrant)
  columns.system[row] = system
  columns.empire[row] = jurisdictionOf(world, system) + 1
  WARRANTS_OF.link(world, row, player)
  return row
}

/**
 * Puts a warrant on a player in a system for 60 ticks, or extends it by 60; drones arrive after the
 * delay of the police level. Does nothing in lawless space or while the table of warrants is full.
 */
export function raiseWarrant(world: World, player: Eid, system: Eid): void {
  if (jurisdictionOf(world, system) < 0) return
  const row = warrantOf(world, player, system) || addWarrant(world, player, system)
  if (row === 0) return
  const { until, respondTick } = world.write(Warrant)
  const from = Math.max(until[row], world.tick)
  until[row] = Math.min(from + WARRANT_TICKS, world.tick + WARRANT_TICKS_MAX)
  const level = world.read(StarSystem).police[system]
  if (respondTick[row] === 0) respondTick[row] = world.tick + responseTicks(level)
}

/** Removes a warrant that has ended. */
export const closeWarrant: (world: World, warrant: Row) => void = WARRANTS_OF.remove

/**
 * Enforces the law on a player who becomes visible in a system: if they are not welcome, they are
 * warned the first time and hunted after that.
 */
export function enforceLaw(world: World, player: Eid, system: Eid): void {
  const empire = jurisdictionOf(world, system)
  if (empire < 0 || isWelcome(world, player, empire)) return
  const { warned } = world.write(CriminalRecord)
  const { name } = EMPIRES[empire]
  const place = systemFields(world, system)
  const isWarned = (warned[player] & (1 << empire)) !== 0
  warned[player] |= 1 << empire
  if (!isWarned) {
    const message = `${name} warns you: leave, and return only when you are welcome again.`
    sendNotice(world, player, empire, { kind: 'warning', message, ...place })
    return
  }
  if (isWanted(world, player, system)) return
  raiseWarrant(world, player, system)
  const message = `${name} shoots at you on sight in ${place.system_name}.`
  sendNotice(world, player, empire, { kind: 'wanted', message, ...place })
}

/* Bounties */

/** Raises a bounty, up to BOUNTY_CREDITS_MAX; returns the actual increase. */
export function addBounty(world: World, player: Eid, empire: number, credits: number): number {
  assert(Number.isSafeInteger(credits) && credits >= 0, `a bounty of ${credits}`)
  const { bounty } = world.write(CriminalRecord)
  const before = bounty[empireIndex(player, empire)]
  bounty[empireIndex(player, empire)] = Math.min(BOUNTY_CREDITS_MAX, before + credits)
  return bounty[empireIndex(player, empire)] - before
}

/** Adds another kind of debt to the bounty, and notifies the player of the reason. */
export function addDebt(
  world: World,
  player: Eid,
  empire: number,
  { credits, why }: { readonly credits: number; readonly why: string },
): void {
  const amount = addBounty(world, player, empire, credits)
  if (amount === 0) return
  sendNotice(world, player, empire, { kind: 'bounty_added', amount, message: why })
}

const canPayBounty = (view: WorldView, player: Eid, empire: number): boolean =>
  balanceOf(view, walletOf(view, player)) >= bountyOf(view, player, empire)

/** Takes the whole bounty and clears the record; the caller has checked `canPayBounty`. */
function clearBounty(world: World, player: Eid, empire: number): void {
  const credits = bountyOf(world, player, empire)
  const wallet = walletOf(world, player)
  const restored = changeReputation(
    world,
    player,
    empire,
    restoredReputation(world, player, empire),
  )
  const record = world.write(CriminalRecord)
  record.bounty[empireIndex(player, empire)] = 0
  record.lost[empireIndex(player, empire)] = 0
  endWarrants(world, player, empire)
  const treasury = empireTreasury(world, empire)
  const to = canReceive(world, treasury, credits) ? treasury : namedAccount('fee_sink')
  const message = `Paid a bounty of ${counted(credits, 'credit')} to ${EMPIRES[empire].name}.`
  creditMove(world, player, wallet, to, credits, 'reputation', 'bounty', message)
  const change = { amount: credits, reputation_change: restored }
  sendNotice(world, player, empire, { kind: 'bounty_paid', message, ...change })
}

/** Ends the warrants of an empire on a player who was caught or has paid. */
function endWarrants(world: World, player: Eid, empire: number): void {
  const { until, next, empire: issuer } = world.write(Warrant)
  let row = world.read(CriminalRecord).firstWarrant[player]
  for (; row !== 0; row = next[row]) if (issuer[row] === empire + 1) until[row] = 0
}

/**
 * Settles a player's bounty with an empire: it is paid in full, or the player is detained. Returns
 * the outcome; undefined if there is no bounty.
 */
export function collectBounty(
  world: World,
  player: Eid,
  empire: number,
): 'paid' | 'detained' | undefined {
  if (bountyOf(world, player, empire) === 0) return undefined
  if (!canPayBounty(world, player, empire)) {
    detain(world, player, empire)
    return 'detained'
  }
  clearBounty(world, player, empire)
  if (detainingEmpire(world, player) === empire) release(world, player)
  return 'paid'
}

/** Settles a player's bounty with the empire of the base they dock at. Source: travel.md 6. */
export function settleDebts(world: World, player: Eid, base: Eid): void {
  const empire = empireOfBase(world, base)
  if (empire >= 0) collectBounty(world, player, empire)
}

/* Detention */

function detain(world: World, player: Eid, empire: number): void {
  const record = world.write(CriminalRecord)
  const until = world.tick + EMPIRES[empire].policy.jail_duration_hours * HOUR_TICKS
  record.jailEmpire[player] = empire + 1
  record.jailUntil[player] = until
  world.tag(Player, player, Jailed)
  endWarrants(world, player, empire)
  const owed = bountyOf(world, player, empire)
  const message = `${EMPIRES[empire].name} detains you until you pay ${counted(owed, 'credit')}, or for a day.`
  const terms = { amount: owed, jailed_until_tick: until }
  sendNotice(world, player, empire, { kind: 'detained', message, ...terms })
}

function release(world: World, player: Eid): void {
  const record = world.write(CriminalRecord)
  record.jailEmpire[player] = 0
  record.jailUntil[player] = 0
  world.untag(Player, player, Jailed)
}

/** Releases a detained player who can pay by now, or whose term is over and who still owes. */
export function reviewDetention(world: World, player: Eid): void {
  const empire = detainingEmpire(world, player)
  assert(empire >= 0, `player ${player} is not detained`)
  const isPaid = canPayBounty(world, player, empire)
  if (!isPaid && world.tick < world.read(CriminalRecord).jailUntil[player]) return
  if (isPaid) clearBounty(world, player, empire)
  release(world, player)
  const name = EMPIRES[empire].name
  const message = isPaid
    ? `${name} releases you.`
    : `${name} releases you; you still owe the bounty.`
  sendNotice(world, player, empire, { kind: 'released', message })
}

/** Refuses a detained player the commands that the sheet marks J: leaving and trading. */
export function libertyRefusal(view: WorldView, player: Eid): Failure<'detained'> | undefined {
  const empire = detainingEmpire(view, player)
  if (empire < 0) return undefined
  const until = view.read(CriminalRecord).jailUntil[player]
  const details = {
    empire_id: EMPIRES[empire].id,
    bounty_owed: bountyOf(view, player, empire),
    until_tick: until,
    ticks_remaining: Math.max(0, until - view.tick),
  }
  return fail('detained', details, detentionSentence(view, player, empire, details))
}

/** Says what a detained player owes, how long they stay, and what remains open to them. */
function detentionSentence(
  view: WorldView,
  player: Eid,
  empire: number,
  { bounty_owed, ticks_remaining }: { bounty_owed: number; ticks_remaining: number },
): string {
  const have = balanceOf(view, walletOf(view, player))
  return say`${EMPIRES[empire].name} detains you until you can pay ${counted(bounty_owed, 'credit')}, of which you have ${have}, or for ${counted(ticks_remaining, 'tick')} more. {chat} is open: another player can send you credits.`
}

/** Tags detained players, after a restore. */
export function rebuildJail(world: World): void {
  const { alive, jailEmpire } = world.read(CriminalRecord)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && jailEmpire[player] !== 0) world.tag(Player, player, Jailed)
  }
}
