/**
 * Loaded before the server (NODE_OPTIONS=--import) in tests of its clocks, in each of its threads:
 * the wall clock is as many milliseconds off as the file of ORRERY_TEST_CLOCK says, and SIGUSR2
 * blocks the main thread for ORRERY_TEST_BURN_MS. The monotonic clock is left alone.
 */
import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const { ORRERY_TEST_CLOCK: file, ORRERY_TEST_BURN_MS: burnMs } = process.env
const LOOK_MS = 20

let offMs = 0
const look = (): void => {
  if (file) offMs = Number(readFileSync(file, 'utf8'))
}

const Real = Date
class Shifted extends Real {
  constructor(...args: unknown[]) {
    super(...((args.length === 0 ? [Shifted.now()] : args) as [number]))
  }

  static override now(): number {
    return Real.now() + offMs
  }
}

if (file) {
  look()
  setInterval(look, LOOK_MS).unref()
  globalThis.Date = Shifted as DateConstructor
}

if (burnMs && isMainThread) {
  process.on('SIGUSR2', () => {
    const end = performance.now() + Number(burnMs)
    while (performance.now() < end);
  })
}
