/** Repair, shields, flight and fates: steps H8 and H9 of a tick, by the kernel. */
import { describe, expect, test } from 'vitest'
import type { Row } from '../../../core/types.ts'
import { Boarding } from '../../../systems/boarding/state.ts'
import { FATES, Participant, ShipCombat, Turn } from '../../../systems/combat/state.ts'
import { type Ring, ringOf, type ShipFigures } from './ring.ts'

const fateOf = (ring: Ring, row: Row): string => FATES[ring.world.read(Participant).fate[row]]

describe('shields', () => {
  const torn: ShipFigures = { ship: { shield: 10, shieldMax: 100, shieldRegen: 7 } }

  test('regrow in a tick without damage', () => {
    const ring = ringOf()
    const row = ring.join(torn)
    ring.mend()
    expect(ring.shield(row)).toBe(17)
    expect(ring.world.read(Turn).shieldRegrown[row]).toBe(7)
    ring.world.write(Participant).hullHit[row] = 1
    ring.mend()
    expect(ring.shield(row)).toBe(17)
  })

  test('regrow twice as fast while braced, even under fire, up to the maximum', () => {
    const ring = ringOf()
    const row = ring.join({ ...torn, stance: 'brace' })
    ring.world.write(Participant).shieldHit[row] = 5
    ring.mend()
    expect(ring.shield(row)).toBe(24)
    for (let i = 0; i < 10; i++) ring.mend()
    expect(ring.shield(row)).toBe(100)
  })
})

describe('repair', () => {
  test('by own modules works under fire, up to the maximum', () => {
    const ring = ringOf()
    const row = ring.join({ ship: { hull: 990 }, figures: { repairPower: 7, hullHit: 3 } })
    ring.mend()
    expect(ring.hull(row)).toBe(997)
    ring.mend()
    expect(ring.hull(row)).toBe(1_000)
    expect(ring.world.read(Turn).hullMended[row]).toBe(3)
  })

  test('of other ships goes to the most damaged of the side, the first among equals', () => {
    const ring = ringOf()
    ring.join({ figures: { remotePower: 50 } })
    const hurt = ring.join({ ship: { hull: 500 } })
    const worst = ring.join({ ship: { hull: 300 } })
    const same = ring.join({ ship: { hull: 300 } })
    const enemy = ring.join({ side: 2, ship: { hull: 10 } })
    ring.mend()
    expect([hurt, worst, same, enemy].map((row) => ring.hull(row))).toEqual([500, 350, 300, 10])
    expect(ring.world.read(Turn).hullHelped[worst]).toBe(50)
  })

  test('counts the strongest repairers at 100, 65, 40, 15 and 5 %, all others at 5 %', () => {
    const ring = ringOf()
    for (const remotePower of [20, 100, 60, 40, 80, 10]) ring.join({ figures: { remotePower } })
    const worst = ring.join({ ship: { hull: 100 } })
    ring.mend()
    // 100 + 52 + 24 + 6 + 1 + 0
    expect(ring.hull(worst)).toBe(100 + 183)
  })

  test('the most damaged repairer repairs the next ship, and is repaired by others', () => {
    const ring = ringOf()
    const carrier = ring.join({ ship: { hull: 100 }, figures: { remotePower: 30 } })
    const repairer = ring.join({ figures: { remotePower: 20 } })
    const next = ring.join({ ship: { hull: 200 } })
    ring.mend()
    expect([carrier, repairer, next].map((row) => ring.hull(row))).toEqual([120, 1_000, 230])
  })

  test('does not restore a destroyed ship', () => {
    const ring = ringOf()
    ring.join({ figures: { remotePower: 30 } })
    const dead = ring.join({ ship: { hull: 0 }, figures: { repairPower: 10 } })
    ring.mend()
    expect([ring.hull(dead), fateOf(ring, dead)]).toEqual([0, 'destroyed'])
  })
})

describe('flight', () => {
  const runner: ShipFigures = { stance: 'flee', ring: 3, figures: { fleeNeed: 3 } }

  test('counts at the outermost ring, and ends in escape', () => {
    const ring = ringOf()
    const row = ring.join(runner)
    ring.mend()
    ring.mend()
    expect([ring.world.read(Participant).flee[row], fateOf(ring, row)]).toEqual([2, 'stays'])
    ring.mend()
    expect(fateOf(ring, row)).toBe('fled')
  })

  test('starts over after a change of stance or ring, and under tackle', () => {
    const changes = [{ stance: 0 }, { ring: 2 }, { tacklePoints: 1 }] as const
    for (const change of changes) {
      const ring = ringOf()
      const row = ring.join(runner)
      ring.mend()
      ring.mend()
      const part = ring.world.write(Participant)
      for (const [name, value] of Object.entries(change)) {
        part[name as 'stance' | 'ring' | 'tacklePoints'][row] = value
      }
      ring.mend()
      expect([part.flee[row], fateOf(ring, row)], JSON.stringify(change)).toEqual([0, 'stays'])
    }
  })

  test('makes no progress while boarders hold the ship', () => {
    const ring = ringOf()
    const row = ring.join(runner)
    ring.mend()
    ring.world.write(Boarding).locked[row] = 1
    ring.mend()
    ring.mend()
    expect([ring.world.read(Participant).flee[row], fateOf(ring, row)]).toEqual([1, 'stays'])
  })
})

describe('an emergency cloak', () => {
  const cloaked: ShipFigures = { ship: { hull: 199 }, figures: { specials: 1 } }

  test('hides a ship below a fifth of its hull, once in 360 ticks', () => {
    const ring = ringOf()
    const row = ring.join(cloaked)
    ring.mend()
    expect(fateOf(ring, row)).toBe('emergency_cloak')
    const { cloakReadyTick } = ring.world.read(ShipCombat)
    expect(cloakReadyTick[ring.world.read(Participant).ship[row]]).toBe(361)
    ring.world.write(Participant).fate[row] = 0
    ring.world.tick = 360
    ring.mend()
    expect(fateOf(ring, row)).toBe('stays')
    ring.world.tick = 361
    ring.mend()
    expect(fateOf(ring, row)).toBe('emergency_cloak')
  })

  test('does not work at a fifth of the hull, nor while boarders hold the ship', () => {
    const ring = ringOf()
    const whole = ring.join({ ...cloaked, ship: { hull: 200 } })
    const held = ring.join(cloaked)
    ring.world.write(Boarding).locked[held] = 1
    ring.mend()
    expect([fateOf(ring, whole), fateOf(ring, held)]).toEqual(['stays', 'stays'])
  })
})
