/** When a battle is given up, and when not yet. Source: combat.md section 15. */
import { describe, expect, test } from 'vitest'
import { BattleBoarding, LINK_PHASES, Link } from '../../../systems/boarding/state.ts'
import { countTick, isStale, resetStalemate } from '../../../systems/combat/battles-rules.ts'
import { Battle } from '../../../systems/combat/state.ts'
import { ringOf } from './ring.ts'

/** Makes a battle in which nothing has happened yet. */
function quiet() {
  const ring = ringOf()
  const { world, battle } = ring
  const columns = world.write(Battle)
  columns.eventTick[battle] = world.tick
  columns.hullTick[battle] = 0
  columns.heldTicks[battle] = 0
  /** Counts the ticks until the battle is given up. */
  const lasts = (isHullHit: (tick: number) => boolean = () => false): number => {
    for (let passed = 1; passed < 1_000; passed++) {
      world.tick++
      countTick(world, battle, isHullHit(passed))
      if (isStale(world, battle)) return passed
    }
    return Number.POSITIVE_INFINITY
  }
  return { world, battle, lasts }
}

describe('a battle is given up', () => {
  test('after 30 ticks of nothing', () => {
    expect(quiet().lasts()).toBe(30)
  })

  test('later by each tick from a hit on a hull to the tenth after it', () => {
    expect(quiet().lasts((tick) => tick === 5)).toBe(40)
    expect(quiet().lasts((tick) => tick === 5 || tick === 10)).toBe(45)
  })

  test('after 150 ticks at the latest, however it is fought', () => {
    expect(quiet().lasts(() => true)).toBe(150)
  })

  test('30 ticks after the next event', () => {
    const { world, battle, lasts } = quiet()
    for (let i = 0; i < 100; i++) {
      world.tick++
      countTick(world, battle, true)
    }
    resetStalemate(world, battle)
    world.write(Battle).hullTick[battle] = 0
    expect(lasts()).toBe(30)
  })

  test.each([
    { phase: 'closing', progress: 80, timer: 0, ticks: 150 },
    { phase: 'closing', progress: 80, timer: 1, ticks: 30 },
    { phase: 'assault', progress: 100, timer: 0, ticks: 150 },
    { phase: 'withdrawing', progress: 100, timer: 3, ticks: 30 },
  ] as const)('not while boarders get ahead: %o', ({ phase, progress, timer, ticks }) => {
    const { world, battle, lasts } = quiet()
    const row = world.take(Link)
    const link = world.write(Link)
    link.phase[row] = LINK_PHASES.indexOf(phase)
    link.progress[row] = progress
    link.timer[row] = timer
    world.write(BattleBoarding).first[battle] = row
    expect(lasts()).toBe(ticks)
  })
})
