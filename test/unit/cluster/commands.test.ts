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

const advance = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

const command = (ref: number, name = 'mine'): Submission => ({
  ref,
  player: ref,
  command: name,
  params: {},
  framing: 'ws2',
})

/** Returns an answer; a final one is a refusal. */
const answer = (ref: number, stage: Answer['stage'], outcome = ok({})): Answer => ({
  ref,
  player: ref,
  command: 'mine',
  framing: 'ws2',
  stage,
  tick: 1,
  outcome: stage === 'final' ? fail('no_fuel') : outcome,
})

/** Resolves if a leader that was paused still leads. */
let prove: () => Promise<void> = async () => {}

/** Starts a leader; returns it, the commands it has taken and its messages to the main thread. */
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

const postBatch = (
  leader: Leader,
  batch: number,
  ran: number[],
  overrides: Partial<PublishedBatch> = {},
) =>
  leader.post({
    kind: 'batch',
    batch: { batch, tick: 1, ran, answers: [], emissions: [], ...overrides },
  })

test('a slice of commands whose answer is lost is sent again and taken once', async () => {
  const { taken } = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  bus.copies = (subject) => (subject === 'reply' ? 0 : 2)
  node.send([command(101), command(102)])
  await advance(3_000)
  bus.copies = () => 1
  node.send([command(103)])
  await advance(3_000)
  expect(taken).toEqual(['101', '102', '103'])
})

test('answers arrive in order and once, even if their message was lost', async () => {
  const { leader } = lead(1)
  const { node, answers } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  node.send([command(101), command(102), command(103)])
  await advance(10)
  bus.copies = (subject) => (subject === SUBJECTS.node(NODE) ? 0 : 1)
  leader.post({ kind: 'answers', answers: [answer(101, 'accepted')] })
  await advance(10)
  bus.copies = () => 2
  leader.post({ kind: 'answers', answers: [answer(102, 'final'), answer(103, 'accepted')] })
  await advance(2_000)
  expect(answers.map(({ ref, stage }) => `${ref} ${stage}`)).toEqual([
    '101 accepted',
    '102 final',
    '103 accepted',
  ])
})

test('a new leader is sent only commands without a row or answer, once rows are applied', async () => {
  const first = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  node.send([command(101), command(102), command(103)])
  await advance(10)
  first.leader.post({ kind: 'answers', answers: [answer(103, 'final')] })
  await advance(10)
  first.leader.close()
  const second = lead(2, 11)
  node.follow({ leadership: 2, from: 11, head: 11 })
  await advance(2_000)
  expect(second.taken).toEqual([])
  applied = 11
  node.dropHeld([101])
  await advance(2_000)
  expect(second.taken).toEqual(['102'])
})

test('the replacement of a thread may send commands again without running them twice', async () => {
  const { leader, taken } = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  node.send([command(101), command(102)])
  await advance(10)
  postBatch(leader, 11, [102])
  const replacement = createForwarding({
    bus,
    world: WORLD,
    node: NODE,
    sender: 6,
    applied: () => 10,
    answered: () => {},
  })
  closers.push(() => void replacement.close(command(0)))
  replacement.follow({ leadership: 1, from: 10, head: 11 })
  replacement.send([command(101), command(102), command(103)])
  await advance(2_000)
  expect(taken).toEqual(['101', '102', '103'])
})

test('main is sent its own part of a batch, and a node its refused immediates', async () => {
  const { leader, messages } = lead(1)
  const { node, answers } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  node.send([command(101), command(102)])
  await advance(10)
  const all = [answer(101, 'final'), answer(102, 'final'), answer(9, 'final')]
  postBatch(leader, 11, [101, 9], { tick: 0, answers: all })
  await advance(1_000)
  expect(answers.map(({ ref }) => ref)).toEqual([102])
  expect(messages).toMatchObject([{ kind: 'batch', batch: { ran: [9], answers: [{ ref: 9 }] } }])
})

test('a silent node is unbound once, and none of its commands is taken twice', async () => {
  const { taken } = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  node.send([command(101)])
  await advance(10)
  bus.copies = (subject) => (subject === SUBJECTS.leader ? 1 : 0)
  node.send([command(102)])
  await advance(NODE_SILENCE_MS * 3)
  expect(taken).toEqual(['101', `internal:unbind_node ${NODE}`])
  bus.copies = () => 1
  await advance(3_000)
  expect(taken.slice(2)).toEqual(['102'])
})

test('a node that is known still works when there are too many nodes', async () => {
  const { taken } = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  await advance(10)
  const answered: number[] = []
  const sendSlice = (number: number): void => {
    const slice = { node: number, sender: 1, slice: 1, got: 0, applied: 10, commands: [] }
    bus.request(SUBJECTS.commands(1), packMessage(slice), 1_000).then(
      (bytes) => {
        if (!unpackMessage(NODE_ANSWERS, bytes).isBehind) answered.push(number)
      },
      () => {},
    )
  }
  for (let number = 1_000; number < 1_000 + NODES_MAX; number++) sendSlice(number)
  await advance(10)
  expect(answered.length).toBe(NODES_MAX - 1)
  node.send([command(101)])
  await advance(NODE_SILENCE_MS * 2)
  expect(taken).toContain('101')
  // The others count as gone by now: a new node takes the place of one.
  sendSlice(5_000)
  await advance(10)
  expect(answered.at(-1)).toBe(5_000)
})

test('a late copy of a slice is not taken, and does not bring back a node that has left', async () => {
  const { leader, taken } = lead(1)
  const copies: Uint8Array[] = []
  closers.push(bus.subscribe(SUBJECTS.commands(1), (bytes) => void copies.push(bytes)))
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  node.send([command(101)])
  await advance(10)
  postBatch(leader, 11, [101])
  await node.close(unbindNode(NODE))
  await advance(10)
  const once = ['101', `internal:unbind_node ${NODE}`]
  expect(taken).toEqual(once)
  for (const late of copies.slice()) bus.publish(SUBJECTS.commands(1), late)
  await advance(NODE_SILENCE_MS * 3)
  for (const late of copies.slice()) bus.publish(SUBJECTS.commands(1), late)
  await advance(NODE_SILENCE_MS * 3)
  expect(taken).toEqual(once)
})

test('no node counts as gone while the bus is away', async () => {
  const { taken } = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  await advance(1_000)
  bus.up = false
  await advance(NODE_SILENCE_MS * 3)
  bus.up = true
  await advance(3_000)
  expect(taken).toEqual([])
})

test('a leader that was paused ends, or sends nothing until it is proved to lead', async () => {
  const { leader, messages } = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  await advance(1_000)
  const heard: number[] = []
  closers.push(bus.subscribe(SUBJECTS.leader, () => void heard.push(1)))
  const settle: { yes?: () => void; no?: (error: Error) => void } = {}
  prove = () =>
    new Promise<void>((yes, no) => {
      Object.assign(settle, { yes, no })
    })
  // Its timers do not run, as in a process that is stopped.
  vi.setSystemTime(Date.now() + 60_000)
  await advance(1_000)
  expect(heard).toEqual([])
  settle.yes?.()
  await advance(1_000)
  expect(heard.length).toBeGreaterThan(0)
  vi.setSystemTime(Date.now() + 60_000)
  await advance(300)
  settle.no?.(new Error('another server runs the world'))
  await advance(1_000)
  expect(messages.at(-1)).toMatchObject({ kind: 'fatal' })
  leader.close()
})

/** Tells the leader that the row of a batch is durable. */
const commitRow = (leader: Leader, batch: number): void =>
  leader.committed(encodeJournalRow(journalRow(batch), CHAIN_START), 1)

test('a command that a node sends again after being forgotten is not taken twice', async () => {
  const { leader, taken } = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  bus.copies = (subject) => (subject === 'reply' ? 0 : 1)
  node.send([command(101)])
  await advance(10)
  bus.copies = () => 0
  commitRow(leader, 11)
  postBatch(leader, 11, [101])
  await advance(NODE_SILENCE_MS + NODE_FORGET_MS + 2_000)
  const once = ['101', `internal:unbind_node ${NODE}`]
  expect(taken).toEqual(once)
  bus.copies = () => 1
  await advance(3_000)
  expect(taken).toEqual(once)
  applied = 11
  node.dropHeld([101])
  node.send([command(102)])
  await advance(3_000)
  expect(taken.slice(2)).toEqual(['102'])
})

test('a node whose command still waits for its batch is not forgotten', async () => {
  const { taken } = lead(1)
  const { node } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  bus.copies = (subject) => (subject === 'reply' ? 0 : 1)
  node.send([command(101)])
  await advance(10)
  bus.copies = () => 0
  await advance(NODE_SILENCE_MS + NODE_FORGET_MS + 2_000)
  bus.copies = () => 1
  await advance(3_000)
  expect(taken).toEqual(['101', `internal:unbind_node ${NODE}`])
})

test('a node that is catching up with a new leader does not count as gone', async () => {
  const { taken } = lead(2, 20, [NODE])
  const { node } = join()
  node.follow({ leadership: 2, from: 20, head: 20 })
  node.send([command(101)])
  await advance(NODE_SILENCE_MS * 3)
  expect(taken).toEqual([])
  applied = 20
  await advance(2_000)
  expect(taken).toEqual(['101'])
})

test('answers that are too long for one message are sent in several', async () => {
  const { leader } = lead(1)
  const { node, answers } = join()
  node.follow({ leadership: 1, from: 10, head: 10 })
  const lengths: number[] = []
  closers.push(bus.subscribe(SUBJECTS.node(NODE), ({ length }) => void lengths.push(length)))
  const refs = Array.from({ length: 200 }, (_, i) => 101 + i)
  node.send(refs.map((ref) => command(ref)))
  await advance(10)
  const long = fail('no_fuel', undefined, 'x'.repeat(10_000))
  leader.post({
    kind: 'answers',
    answers: refs.map((ref) => ({ ...answer(ref, 'final'), outcome: long })),
  })
  await advance(10_000)
  expect(answers.map(({ ref }) => ref)).toEqual(refs)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(ANSWERS_BYTES_MAX)
})
