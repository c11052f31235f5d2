/**
 * The split systems of a fight, which battles they process and where each battle writes its
 * attacks; and what the world thread counts of a fight: claims on pirates and experience.
 */
import { assert } from '../../core/assert.ts'
import { ATTACKS_PER_PARTICIPANT } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import type { SystemDef, Work } from '../../core/system.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { areAllied } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { masterOf } from '../drone/model.ts'
import { setCloak } from '../sensing/rules.ts'
import { Module, Ship } from '../ship/state.ts'
import { awardFullPowerXp, awardPilotingXp, awardXp, XP_WRITES } from '../skill/rules.ts'
import type { CappedSource } from '../skill/state.ts'
import { claimsOn } from './destruction-model.ts'
import { kernelsFile } from './kernels.ts'
import { battles, isMatch, participantsOf, pilotOf } from './model.ts'
import { forgetPilotless } from './rules.ts'
import {
  Attack,
  Battle,
  CLAIMS_MAX,
  CLOAKED,
  DamageClaim,
  GAINS,
  PARTICIPANT_KINDS,
  Participant,
  PILOTLESS,
  PlayerCombat,
  ShipCombat,
  Turn,
} from './state.ts'

/** Measured cost of a participant in each kernel, ns, rounded up. */
const MANEUVER_NS = 60
const FIRE_NS = 220
const MEND_NS = 30

/** Returns the battles, ordered by system and row; each system is a part. */
function workOf(world: World, participantNs: number): Work | undefined {
  if (world.countOf(Battle) === 0) return undefined
  const { alive, system, count } = world.read(Battle)
  const rows: number[] = []
  let participants = 0
  for (let battle = 1; battle <= world.highOf(Battle); battle++) {
    if (alive[battle] === 0) continue
    rows.push(battle)
    participants += count[battle]
  }
  rows.sort((a, b) => system[a] - system[b] || a - b)
  const ends = rows.flatMap((row, i) => (system[row] === system[rows[i + 1]] ? [] : [i + 1]))
  return {
    rows: Uint32Array.from(rows),
    partEnds: Uint32Array.from(ends),
    estimateNs: participants * participantNs,
  }
}

/** Gives each battle its range of attacks. */
function assignAttacks(world: World): Work | undefined {
  const work = workOf(world, FIRE_NS)
  const { count } = world.read(Battle)
  const { firstAttack, attackCount } = world.write(Battle)
  let next = 1
  for (const battle of work?.rows ?? []) {
    firstAttack[battle] = next
    attackCount[battle] = 0
    next += count[battle] * ATTACKS_PER_PARTICIPANT
  }
  assert(next <= world.read(Attack).alive.length, 'battles have more attacks than there is room')
  return work
}

export const maneuvering: SystemDef = {
  name: 'combat.maneuver',
  phase: 'fight',
  writes: [Participant, Ship, Turn],
  split: {
    writes: [Participant, Ship, Turn],
    file: kernelsFile,
    kernel: 'maneuver',
    prepare: (world) => workOf(world, MANEUVER_NS),
    apply: () => {},
  },
}

export const firing: SystemDef = {
  name: 'combat.fire',
  phase: 'fight',
  writes: [Attack, Battle, Module, Participant, Ship, ShipCombat, Turn],
  split: {
    writes: [Battle, Participant, ShipCombat, Ship, Module, Turn, Attack],
    file: kernelsFile,
    kernel: 'fire',
    prepare: assignAttacks,
    apply: () => {},
  },
}

export const mending: SystemDef = {
  name: 'combat.mend',
  phase: 'fight',
  writes: [Participant, Ship, ShipCombat, Turn],
  split: {
    writes: [Participant, ShipCombat, Ship, Turn],
    file: kernelsFile,
    kernel: 'mend',
    prepare: (world) => workOf(world, MEND_NS),
    apply: () => {},
  },
}

/*
 * Claims: each player's damage to a pirate, their drones' included. Source: missions.md section 2.
 */

const PIRATE = PARTICIPANT_KINDS.indexOf('pirate')

/** Returns the row that counts a player's damage to a pirate; 0 if there is no room. */
function claimFor(world: World, pirate: Row, player: Eid, points: number): Row {
  const claims = claimsOn(world, pirate)
  const columns = world.write(DamageClaim)
  const own = claims.find((claim) => columns.player[claim] === player)
  if (own !== undefined) return own
  if (claims.length < CLAIMS_MAX) {
    if (world.roomIn(DamageClaim) === 0) return 0
    const claim = world.take(DamageClaim)
    const { mauled } = world.write(Participant)
    columns.player[claim] = player
    columns.next[claim] = mauled[pirate]
    mauled[pirate] = claim
    return claim
  }
  // ours: the smallest of eight claims is far below the fifth that counts, so it is replaced
  const smallest = claims.reduce((a, b) => (columns.points[b] < columns.points[a] ? b : a))
  if (columns.points[smallest] >= points) return 0
  columns.player[smallest] = player
  columns.points[smallest] = 0
  return smallest
}

/** Counts the attacks of a battle on pirates. O(attacks). */
function countClaims(world: World, battle: Row): void {
  const { firstAttack, attackCount } = world.read(Battle)
  const { attacker, target, shieldHit, hullHit } = world.read(Attack)
  const { kind, ship } = world.read(Participant)
  const end = firstAttack[battle] + attackCount[battle]
  for (let entry = firstAttack[battle]; entry < end; entry++) {
    const source = attacker[entry]
    if (kind[target[entry]] !== PIRATE || source === 0) continue
    const points = shieldHit[entry] + hullHit[entry]
    const player = points > 0 ? pilotOf(world, source) || masterOf(world, ship[source]) : 0
    const claim = player === 0 ? 0 : claimFor(world, target[entry], player, points)
    if (claim !== 0) world.write(DamageClaim).points[claim] += points
  }
}

/** Counts the damage to pirates, after the weapons have fired and while all ships still exist. */
export const claiming: SystemDef = {
  name: 'combat.maul',
  phase: 'fight',
  writes: [DamageClaim, Participant],
  run(world) {
    for (const battle of battles(world)) countClaims(world, battle)
  },
}

/*
 * Experience: the kernels count, whole points of it are awarded here, the rest stays counted.
 * Source: balance.md section 3.
 */

/** Points of damage for a point of experience. */
const DEALT_PER_XP = 10
const SHIELD_PER_XP = 4
const HULL_PER_XP = 2

/** Removes the whole points of experience from a count, and returns them. */
function takeXp(
  world: World,
  column: 'xpDealt' | 'xpShield' | 'xpHull',
  index: number,
  perXp: number,
): number {
  const counts = world.write(Participant)[column]
  const xp = divFloor(counts[index], perXp)
  counts[index] -= xp * perXp
  return xp
}

/** Awards experience; with `duel` 1 that of fighting players, which has a daily limit. */
function learn(world: World, row: Row, duel: 0 | 1, isArena: boolean): void {
  const index = 2 * row + duel
  const player = pilotOf(world, row)
  const source: CappedSource | undefined = isArena ? 'arena' : duel === 1 ? 'pvp' : undefined
  const { volleys, scores } = world.read(Turn)
  const award = (skill: string, xp: number): number =>
    xp === 0 ? 0 : awardXp(world, player, skill, xp, source)
  const gained = {
    weapons: award('weapons', takeXp(world, 'xpDealt', index, DEALT_PER_XP)),
    gunnery: award('gunnery', volleys[index]),
    tactics: award('tactics', scores[index]),
  }
  award('shields', takeXp(world, 'xpShield', index, SHIELD_PER_XP))
  award('armor', takeXp(world, 'xpHull', index, HULL_PER_XP))
  for (const [skill, xp] of Object.entries(gained)) if (xp > 0) addGain(world, row, skill, xp)
}

function addGain(world: World, row: Row, skill: string, xp: number): void {
  const index = world.index(GAINS)
  const gains = index.get(row)
  index.set(row, { ...gains, [skill]: (gains?.[skill] ?? 0) + xp })
}

/** Returns who attacked or was attacked in this tick; true for those who fought only allies. */
function fightersOf(world: World, battle: Row): Map<Row, boolean> {
  const { firstAttack, attackCount } = world.read(Battle)
  const { attacker, target } = world.read(Attack)
  const fighters = new Map<Row, boolean>()
  const end = firstAttack[battle] + attackCount[battle]
  for (let entry = firstAttack[battle]; entry < end; entry++) {
    const [source, victim] = [attacker[entry], target[entry]]
    if (source === 0) continue
    const [one, other] = [pilotOf(world, source), pilotOf(world, victim)]
    const isAmongAllies = one !== 0 && other !== 0 && areAllied(world, one, other)
    for (const row of [source, victim]) {
      fighters.set(row, isAmongAllies && (fighters.get(row) ?? true))
    }
  }
  return fighters
}

function train(world: World, row: Row, fighters: ReadonlyMap<Row, boolean>): void {
  const player = pilotOf(world, row)
  if (player === 0) return
  const { battle, ship } = world.read(Participant)
  const isArena = isMatch(world, battle[row])
  learn(world, row, 0, isArena)
  learn(world, row, 1, isArena)
  const { volleys, scores } = world.write(Turn)
  volleys.fill(0, 2 * row, 2 * row + 2)
  scores.fill(0, 2 * row, 2 * row + 2)
  if (isArena || fighters.has(row)) {
    const isIdle = isArena || fighters.get(row)
    awardPilotingXp(
      world,
      player,
      { ship: ship[row], ticks: 1, isIdle },
      isArena ? 'arena' : undefined,
    )
  }
  if (!isArena) awardFullPowerXp(world, player, 1)
}

export const training: SystemDef = {
  name: 'combat.train',
  phase: 'fight',
  writes: [...XP_WRITES, Participant, Turn],
  run(world) {
    world.index(GAINS).clear()
    for (const battle of battles(world)) {
      const fighters = fightersOf(world, battle)
      for (const row of participantsOf(world, battle)) train(world, row, fighters)
    }
  },
}

/* Expiries */

export const uncloak: SystemDef = {
  name: 'combat.uncloak',
  phase: 'arrive',
  writes: [Player, PlayerCombat],
  run(world) {
    const cloaked = world.index(CLOAKED)
    const { cloakUntil } = world.read(PlayerCombat)
    for (const player of cloaked.get(world.tick) ?? []) {
      if (cloakUntil[player] === world.tick) setCloak(world, player, false)
    }
    cloaked.delete(world.tick)
  },
}

/** Ends the wait for offline pilots: their ships are safe once no battle holds them. */
export const expirePilotless: SystemDef = {
  name: 'combat.pilotless',
  phase: 'arrive',
  writes: [PlayerCombat],
  run(world) {
    const { pilotlessUntil } = world.read(PlayerCombat)
    for (const player of [...world.index(PILOTLESS)]) {
      if (pilotlessUntil[player] < world.tick) forgetPilotless(world, player)
    }
  },
}
