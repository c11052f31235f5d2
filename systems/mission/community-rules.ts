/**
 * Collections: what all who wish give together, until there is enough. Then everybody is paid by
 * what they gave, some in each tick. Source: missions.md section 2, `contribute`.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRE_IDS, type MissionRow, missionTemplate } from '../../core/catalog/index.ts'
import { canReceive, namedAccount } from '../../core/ledger.ts'
import { mulDivFloor } from '../../core/math.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import { changeReputation } from '../law/rules.ts'
import { creditMove } from '../log/rules.ts'
import { awardXp } from '../skill/rules.ts'
import { recordIncome } from '../tax/rules.ts'
import {
  creditsLeft,
  dayOf,
  goalOf,
  NEW,
  payOf,
  poolOf,
  recordKey,
  recordOf,
  shareKey,
  shareOf,
} from './model.ts'
import {
  COMMUNITY_PAID_PER_TICK_MAX,
  COMMUNITY_REST_TICKS,
  GIVERS,
  MISSION_RECORDS,
  MISSIONS_OF,
  type MissionRecord,
  POOLS,
  type Pool,
  SHARES,
} from './state.ts'

/** Part of a collection that counts as a mission completed, percent. */
const COUNTED_PCT = 1
const XP_PER_DIFFICULTY = 30

function listGiver(world: World, template: string, player: number): void {
  const givers = world.index(GIVERS)
  givers.set(template, (givers.get(template) ?? new Set<number>()).add(player))
}

/** Notes a gift that the collection has room for; a full one is paid from this tick on. */
export function recordGift(world: World, template: MissionRow, player: Eid, units: number): void {
  const id = template.template_id
  const pool = poolOf(world, id)
  const { units: goal } = goalOf(template)
  const given = pool.given + units
  assert(pool.phase === 'open' && units > 0 && given <= goal, `${id} takes no ${units} units`)
  const number = world.read(Player).seq[player]
  const shares = world.records(SHARES)
  shares.set(shareKey(id, number), shareOf(world, id, player) + units)
  listGiver(world, id, number)
  const phase = given === goal ? 'paying' : 'open'
  world.records(POOLS).set(id, { ...pool, given, phase })
}

function payShare(world: World, template: MissionRow, player: Eid, units: number): number {
  const { units: goal } = goalOf(template)
  const due = payOf(template, units)
  payFaucet(world, player, template, due)
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

/** Pays some of those who gave; the rest of the reward, which rounding leaves, to the largest. */
function paySlice(world: World, template: MissionRow, before: Pool): Pool {
  const id = template.template_id
  const shares = world.records(SHARES)
  const givers = world.index(GIVERS).get(id) ?? new Set<number>()
  let { due, best, bestUnits } = before
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
  if (givers.size > 0) return { ...before, due, best, bestUnits }
  world.index(GIVERS).delete(id)
  payFaucet(world, world.rowOf(Player, best), template, template.credits - due)
  return { ...before, phase: 'closing', due: template.credits, best, bestUnits }
}

/** Ends some of the missions that led to a full collection; then it rests. */
function closeSlice(world: World, id: string, pool: Pool, close: (mission: Row) => void): Pool {
  const open = [...(world.index(MISSIONS_OF).giving.get(id) ?? [])]
  for (const mission of open.slice(0, COMMUNITY_PAID_PER_TICK_MAX)) close(mission)
  if (open.length > COMMUNITY_PAID_PER_TICK_MAX) return pool
  return { ...NEW, phase: 'resting', opensTick: world.tick + COMMUNITY_REST_TICKS }
}

/** Takes every full collection a step on. O(collections + shares paid). */
export function settlePools(world: World, close: (mission: Row) => void): void {
  const pools = world.records(POOLS)
  for (const [id, pool] of [...pools.entries()]) {
    const template = missionTemplate(id)
    assert(template, `there is no collection ${id}`)
    if (pool.phase === 'paying') pools.set(id, paySlice(world, template, pool))
    else if (pool.phase === 'closing') pools.set(id, closeSlice(world, id, pool, close))
  }
}

/** Fills the index from the records. */
export function rebuildPools(world: World): void {
  world.index(GIVERS).clear()
  for (const [key] of world.records(SHARES).entries()) {
    const at = key.lastIndexOf(':')
    listGiver(world, key.slice(0, at), Number(key.slice(at + 1)))
  }
}

/* What the faucet of missions pays a player: so much a day. Source: missions.md section 1. */

export const FAUCET = 'missions'

export function saveRecord(world: World, player: Eid, record: MissionRecord): void {
  world.records(MISSION_RECORDS).set(recordKey(world, player), record)
}

/**
 * Pays a share of a collection, as far as the day's allows, and notes that the player has done
 * their part of it. ours: of a wallet that is full the share is lost, as nobody is asked.
 */
function payFaucet(world: World, player: Eid, template: MissionRow, due: number): void {
  const wallet = walletOf(world, player)
  const most = Math.min(due, creditsLeft(world, player))
  const paid = canReceive(world, wallet, most) ? most : 0
  const said = `Your share of "${template.title}".`
  const data = { template_id: template.template_id }
  creditMove(world, player, namedAccount(FAUCET), wallet, paid, 'mission', 'share', said, data)
  recordIncome(world, player, 'mission', paid)
  addStat(world, player, 'credits_earned', paid)
  const record = recordOf(world, player)
  const [at, times] = record.done[template.template_id] ?? [0, 0]
  const day = dayOf(world.tick)
  saveRecord(world, player, {
    ...record,
    done: {
      ...record.done,
      [template.template_id]: [world.wallMs, at === world.wallMs ? times : times + 1],
    },
    day,
    paid: (record.day === day ? record.paid : 0) + paid,
  })
}
