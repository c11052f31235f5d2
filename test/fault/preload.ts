/**
 * Loaded before the server (NODE_OPTIONS=--import) in each of its threads, for tests of its clocks:
 * the wall clock is off by the milliseconds in the file ORRERY_TEST_CLOCK, and SIGUSR2 blocks the
 * main thread for ORRERY_TEST_BURN_MS. The monotonic clock does not change.
 */
import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const { ORRERY_TEST_CLOCK: file, ORRERY_TEST_BURN_MS: burnMs } = process.env
const READ_EVERY_MS = 20

let offsetMs = 0
const readOffset = (): void => {
  if (file) offsetMs = Number(readFileSync(file, 'utf8'))
}

const RealDate = Date
class ShiftedDate extends RealDate {
  constructor(...args: unknown[]) {
    super(...((args.length === 0 ? [ShiftedDate.now()] : args) as [number]))
  }

  static override now(): number {
    return RealDate.now() + offsetMs
  }
}

if (file) {
  readOffset()
  setInterval(readOffset, READ_EVERY_MS).unref()
  globalThis.Date = ShiftedDate as DateConstructor
}

if (burnMs && isMainThread) {
  process.on('SIGUSR2', () => {
    const end = performance.now() + Number(burnMs)
    while (performance.now() < end);
  })
}
