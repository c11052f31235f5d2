/**
 * The split systems of a fight: which battles there are to fight, part by part, and where each
 * writes its attacks. Orders of the tick are sampled first, fates are known last; what comes of
 * them is fates.ts.
 */
import { assert } from '../../core/assert.ts'
import { ATTACKS_PER_PARTICIPANT } from '../../core/limits.ts'
import type { SystemDef, Work } from '../../core/system.ts'
import type { World } from '../../core/types.ts'
import { Boarding, Link } from '../boarding/columns.ts'
import { Module, Ship } from '../ship/columns.ts'
import { Ammo, Attack, Battle, Fighting, Participant, Turn } from './columns.ts'
import { kernelsFile } from './kernels.ts'

/** Measured cost of a participant in each kernel, nanoseconds, on the slow side. */
const MANEUVER_NS = 60
const FIRE_NS = 220
const MEND_NS = 30

/** Battles by system, then by row; a system is a part. */
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
  reads: [Battle, Module],
  writes: [Participant, Ship, Turn],
  split: {
    file: kernelsFile,
    kernel: 'maneuver',
    prepare: (world) => workOf(world, MANEUVER_NS),
    apply: () => {},
  },
}

export const firing: SystemDef = {
  name: 'combat.fire',
  phase: 'fight',
  reads: [Ammo, Boarding],
  writes: [Battle, Participant, Fighting, Ship, Module, Turn, Attack],
  split: { file: kernelsFile, kernel: 'fire', prepare: assignAttacks, apply: () => {} },
}

export const mending: SystemDef = {
  name: 'combat.mend',
  phase: 'fight',
  reads: [Battle, Boarding, Link],
  writes: [Participant, Fighting, Ship, Turn],
  split: {
    file: kernelsFile,
    kernel: 'mend',
    prepare: (world) => workOf(world, MEND_NS),
    apply: () => {},
  },
}
