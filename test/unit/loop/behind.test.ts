/**
 * A second mutation over HTTP or MCP waits behind the first, but no third; on a socket none waits.
 * Source: interface, Limits (mutations per player).
 */
import { expect, test } from 'vitest'
import type { Answer } from '../../../core/ports.ts'
import { type Tiny, tinyLoop } from './tiny.ts'

/** Returns a function that lists the answers since its last call: ref, stage and code. */
function answerReader({ answers }: Tiny): () => string[] {
  let seen = 0
  return () => {
    const all = answers()
    const fresh = all.slice(seen)
    seen = all.length
    return fresh.map(({ ref, stage, outcome }: Answer) => {
      const code = outcome.ok ? 'ok' : outcome.code
      return `${ref} ${stage} ${code}`
    })
  }
}

test('a second mutation over HTTP runs once, a tick after the first, but no third', async () => {
  const tiny = await tinyLoop()
  const newAnswers = answerReader(tiny)
  await tiny.sendOver('http1', 'act')
  // Another session of the player, on another channel.
  await tiny.sendOver('mcp2', 'act')
  await tiny.sendOver('http2', 'act')
  expect(newAnswers()).toEqual(['1 accepted ok', '2 accepted ok', '3 final action_pending'])
  await tiny.step(1)
  expect(newAnswers()).toEqual(['1 final ok'])
  // The second mutation keeps its place between the ticks: no other gets in front of it.
  await tiny.send('act')
  await tiny.sendOver('http1', 'act')
  expect(newAnswers()).toEqual(['4 final action_pending', '5 final action_pending'])
  await tiny.step(1)
  expect(newAnswers()).toEqual(['2 final ok'])
  await tiny.step(2)
  expect(newAnswers()).toEqual([])
  const ran = tiny.store.journal().map(({ inputs }) => inputs.map(({ ref }) => ref))
  expect(ran).toEqual([[1], [2], [], []])
})

test('only a mutation over HTTP waits behind one over a socket', async () => {
  const tiny = await tinyLoop()
  const newAnswers = answerReader(tiny)
  await tiny.sendOver('ws2', 'act', 'act')
  await tiny.sendOver('http1', 'act')
  expect(newAnswers()).toEqual(['1 accepted ok', '2 final action_pending', '3 accepted ok'])
  await tiny.step(2)
  expect(newAnswers()).toEqual(['1 final ok', '3 final ok'])
})

test('a waiting mutation is answered restarting when the world stops', async () => {
  const tiny = await tinyLoop()
  const newAnswers = answerReader(tiny)
  await tiny.sendOver('http1', 'act', 'act')
  tiny.loop.receive({ kind: 'stop' })
  await tiny.loop.idle()
  expect(newAnswers()).toEqual([
    '1 accepted ok',
    '2 accepted ok',
    '1 final ok',
    '2 final restarting',
  ])
  expect(tiny.messages.at(-1)).toEqual({ kind: 'stopped' })
})
