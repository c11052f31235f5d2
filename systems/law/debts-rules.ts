/**
 * Reputation, bounties and detention: what a player owes an empire, and what becomes of them when
 * they dock there. Crimes are crimes-rules.ts. Source: combat.md section 12; factions.md section
 * 10.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { balanceOf, canReceive, namedAccount } from '../../core/ledger.ts'
import { BOUNTY_CREDITS_MAX } from '../../core/limits.ts'
import { clamp } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { reputationOf, walletOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { empireOfBase, empireTreasury } from '../base/model.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { at, bountyOf, isWelcome, jailOf, restorationOf } from './model.ts'
import { empireNotice, type NoticeKind } from './schemas.ts'
import { CriminalRecord, Jailed, Warrant } from './state.ts'

const REPUTATION_MAX = 100
const LOST_MAX = 0xffff

/* Telling */

export interface Notice {
  readonly kind: NoticeKind
  readonly message: string
  readonly amount?: number
  readonly reputation_change?: number
  readonly jailed_until_tick?: number
  readonly system_id?: string
  readonly system_name?: string
}

/** Tells a player what an empire has to say, and notes it in the action log. */
export function notifyNotice(world: World, player: Eid, empire: number, notice: Notice): void {
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

/**
 * Changes the standing of a player with an empire, within -100…100; returns the points it changed
 * by. Whoever is welcome again may be warned again.
 */
export function changeReputation(
  world: World,
  player: Eid,
  empire: number,
  points: number,
): number {
  assert(Number.isInteger(points), `reputation changes by ${points}`)
  const { reputation } = world.write(Player)
  const before = reputation[at(player, empire)]
  const after = clamp(before + points, -REPUTATION_MAX, REPUTATION_MAX)
  reputation[at(player, empire)] = after
  if (isWelcome(world, player, empire)) world.write(CriminalRecord).warned[player] &= ~(1 << empire)
  return after - before
}

/** Takes reputation for a crime: half of it comes back when the debt is paid, up to a cap. */
export function loseReputation(world: World, player: Eid, empire: number, points: number): number {
  const before = reputationOf(world, player, empire)
  changeReputation(world, player, empire, -points)
  const taken = before - reputationOf(world, player, empire)
  const { lost } = world.write(CriminalRecord)
  lost[at(player, empire)] = Math.min(LOST_MAX, lost[at(player, empire)] + taken)
  return taken
}

/* Debts */

/** Puts credits on a player's head; returns what it rose by: it stops at a thousand million. */
export function addBounty(world: World, player: Eid, empire: number, credits: number): number {
  assert(Number.isSafeInteger(credits) && credits >= 0, `a bounty of ${credits}`)
  const { bounty } = world.write(CriminalRecord)
  const before = bounty[at(player, empire)]
  bounty[at(player, empire)] = Math.min(BOUNTY_CREDITS_MAX, before + credits)
  return bounty[at(player, empire)] - before
}

/** As `addBounty` for a debt of another sort, and tells the player why. */
export function oweEmpire(
  world: World,
  player: Eid,
  empire: number,
  { credits, why }: { readonly credits: number; readonly why: string },
): void {
  const amount = addBounty(world, player, empire, credits)
  if (amount === 0) return
  notifyNotice(world, player, empire, { kind: 'bounty_added', amount, message: why })
}

const isAffordable = (view: WorldView, player: Eid, empire: number): boolean =>
  balanceOf(view, walletOf(view, player)) >= bountyOf(view, player, empire)

/** Takes the whole bounty and clears the record; the wallet has been seen to hold it. */
function payBounty(world: World, player: Eid, empire: number): void {
  const credits = bountyOf(world, player, empire)
  const wallet = walletOf(world, player)
  const restored = changeReputation(world, player, empire, restorationOf(world, player, empire))
  const record = world.write(CriminalRecord)
  record.bounty[at(player, empire)] = 0
  record.lost[at(player, empire)] = 0
  endWarrants(world, player, empire)
  const treasury = empireTreasury(world, empire)
  const to = canReceive(world, treasury, credits) ? treasury : namedAccount('fee_sink')
  const message = `Paid a bounty of ${counted(credits, 'credit')} to ${EMPIRES[empire].name}.`
  creditMove(world, player, wallet, to, credits, 'reputation', 'bounty', message)
  const change = { amount: credits, reputation_change: restored }
  notifyNotice(world, player, empire, { kind: 'bounty_paid', message, ...change })
}

/** The police of an empire are after a player no more: they have them, or they have paid. */
function endWarrants(world: World, player: Eid, empire: number): void {
  const { until, next, empire: of } = world.write(Warrant)
  let row = world.read(CriminalRecord).firstWarrant[player]
  for (; row !== 0; row = next[row]) if (of[row] === empire + 1) until[row] = 0
}

/**
 * Settles what a player owes an empire that has got hold of them: pays in full, or is detained.
 * Returns which; undefined where nothing is owed.
 */
export function collectBounty(
  world: World,
  player: Eid,
  empire: number,
): 'paid' | 'detained' | undefined {
  if (bountyOf(world, player, empire) === 0) return undefined
  if (!isAffordable(world, player, empire)) {
    detain(world, player, empire)
    return 'detained'
  }
  payBounty(world, player, empire)
  if (jailOf(world, player) === empire) free(world, player)
  return 'paid'
}

/** What docking at a base settles. Source: travel.md section 6. */
export function settleDebts(world: World, player: Eid, base: Eid): void {
  const empire = empireOfBase(world, base)
  if (empire >= 0) collectBounty(world, player, empire)
}

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
  notifyNotice(world, player, empire, { kind: 'detained', message, ...terms })
}

function free(world: World, player: Eid): void {
  const record = world.write(CriminalRecord)
  record.jailEmpire[player] = 0
  record.jailUntil[player] = 0
  world.untag(Player, player, Jailed)
}

/** Lets those go who can pay now, and those whose time is served: these still owe it. */
export function reviewDetention(world: World, player: Eid): void {
  const empire = jailOf(world, player)
  assert(empire >= 0, `player ${player} is not detained`)
  const isPaid = isAffordable(world, player, empire)
  if (!isPaid && world.tick < world.read(CriminalRecord).jailUntil[player]) return
  if (isPaid) payBounty(world, player, empire)
  free(world, player)
  const name = EMPIRES[empire].name
  const message = isPaid ? `${name} lets you go.` : `${name} lets you go; the debt stands.`
  notifyNotice(world, player, empire, { kind: 'released', message })
}

/** Why a detained player may not leave or trade; undefined at liberty. */
export function libertyRefusal(view: WorldView, player: Eid): Failure<'detained'> | undefined {
  const empire = jailOf(view, player)
  if (empire < 0) return undefined
  const until = view.read(CriminalRecord).jailUntil[player]
  return fail(
    'detained',
    {
      empire_id: EMPIRES[empire].id,
      bounty_owed: bountyOf(view, player, empire),
      until_tick: until,
      ticks_remaining: Math.max(0, until - view.tick),
    },
    `${EMPIRES[empire].name} detains you. You are let go when you can pay, or in time.`,
  )
}
