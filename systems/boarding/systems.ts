/**
 * Boarding in the tick: requests, latching and assaults of all battles as two split systems, then
 * what follows from them for hulls, holds and owners.
 */
import type { SystemDef, Work } from '../../core/system.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { Attack, Battle, Participant } from '../combat/columns.ts'
import { Flotilla, Prize } from '../prize/columns.ts'
import { Ship } from '../ship/columns.ts'
import { BattleBoarding, BOARDING_OUTCOMES, Boarding, Link } from './columns.ts'
import {
  endBoarding,
  followBoardings,
  forgetNotes,
  leaveBoarding,
  linksOf,
  startBoardings,
} from './course.ts'
import { kernelsFile } from './kernels.ts'
import { captureShip, plunderShip, STAYS } from './spoils.ts'

/** Measured costs in the kernels, nanoseconds, on the slow side. */
const PARTICIPANT_NS = 10
const ATTACK_NS = 40
const LINK_NS = 300

/** Battles in which something of boarding goes on: a request waits, or a link holds. */
const isBoarded = (view: WorldView, battle: Row): boolean => {
  const { asked, first } = view.read(BattleBoarding)
  return asked[battle] === 1 || first[battle] !== 0
}

/** Battles by system, then number; a system is a part. */
function workOf(
  world: World,
  isWanted: (battle: Row) => boolean,
  costNs: (battle: Row) => number,
): Work | undefined {
  const { alive, system, seq } = world.read(Battle)
  const rows: number[] = []
  let estimateNs = 0
  for (let battle = 1; battle <= world.highOf(Battle); battle++) {
    if (alive[battle] === 0 || !isWanted(battle)) continue
    rows.push(battle)
    estimateNs += costNs(battle)
  }
  if (rows.length === 0) return undefined
  rows.sort((a, b) => system[a] - system[b] || seq[a] - seq[b])
  const partEnds: number[] = []
  for (const [i, battle] of rows.entries()) {
    if (i === rows.length - 1 || system[rows[i + 1]] !== system[battle]) partEnds.push(i + 1)
  }
  return { rows: Uint32Array.from(rows), partEnds: Uint32Array.from(partEnds), estimateNs }
}

/** Step H3 of a fight. Source: combat.md sections 3, 10. */
export const closing: SystemDef = {
  name: 'boarding.close',
  phase: 'fight',
  after: 'combat.maneuver',
  reads: [Battle, Ship],
  writes: [Participant, Boarding, BattleBoarding, Link],
  split: {
    file: kernelsFile,
    kernel: 'close',
    prepare(world) {
      forgetNotes(world)
      const { asked } = world.read(BattleBoarding)
      const { count } = world.read(Battle)
      return workOf(
        world,
        (battle) => isBoarded(world, battle),
        (battle) => LINK_NS + (asked[battle] === 1 ? count[battle] * PARTICIPANT_NS : 0),
      )
    },
    apply(world, work) {
      for (const battle of work.rows) {
        followBoardings(world, battle)
        startBoardings(world, battle)
      }
    },
  },
}

/** Step H7. Source: combat.md sections 3, 9, 10. */
export const assault: SystemDef = {
  name: 'boarding.assault',
  phase: 'fight',
  after: 'combat.fire',
  reads: [Battle, BattleBoarding, Attack],
  writes: [Participant, Boarding, Link, Ship],
  split: {
    file: kernelsFile,
    kernel: 'assault',
    prepare(world) {
      const { attackCount } = world.read(Battle)
      return workOf(
        world,
        (battle) => attackCount[battle] > 0 || isBoarded(world, battle),
        (battle) => LINK_NS + attackCount[battle] * ATTACK_NS,
      )
    },
    apply() {},
  },
}

/** Step H10 for boardings: what was taken, and what ends because a hull left the fight. */
export const settle: SystemDef = {
  name: 'boarding.settle',
  phase: 'fight',
  after: 'combat.report',
  reads: [Battle],
  writes: [Participant, Boarding, BattleBoarding, Link, Ship, Prize, Flotilla],
  run(world) {
    const { alive, seq } = world.read(Battle)
    const { first } = world.read(BattleBoarding)
    const battles: Row[] = []
    for (let battle = 1; battle <= world.highOf(Battle); battle++) {
      if (alive[battle] === 1 && first[battle] !== 0) battles.push(battle)
    }
    battles.sort((a, b) => seq[a] - seq[b])
    for (const battle of battles) {
      for (const link of linksOf(world, battle)) settleLink(world, link)
    }
  },
}

function settleLink(world: World, row: Row): void {
  const { outcome, attacker, target } = world.read(Link)
  const { fate } = world.read(Participant)
  const found = BOARDING_OUTCOMES[outcome[row]]
  if (found === 'captured') captureShip(world, row)
  else if (found === 'plundered') plunderShip(world, row)
  else if (found !== 'none') endBoarding(world, row, found)
  else if (fate[attacker[row]] !== STAYS) leaveBoarding(world, attacker[row])
  else if (fate[target[row]] !== STAYS) leaveBoarding(world, target[row])
}
