/** Orders, stances, rings, aim, tackle and speed: steps H1 and H2 of a tick, by the kernel. */
import { describe, expect, test } from 'vitest'
import type { Row } from '../../../core/types.ts'
import {
  GUNS_MAX,
  MOVE_REASONS,
  Participant,
  STANCES,
  Turn,
} from '../../../systems/combat/state.ts'
import { Module, Ship } from '../../../systems/ship/state.ts'
import { type Ring, ringOf } from './ring.ts'

const stanceOf = (ring: Ring, row: Row): string => STANCES[ring.world.read(Participant).stance[row]]
const ringAt = (ring: Ring, row: Row): number => ring.world.read(Participant).ring[row]
const aimOf = (ring: Ring, row: Row): Row => ring.world.read(Turn).aim[row]

function order(
  ring: Ring,
  row: Row,
  wanted: { move?: number; stance?: string; target?: Row },
): void {
  const part = ring.world.write(Participant)
  part.orderTick[row] = ring.world.tick
  if (wanted.move !== undefined) part.orderMove[row] = wanted.move
  if (wanted.stance) {
    part.orderStance[row] = STANCES.indexOf(wanted.stance as (typeof STANCES)[number]) + 1
  }
  if (wanted.target !== undefined) part.orderTarget[row] = wanted.target
}

describe('orders', () => {
  test('are carried out once, at the next maneuver', () => {
    const ring = ringOf()
    const row = ring.join({ ring: 2 })
    ring.join({ side: 2, ring: 3 })
    const far = ring.join({ side: 2, ring: 3 })
    order(ring, row, { move: -1, stance: 'brace', target: far })
    ring.maneuver()
    expect([ringAt(ring, row), stanceOf(ring, row), aimOf(ring, row)]).toEqual([1, 'brace', far])
    ring.maneuver()
    expect([ringAt(ring, row), stanceOf(ring, row)]).toEqual([1, 'brace'])
    const { orderMove, orderStance, orderTarget } = ring.world.read(Participant)
    expect([orderMove[row], orderStance[row], orderTarget[row]]).toEqual([0, 0, 0])
  })

  test('to board, and all orders to a boarding ship, are left to the boarding systems', () => {
    const ring = ringOf()
    const asking = ring.join()
    const boarding = ring.join({ stance: 'board' })
    ring.join({ side: 2 })
    order(ring, asking, { stance: 'board' })
    order(ring, boarding, { stance: 'flee' })
    ring.maneuver()
    expect([stanceOf(ring, asking), stanceOf(ring, boarding)]).toEqual(['fire', 'board'])
    const { orderStance } = ring.world.read(Participant)
    expect([orderStance[asking], orderStance[boarding]]).toEqual([5, 4])
  })

  test('do not move a ship beyond the outermost or the innermost ring', () => {
    const ring = ringOf()
    const outer = ring.join({ ring: 3 })
    const engaged = ring.join({ ring: 0 })
    ring.join({ side: 2 })
    order(ring, outer, { move: 1 })
    order(ring, engaged, { move: -1 })
    ring.maneuver()
    expect([ringAt(ring, outer), ringAt(ring, engaged)]).toEqual([3, 0])
    expect(ring.world.read(Turn).moved[outer]).toBe(0)
  })
})

describe('stances', () => {
  test('evade burns five fuel a tick, issue fuel first', () => {
    const ring = ringOf()
    const row = ring.join({ stance: 'evade', ship: { fuel: 12, issueFuel: 3 } })
    ring.join({ side: 2 })
    ring.maneuver()
    const { fuel, issueFuel } = ring.world.read(Ship)
    const ship = ring.world.read(Participant).ship[row]
    expect([fuel[ship], issueFuel[ship], stanceOf(ring, row)]).toEqual([7, 0, 'evade'])
    expect(ring.world.read(Turn).fuelBurned[row]).toBe(5)
  })

  test('a ship without fuel to evade fires instead', () => {
    const ring = ringOf()
    const row = ring.join({ stance: 'evade', ship: { fuel: 4 } })
    ring.join({ side: 2 })
    ring.maneuver()
    const { fuel } = ring.world.read(Ship)
    const ship = ring.world.read(Participant).ship[row]
    expect([fuel[ship], stanceOf(ring, row)]).toEqual([4, 'fire'])
    expect(ring.world.read(Turn).forced[row]).toBe(1)
  })

  test('flee retreats by one ring, board closes in, and a station stays', () => {
    const ring = ringOf()
    const fleeing = ring.join({ stance: 'flee', ring: 1 })
    const boarding = ring.join({ stance: 'board', ring: 2 })
    const station = ring.join({ side: 2, kind: 'station', stance: 'flee' })
    ring.maneuver()
    expect([fleeing, boarding, station].map((row) => ringAt(ring, row))).toEqual([2, 1, 0])
    const { moved } = ring.world.read(Turn)
    expect([fleeing, boarding, station].map((row) => MOVE_REASONS[moved[row]])).toEqual([
      'flee',
      'board',
      '',
    ])
  })
})

describe('the autopilot', () => {
  const piloted = { figures: { orderTick: 0 } }

  test('closes in until every weapon reaches the nearest enemy, then holds', () => {
    const ring = ringOf()
    const row = ring.join({ ...piloted, ring: 3, guns: [{ reach: 3 }, { reach: 4 }] })
    ring.join({ side: 2, ring: 2 })
    const rings: number[] = []
    for (let i = 0; i < 3; i++) {
      ring.maneuver()
      rings.push(ringAt(ring, row))
    }
    expect(rings).toEqual([2, 1, 1])
  })

  test('pursues a fleeing creature even when it is within reach', () => {
    const ring = ringOf()
    const row = ring.join({ ...piloted, ring: 2, guns: [{ reach: 6 }] })
    const prey = ring.join({ side: 2, kind: 'creature', stance: 'flee', ring: 3 })
    ring.world.write(Participant).target[row] = prey
    ring.maneuver()
    expect([ringAt(ring, row), ringAt(ring, prey)]).toEqual([1, 3])
    ring.world.write(Participant).stance[prey] = STANCES.indexOf('fire')
    ring.maneuver()
    expect(ringAt(ring, row)).toBe(1)
  })

  test('does not count weapons without ammunition', () => {
    const ring = ringOf()
    const row = ring.join({
      ...piloted,
      ring: 3,
      guns: [{ reach: 6, load: 1, rounds: 0 }, { reach: 3 }],
    })
    ring.join({ side: 2, ring: 2 })
    for (let i = 0; i < 3; i++) ring.maneuver()
    expect(ringAt(ring, row)).toBe(1)
    const module = ring.world.read(Participant).gunModule[row * GUNS_MAX]
    expect(ring.world.read(Module).ammo[module]).toBe(0)
  })

  test('closes in fully without a weapon, and stays where it is without an enemy', () => {
    const ring = ringOf()
    const row = ring.join({ ...piloted, ring: 3 })
    ring.maneuver()
    expect(ringAt(ring, row)).toBe(3)
    ring.join({ side: 2, ring: 3 })
    for (let i = 0; i < 4; i++) ring.maneuver()
    expect(ringAt(ring, row)).toBe(0)
  })

  test('ignores the weapons of a hull without a crew', () => {
    const ring = ringOf()
    const fit = { ...piloted, ring: 3, guns: [{ reach: 6 }] }
    const [empty, manned] = [0, 1].map((crewFit) => ring.join({ ...fit, ship: { crewFit } }))
    ring.join({ side: 2, ring: 3 })
    ring.maneuver()
    expect([ringAt(ring, empty), ringAt(ring, manned)]).toEqual([2, 3])
  })

  test('takes control when the last order is more than ten ticks old', () => {
    const ring = ringOf()
    ring.world.tick = 100
    const row = ring.join({ stance: 'brace' })
    ring.join({ side: 2 })
    ring.world.tick = 110
    ring.maneuver()
    expect([stanceOf(ring, row), ring.world.read(Turn).autopilot[row]]).toEqual(['brace', 0])
    ring.world.tick = 111
    ring.maneuver()
    expect([stanceOf(ring, row), ring.world.read(Turn).autopilot[row]]).toEqual(['fire', 1])
  })

  test('keeps the ordered target and moves into reach of it', () => {
    const ring = ringOf()
    const row = ring.join({ ...piloted, ring: 3, guns: [{ reach: 4 }] })
    ring.join({ side: 2, ring: 1 })
    const far = ring.join({ side: 2, ring: 3 })
    ring.world.write(Participant).target[row] = far
    ring.maneuver()
    expect([aimOf(ring, row), ringAt(ring, row)]).toEqual([far, 2])
  })

  test('does not change the stance of a boarding ship', () => {
    const ring = ringOf()
    const row = ring.join({ ...piloted, stance: 'board' })
    ring.join({ side: 2 })
    ring.maneuver()
    expect(stanceOf(ring, row)).toBe('board')
  })
})

describe('aim', () => {
  test('without a target is the nearest enemy, then the most damaged, then the oldest', () => {
    const ring = ringOf()
    const row = ring.join()
    ring.join({ side: 2, ring: 2, ship: { hull: 10 } })
    const whole = ring.join({ side: 2, ring: 1 })
    ring.maneuver()
    expect(aimOf(ring, row)).toBe(whole)
    const hurt = ring.join({ side: 2, ring: 1, ship: { hull: 400 } })
    const same = ring.join({ side: 2, ring: 1, ship: { hull: 409 } })
    ring.maneuver()
    expect(aimOf(ring, row)).toBe(hurt)
    const older = ring.join({ side: 2, ring: 1, seq: 0.5, ship: { hull: 405 } })
    ring.maneuver()
    expect(aimOf(ring, row)).toBe(older)
    expect(same).toBeGreaterThan(hurt)
  })

  test('falls back to the nearest when the target is no enemy', () => {
    const ring = ringOf()
    const row = ring.join()
    const friend = ring.join()
    const enemy = ring.join({ side: 2 })
    ring.world.write(Participant).target[row] = friend
    ring.maneuver()
    expect(aimOf(ring, row)).toBe(enemy)
  })

  test('is nobody when there is no enemy', () => {
    const ring = ringOf()
    const row = ring.join()
    ring.maneuver()
    expect(aimOf(ring, row)).toBe(0)
  })
})

describe('tackle', () => {
  const tackleOn = (ring: Ring, row: Row): number[] => {
    const { tacklePoints, webbedPct, webs } = ring.world.read(Participant)
    return [tacklePoints[row], webbedPct[row], webs[row]]
  }

  test('adds up on the target, within reach, less its stabilizers', () => {
    const ring = ringOf()
    const target = ring.join({ ring: 3, figures: { stabilizers: 1 } })
    const tackler = { disruptPoints: 1, scramblePoints: 2, webPct: 40, webifiers: 1 }
    ring.join({ side: 2, ring: 0, figures: tackler })
    ring.join({ side: 2, ring: 2, figures: tackler })
    ring.join({ side: 2, ring: 3, figures: tackler })
    ring.maneuver()
    // The first applies all modules, the second its disruptor alone; the third is out of reach.
    expect(tackleOn(ring, target)).toEqual([3, 40, 1])
    ring.maneuver()
    expect(tackleOn(ring, target)).toEqual([3, 40, 1])
  })

  test('webs slow by 80 % at most', () => {
    const ring = ringOf()
    const target = ring.join({ figures: { speed: 7 } })
    const web = { webPct: 40, webifiers: 1 }
    for (let i = 0; i < 3; i++) ring.join({ side: 2, figures: web })
    ring.maneuver()
    expect(tackleOn(ring, target)).toEqual([0, 80, 3])
    // 7 · 0.2 = 1.4
    expect(ring.world.read(Participant).effectiveSpeed[target]).toBe(1)
  })

  test('EM slows before webs, and each result is rounded down', () => {
    const ring = ringOf()
    const target = ring.join({ figures: { speed: 8, emTicks: 2 } })
    ring.join({ side: 2, figures: { webPct: 40, webifiers: 1 } })
    ring.maneuver()
    // 8 · 0.7 = 5.6 → 5; 5 · 0.6 = 3
    expect(ring.world.read(Participant).effectiveSpeed[target]).toBe(3)
  })
})

describe('the ticks of a flight', () => {
  const needOf = (speed: number, fastest: number): number => {
    const ring = ringOf()
    const row = ring.join({ stance: 'flee', ring: 2, figures: { speed } })
    ring.join({ side: 2, figures: { speed: fastest } })
    ring.maneuver()
    return ring.world.read(Participant).fleeNeed[row]
  }

  test.each([
    [4, 4, 3],
    [4, 6, 5],
    [6, 4, 3],
    [7, 4, 2],
    [1, 8, 10],
  ])('at speed %i, with the fastest enemy at %i, are %i', (speed, fastest, ticks) => {
    expect(needOf(speed, fastest)).toBe(ticks)
  })

  test('are two more for each webifier in force', () => {
    const ring = ringOf()
    const row = ring.join({ stance: 'flee', ring: 2, figures: { speed: 5 } })
    for (let i = 0; i < 2; i++) {
      ring.join({ side: 2, figures: { speed: 5, webPct: 10, webifiers: 1 } })
    }
    ring.maneuver()
    // 5 · 0.8 = 4 against 5: 4 ticks and 4 more
    expect(ring.world.read(Participant).fleeNeed[row]).toBe(8)
  })
})
