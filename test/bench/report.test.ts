/** Bounds, the table, the list of results and the exit codes of the benchmark runner. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { BenchDef, Line, Sample } from '../../bench/bench.ts'
import { resultRows, table } from '../../bench/report.ts'
import { exitCodeOf, runAll } from '../../bench/run-all.ts'
import { runBench, type Sampler } from '../../bench/runner.ts'
import { NO_SCALES, scalesOf, type Verdict, verdictOf } from '../../bench/scale.ts'

const inProcess: Sampler = (def, size, variant) => def.run(size, variant)

/** Makes a benchmark that measured 2 ms for `ours` and 8 ms for `theirs`, over 1,000 rows each. */
function fixed(lines: readonly Line[], sample: Partial<Sample> = {}): BenchDef {
  return {
    name: 'fixed',
    about: 'Figures made up for the test.',
    variants: ['only'],
    lines,
    run: async () => ({ medianMs: { ours: 2, theirs: 8 }, rows: 1_000, hash: 'h', ...sample }),
  }
}

async function rowsOf(def: BenchDef, cpu = 1, memory = cpu) {
  return resultRows(def, await runBench(def, 'full', 3, inProcess), { cpu, memory })
}

test('a ratio is judged against its bound, whatever the machine', async () => {
  const lines = [
    { of: 'theirs', against: 'ours', atLeast: 4 },
    { of: 'theirs', against: 'ours', atLeast: 4.1 },
    { of: 'ours', against: 'theirs', atMost: 0.25 },
    { of: 'ours', against: 'theirs', atMost: 0.2 },
  ]
  const rows = await rowsOf(fixed(lines), 10)
  expect(rows.map(({ ratio }) => ratio)).toEqual([4, 4, 0.25, 0.25])
  expect(rows.map(({ holds }) => holds)).toEqual([true, false, true, false])
  expect(rows[0].bound).toBe('>= 4.00 x')
})

test('on a slower machine a bound on a time grows and one on a rate shrinks', async () => {
  const lines: Line[] = [
    { of: 'ours', unit: 'ms', atMost: 1.5 },
    { of: 'ours', unit: 'ns/row', atMost: 1_500 },
    { of: 'ours', unit: 'rows/s', atLeast: 700_000 },
  ]
  const unscaled = await rowsOf(fixed(lines), 1)
  expect(unscaled.slice(0, 3).map(({ holds }) => holds)).toEqual([false, false, false])
  const slower = await rowsOf(fixed(lines), 2)
  expect(slower.slice(0, 3).map(({ holds }) => holds)).toEqual([true, true, true])
  expect(slower.slice(0, 3).map(({ bound }) => bound)).toEqual([
    '<= 3.00 ms',
    '<= 3,000 ns/row',
    '>= 350,000 rows/s',
  ])
})

test('a bound on anything else is not scaled', async () => {
  const amounts = { size: { value: 100, unit: 'B' } }
  const rows = await rowsOf(fixed([{ of: 'size', atMost: 90 }], { amounts }), 2)
  expect(rows[0]).toMatchObject({ value: 100, unit: 'B', bound: '<= 90.0 B', holds: false })
})

test('a bound on memory traffic is scaled by the measured speed of memory', async () => {
  const lines: Line[] = [{ of: 'ours', unit: 'ms', atMost: 1, ofMemory: true }]
  const [row] = await rowsOf(fixed(lines), 1, 3)
  expect(row).toMatchObject({ bound: '<= 3.00 ms', holds: true })
})

test('slow memory does not relax bounds on the processor, nor the other way round', async () => {
  const lines: Line[] = [
    { of: 'ours', unit: 'ms', atMost: 1.5 },
    { of: 'ours', unit: 'ms', atMost: 1.5, ofMemory: true },
  ]
  const holds = async (cpu: number, memory: number) =>
    (await rowsOf(fixed(lines), cpu, memory)).slice(0, 2).map((row) => row.holds)
  expect(await holds(1, 2.9)).toEqual([false, true])
  expect(await holds(2.9, 1)).toEqual([true, false])
})

test('a bound that would be scaled more than three times is not judged', async () => {
  const lines: Line[] = [
    { of: 'ours', unit: 'ms', atMost: 1 },
    { of: 'ours', unit: 'ms', atMost: 1, ofMemory: true },
    { of: 'theirs', against: 'ours', atLeast: 4 },
  ]
  const rows = (await rowsOf(fixed(lines), 3.01, 3)).slice(0, 3)
  expect(rows.map(({ holds }) => holds)).toEqual(['NOT JUDGED', true, true])
  expect(table(rows)[1]).toMatch(/<= 3\.01 ms +NOT JUDGED$/)
  expect(verdictOf(5, [1, 5], 3)).toBe(true)
  expect(verdictOf(5, [6, 9], 3)).toBe(false)
  expect(verdictOf(5, [1, 5], 3.1)).toBe('NOT JUDGED')
})

test('times are shown per row where the number of rows is known', async () => {
  const rows = await rowsOf(fixed([]))
  expect(rows.map(({ name, value, unit }) => [name, value, unit])).toEqual([
    ['fixed/ours', 2_000, 'ns/row'],
    ['fixed/theirs', 8_000, 'ns/row'],
  ])
  expect(table(rows)[1]).toMatch(/^fixed\/ours +2,000 +ns\/row$/)
})

test('tiny sizes are not judged', async () => {
  const def = fixed([{ of: 'ours', against: 'theirs', atMost: 0.1 }])
  const [row] = resultRows(def, await runBench(def, 'tiny', 1, inProcess), NO_SCALES)
  expect(row.ratio).toBe(0.25)
  expect(row.holds).toBe(null)
})

test('variants that compute different things end the benchmark', async () => {
  let runs = 0
  const def: BenchDef = {
    ...fixed([]),
    variants: ['a', 'b'],
    run: async (_, variant) => ({ medianMs: { [variant]: 1 }, hash: String(runs++) }),
  }
  await expect(runBench(def, 'full', 1, inProcess)).rejects.toThrow('b computed 1, another run 0')
})

test('a run continues after a failed benchmark, and scales by its own measurements', async () => {
  const good = fixed([
    { of: 'ours', unit: 'ms', atMost: 1.1 },
    { of: 'theirs', unit: 'ms', atMost: 1, ofMemory: true },
  ])
  const bad: BenchDef = { ...good, name: 'bad', run: () => Promise.reject(new Error('broken')) }
  const printed: string[] = []
  const sampler: Sampler = async (def, size, variant) =>
    def.name === 'triad'
      ? { medianMs: { mix: 2 / scalesOf(1, 1).cpu, 'raw, 120 MB': 100 }, rows: 1, hash: 'h' }
      : def.run(size, variant)
  const { rows, failed } = await runAll({
    names: ['bad', 'fixed'],
    load: async (name) => (name === 'bad' ? bad : good),
    size: 'full',
    rounds: 1,
    sampler,
    print: (line) => void printed.push(line),
  })
  expect(failed).toEqual(['bad'])
  expect(printed).toContain('bad FAILED: broken')
  expect(printed.at(-2)).toMatch(/processor 2\.00 x, memory 11\.8 x the time/)
  expect(printed.at(-1)).toMatch(/^NOT JUDGED: bounds on times on memory would be/)
  expect(rows.find(({ name }) => name === 'fixed/ours')).toEqual({
    name: 'fixed/ours',
    value: 2,
    unit: 'ms',
    ratio: null,
    against: null,
    bound: '<= 2.20 ms',
    holds: true,
  })
})

test('a check fails on an unmet or unjudged bound, and a broken benchmark fails any run', () => {
  const row = { name: 'a/b', value: 1, unit: 'ms', ratio: null, against: null, bound: '<= 1 ms' }
  const result = (holds: Verdict | null, failed: string[] = []) => ({
    rows: [{ ...row, holds }],
    failed,
    reports: [],
  })
  expect(exitCodeOf(result(true), true)).toBe(0)
  expect(exitCodeOf(result(null), true)).toBe(0)
  expect(exitCodeOf(result(false), true)).toBe(1)
  expect(exitCodeOf(result(false), false)).toBe(0)
  expect(exitCodeOf(result('NOT JUDGED'), true)).toBe(1)
  expect(exitCodeOf(result('NOT JUDGED'), false)).toBe(0)
  expect(exitCodeOf(result(true, ['a']), false)).toBe(1)
})

const RUN = new URL('../../bench/run.js', import.meta.url).pathname

function run(...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-bench-'))
  const results = join(folder, 'results.json')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', RUN, ...args, '--results', results],
    { encoding: 'utf8', cwd: folder },
  )
  return { status, stdout, stderr, folder, results }
}

test('a run prints the machine and one table, and writes the list of results', () => {
  const { status, stdout, results } = run('--tiny', 'validate')
  expect(stdout).toMatch(/^\d+ x .+, Node v\d+.*, load \d/m)
  expect(stdout).toMatch(/^validate\/validate +[\d.,]+ +ns\/row/m)
  const rows = JSON.parse(readFileSync(results, 'utf8')) as object[]
  expect(rows.length).toBeGreaterThan(3)
  for (const row of rows) {
    const keys = ['name', 'value', 'unit', 'ratio', 'against', 'bound', 'holds']
    expect(Object.keys(row)).toEqual(keys)
  }
  expect(status).toBe(0)
}, 60_000)

test('an unknown benchmark and a check of tiny sizes are refused', () => {
  expect(run('nothing')).toMatchObject({ status: 2 })
  expect(run('--tiny', '--check')).toMatchObject({ status: 2 })
}, 60_000)
