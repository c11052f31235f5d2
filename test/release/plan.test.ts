/** How a release check spends its minutes, with runners that only record their calls. */
import { describe, expect, test } from 'vitest'
import type { Check } from './checks.ts'
import { type Ended, nextCount, releaseCode, releaseTable, runChecks } from './plan.ts'
import { newState, rowState, type State } from './state.ts'

const row = (id: string, overrides: Partial<Check> = {}): Check => ({
  id,
  what: `what ${id} does`,
  asked: 1_000,
  share: 1,
  first: 10,
  file: `test/${id}.js`,
  args: (count, seed) => ['--count', String(count), '--seed', String(seed)],
  ...overrides,
})

interface Ran {
  readonly id: string
  readonly count: number
  readonly seed: number
}

/** Makes options whose runner does `perSecond` counts a second and records its calls. */
function rig(checks: readonly Check[], perSecond: Record<string, number> = {}) {
  const state: State = newState('abc', 7)
  const ran: Ran[] = []
  const lines: string[] = []
  let saves = 0
  const options = {
    checks,
    state,
    budgetS: 600,
    hindrance: (_: Check): string | undefined => undefined,
    isStopping: () => false,
    save: () => void saves++,
    say: (line: string) => void lines.push(line),
    run: async ({ id }: Check, count: number, seed: number): Promise<Ended> => {
      ran.push({ id, count, seed })
      return { code: 0, text: 'first\nall well\n', seconds: count / (perSecond[id] ?? 1) }
    },
  }
  return { options, state, ran, lines, saves: () => saves }
}

describe('the count of the next run', () => {
  const rowAfter = (reached: number, seconds: number, runs = 1) => ({
    reached,
    seconds,
    runs,
    firstSeed: 1,
    nextSeed: 2,
  })

  test('starts small, then fills two minutes or the rest of the share', () => {
    expect(nextCount(row('a'), rowAfter(0, 0, 0), 600)).toBe(10)
    expect(nextCount(row('a'), rowAfter(10, 10), 590)).toBe(120)
    expect(nextCount(row('a'), rowAfter(10, 10), 40)).toBe(40)
    expect(nextCount(row('a'), rowAfter(990, 990), 590)).toBe(10)
  })

  test('is 0 once all is done, or when not even half of the smallest run fits', () => {
    expect(nextCount(row('a'), rowAfter(1_000, 10), 590)).toBe(0)
    expect(nextCount(row('a'), rowAfter(10, 10), 0)).toBe(0)
    expect(nextCount(row('a', { min: 50 }), rowAfter(10, 10), 30)).toBe(50)
    expect(nextCount(row('a', { min: 50 }), rowAfter(10, 10), 20)).toBe(0)
  })

  test('of a row whose longest run counts grows with each run, or is 0', () => {
    const soak = row('a', { asked: 60, perMinute: 1 })
    expect(nextCount(soak, rowAfter(0, 0, 0), 600)).toBe(10)
    expect(nextCount(soak, rowAfter(0, 0, 0), 7_200)).toBe(60)
    expect(nextCount(soak, rowAfter(10, 600), 300)).toBe(0)
    expect(nextCount(soak, rowAfter(10, 600), 1_200)).toBe(20)
  })
})

describe('a release check', () => {
  test('gives each row its share, in runs with new seeds, and saves after each one', async () => {
    const { options, state, ran, lines, saves } = rig([row('a', { share: 3 }), row('b')])
    await runChecks(options)
    expect(ran[0]).toEqual({ id: 'a', count: 10, seed: 7 })
    expect(ran[1]).toEqual({ id: 'a', count: 120, seed: 8 })
    expect(state.rows.a.reached).toBe(450)
    expect(state.rows.b).toMatchObject({ reached: 150, firstSeed: 7 })
    expect(saves()).toBe(ran.length)
    expect(lines).toContain('a: 10 in 10 s; all well')
  })

  test('uses a new seed for each count if a row requires it', async () => {
    const { options, ran } = rig([row('a', { isSeedEach: true })])
    await runChecks(options)
    expect(ran.slice(0, 3).map(({ seed }) => seed)).toEqual([7, 17, 137])
  })

  test('gives seconds that a row does not need to later and earlier rows', async () => {
    const { options, state } = rig([row('a'), row('b', { asked: 10 }), row('c')])
    await runChecks(options)
    expect(state.rows.b.reached).toBe(10)
    // Row c has 200 s of its own, and a part of the 190 s that b did not need.
    expect(state.rows.c.reached).toBeGreaterThan(290)
    expect(state.rows.a.reached + state.rows.c.reached).toBe(590)
  })

  test('stops a row that fails, prints how to run it again, and runs the others', async () => {
    const { options, state, lines, ran } = rig([row('a'), row('b')])
    const run = async (check: Check, count: number, seed: number): Promise<Ended> => {
      const ended = await options.run(check, count, seed)
      return check.id === 'a' && seed === 8 ? { ...ended, code: 3, text: 'seed 8 broke' } : ended
    }
    await runChecks({ ...options, run })
    expect(ran.filter(({ id }) => id === 'a')).toHaveLength(2)
    const line = 'node dist/test/a.js --count 120 --seed 8'
    expect(state.rows.a).toMatchObject({ reached: 10, failure: `${line} ended with 3` })
    expect(lines).toContain(`a FAILED, run it again by: ${line}`)
    expect(state.rows.b.reached).toBeGreaterThan(100)
    expect(releaseCode(options.checks, state, options.hindrance)).toBe(1)
  })

  test('continues the seeds and counts of a saved state', async () => {
    const first = rig([row('a', { asked: 200 })])
    await runChecks({ ...first.options, budgetS: 100 })
    const { reached, nextSeed } = first.state.rows.a
    const second = rig([row('a', { asked: 200 })])
    await runChecks({ ...second.options, state: first.state })
    expect(second.ran[0].seed).toBe(nextSeed)
    expect(second.ran.reduce((all, { count }) => all + count, 0)).toBe(200 - reached)
    expect(first.state.rows.a.reached).toBe(200)
  })

  test('does not count a run that was under way when it is stopped', async () => {
    const { options, state } = rig([row('a'), row('b')])
    let runs = 0
    await runChecks({
      ...options,
      isStopping: () => runs >= 2,
      run: (check, count, seed) => {
        runs += 1
        return options.run(check, count, seed)
      },
    })
    expect(state.rows.a).toMatchObject({ reached: 10, runs: 1, nextSeed: 8 })
    expect(state.rows.b).toBeUndefined()
  })

  test('names a row that cannot run here, and does not pass', async () => {
    const { options, state, lines, ran } = rig([row('a', { asked: 10 }), row('b')])
    const hindrance = ({ id }: Check) => (id === 'b' ? 'it needs root' : undefined)
    await runChecks({ ...options, hindrance })
    expect(ran.every(({ id }) => id === 'a')).toBe(true)
    expect(lines).toContain('b: not run: it needs root')
    expect(releaseCode(options.checks, state, hindrance)).toBe(1)
    expect(releaseCode(options.checks.slice(0, 1), state, hindrance)).toBe(0)
  })
})

test('the table shows counts, seeds, minutes and state of each row', () => {
  const checks = [row('a'), row('b', { asked: 20 }), row('c'), row('d')]
  const state = newState('abc', 7)
  Object.assign(rowState(state, 'a'), { reached: 300, runs: 3, nextSeed: 10, seconds: 90 })
  Object.assign(rowState(state, 'b'), { reached: 20, runs: 1, nextSeed: 8, seconds: 6 })
  const failed = { reached: 0, runs: 1, nextSeed: 8, seconds: 6, failure: 'node x ended with 1' }
  Object.assign(rowState(state, 'c'), failed)
  expect(releaseTable(checks, state, () => undefined)).toEqual([
    'row  what         reached of asked  seeds  minutes  state',
    'a    what a does      300 of 1,000  7..9       1.5  ok so far',
    'b    what b does          20 of 20  7..7       0.1  ok',
    'c    what c does        0 of 1,000  7..7       0.1  FAILED: node x ended with 1',
    'd    what d does        0 of 1,000             0.0  not run: no minutes were left',
  ])
})
