/** How a release check spends its minutes, with runners that only say what they were asked for. */
import { describe, expect, test } from 'vitest'
import type { Check } from './checks.ts'
import { type Ended, nextCount, releaseCode, releaseTable, runChecks } from './plan.ts'
import { newState, rowState, type State } from './state.ts'

const row = (id: string, more: Partial<Check> = {}): Check => ({
  id,
  what: `what ${id} does`,
  asked: 1_000,
  share: 1,
  first: 10,
  file: `test/${id}.js`,
  args: (count, seed) => ['--count', String(count), '--seed', String(seed)],
  ...more,
})

interface Ran {
  readonly id: string
  readonly count: number
  readonly seed: number
}

/** Makes a runner that does a number of counts a second, and records what it was asked for. */
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
  const after = (reached: number, seconds: number, runs = 1) => ({
    reached,
    seconds,
    runs,
    firstSeed: 1,
    nextSeed: 2,
  })

  test('is the first one, then what fits two minutes or what is left of the share', () => {
    expect(nextCount(row('a'), after(0, 0, 0), 600)).toBe(10)
    expect(nextCount(row('a'), after(10, 10), 590)).toBe(120)
    expect(nextCount(row('a'), after(10, 10), 40)).toBe(40)
    expect(nextCount(row('a'), after(990, 990), 590)).toBe(10)
  })

  test('is 0 when all is done, or not even half of the smallest run fits', () => {
    expect(nextCount(row('a'), after(1_000, 10), 590)).toBe(0)
    expect(nextCount(row('a'), after(10, 10), 0)).toBe(0)
    expect(nextCount(row('a', { least: 50 }), after(10, 10), 30)).toBe(50)
    expect(nextCount(row('a', { least: 50 }), after(10, 10), 20)).toBe(0)
  })

  test('is one long run where pieces do not count, and longer the next time or none', () => {
    const soak = row('a', { asked: 60, perMinute: 1 })
    expect(nextCount(soak, after(0, 0, 0), 600)).toBe(10)
    expect(nextCount(soak, after(0, 0, 0), 7_200)).toBe(60)
    expect(nextCount(soak, after(10, 600), 300)).toBe(0)
    expect(nextCount(soak, after(10, 600), 1_200)).toBe(20)
  })
})

describe('a check', () => {
  test('gives each row its share in runs with new seeds, and saves after each', async () => {
    const { options, state, ran, lines, saves } = rig([row('a', { share: 3 }), row('b')])
    await runChecks(options)
    expect(ran[0]).toEqual({ id: 'a', count: 10, seed: 7 })
    expect(ran[1]).toEqual({ id: 'a', count: 120, seed: 8 })
    expect(state.rows.a.reached).toBe(450)
    expect(state.rows.b).toMatchObject({ reached: 150, firstSeed: 7 })
    expect(saves()).toBe(ran.length)
    expect(lines).toContain('a: 10 in 10 s; all well')
  })

  test('takes a seed for each count if a row requires it', async () => {
    const { options, ran } = rig([row('a', { isSeedEach: true })])
    await runChecks(options)
    expect(ran.slice(0, 3).map(({ seed }) => seed)).toEqual([7, 17, 137])
  })

  test('passes on what a row leaves over, to rows before it too', async () => {
    const { options, state } = rig([row('a'), row('b', { asked: 10 }), row('c')])
    await runChecks(options)
    expect(state.rows.b.reached).toBe(10)
    // 200 s of its own, and a part of the 190 s that b did not need.
    expect(state.rows.c.reached).toBeGreaterThan(290)
    expect(state.rows.a.reached + state.rows.c.reached).toBe(590)
  })

  test('stops a row that fails, says how to run it again, and goes on with the others', async () => {
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

  test('goes on where a state ends: seeds and counts', async () => {
    const first = rig([row('a', { asked: 200 })])
    await runChecks({ ...first.options, budgetS: 100 })
    const { reached, nextSeed } = first.state.rows.a
    const second = rig([row('a', { asked: 200 })])
    await runChecks({ ...second.options, state: first.state })
    expect(second.ran[0].seed).toBe(nextSeed)
    expect(second.ran.reduce((all, { count }) => all + count, 0)).toBe(200 - reached)
    expect(first.state.rows.a.reached).toBe(200)
  })

  test('that is stopped does not count the run under way', async () => {
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

  test('says what cannot run here, which is not passed', async () => {
    const { options, state, lines, ran } = rig([row('a', { asked: 10 }), row('b')])
    const hindrance = ({ id }: Check) => (id === 'b' ? 'it needs root' : undefined)
    await runChecks({ ...options, hindrance })
    expect(ran.every(({ id }) => id === 'a')).toBe(true)
    expect(lines).toContain('b: not run: it needs root')
    expect(releaseCode(options.checks, state, hindrance)).toBe(1)
    expect(releaseCode(options.checks.slice(0, 1), state, hindrance)).toBe(0)
  })
})

test('the table has reached of asked, seeds, minutes and state of each row', () => {
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
