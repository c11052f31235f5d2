/**
 * CPU-bound work like most of a tick: calls of various functions, hashing, JSON of small objects
 * and map lookups; each takes a quarter of the time on the machine that the bounds are for. All
 * data fits in the first caches.
 */
import { hash32 } from '../core/rng.ts'

/**
 * Enough rounds to take as long as a tick, so that other load interrupts this work as often as a
 * tick; a millisecond of work would often escape it.
 */
const ROUNDS = 10
/* Steps of each quarter, so that all take the same time on that machine. */
const DISPATCHES = 24_000
const HASHES = 115_000
const JSONS = 163
const LOOKUPS = 9_900
const KEYS = 256
const WORDS = 1_024

type Step = (n: number) => number

/** Returns functions of as many shapes as a registry of systems has. */
const makeSteps = (): Step[] =>
  Array.from({ length: 32 }, (_, kind): Step => {
    const own = { kind, add: (n: number): number => (n + kind) | 0 }
    return kind % 2 === 0 ? (n) => own.add(n) ^ kind : (n) => Math.imul(own.add(n), kind) | 0
  })

const makeMessages = () =>
  Array.from({ length: 16 }, (_, i) => ({
    type: 'action_result',
    tick: 100 + i,
    payload: { id: `ship-${i}`, fuel: i * 7, hull: 100 - i, cargo: [{ item: 'iron_ore', n: i }] },
  }))

/** Creates a fixed mix of work: `run` does it once; `result` is the same on every machine. */
export function makeCpuMix() {
  const steps = makeSteps()
  const words = Uint32Array.from({ length: WORDS }, (_, i) => hash32(1, i))
  const messages = makeMessages()
  const byName = new Map(Array.from({ length: KEYS }, (_, i) => [`key_${hash32(2, i)}`, i]))
  const names = [...byName.keys()]
  const byNumber = new Map(names.map((_, i) => [hash32(3, i), i]))
  const numbers = [...byNumber.keys()]
  let state = 0
  const quarters: readonly (() => void)[] = [
    () => {
      for (let i = 0; i < DISPATCHES; i++) state = steps[(state + i) & 31](state)
    },
    () => {
      for (let i = 0; i < HASHES; i++) {
        state = Math.imul(state ^ words[i & (WORDS - 1)], 0x9e3779b1)
        state ^= state >>> 15
      }
    },
    () => {
      for (let i = 0; i < JSONS; i++)
        state = (state + JSON.parse(JSON.stringify(messages[i & 15])).tick) | 0
    },
    () => {
      for (let i = 0; i < LOOKUPS; i++) {
        const at = i & (KEYS - 1)
        state = (state + (byName.get(names[at]) ?? 0) + (byNumber.get(numbers[at]) ?? 0)) | 0
      }
    },
  ]
  return {
    run: (): void => {
      state = 1
      for (let round = 0; round < ROUNDS; round++) for (const run of quarters) run()
    },
    result: () => state,
  }
}
