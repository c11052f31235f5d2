/** Commands that a node forwards: bounded, and settled before the node ends. SCALE 4. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { subjectsOf } from '../../../core/bus.ts'
import { fail, ok } from '../../../core/errors.ts'
import {
  COMMAND_BYTES_MAX,
  SLICE_BYTES_MAX,
  TOUCHES_WAITING_MAX,
} from '../../../core/limits-cluster.ts'
import type { Submission } from '../../../core/types.ts'
import { createForwarding, type Forwarding } from '../../../engine/forwarding.ts'
import { packMessage, unpackMessage } from '../../../storage/bus-messages.ts'
import { SLICE } from '../../../storage/bus-shapes.ts'
import { type MemoryBus, memoryBus } from '../../memory-bus.ts'

const WORLD = 'abc'
const NODE = 77
const SENDER = 5
const SUBJECTS = subjectsOf(WORLD)

let bus: MemoryBus
let node: Forwarding
/** The refs of the commands that a leader was sent, and the lengths of the messages. */
let taken: number[]
let lengths: number[]
beforeEach(() => {
  vi.useFakeTimers()
  bus = memoryBus()
  taken = []
  lengths = []
  bus.subscribe(SUBJECTS.commands(1), (bytes, reply) => {
    lengths.push(bytes.length)
    taken.push(...unpackMessage(SLICE, bytes).commands.map(({ ref }) => ref))
    reply(packMessage({ leadership: 1, sender: SENDER, first: 1, answers: [] }))
  })
  node = createForwarding({
    ...{ bus, world: WORLD, node: NODE, sender: SENDER, applied: () => 10, answered: () => {} },
  })
})
afterEach(() => {
  void node.close()
  vi.useRealTimers()
})

const advance = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)
const lead = (): void => node.follow({ leadership: 1, from: 10, head: 10 })

const command = (ref: number, params: object = {}): Submission => ({
  ...{ ref, player: ref, command: 'mine', framing: 'ws2' as const },
  params: params as Submission['params'],
})

test('a slice is bounded by its bytes, not by its characters', async () => {
  const text = '\u8ecc'.repeat(20_000)
  node.send(Array.from({ length: 12 }, (_, i) => command(101 + i, { text })))
  lead()
  await advance(10_000)
  expect(taken).toHaveLength(12)
  expect(Math.max(...lengths)).toBeLessThan(SLICE_BYTES_MAX + 1_024)
})

test('a command too long for a message is returned, and holds up no other', async () => {
  lead()
  const long = command(101, { text: 'x'.repeat(COMMAND_BYTES_MAX) })
  expect(node.send([long, command(102)])).toEqual([long])
  await advance(3_000)
  expect(taken).toEqual([102])
})

test('touches of queries are kept up to a bound while the bus is away', async () => {
  lead()
  await advance(10)
  bus.up = false
  // A command with ref 0 is a touch: what a query changes by being read, without an answer.
  for (let i = 0; i < 3 * TOUCHES_WAITING_MAX; i++) node.send([command(0)])
  node.send([command(101)])
  bus.up = true
  await advance(10_000)
  expect(taken).toContain(101)
  expect(taken.length).toBeGreaterThan(TOUCHES_WAITING_MAX / 2)
  expect(taken.length).toBeLessThanOrEqual(TOUCHES_WAITING_MAX + 2)
})

test('a node that ends waits for the outcomes of its commands while there is a leader', async () => {
  lead()
  node.send([command(101), command(102), command(103)])
  let isSettled = false
  void node.settled().then(() => {
    isSettled = true
  })
  await advance(300)
  const about = { player: 1, command: 'mine', framing: 'ws2', tick: 1 }
  const answers = [
    { ...about, ref: 101, stage: 'accepted', outcome: ok({}) },
    { ...about, ref: 102, stage: 'final', outcome: fail('no_fuel') },
  ]
  const message = { leadership: 1, sender: SENDER, first: 1, answers }
  bus.publish(SUBJECTS.node(NODE), packMessage(message))
  await advance(300)
  expect(isSettled).toBe(false)
  node.dropHeld([103])
  await advance(100)
  expect(isSettled).toBe(true)
  bus.up = false
  node.send([command(104)])
  await node.settled()
})
