/**
 * Collections: what all who wish give together, until there is enough. Then everybody is paid by
 * what he gave, some in each tick. Source: missions.md section 2, `contribute`.
 */
import { assert } from '../../core/assert.ts'
import {
  EMPIRE_IDS,
  itemIndex,
  type MissionRow,
  missionTemplate,
} from '../../core/catalog/index.ts'
import { COMMUNITY_PAID_PER_TICK_MAX, COMMUNITY_REST_TICKS } from '../../core/limits-posting.ts'
import { divFloor, mulDivFloor } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { addStat } from '../account/rules.ts'
import { changeReputation } from '../law/rules.ts'
import { awardXp } from '../skill/rules.ts'
import { POOLS, type Pool, SHARES } from './columns.ts'
import { payFaucet } from './pay-rules.ts'
import { MISSIONS_OF } from './progress-rules.ts'

const NEW: Pool = { given: 0, phase: 'open', opensTick: 0, due: 0, best: 0, bestUnits: 0 }
/** Part of a collection that counts as a mission completed, percent. */
const COUNTED_PCT = 1
const XP_PER_DIFFICULTY = 30

/** Numbers of those who have given, by template, in the order of their first gift. */
const GIVERS = defineIndex('mission.givers', () => new Map<string, Set<number>>())

const shareKey = (template: string, player: number): string => `${template}:${player}`

/** What there is of a collection; after its rest it begins anew. */
export function poolOf(view: WorldView, template: string): Pool {
  const pool = view.records(POOLS).get(template)
  if (!pool || (pool.phase === 'resting' && view.tick >= pool.opensTick)) return NEW
  return pool
}

/** True while gifts are taken. */
export const isCollecting = (view: WorldView, template: string): boolean =>
  poolOf(view, template).phase === 'open'

/** What is collected, and how much of it makes the collection full. */
export function goalOf({ template_id, objectives }: MissionRow): { item: number; units: number } {
  const [{ item = '', quantity }] = objectives
  assert(objectives.length === 1 && itemIndex(item) >= 0, `${template_id} collects nothing`)
  return { item: itemIndex(item), units: quantity }
}

/** Units that a player has given in this round. */
export const shareOf = (view: WorldView, template: string, player: Eid): number =>
  view.records(SHARES).get(shareKey(template, view.read(Player).seq[player])) ?? 0

/** True where one more player's share finds room. */
export const hasShareRoom = (view: WorldView, template: string, player: Eid): boolean =>
  shareOf(view, template, player) > 0 || view.records(SHARES).size < SHARES.rowsMax

/** As missions show a collection. */
export function renderPool(view: WorldView, template: MissionRow) {
  const { units } = goalOf(template)
  const { given } = poolOf(view, template.template_id)
  return {
    community: true,
    community_percent: divFloor(100 * given, units),
    community_progress: { [template.objectives[0].item ?? '']: `${given}/${units}` },
  }
}

function listGiver(world: World, template: string, player: number): void {
  const givers = world.index(GIVERS)
  givers.set(template, (givers.get(template) ?? new Set<number>()).add(player))
}

/** Notes a gift that the collection has room for; a full one is paid from this tick on. */
export function noteGift(world: World, template: MissionRow, player: Eid, units: number): void {
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

/* Pay */

/** Credits for so many units of a collection, less what rounding leaves. */
const payOf = (template: MissionRow, units: number): number =>
  mulDivFloor(template.credits, units, goalOf(template).units)

/** Credits that a player's share of a collection is worth, as far as it has come. */
export const shareWorth = (view: WorldView, template: MissionRow, player: Eid): number =>
  payOf(template, shareOf(view, template.template_id, player))

/** Credits for the largest share of a full collection besides: what rounding leaves of all. */
export function restFor(view: WorldView, template: MissionRow, player: Eid): number {
  const id = template.template_id
  let rest = template.credits
  let best = 0
  let bestUnits = 0
  for (const number of view.index(GIVERS).get(id) ?? []) {
    const units = view.records(SHARES).get(shareKey(id, number)) ?? 0
    rest -= payOf(template, units)
    if (units < bestUnits || (units === bestUnits && number > best)) continue
    best = number
    bestUnits = units
  }
  return best === view.read(Player).seq[player] ? rest : 0
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

/** Units given by all, as their shares say. */
export function sharesSum(view: WorldView, template: string): number {
  const givers = view.index(GIVERS).get(template) ?? new Set<number>()
  const shares = view.records(SHARES)
  return [...givers].reduce((sum, number) => sum + (shares.get(shareKey(template, number)) ?? 0), 0)
}
