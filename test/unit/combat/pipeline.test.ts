/**
 * The damage pipeline in the kernels against a table worked out by hand, volleys that miss and
 * volleys of several damage types.
 */
import { describe, expect, test } from 'vitest'
import type { Row } from '../../../core/types.ts'
import { stagesOf } from '../../../systems/combat/stages-model.ts'
import { ATTACK_FLAGS, Attack, Participant } from '../../../systems/combat/state.ts'
import { CASES, type Case } from './pipeline-cases.ts'
import { type Ring, ringOf } from './ring.ts'

const TICKS_MAX = 2_000

interface Volley {
  readonly ring: Ring
  readonly entry: Row
  readonly target: Row
}

/**
 * Returns the only entry of the first tick in which every weapon hits, critically or not as wanted.
 */
function volleyOf({ guns, attacker, target, ammo, isCritical }: Case): Volley {
  for (let tick = 1; tick < TICKS_MAX; tick++) {
    const ring = ringOf()
    ring.world.tick = tick
    for (const [i, load] of ammo.entries()) ring.load(i + 1, { ...load, special: 1 })
    ring.join({ guns, ...attacker })
    const row = ring.join({ side: 2, ...target })
    ring.maneuver()
    ring.fire()
    const [entry, ...others] = ring.attacks()
    expect(others).toEqual([])
    const { shots } = stagesOf(ring.world, entry)
    if (shots.every((shot) => shot.isHit && shot.isCritical === isCritical)) {
      return { ring, entry, target: row }
    }
  }
  throw new Error('there is no tick in which every weapon hits')
}

describe('a volley', () => {
  test('has more than forty cases worked out by hand', () => {
    expect(CASES.length).toBeGreaterThan(40)
  })

  test.each(CASES)('$shows', (given) => {
    const { ring, entry, target } = volleyOf(given)
    const { raw, preHit, final, shieldHit, hullHit } = ring.world.read(Attack)
    const found = [raw, preHit, final, shieldHit, hullHit].map((column) => column[entry])
    expect(found).toEqual(given.expected)
    const [shield, hull] = given.expected.slice(3)
    const part = ring.world.read(Participant)
    expect([part.shieldHit[target], part.hullHit[target]]).toEqual([shield, hull])
    expect(part.taken[target]).toBe(shield + hull)
    expect(ring.hull(target)).toBe((given.target.ship?.hull ?? 1_000) - hull)
    expect(ring.shield(target)).toBe((given.target.ship?.shield ?? 0) - shield)
  })

  test.each(CASES)('has the same stages in the log: $shows', (given) => {
    const { ring, entry } = volleyOf(given)
    const stages = stagesOf(ring.world, entry)
    const { shots, raw, skillPct, offensePct, capitalPct } = stages
    expect(shots.reduce((sum, { damage }) => sum + damage, 0)).toBe(raw)
    const skilled = Math.trunc((raw * (100 + skillPct)) / 100)
    expect(Math.trunc((skilled * (100 + offensePct + capitalPct)) / 100)).toBe(stages.preHit)
    const buckets = [stages.shieldResistPct, stages.typeResistPct, stages.flatPct]
    const left = buckets.reduce(
      (points, pct) => Math.trunc((points * (100 - pct)) / 100),
      stages.afterDefense,
    )
    expect(left).toBe(stages.final)
  })

  test('that misses leaves an entry without damage', () => {
    for (let tick = 1; tick < TICKS_MAX; tick++) {
      const ring = ringOf()
      ring.world.tick = tick
      ring.join({ guns: [{}] })
      const target = ring.join({ side: 2 })
      ring.maneuver()
      ring.fire()
      const [entry] = ring.attacks()
      const { flags, raw, final, hits, fired, hullHit } = ring.world.read(Attack)
      if ((flags[entry] & ATTACK_FLAGS.hit) !== 0) continue
      const found = [raw, final, hullHit, hits, fired].map((column) => column[entry])
      expect(found).toEqual([0, 0, 0, 0, 1])
      expect(ring.hull(target)).toBe(1_000)
      return
    }
    throw new Error('nothing ever misses')
  })

  test('of several damage types makes an entry for each type', () => {
    const ring = ringOf()
    const types = ['kinetic', 'energy', 'explosive', 'thermal', 'em', 'void'] as const
    ring.join({ guns: types.map((type) => ({ type })) })
    ring.join({ side: 2 })
    ring.maneuver()
    ring.fire()
    const { type, fired, hits } = ring.world.read(Attack)
    expect(ring.attacks().map((entry) => type[entry])).toEqual([0, 1, 2, 3, 4, 5])
    expect(ring.attacks().map((entry) => fired[entry])).toEqual([1, 2, 4, 8, 16, 32])
    for (const entry of ring.attacks()) expect(fired[entry] & hits[entry]).toBe(hits[entry])
  })
})
