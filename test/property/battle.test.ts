/**
 * Random battles: damage dealt equals damage taken, nothing leaves its bounds, every volley can be
 * computed again from its record, and row numbers do not change the outcome.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Row } from '../../core/types.ts'
import { reduced, STANCE_PCT, share } from '../../systems/combat/damage-kernels.ts'
import { stagesOf } from '../../systems/combat/stages-model.ts'
import {
  ATTACK_FLAGS,
  Attack,
  Battle,
  DAMAGE_TYPES,
  FATES,
  Participant,
  STANCES,
} from '../../systems/combat/state.ts'
import { Ship } from '../../systems/ship/state.ts'
import { type GunFigures, type Ring, ringOf, type ShipFigures } from '../unit/combat/ring.ts'

const TICKS = 6
const INT_MAX = 0x7fffffff
const pct = (max: number) => fc.integer({ min: 0, max })

const guns: fc.Arbitrary<GunFigures[]> = fc
  .array(
    fc.record({
      damage: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constant(65_535)),
      type: fc.constantFrom(...DAMAGE_TYPES),
      reach: fc.integer({ min: 2, max: 6 }),
      period: fc.integer({ min: 1, max: 4 }),
      load: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    }),
    { maxLength: 6 },
  )
  // Sorted as in a fit: weapons of one type are next to each other.
  .map((list) => list.sort((a, b) => DAMAGE_TYPES.indexOf(a.type) - DAMAGE_TYPES.indexOf(b.type)))

const ships: fc.Arbitrary<ShipFigures[]> = fc.array(
  fc.record({
    side: fc.constantFrom(1, 2),
    kind: fc.constantFrom('player' as const, 'pirate' as const),
    stance: fc.constantFrom(...STANCES),
    ring: pct(3),
    ship: fc.record({
      hull: fc.integer({ min: 1, max: 1_000 }),
      shield: pct(500),
      shieldMax: fc.constant(500),
      armor: pct(60),
      crewEffPct: fc.integer({ min: 25, max: 100 }),
      shieldRegen: pct(20),
    }),
    figures: fc.record({
      speed: pct(8),
      tacticsPct: pct(100),
      weaponSkillPct: pct(200),
      critPermille: pct(500),
      offensePct: fc.integer({ min: -150, max: 150 }),
      defensePct: pct(75),
      shieldSkillPct: pct(75),
      flatPct: pct(75),
      repairPower: pct(30),
      remotePower: pct(30),
      specials: pct(3),
    }),
    resist: fc.record({ kinetic: pct(75), em: pct(75) }),
    guns,
  }),
  { minLength: 2, maxLength: 12 },
)

function ringWith(seed: number, list: readonly (ShipFigures & { seq: number })[]): Ring {
  const ring = ringOf({ seed })
  ring.load(1, { burnPct: 20, burnTicks: 3, special: 1 })
  ring.load(2, { splashPct: 50, shieldBypassPct: 30, hullPct: -40, special: 1 })
  ring.load(3, { meltPct: 40, meltTicks: 2, armorBypassPct: 25, damagePct: 80, special: 1 })
  for (const figures of list) ring.join(figures)
  return ring
}

const numbered = (list: readonly ShipFigures[]) =>
  list.map((figures, i) => ({ ...figures, seq: 100 + i }))

function membersOf(ring: Ring): Row[] {
  const { next } = ring.world.read(Participant)
  const rows: Row[] = []
  for (let row = ring.world.read(Battle).first[ring.battle]; row !== 0; row = next[row])
    rows.push(row)
  return rows
}

function checkEntry(ring: Ring, entry: Row): void {
  const { flags, final, raw, shieldHit, hullHit } = ring.world.read(Attack)
  expect(shieldHit[entry]).toBeGreaterThanOrEqual(0)
  expect(hullHit[entry]).toBeGreaterThanOrEqual(0)
  if ((flags[entry] & (ATTACK_FLAGS.splash | ATTACK_FLAGS.burn)) !== 0) return
  const stages = stagesOf(ring.world, entry)
  const shots = stages.shots.filter(({ isHit }) => isHit)
  expect(shots.reduce((sum, { damage }) => sum + damage, 0)).toBe(raw[entry])
  const { stancePct, defensePct, shieldResistPct, typeResistPct, flatPct } = stages
  const recomputed = reduced(
    stages.preHit,
    stancePct,
    defensePct,
    shieldResistPct,
    typeResistPct,
    flatPct,
  )
  expect(recomputed).toBe(final[entry])
  expect(STANCE_PCT).toContain(stancePct)
}

test('damage dealt equals damage taken, and all points stay within their bounds', () => {
  fc.assert(
    fc.property(fc.nat(), ships, (seed, list) => {
      const ring = ringWith(seed, numbered(list))
      const rows = membersOf(ring)
      const part = ring.world.read(Participant)
      const { hull, hullMax, shield, shieldMax } = ring.world.read(Ship)
      let hitPoints = 0
      for (let i = 0; i < TICKS; i++) {
        ring.tick()
        const { shieldHit, hullHit } = ring.world.read(Attack)
        for (const entry of ring.attacks()) {
          checkEntry(ring, entry)
          hitPoints += shieldHit[entry] + hullHit[entry]
        }
      }
      const sum = (column: ArrayLike<number>) => rows.reduce((all, row) => all + column[row], 0)
      expect(sum(part.dealt)).toBe(hitPoints)
      expect(sum(part.taken)).toBe(hitPoints)
      expect(ring.world.read(Battle).damage[ring.battle]).toBe(hitPoints)
      for (const row of rows) {
        const ship = part.ship[row]
        expect(hull[ship]).toBeLessThanOrEqual(hullMax[ship])
        expect(shield[ship]).toBeLessThanOrEqual(shieldMax[ship])
        expect(Math.min(hull[ship], shield[ship])).toBeGreaterThanOrEqual(0)
        // Ships that escaped stay in this ring and may burn on, since nothing handles fates here.
        if (hull[ship] === 0) expect(FATES[part.fate[row]]).not.toBe('stays')
        if (FATES[part.fate[row]] === 'destroyed') expect(hull[ship]).toBe(0)
      }
    }),
    { numRuns: 60 },
  )
})

/** Returns the figures of all ships, without row numbers. */
function outcomeOf(ring: Ring): Record<string, number>[] {
  const part = ring.world.read(Participant)
  const { hull, shield } = ring.world.read(Ship)
  return membersOf(ring).map((row) => ({
    seq: part.seq[row],
    hull: hull[part.ship[row]],
    shield: shield[part.ship[row]],
    dealt: part.dealt[row],
    taken: part.taken[row],
    ring: part.ring[row],
    fate: part.fate[row],
    killer: part.killer[row] === 0 ? 0 : part.seq[part.killer[row]],
    burnBy: part.burnBy[row] === 0 ? 0 : part.seq[part.burnBy[row]],
    emTicks: part.emTicks[row],
  }))
}

test('the row numbers of ships do not change the outcome of a battle', () => {
  fc.assert(
    fc.property(fc.nat(), ships, fc.array(fc.nat(), { maxLength: 12 }), (seed, list, keys) => {
      const ordered = numbered(list)
      const key = (seq: number) => keys[seq % Math.max(1, keys.length)] ?? 0
      const shuffled = [...ordered].sort((a, b) => key(a.seq) - key(b.seq) || b.seq - a.seq)
      const [first, second] = [ringWith(seed, ordered), ringWith(seed, shuffled)]
      for (let i = 0; i < TICKS; i++) {
        first.tick()
        second.tick()
        expect(outcomeOf(second)).toEqual(outcomeOf(first))
      }
    }),
    { numRuns: 60 },
  )
})

test('a damage stage rounds towards zero exactly, at any size', () => {
  fc.assert(
    fc.property(pct(INT_MAX), fc.integer({ min: -300, max: 5_000 }), (value, percent) => {
      const exact = (BigInt(value) * BigInt(percent)) / 100n
      const bounded = Math.min(INT_MAX, Math.max(0, Number(exact)))
      expect(share(value, percent)).toBe(bounded)
    }),
    { numRuns: 2_000 },
  )
})
