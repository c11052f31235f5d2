/** The stalemate rule: how many ticks a battle may go on. Source: combat.md section 15. */
import { describe, expect, test } from 'vitest'
import { BattleBoarding, LINK_PHASES, Link } from '../../../systems/boarding/state.ts'
import { countTick, isStale, resetStalemate } from '../../../systems/combat/battles-rules.ts'
import { Battle } from '../../../systems/combat/state.ts'
import { ringOf } from './ring.ts'

/** Makes a battle in which nothing has happened yet. */
function quietBattle() {
  const ring = ringOf()
  const { world, battle } = ring
  const columns = world.write(Battle)
  columns.eventTick[battle] = world.tick
  columns.hullTick[battle] = 0
  columns.heldTicks[battle] = 0
  /** Counts the ticks until the battle is given up. */
  const ticksLeft = (isHullHit: (tick: number) => boolean = () => false): number => {
    for (let passed = 1; passed < 1_000; passed++) {
      world.tick++
      countTick(world, battle, isHullHit(passed))
      if (isStale(world, battle)) return passed
    }
    return Number.POSITIVE_INFINITY
  }
  return { world, battle, ticksLeft }
}

describe('a battle is given up', () => {
  test('after 30 ticks without an event', () => {
    expect(quietBattle().ticksLeft()).toBe(30)
  })

  test('later by the ten ticks that follow a hit on a hull', () => {
    expect(quietBattle().ticksLeft((tick) => tick === 5)).toBe(40)
    expect(quietBattle().ticksLeft((tick) => tick === 5 || tick === 10)).toBe(45)
  })

  test('after 150 ticks at the latest, even if hulls are hit', () => {
    expect(quietBattle().ticksLeft(() => true)).toBe(150)
  })

  test('30 ticks after the latest event', () => {
    const { world, battle, ticksLeft } = quietBattle()
    for (let i = 0; i < 100; i++) {
      world.tick++
      countTick(world, battle, true)
    }
    resetStalemate(world, battle)
    world.write(Battle).hullTick[battle] = 0
    expect(ticksLeft()).toBe(30)
  })

  test.each([
    { phase: 'closing', progress: 80, timer: 0, ticks: 150 },
    { phase: 'closing', progress: 80, timer: 1, ticks: 30 },
    { phase: 'assault', progress: 100, timer: 0, ticks: 150 },
    { phase: 'withdrawing', progress: 100, timer: 3, ticks: 30 },
  ] as const)(
    'after $ticks ticks while boarding: $phase, timer $timer',
    ({ phase, progress, timer, ticks }) => {
      const { world, battle, ticksLeft } = quietBattle()
      const row = world.take(Link)
      const link = world.write(Link)
      link.phase[row] = LINK_PHASES.indexOf(phase)
      link.progress[row] = progress
      link.timer[row] = timer
      world.write(BattleBoarding).first[battle] = row
      expect(ticksLeft()).toBe(ticks)
    },
  )
})
