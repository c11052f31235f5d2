/** The load run at a size that fits CI: every channel, a few seconds, no error and no loss. */
import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'

const ALONE = new URL('../../bench/load-alone.js', import.meta.url).pathname
const ARGS = ['--players', '50', '--minutes', '0.1', '--channels', 'ws1,ws2,http1,http2,mcp']

test('fifty players on all channels play without errors', async () => {
  const child = spawn(process.execPath, [ALONE, ...ARGS], { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  const keep = (chunk: Buffer): void => {
    text += String(chunk)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const code = await new Promise((resolve) => child.once('close', resolve))
  console.log(text)
  expect(text).toMatch(/^queries [1-9]\d*:/m)
  expect(text).toMatch(/^results [1-9]\d* of/m)
  expect(code).toBe(0)
}, 120_000)
