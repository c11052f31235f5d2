/** How long a thread waits for a processor, as the watchdog of the world thread reads it. */
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ownThread, threadWaitedMs } from '../../../engine/thread-cpu.ts'

const isReported = existsSync('/proc/thread-self/schedstat')

test.runIf(isReported)('a thread finds its own number, and others its wait by it', () => {
  expect(ownThread()).toBeGreaterThan(0)
  expect(threadWaitedMs(ownThread())).toBeGreaterThan(0)
})

test('an unknown thread has not waited', () => {
  expect(threadWaitedMs(0)).toBe(0)
})
