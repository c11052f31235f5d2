/**
 * Problems of an operator's machine: disks that are full or read-only, folders without access,
 * files in the way, stale locks. The start and every tool end with a sentence and no stack.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProgram } from '../../cli/program.ts'
import { sentenceOf } from '../../fault-text.ts'
import { startTimeOf, thisProcess } from '../../storage/embedded-files.ts'
import { withStartLock } from '../../storage/start-lock.ts'
import { createExport } from '../../storage/transfer-file.ts'
import { refusalOf } from '../e2e/cli.ts'
import { spawnServer, startChild } from '../servers.ts'
import { endChild } from './program.ts'
import { REFUSALS, refuseWrites } from './refused-writes.ts'

let folder: string
/** A file where a folder is needed. */
let file: string
const children: ChildProcess[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-operator-'))
  // Under root, the database runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755)
  file = join(folder, 'file')
  writeFileSync(file, 'no export, and no folder')
})
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const CLI = new URL('../../cli.js', import.meta.url).pathname
const PRELOAD = new URL('./refused-writes.js', import.meta.url).href
const WORDS = { ENOSPC: 'disk is full', EROFS: 'read-only', EACCES: 'may not use it' } as const

interface Row {
  readonly what: string
  readonly dataDir: () => string
  readonly refusal?: (typeof REFUSALS)[number]
  readonly words: string
}

const ROWS: readonly Row[] = [
  ...REFUSALS.map((refusal) => ({
    what: refusal,
    dataDir: () => join(folder, refusal),
    refusal,
    words: WORDS[refusal],
  })),
  { what: 'a DATA_DIR that is a file', dataDir: () => file, words: 'a file, not a folder' },
  { what: 'a DATA_DIR below a file', dataDir: () => join(file, 'data'), words: 'not a folder' },
  { what: 'a DATA_DIR in /proc', dataDir: () => '/proc/orrery/data', words: 'no such file' },
]

describe.each(ROWS)('$what', ({ dataDir, refusal, words }) => {
  test('ends the start with a sentence', async () => {
    const preload = refusal && {
      NODE_OPTIONS: `--import=${PRELOAD}`,
      ORRERY_TEST_REFUSED: `${refusal}:${dataDir()}`,
    }
    const server = spawnServer({ DATA_DIR: dataDir(), PORT: '0', ...preload })
    expect(await server.ended).toBe(1)
    expect(server.log()).toContain(words)
    expect(server.log()).toContain('DATA_DIR')
    expect(server.log()).not.toMatch(/\n\s+at |Error:/)
  })

  test('ends every tool that opens the world with a sentence', async () => {
    // Where the folder can be made, it looks as if it held a world.
    if (refusal) mkdirSync(join(dataDir(), 'postgres'), { recursive: true })
    const settings = { DATA_DIR: dataDir() }
    const allowWrites = refusal && refuseWrites(refusal, dataDir())
    try {
      for (const line of toolLines()) {
        const output = await refusalOf(line, { code: 1, settings })
        expect({ line, output }).toEqual({ line, output: expect.stringMatching(/^[^\n]+\.\n$/) })
        expect({ line, output }).toEqual({ line, output: expect.stringContaining(dataDir()) })
        if (refusal)
          expect({ line, output }).toEqual({ line, output: expect.stringContaining(words) })
      }
    } finally {
      allowWrites?.()
    }
  })
})

/** Valid arguments, as they are checked before the world is opened; the file must exist. */
const ARGUMENTS: Readonly<Record<string, string>> = { item: 'iron_ore', file: process.execPath }

/** Values of mandatory options. */
const VALUES: Readonly<Record<string, string>> = { '--at': '1', '--from': '1' }

/** Further options that a tool needs. */
const FURTHER_OPTIONS: Readonly<Record<string, string>> = { 'correct grant': ' --credits 1' }

/** Commands that do not open the world of DATA_DIR, or that the first test covers. */
const WITHOUT_WORLD = /^(config$|start$|completion |compare |verify |cluster )/

/** Returns a command line of every tool that opens the world. */
function toolLines(): string[] {
  const lines = createProgram().commands.flatMap((top) => {
    const tools = top.commands.length > 0 ? top.commands : [top]
    return tools.map((tool) => {
      const path = (tool === top ? [tool.name()] : [top.name(), tool.name()]).join(' ')
      const args = tool.registeredArguments
        .filter(({ required }) => required)
        .map((arg) => ` ${ARGUMENTS[arg.name()] ?? 'x'}`)
      const options = tool.options
        .filter(({ mandatory }) => mandatory)
        .map(({ long = '' }) => ` ${long} ${VALUES[long] ?? 'x'}`)
      return [path, ...args, ...options, FURTHER_OPTIONS[path] ?? ''].join('')
    })
  })
  expect(lines.length).toBeGreaterThan(15)
  return lines.filter((line) => !WITHOUT_WORLD.test(line))
}

test('an export or a report that finds the disk full ends with a sentence', async () => {
  // Every write to /dev/full fails with ENOSPC.
  const path = join(folder, 'world.orrery')
  symlinkSync('/dev/full', `${path}.${process.pid}.partial`)
  const failed = await createExport(path).catch((error: unknown) => error)
  expect(sentenceOf(failed)).toBe(
    `${path}.${process.pid}.partial: the disk is full. Make room on it and try again.`,
  )
  const full = openSync('/dev/full', 'w')
  const shell = spawn(process.execPath, [CLI, 'config'], { stdio: ['ignore', full, 'pipe'] })
  let output = ''
  shell.stderr?.on('data', (chunk) => {
    output += String(chunk)
  })
  expect(await once(shell, 'close')).toEqual([1, null])
  expect(output).toMatch(/^The report could not be written\. [^\n]+disk is full[^\n]+\n$/)
})

describe('the start lock', () => {
  const log: string[] = []
  const options = { log: (text: string) => void log.push(text), waitMs: 3_500 }

  async function tookMs(lock: string): Promise<number> {
    const since = performance.now()
    await withStartLock(lock, async () => {}, options)
    expect(existsSync(lock)).toBe(false)
    return performance.now() - since
  }

  test('is removed at once if its owner is not alive', async () => {
    const dead = { ...thisProcess(), started: '1' }
    for (const left of ['', '{', 'null', '7', '{}', JSON.stringify(dead)]) {
      const lock = join(folder, 'left.lock')
      writeFileSync(lock, left)
      expect({ left, isQuick: (await tookMs(lock)) < 1_000 }).toEqual({ left, isQuick: true })
    }
    expect(log).toEqual([])
  })

  test('of a living process makes a start wait, log that after 2 s, and give up', async () => {
    const holder = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'])
    children.push(holder)
    const pid = Number(holder.pid)
    const lock = join(folder, 'held.lock')
    writeFileSync(lock, JSON.stringify({ pid, started: startTimeOf(pid) }))
    setTimeout(() => holder.kill('SIGKILL'), 2_500)
    const waitedMs = await tookMs(lock)
    expect(waitedMs).toBeGreaterThan(2_400)
    expect(log).toEqual([expect.stringContaining(`waiting for process ${pid}`)])
    writeFileSync(lock, JSON.stringify(thisProcess()))
    await expect(tookMs(lock)).rejects.toThrow(`waited 4 s for process ${process.pid}`)
  })

  test('that two servers find stale at the same time goes to only one of them', async () => {
    const holder = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'])
    children.push(holder)
    const pid = Number(holder.pid)
    const lock = join(folder, 'contested.lock')
    writeFileSync(lock, JSON.stringify({ ...thisProcess(), started: '1' }))
    const taken = tookMs(lock)
    // The other server, which had also found the stale lock, replaces ours by its own.
    writeFileSync(lock, JSON.stringify({ pid, started: startTimeOf(pid) }))
    setTimeout(() => holder.kill('SIGKILL'), 500)
    expect(await taken).toBeGreaterThan(400)
  })

  test('that is an empty file does not delay a start', async () => {
    const dataDir = join(folder, 'data')
    mkdirSync(join(dataDir, 'postgres'), { recursive: true })
    writeFileSync(join(dataDir, 'postgres', 'start.lock'), '')
    const server = await startChild({ DATA_DIR: dataDir, WORKERS: '0', MAX_ENTITIES: '20000' })
    expect(await endChild(server)).toEqual([])
    // Shorter than the wait for a lock, and long enough for a start on a busy machine.
    expect(server.readyMs).toBeLessThan(55_000)
  })
})
