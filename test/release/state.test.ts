/** The state file of a release check, and the program when it is stopped and resumed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHECKS } from './checks.ts'
import { newState, openState, readState, rowState, saveState } from './state.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-release-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the state file', () => {
  const open = (file: string, overrides: object = {}) =>
    openState({ file, commit: 'abc', firstSeed: 5, isFresh: false, isAnyway: false, ...overrides })

  test('is written atomically, and read again by the next check', () => {
    const file = join(folder, 'deep', 'state.json')
    const { state, origin } = open(file)
    expect(origin).toContain('begins anew at abc, first seed 5')
    Object.assign(rowState(state, 'F1'), { reached: 40, runs: 2, nextSeed: 7 })
    saveState(file, state)
    expect(readdirSync(join(folder, 'deep'))).toEqual(['state.json'])
    const reopened = open(file, { firstSeed: 99 })
    expect(reopened.state).toEqual(state)
    expect(reopened.origin).toContain('2 runs since')
    expect(rowState(reopened.state, 'F2').firstSeed).toBe(5)
    expect(open(file, { isFresh: true }).state.rows).toEqual({})
  })

  test('of another commit is refused unless `isAnyway` is set', () => {
    const file = join(folder, 'other.json')
    saveState(file, newState('old', 5))
    expect(() => open(file)).toThrow('is of commit old, and this is abc')
    const { state, origin } = open(file, { isAnyway: true })
    expect(state.commits).toEqual(['old', 'abc'])
    expect(origin).toContain('of old at abc')
  })

  test('in any other form is refused', () => {
    const file = join(folder, 'none.json')
    for (const text of ['', '{}', 'null', '{"format":1}', '{"format":99,"commits":[],"rows":{}}']) {
      writeFileSync(file, text)
      expect(() => readState(file)).toThrow('is no state of a release check')
    }
  })
})

describe('the rows of a release check', () => {
  const ids = CHECKS.flatMap(({ id }) => id.split(', '))

  test('include each row of RELIABILITY 5 once', () => {
    const range = (letter: string, last: number): string[] =>
      Array.from({ length: last }, (_, i) => `${letter}${i + 1}`)
    const asked = [...range('F', 14), ...range('B', 10), ...range('L', 7), 'M1', 'M2', 'sim']
    expect(ids).toEqual(expect.arrayContaining(asked))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each(CHECKS)('include $id, whose arguments follow from count and seed', (check) => {
    expect(check.share).toBeGreaterThan(0)
    expect(check.first).toBeLessThanOrEqual(check.asked)
    expect(check.min ?? 1).toBeLessThanOrEqual(check.asked)
    const line = check.args(check.first, 77).join(' ')
    const withoutSeed = WITHOUT_SEED.find(({ file }) => file.test(check.file))
    expect(line).toMatch(withoutSeed?.args ?? /--seed 77/)
  })
})

/** Arguments expected of checks that take no seed, by file. */
const WITHOUT_SEED: readonly { readonly file: RegExp; readonly args: RegExp }[] = [
  { file: /^bench\//, args: /--profile L\d --judge/ },
  { file: /\/tests-run\.js$/, args: /^fuzz\/\w+$/ },
  { file: /\/attack\.js$/, args: /^--what \S+ --seconds 60$/ },
]

const PROGRAM = new URL('../release-check.js', import.meta.url).pathname

function startProgram(...args: string[]) {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const waiting: { pattern: RegExp; resolve: () => void }[] = []
  const keep = (chunk: Buffer): void => {
    text += String(chunk)
    for (const { pattern, resolve } of waiting) if (pattern.test(text)) resolve()
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return {
    child,
    text: () => text,
    untilText: (pattern: RegExp) =>
      new Promise<void>((resolve) => void waiting.push({ pattern, resolve })),
    ended: new Promise<number | null>((resolve) => child.once('close', resolve)),
  }
}

test('the program saves its state when a signal stops it, and resumes from it', async () => {
  const file = join(mkdtempSync(join(folder, 'program-')), 'state.json')
  const args = ['--only', 'M2', '--budget', '10', '--seed', '3', '--state', file]
  const first = startProgram(...args)
  await first.untilText(/^M2: 10000 in/m)
  first.child.kill('SIGINT')
  expect(await first.ended).toBe(130)
  expect(first.text()).toContain('the run under way does not count')
  const kept = readState(file)?.rows.M2
  expect(kept).toMatchObject({ reached: 10_000, runs: 1, firstSeed: 3, nextSeed: 4 })
  const second = startProgram(...args)
  await second.untilText(/^10 minutes; continues .*: 1 runs since/m)
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(130)
  expect(second.text()).toMatch(/^M2 .*10,000 of 1,000,000 +3\.\.3 /m)
  const unknown = startProgram('--only', 'F99', '--state', file)
  expect(await unknown.ended).toBe(2)
  expect(unknown.text()).toContain('no such rows')
}, 170_000)
