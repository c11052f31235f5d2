/**
 * Collections: missions to which all players give goods until a goal is reached. Each collection
 * has a pool with four phases: `open` accepts gifts; `paying` pays each player by their share;
 * `closing` ends the missions that belong to it; `resting` waits for the next round. A tick handles
 * a bounded number of shares and missions. Source: missions.md section 2, `contribute`.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRE_IDS, type MissionRow, missionTemplate } from '../../core/catalog/index.ts'
import { addToSet } from '../../core/groups.ts'
import { balanceOf, canReceive, namedAccount, post } from '../../core/ledger.ts'
import { mulDivFloor } from '../../core/math.ts'
import { dayOfTick } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import { empireTreasury } from '../base/model.ts'
import { changeReputation } from '../law/rules.ts'
import { creditMove } from '../log/rules.ts'
import { awardXp } from '../skill/rules.ts'
import { recordIncome } from '../tax/rules.ts'
import {
  creditsLeft,
  goalOf,
  NEW_POOL,
  paidToday,
  payOf,
  poolOf,
  recordKey,
  recordOf,
  sharedUnits,
  shareKey,
  shareOf,
  XP_PER_DIFFICULTY,
} from './model.ts'
import {
  ACTIVE,
  COMMUNITY_PAID_PER_TICK_MAX,
  COMMUNITY_REST_TICKS,
  GIVERS,
  MISSION_RECORDS,
  type MissionRecord,
  POOLS,
  type Pool,
  SHARES,
} from './state.ts'

/** Minimum share of a collection that counts as a completed mission, %. */
const COUNTED_PCT = 1

/**
 * Records a gift that the pool has room for; a pool that is full now starts paying in this tick.
 */
export function recordGift(world: World, template: MissionRow, player: Eid, units: number): void {
  const id = template.template_id
  const pool = poolOf(world, id)
  const { units: goal } = goalOf(template)
  const given = pool.given + units
  assert(pool.phase === 'open' && units > 0 && given <= goal, `${id} takes no ${units} units`)
  const number = world.read(Player).seq[player]
  const shares = world.records(SHARES)
  shares.set(shareKey(id, number), shareOf(world, id, player) + units)
  addToSet(world.index(GIVERS), id, number)
  const phase = given === goal ? 'paying' : 'open'
  world.records(POOLS).set(id, { ...pool, given, phase })
}

/** Pays credits, experience and reputation for a share; returns the credits. */
function payShare(world: World, template: MissionRow, player: Eid, units: number): number {
  const goal = sharedUnits(world, template)
  const due = payOf(world, template, units)
  payAndRecord(world, player, template, due)
  const xp = mulDivFloor(XP_PER_DIFFICULTY * template.difficulty, units, goal)
  for (const skill of template.skills) if (xp > 0) awardXp(world, player, skill, xp)
  const points = mulDivFloor(template.difficulty, units, goal)
  const { empire } = template.issuers
  if (empire !== undefined && points > 0) {
    changeReputation(world, player, EMPIRE_IDS.indexOf(empire), points)
  }
  if (100 * units >= COUNTED_PCT * goal) addStat(world, player, 'missions_completed', 1)
  return due
}

/**
 * Pays a bounded number of shares. Once all are paid, the player with the largest share also gets
 * the credits left over by rounding. Returns the updated pool.
 */
function paySlice(world: World, template: MissionRow, pool: Pool): Pool {
  const id = template.template_id
  const shares = world.records(SHARES)
  const givers = world.index(GIVERS).get(id) ?? new Set<number>()
  let { due, best, bestUnits } = pool
  for (const number of [...givers].slice(0, COMMUNITY_PAID_PER_TICK_MAX)) {
    const key = shareKey(id, number)
    const units = shares.get(key) ?? 0
    due += payShare(world, template, world.rowOf(Player, number), units)
    if (units > bestUnits || (units === bestUnits && number < best)) {
      best = number
      bestUnits = units
    }
    shares.delete(key)
    givers.delete(number)
  }
  if (givers.size > 0) return { ...pool, due, best, bestUnits }
  world.index(GIVERS).delete(id)
  payAndRecord(world, world.rowOf(Player, best), template, template.credits - due)
  return { ...pool, phase: 'closing', due: template.credits, best, bestUnits }
}

/**
 * Closes a bounded number of the missions of a full collection; once none is left, the pool rests.
 * Returns the updated pool.
 */
function closeSlice(world: World, id: string, pool: Pool, close: (mission: Row) => void): Pool {
  const open = [...(world.index(ACTIVE).byCollection.get(id) ?? [])]
  for (const mission of open.slice(0, COMMUNITY_PAID_PER_TICK_MAX)) close(mission)
  if (open.length > COMMUNITY_PAID_PER_TICK_MAX) return pool
  return { ...NEW_POOL, phase: 'resting', opensTick: world.tick + COMMUNITY_REST_TICKS }
}

/**
 * Advances the pool of every full collection; `close` ends a mission. O(collections + shares paid).
 */
export function settlePools(world: World, close: (mission: Row) => void): void {
  const pools = world.records(POOLS)
  for (const [id] of [...pools.entries()]) {
    const template = missionTemplate(id)
    assert(template, `there is no collection ${id}`)
    const pool = poolOf(world, id)
    if (pool.phase === 'paying') pools.set(id, paySlice(world, template, pool))
    else if (pool.phase === 'closing') pools.set(id, closeSlice(world, id, pool, close))
  }
}

/** Rebuilds the index from the records, after a restore. */
export function rebuildPools(world: World): void {
  world.index(GIVERS).clear()
  for (const [key] of world.records(SHARES).entries()) {
    const colon = key.lastIndexOf(':')
    addToSet(world.index(GIVERS), key.slice(0, colon), Number(key.slice(colon + 1)))
  }
}

/* Payment */

/**
 * The account that pays for missions that players did not post, up to a daily limit for each
 * player. Source: missions.md section 1.
 */
export const FAUCET = 'missions'

/** Credits in an empire's treasury that missions never draw on. */
const TREASURY_KEPT = 1_000_000

/**
 * Makes an empire (-1 for none) refund the faucet for what a mission paid, as far as its treasury
 * allows; the rest is new money. Source: balance.md section 9.
 */
export function drawOnTreasury(world: World, empire: number, credits: number): void {
  if (empire < 0) return
  const treasury = empireTreasury(world, empire)
  const share = Math.min(credits, Math.max(0, balanceOf(world, treasury) - TREASURY_KEPT))
  if (share > 0) post(world, treasury, namedAccount(FAUCET), share)
}

/** Stores the record of a player's missions. */
export function saveRecord(world: World, player: Eid, record: MissionRecord): void {
  world.records(MISSION_RECORDS).set(recordKey(world, player), record)
}

/**
 * Returns what can be paid of a share, within the daily limit. ours: a player whose wallet is full
 * loses the share, since there is no command that could be refused.
 */
export function payableShare(view: WorldView, player: Eid, due: number): number {
  const allowed = Math.min(due, creditsLeft(view, player))
  return canReceive(view, walletOf(view, player), allowed) ? allowed : 0
}

/** Pays credits of a collection as far as it can, and records the mission as completed. */
function payAndRecord(world: World, player: Eid, template: MissionRow, due: number): void {
  const wallet = walletOf(world, player)
  const paid = payableShare(world, player, due)
  const { template_id: id, title } = template
  const summary = `Your share of "${title}".`
  const data = { template_id: id }
  creditMove(world, player, namedAccount(FAUCET), wallet, paid, 'mission', 'share', summary, data)
  const { empire } = template.issuers
  if (empire !== undefined) drawOnTreasury(world, EMPIRE_IDS.indexOf(empire), paid)
  recordIncome(world, player, 'mission', paid)
  addStat(world, player, 'credits_earned', paid)
  const record = recordOf(world, player)
  const [doneMs, times] = record.done[id] ?? [0, 0]
  // The remainder of rounding is paid in the same tick as the share and is not counted again.
  const completion = [world.wallMs, doneMs === world.wallMs ? times : times + 1] as const
  saveRecord(world, player, {
    ...record,
    done: { ...record.done, [id]: completion },
    day: dayOfTick(world.tick),
    paid: paidToday(world, record) + paid,
  })
}
