/** Runs a few bots of each role on every channel for some seconds: they join, work and leave. */
import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { withServer } from '../../bench/live.ts'

const BOTS = new URL('../../bench/bots.js', import.meta.url).pathname

test('twenty bots on all channels each do the work of their role', async () => {
  const settings = { TICK_MS: '1000', MAX_ENTITIES: '20000' }
  const text = await withServer({ settings }, (url) => {
    const args = [BOTS, '--count', '20', '--minutes', '0.5', '--url', url]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += String(chunk)
    })
    return new Promise<string>((resolve) => child.once('close', () => resolve(output)))
  })
  console.log(text)
  expect(text).toContain('20 of 20 bots at work')
  const last = text.slice(text.lastIndexOf('bots at work'))
  for (const [role, deed] of [
    ['miners', 'mine'],
    ['haulers', '(mine|jump|buy)'],
    ['traders', 'create_buy_order'],
    ['fighters', 'jump'],
  ]) {
    expect(last).toMatch(new RegExp(`${role}: .*done: [^;]*\\b${deed} [1-9]`))
  }
  expect(text).not.toContain('troubles:')
}, 120_000)
