/**
 * What pilots learn from a tick of fighting: the kernels count, here it becomes experience, once a
 * skill. What does not make a whole point stays counted. Source: missions.md section 5.
 */
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { divFloor } from '../../core/math.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Ship } from '../ship/columns.ts'
import { type CappedSource, PlayerSkills } from '../skill/columns.ts'
import { awardXp } from '../skill/rules.ts'
import { trainAtPower } from '../skill/training-rules.ts'
import { battles } from './battles.ts'
import { BATTLE_KINDS, Battle, Participant, Turn } from './columns.ts'
import { participantsOf, pilotOf } from './views.ts'

/** Points of damage an experience. */
const DEALT_A_POINT = 20
const SHIELD_A_POINT = 20
const HULL_A_POINT = 10
const ARENA = BATTLE_KINDS.indexOf('arena')

/** By skill. */
export type Gains = Readonly<Record<string, number>>

/** What the attacks of this tick brought, by participant: told with the first of them. */
const GAINS = defineIndex('combat.gains', () => new Map<Row, Gains>())

/** Takes what a participant's attacks of this tick brought; undefined for nothing. */
export function takeGains(world: World, row: Row): Gains | undefined {
  const gains = world.index(GAINS)
  const found = gains.get(row)
  gains.delete(row)
  return found
}

type Counted = 'xpDealt' | 'xpShield' | 'xpHull'

/** Whole points of what was counted; the rest stays. */
function whole(world: World, column: Counted, at: number, points: number): number {
  const counted = world.write(Participant)[column]
  const xp = divFloor(counted[at], points)
  counted[at] -= xp * points
  return xp
}

/** `duel`: 1 for what came of fighting players, which a day caps. */
function learn(world: World, player: Eid, row: Row, duel: 0 | 1): void {
  const at = 2 * row + duel
  const isArena = world.read(Battle).kind[world.read(Participant).battle[row]] === ARENA
  const source: CappedSource | undefined = isArena ? 'arena' : duel === 1 ? 'pvp' : undefined
  const { volleys, scores } = world.read(Turn)
  const award = (skill: string, xp: number): number =>
    xp === 0 ? 0 : awardXp(world, player, skill, xp, source)
  const gained = {
    weapons: award('weapons', whole(world, 'xpDealt', at, DEALT_A_POINT)),
    gunnery: award('gunnery', volleys[at]),
    tactics: award('tactics', scores[at]),
  }
  award('shields', whole(world, 'xpShield', at, SHIELD_A_POINT))
  award('armor', whole(world, 'xpHull', at, HULL_A_POINT))
  const entries = Object.entries(gained).filter(([, xp]) => xp > 0)
  if (entries.length > 0) addGains(world, row, entries)
}

function addGains(world: World, row: Row, entries: readonly [string, number][]): void {
  const gains = world.index(GAINS)
  const sum: Record<string, number> = { ...gains.get(row) }
  for (const [skill, xp] of entries) sum[skill] = (sum[skill] ?? 0) + xp
  gains.set(row, sum)
}

function train(world: World, row: Row): void {
  const player = pilotOf(world, row)
  if (player === 0) return
  learn(world, player, row, 0)
  learn(world, player, row, 1)
  const { volleys, scores } = world.write(Turn)
  volleys.fill(0, 2 * row, 2 * row + 2)
  scores.fill(0, 2 * row, 2 * row + 2)
  const { tier } = SHIP_CLASSES[world.read(Ship).class[world.read(Participant).ship[row]]]
  const isArena = world.read(Battle).kind[world.read(Participant).battle[row]] === ARENA
  awardXp(world, player, 'piloting', tier + 1, isArena ? 'arena' : undefined)
  if (!isArena) trainAtPower(world, player, 1)
}

export const training: SystemDef = {
  name: 'combat.train',
  phase: 'fight',
  reads: [Battle],
  writes: [Participant, Turn, PlayerSkills, Ship],
  run(world) {
    world.index(GAINS).clear()
    for (const battle of battles(world)) {
      for (const row of participantsOf(world, battle)) train(world, row)
    }
  },
}
