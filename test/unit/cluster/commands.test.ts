/** Commands between a node and the leader: each is taken once, whatever the bus does. SCALE 4. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { subjectsOf } from '../../../core/bus.ts'
import { fail, ok } from '../../../core/errors.ts'
import {
  ANSWERS_BYTES_MAX,
  NODE_FORGET_MS,
  NODE_SILENCE_MS,
  NODES_MAX,
} from '../../../core/limits-cluster.ts'
import type { Answer, PublishedBatch, ToMain } from '../../../core/ports.ts'
import type { Submission } from '../../../core/types.ts'
import { createForwarding, type Forwarding } from '../../../engine/forwarding.ts'
import { createLeader, type Leader } from '../../../engine/leader.ts'
import { unbindNode } from '../../../engine/leader-nodes.ts'
import { packMessage, unpackMessage } from '../../../storage/bus-messages.ts'
import { NODE_ANSWERS } from '../../../storage/bus-shapes.ts'
import { CHAIN_START, encodeJournalRow } from '../../../storage/journal-row.ts'
import { type MemoryBus, memoryBus } from '../../memory-bus.ts'
import { journalRow } from '../storage/fixture.ts'

const WORLD = 'abc'
const NODE = 77
const SUBJECTS = subjectsOf(WORLD)

let bus: MemoryBus
let applied: number
const closers: (() => unknown)[] = []
beforeEach(() => {
  vi.useFakeTimers()
  prove = async () => {}
  bus = memoryBus()
  applied = 10
})
afterEach(() => {
  for (const close of closers.splice(0)) close()
  vi.useRealTimers()
})

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

const command = (ref: number, name = 'mine'): Submission => ({
  ref,
  player: ref,
  command: name,
  params: {},
  framing: 'ws2',
})

const answer = (ref: number, stage: Answer['stage'], outcome = ok({})): Answer => ({
  ref,
  player: ref,
  command: 'mine',
  framing: 'ws2',
  stage,
  tick: 1,
  outcome: stage === 'final' ? fail('no_fuel') : outcome,
})

/** Whether the leader still leads, when it stood still. */
let prove: () => Promise<void> = async () => {}

/** A leader, the names of what it has taken, and what it tells its main. */
function lead(leadership: number, batch = 10, nodes: readonly number[] = []) {
  const taken: string[] = []
  const messages: ToMain[] = []
  const leader = createLeader({
    bus,
    world: WORLD,
    leadership,
    monotonicMs: () => Date.now(),
    wallMs: () => 0,
    prove: () => prove(),
    post: (message) => void messages.push(message),
  })
  leader.lead(
    (message) => {
      if (message.kind !== 'submit') return
      for (const { ref, command: name, params } of message.commands) {
        taken.push(name === 'mine' ? String(ref) : `${name} ${params.node}`)
      }
    },
    batch,
    nodes,
  )
  taken.splice(0)
  closers.push(leader.close)
  return { leader, taken, messages }
}

function join(): { node: Forwarding; answers: Answer[] } {
  const answers: Answer[] = []
  const node = createForwarding({
    bus,
    world: WORLD,
    node: NODE,
    sender: 5,
    applied: () => applied,
    answered: (given) => void answers.push(...given),
  })
  closers.push(() => void node.close(command(0)))
  return { node, answers }
}

const runs = (leader: Leader, batch: number, ran: number[], more: Partial<PublishedBatch> = {}) =>
  leader.post({
    kind: 'batch',
    batch: { batch, tick: 1, ran, answers: [], emissions: [], ...more },
  })

test('a slice whose answer is lost is sent again and taken once', async () => {
  const { taken } = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  bus.copies = (subject) => (subject === 'reply' ? 0 : 2)
  node.send([command(101), command(102)])
  await pass(3_000)
  bus.copies = () => 1
  node.send([command(103)])
  await pass(3_000)
  expect(taken).toEqual(['101', '102', '103'])
})

test('answers come in order and once, also those whose message was lost', async () => {
  const { leader } = lead(1)
  const { node, answers } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  node.send([command(101), command(102), command(103)])
  await pass(10)
  bus.copies = (subject) => (subject === SUBJECTS.node(NODE) ? 0 : 1)
  leader.post({ kind: 'answers', answers: [answer(101, 'accepted')] })
  await pass(10)
  bus.copies = () => 2
  leader.post({ kind: 'answers', answers: [answer(102, 'final'), answer(103, 'accepted')] })
  await pass(2_000)
  expect(answers.map(({ ref, stage }) => `${ref} ${stage}`)).toEqual([
    '101 accepted',
    '102 final',
    '103 accepted',
  ])
})

test('another leader is sent what no row holds, once the node has applied what it began with', async () => {
  const first = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  node.send([command(101), command(102), command(103)])
  await pass(10)
  first.leader.post({ kind: 'answers', answers: [answer(103, 'final')] })
  await pass(10)
  first.leader.close()
  const second = lead(2, 11)
  node.follow({ leadership: 2, from: 11, head: 11 })
  await pass(2_000)
  expect(second.taken).toEqual([])
  applied = 11
  node.held([101])
  await pass(2_000)
  expect(second.taken).toEqual(['102'])
})

test('a replaced thread of a node may send again what the leader has, or has just run', async () => {
  const { leader, taken } = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  node.send([command(101), command(102)])
  await pass(10)
  runs(leader, 11, [102])
  const again = createForwarding({
    bus,
    world: WORLD,
    node: NODE,
    sender: 6,
    applied: () => 10,
    answered: () => {},
  })
  closers.push(() => void again.close(command(0)))
  again.follow({ leadership: 1, from: 10, head: 11 })
  again.send([command(101), command(102), command(103)])
  await pass(2_000)
  expect(taken).toEqual(['101', '102', '103'])
})

test('of a batch main gets its own part; refused immediates go to their node', async () => {
  const { leader, messages } = lead(1)
  const { node, answers } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  node.send([command(101), command(102)])
  await pass(10)
  const all = [answer(101, 'final'), answer(102, 'final'), answer(9, 'final')]
  runs(leader, 11, [101, 9], { tick: 0, answers: all })
  await pass(1_000)
  expect(answers.map(({ ref }) => ref)).toEqual([102])
  expect(messages).toMatchObject([{ kind: 'batch', batch: { ran: [9], answers: [{ ref: 9 }] } }])
})

test('a silent node is unbound once, and still sends nothing twice', async () => {
  const { taken } = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  node.send([command(101)])
  await pass(10)
  bus.copies = (subject) => (subject === SUBJECTS.leader ? 1 : 0)
  node.send([command(102)])
  await pass(NODE_SILENCE_MS * 3)
  expect(taken).toEqual(['101', `internal:unbind_node ${NODE}`])
  bus.copies = () => 1
  await pass(3_000)
  expect(taken.slice(2)).toEqual(['102'])
})

test('beyond the maximum of nodes, the known ones still work', async () => {
  const { taken } = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  await pass(10)
  const answered: number[] = []
  const ask = (number: number): void => {
    const slice = { node: number, sender: 1, slice: 1, got: 0, applied: 10, commands: [] }
    bus.request(SUBJECTS.commands(1), packMessage(slice), 1_000).then(
      (bytes) => {
        if (!unpackMessage(NODE_ANSWERS, bytes).isBehind) answered.push(number)
      },
      () => {},
    )
  }
  for (let number = 1_000; number < 1_000 + NODES_MAX; number++) ask(number)
  await pass(10)
  expect(answered.length).toBe(NODES_MAX - 1)
  node.send([command(101)])
  await pass(NODE_SILENCE_MS * 2)
  expect(taken).toContain('101')
  // They are gone by now: one of them gives way.
  ask(5_000)
  await pass(10)
  expect(answered.at(-1)).toBe(5_000)
})

test('a late copy of a slice of a node that has left is not taken, and leaves it gone', async () => {
  const { leader, taken } = lead(1)
  const copies: Uint8Array[] = []
  closers.push(bus.subscribe(SUBJECTS.commands(1), (bytes) => void copies.push(bytes)))
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  node.send([command(101)])
  await pass(10)
  runs(leader, 11, [101])
  await node.close(unbindNode(NODE))
  await pass(10)
  const once = ['101', `internal:unbind_node ${NODE}`]
  expect(taken).toEqual(once)
  for (const late of copies.slice()) bus.publish(SUBJECTS.commands(1), late)
  await pass(NODE_SILENCE_MS * 3)
  for (const late of copies.slice()) bus.publish(SUBJECTS.commands(1), late)
  await pass(NODE_SILENCE_MS * 3)
  expect(taken).toEqual(once)
})

test('while the bus is away nobody is taken for gone', async () => {
  const { taken } = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  await pass(1_000)
  bus.up = false
  await pass(NODE_SILENCE_MS * 3)
  bus.up = true
  await pass(3_000)
  expect(taken).toEqual([])
})

test('a leader that was paused sends nothing until it is proven to lead, or ends', async () => {
  const { leader, messages } = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  await pass(1_000)
  const heard: number[] = []
  closers.push(bus.subscribe(SUBJECTS.leader, () => void heard.push(1)))
  const settle: { yes?: () => void; no?: (error: Error) => void } = {}
  prove = () =>
    new Promise<void>((yes, no) => {
      Object.assign(settle, { yes, no })
    })
  // Its timers do not run, as in a process that is stopped.
  vi.setSystemTime(Date.now() + 60_000)
  await pass(1_000)
  expect(heard).toEqual([])
  settle.yes?.()
  await pass(1_000)
  expect(heard.length).toBeGreaterThan(0)
  vi.setSystemTime(Date.now() + 60_000)
  await pass(300)
  settle.no?.(new Error('another server runs the world'))
  await pass(1_000)
  expect(messages.at(-1)).toMatchObject({ kind: 'fatal' })
  leader.close()
})

/** A row has become durable: the leader's head moves. */
const commits = (leader: Leader, batch: number): void =>
  leader.committed(encodeJournalRow(journalRow(batch), CHAIN_START), 1)

test('what a node sends again after it was forgotten is not taken twice', async () => {
  const { leader, taken } = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  bus.copies = (subject) => (subject === 'reply' ? 0 : 1)
  node.send([command(101)])
  await pass(10)
  bus.copies = () => 0
  commits(leader, 11)
  runs(leader, 11, [101])
  await pass(NODE_SILENCE_MS + NODE_FORGET_MS + 2_000)
  const once = ['101', `internal:unbind_node ${NODE}`]
  expect(taken).toEqual(once)
  bus.copies = () => 1
  await pass(3_000)
  expect(taken).toEqual(once)
  applied = 11
  node.held([101])
  node.send([command(102)])
  await pass(3_000)
  expect(taken.slice(2)).toEqual(['102'])
})

test('a node whose command still waits for its batch is not forgotten', async () => {
  const { taken } = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  bus.copies = (subject) => (subject === 'reply' ? 0 : 1)
  node.send([command(101)])
  await pass(10)
  bus.copies = () => 0
  await pass(NODE_SILENCE_MS + NODE_FORGET_MS + 2_000)
  bus.copies = () => 1
  await pass(3_000)
  expect(taken).toEqual(['101', `internal:unbind_node ${NODE}`])
})

test('a node that catches up with a new leader is not taken for gone', async () => {
  const { taken } = lead(2, 20, [NODE])
  const { node } = join()
  node.follow({ leadership: 2, from: 20, head: 20 })
  node.send([command(101)])
  await pass(NODE_SILENCE_MS * 3)
  expect(taken).toEqual([])
  applied = 20
  await pass(2_000)
  expect(taken).toEqual(['101'])
})

test('answers that are too many for one message come in several', async () => {
  const { leader } = lead(1)
  const { node, answers } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  const lengths: number[] = []
  closers.push(bus.subscribe(SUBJECTS.node(NODE), ({ length }) => void lengths.push(length)))
  const refs = Array.from({ length: 200 }, (_, i) => 101 + i)
  node.send(refs.map((ref) => command(ref)))
  await pass(10)
  const long = fail('no_fuel', undefined, 'x'.repeat(10_000))
  leader.post({
    kind: 'answers',
    answers: refs.map((ref) => ({ ...answer(ref, 'final'), outcome: long })),
  })
  await pass(10_000)
  expect(answers.map(({ ref }) => ref)).toEqual(refs)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(ANSWERS_BYTES_MAX)
})
