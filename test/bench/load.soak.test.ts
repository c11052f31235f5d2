/** Load small enough for CI: every channel for a few seconds without errors, and profiles. */
import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { findNatsServer } from '../nats-server.ts'

const LOAD = new URL('../../bench/load.js', import.meta.url).pathname
const ALONE = new URL('../../bench/load-alone.js', import.meta.url).pathname

async function run(file: string, line: string) {
  const args = line.split(' ').filter((word) => word !== '')
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  const keep = (chunk: Buffer): void => {
    text += String(chunk)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const code = await new Promise((resolve) => child.once('close', resolve))
  console.log(text)
  return { code, text }
}

test('fifty players on all channels play without errors', async () => {
  const line = '--players 50 --minutes 0.1 --channels ws1,ws2,http1,http2,mcp'
  const { code, text } = await run(ALONE, line)
  expect(text).toMatch(/^queries [1-9]\d*:/m)
  expect(text).toMatch(/^results [1-9]\d* of/m)
  expect(code).toBe(0)
}, 120_000)

// A busy machine may exceed a bound of time, but errors and losses always fail.
test.each([
  ['L2', '--players 200 --minutes 0.3', /^tick p99 .*<= 400/m],
  ['L3', '--players 40 --minutes 0.05', /^event-loop delay p99 .*<= 20\.0/m],
  ['L6', '--players 40 --minutes 0.1', /^4003 with retry_after +[12]\d\d /m],
])(
  'profile %s passes when scaled down',
  async (id, line, expected) => {
    const { code, text } = await run(LOAD, `--profile ${id} ${line}`)
    expect(text).toMatch(expected)
    expect(text).toContain('SCALED DOWN')
    expect(text).toContain(`${id} passed (scaled down)`)
    expect(code).toBe(0)
  },
  120_000,
)

test.runIf(findNatsServer())(
  'a server with two gateways passes when scaled down',
  async () => {
    const { code, text } = await run(LOAD, '--gateways 2 --players 20 --minutes 0.1')
    expect(text).toMatch(/^bytes an input down, before deflate .*<= 120/m)
    expect(text).toMatch(/^durable to applied, p99 at most +\d.*<= 50\.0/m)
    expect(text).toContain('gateways 2 passed (scaled down)')
    expect(code).toBe(0)
  },
  120_000,
)

test('an unknown profile is refused', async () => {
  expect(await run(LOAD, '--profile L9')).toMatchObject({ code: 2 })
})
