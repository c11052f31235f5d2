/**
 * Runs the code blocks of the README: every line must give the answer that is listed here. A line
 * that is not listed fails the test, so README and test change together. Lines that run for long
 * are tested in npm-run.test.ts.
 */
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { freePort, PROJECT } from '../servers.ts'
import { BLOCKS, isLong, SHELL_LINES } from './blocks.ts'
import { type NpmStart, npmStart } from './npm.ts'
import { type Answer, paste } from './shell.ts'

/** Returns a pattern of a successful answer over HTTP that contains a text. */
const success = (inside: string): RegExp => new RegExp(`^\\{"result":.*${inside}.*"error":null\\}$`)

/** Lines pasted while the server runs, with what standard output must match. */
const RUNNING: ReadonlyMap<string, RegExp> = new Map([
  [
    `call game_auth/register '{"username":"First Light","empire":"solarian","registration_code":"any"}'`,
    success('"password":"\\w+"'),
  ],
  ['call game/get_status', success('"username":"First Light"')],
  ['call game/get_system', success('"type":"asteroid_belt"')],
  [
    `call game/travel '{"id":"'$(place asteroid_belt)'"}'`,
    success('"poi_type":"asteroid_belt".*"action":"arrived".*"auto_undocked":true'),
  ],
  ['call game/mine', success('"resource_id":"\\w+"')],
  [
    `call game/travel '{"id":"'$(place station)'"}'`,
    success('"poi_type":"station".*"action":"arrived"'),
  ],
  [`call game/sell '{"id":"'$ORE'","quantity":1}'`, success('"auto_docked":true')],
  ['npx orrery config', /^TICK_MS +2000 +ms +10000 +environment +Length of a tick\.$/m],
  ['npx orrery snapshot create', /^The running server took a snapshot: batch \d+, tick \d+, hash/],
  ['npx orrery snapshot list', /^batch +tick +rules[\s\S]*^Within reach of replay: ticks 0 /m],
  ['npx orrery snapshot inspect', /^batch +\d+$[\s\S]*^table +rows used +columns$/m],
  ['npx orrery snapshot verify', /^batch 0 \(tick 0\): checksums match[\s\S]*^All intact\.$/m],
  ['npx orrery snapshot diff oldest newest', /^account\b/m],
  ['npx orrery snapshot export world.orrery', /world\.orrery: .* 2 players/],
  ['npx orrery snapshot prune --keep 3', /^Deleted 0 snapshots.* 0 chunks\.$/],
  ['npx orrery replay --every', /^batch \d+ tick \d+ .*[0-9a-f]{16}[\s\S]*rows? replayed/m],
  [
    `npx orrery replay --at 1 --query catalog --params '{"type":"items","id":"iron_ore"}'`,
    /^batch \d+ \(tick 1\) has [0-9a-f]{16}[\s\S]*"iron_ore"/,
  ],
  ['npx orrery replay --at 1 --export past.orrery', /past\.orrery: .* It contains accounts/],
  ['npx orrery player "First Light"', /First Light/],
  ['npx orrery explain --player "First Light" --from 0', /^First Light, ticks 0 to \d+: \d+ batch/],
  [
    'npx orrery correct grant "First Light" --credits 500 --reason "Lost by a fault."',
    /^First Light, tick \d+: An operator gave you 500 credits\.$/,
  ],
  ['npx orrery player "First Light" --anonymous on', /^First Light is anonymous now$/],
  ['npx orrery tick-report', /^phase +p50 +p99 +max$/m],
  ['npx orrery tick-report --slow', /^cause +most of +ms +share$/m],
  ['npx orrery economy', /credits/],
  ['npx orrery prices iron_ore', /iron_ore|Iron Ore/],
  ['npx orrery token player "First Light"', /^POST .*\nfor First Light, once, until /],
  ['npx orrery token registration keeper', /^registration_code \w+ \(account keeper\)$/],
  ['npx orrery token account keeper --hours 2', /^ey\S+\nfor account keeper, until /],
  ['npx orrery token rotate', /^key \S+ from the next start of the server$/],
  ['npx orrery migrate', /^Nothing to do: schema orrery at /],
  ['source <(npx orrery completion bash)', /^$/],
])

/** Lines pasted once the server is stopped. */
const STOPPED: ReadonlyMap<string, RegExp> = new Map([
  ['npx orrery snapshot restore oldest', /^The world is at batch 0 \(tick 0, hash .*\); deleted: /],
  [
    'npx orrery snapshot import --replace world.orrery',
    /^The world up to batch \d+ is now in schema/,
  ],
])

/** Frames sent in order, with the types of the answers to each. */
const MESSAGES: Readonly<Record<string, readonly string[]>> = {
  register: ['registered'],
  get_system: ['ok'],
  undock: ['ok', 'action_result'],
  chat: ['ok'],
}

/** Lines that need no test of their own: they set up or run these tests. */
const DONE: readonly string[] = ['npm ci && npm start', 'npm ci && npm test']

/** Returns whether a line defines a variable or function: lines that use it show if that worked. */
const isDefinition = (line: string): boolean => /^\w+(=|\(\) \{)/.test(line) && !isLong(line)

type Kind = 'done' | 'running' | 'stopped' | 'long' | 'unknown'

function kindOf(line: string): Kind {
  if (DONE.includes(line)) return 'done'
  if (isLong(line)) return 'long'
  if (STOPPED.has(line)) return 'stopped'
  return RUNNING.has(line) || isDefinition(line) ? 'running' : 'unknown'
}

const linesOf = (kind: Kind): string[] => SHELL_LINES.filter((line) => kindOf(line) === kind)

let folder: string
let port: number
let server: NpmStart
let env: Record<string, string>

/** Makes a folder that looks like the clone, so that nothing is written into the clone itself. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-readme-'))
  // As root the database runs under another user.
  chmodSync(folder, 0o755)
  expect(existsSync(join(PROJECT, 'node_modules'))).toBe(true)
  for (const name of readdirSync(PROJECT)) {
    if (name !== 'data' && !name.startsWith('.')) {
      symlinkSync(join(PROJECT, name), join(folder, name))
    }
  }
  port = await freePort()
  const { PATH = '', HOME = '' } = process.env
  // Many lines replay all ticks so far: the longer those are, the fewer there are.
  const settings = { PORT: String(port), TICK_MS: '2000', MAX_ENTITIES: '20000' }
  // Only lines of the README take snapshots, so that none is pruned while a tool reads it.
  env = { PATH, HOME, ...settings, SNAPSHOT_EVERY: '100000' }
  server = await npmStart({ cwd: folder, env })
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const atPort = (line: string): string => line.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)

async function answersTo(kind: Kind): Promise<Answer[]> {
  const lines = linesOf(kind)
  const answers = await paste(lines.map(atPort), { cwd: folder, env })
  return answers.map((answer, index) => ({ ...answer, line: lines[index] }))
}

function expectAnswers(answers: readonly Answer[], patterns: ReadonlyMap<string, RegExp>): void {
  for (const { line, code, stdout } of answers) {
    const wanted = isDefinition(line) ? /^$/ : (patterns.get(line) ?? 'an answer that is known')
    expect({ line, code, stdout }).toEqual({ line, code: 0, stdout: expect.stringMatching(wanted) })
  }
}

test('the lists of this test name exactly the lines of the README', () => {
  expect(BLOCKS.filter(({ language }) => !/^(sh|json|text)$/.test(language))).toEqual([])
  expect(linesOf('unknown')).toEqual([])
  const known = [...RUNNING.keys(), ...STOPPED.keys(), ...DONE]
  expect(known.filter((line) => !SHELL_LINES.includes(line))).toEqual([])
})

test('the WebSocket frames are answered as the README says', async () => {
  const lines = BLOCKS.filter(({ language }) => language === 'json').flatMap((block) => block.lines)
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`)
  const frames: { type: string; request_id?: string; payload: Record<string, unknown> }[] = []
  socket.on('message', (data) => void frames.push(JSON.parse(String(data))))
  await once(socket, 'open')
  const types = lines.map((line) => JSON.parse(line).type)
  expect(types).toEqual(Object.keys(MESSAGES))
  for (const line of lines) {
    const { type, request_id } = JSON.parse(line)
    const answers = () => frames.filter((frame) => frame.request_id === request_id)
    socket.send(line)
    await expect
      .poll(() => answers().map((frame) => frame.type), { timeout: 10_000 })
      .toEqual(MESSAGES[type])
    const isPending = answers()[0].payload.pending === true
    expect({ type, isPending }).toEqual({ type, isPending: MESSAGES[type].length === 2 })
  }
  socket.close()
})

test('every line gives its answer, with the server running or stopped', async () => {
  expectAnswers(await answersTo('running'), RUNNING)
  expect(await server.stop()).toBe(0)
  expectAnswers(await answersTo('stopped'), STOPPED)
})
