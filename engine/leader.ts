/**
 * The leader's side of a world with several nodes: takes their commands, sends them durable rows
 * and the answers that no replica can make, and unbinds nodes that are gone. It sits between the
 * world's loop and its port to main. Source: SCALE 3 to 5.
 */
import {
  type Bus,
  type LeaderBeat,
  type NodeAnswers,
  type Slice,
  type StepDownReply,
  subjectsOf,
} from '../core/bus.ts'
import { NO_REPLY } from '../core/inbox.ts'
import {
  ANSWERS_BYTES_MAX,
  LEADER_BEAT_MS,
  NODE_ANSWERS_MAX,
  NODE_FORGET_MS,
  NODE_SILENCE_MS,
} from '../core/limits-cluster.ts'
import type { Answer, PublishedBatch, ToMain, ToWorld } from '../core/ports.ts'
import type { Submission } from '../core/types.ts'
import { packMessage, splitRow, unpackMessage } from '../storage/bus-messages.ts'
import { SLICE } from '../storage/bus-shapes.ts'
import type { EncodedRow } from '../storage/journal-row.ts'
import {
  addNode,
  disown,
  forgetNode,
  hasRoom,
  isUnbindOf,
  type KnownNodes,
  type NodeState,
  unbindNode,
} from './leader-nodes.ts'
import { mustProve, successorOf } from './lease.ts'
import { createRoster, type Roster } from './roster.ts'

interface LeaderOptions {
  readonly bus: Bus
  /** The epoch of the world; the subjects on the bus carry it. */
  readonly world: string
  /** The epoch of the lease, taken for this world thread. */
  readonly leadership: number
  readonly post: (message: ToMain) => void
  readonly monotonicMs: () => number
  readonly wallMs: () => number
  /** Resolves once it is certain that no other node leads; rejects if one does. */
  readonly prove: () => Promise<void>
}

export interface Leader {
  /** Takes a message of the loop to main; passes on what is meant for main itself. */
  post(message: ToMain): void
  /** Sends the nodes a row with this many inputs that has become durable. */
  committed(row: EncodedRow, inputs: number): void
  /** Begins to lead from a batch on. `nodes`: those at which the world has players bound. */
  lead(submit: (message: ToWorld) => void, batch: number, nodes: readonly number[]): void
  /** Returns the last durable batch. */
  head(): number
  /** Returns the bytes of the rows sent, before compression, and the number of their inputs. */
  sent(): { readonly bytes: number; readonly inputs: number }
  close(): void
}

interface Leading extends KnownNodes {
  readonly options: LeaderOptions
  readonly subjects: ReturnType<typeof subjectsOf>
  submit(message: ToWorld): void
  /** The last batch before this thread led. */
  from: number
  /** The last durable batch. */
  head: number
  beatMs: number
  /** The thread stalled past its lease and may have been replaced: it sends nothing. */
  isProving: boolean
  readonly sent: { bytes: number; inputs: number }
  readonly roster: Roster
}

/* Commands in */

/**
 * Returns the state of the sending node; undefined if a newer thread has replaced the sender, or if
 * there are too many nodes.
 */
function senderOf(leading: Leading, { node, sender }: Slice): NodeState | undefined {
  const seenMs = leading.options.monotonicMs()
  const known = leading.nodes.get(node)
  if (!known) {
    return hasRoom(leading)
      ? addNode(leading, node, { sender, from: leading.head, seenMs })
      : undefined
  }
  if (sender < known.sender) return undefined
  known.seenMs = seenMs
  if (sender > known.sender) {
    // A new thread knows nothing of what its predecessor was sent.
    Object.assign(known, { sender, slice: 0, first: 1, answers: [] })
  }
  return known
}

/** Packs the answers that a node has not confirmed, as many as fit in a message. */
function packAnswers(
  { options: { leadership } }: Leading,
  { sender, first, answers }: NodeState,
): Uint8Array {
  for (let count = NODE_ANSWERS_MAX; ; count = Math.ceil(Math.min(count, answers.length) / 2)) {
    const some: NodeAnswers = { leadership, sender, first, answers: answers.slice(0, count) }
    const bytes = packMessage(some)
    if (bytes.length <= ANSWERS_BYTES_MAX || count <= 1) return bytes
  }
}

/** Drops the answers that a node has received. `got`: their number so far. */
function confirmAnswers(state: NodeState, got: number): void {
  const count = got + 1 - state.first
  if (count <= 0) return
  state.answers = state.answers.slice(count)
  state.first += count
}

/** Takes a slice of commands; returns the packed reply. */
function takeSlice(leading: Leading, slice: Slice): Uint8Array {
  const state = senderOf(leading, slice)
  if (!state || slice.applied < state.from) {
    const { leadership } = leading.options
    const { sender } = slice
    const behind: NodeAnswers = { leadership, sender, first: 1, answers: [], isBehind: true }
    return packMessage(behind)
  }
  state.isGone = state.hasLeft
  confirmAnswers(state, slice.got)
  if (slice.slice > state.slice) {
    state.slice = slice.slice
    takeCommands(leading, state, slice.commands)
  }
  // A node does not send again commands of batches it has applied.
  for (const [ref, batch] of state.refs) {
    if (batch !== 0 && batch <= slice.applied) state.refs.delete(ref)
  }
  return packAnswers(leading, state)
}

function takeCommands(leading: Leading, state: NodeState, commands: readonly Submission[]): void {
  const fresh = commands.filter(({ ref }) => !state.refs.has(ref))
  if (fresh.length === 0) return
  for (const { ref } of fresh) {
    if (ref === NO_REPLY) continue
    state.refs.set(ref, 0)
    leading.owners.set(ref, state)
  }
  leading.submit({ kind: 'submit', commands: fresh })
  if (!fresh.some((command) => isUnbindOf(command, state.node))) return
  disown(leading, state)
  // The number of its last slice is kept, so that a late copy of a slice is recognized.
  Object.assign(state, { isGone: true, hasLeft: true })
}

/* Answers out */

/** Sends each node the answers to its commands; returns the answers that are main's. */
function divideAnswers(leading: Leading, answers: readonly Answer[]): Answer[] {
  const { options, subjects, owners } = leading
  const own: Answer[] = []
  const answered = new Set<NodeState>()
  for (const answer of answers) {
    const owner = owners.get(answer.ref)
    if (!owner) {
      own.push(answer)
      continue
    }
    owner.answers.push(answer)
    answered.add(owner)
    if (answer.stage === 'accepted') continue
    owners.delete(answer.ref)
    owner.refs.delete(answer.ref)
  }
  for (const state of answered) {
    if (isSilent(leading)) continue
    // Answers that do not fit go out with the reply to the node's next slice.
    options.bus.publish(subjects.node(state.node), packAnswers(leading, state))
  }
  return own
}

/**
 * Returns the part of a batch that is meant for main, and sends other nodes the refusals of their
 * commands. Commands of theirs that the batch holds are answered by their replicas.
 */
function divideBatch(leading: Leading, batch: PublishedBatch): PublishedBatch {
  const held = new Set(batch.ran)
  const ran = batch.ran.filter((ref) => {
    const owner = leading.owners.get(ref)
    leading.owners.delete(ref)
    owner?.refs.set(ref, batch.batch)
    return !owner
  })
  const isOwn = new Set(ran)
  const refused = batch.tick === 0 ? batch.answers.filter(({ ref }) => !held.has(ref)) : []
  const answers = batch.answers.filter(({ ref }) => isOwn.has(ref))
  return { ...batch, ran, answers: [...divideAnswers(leading, refused), ...answers], emissions: [] }
}

/* Heartbeats, and the end of leading */

const isSilent = ({ options, beatMs, isProving }: Leading): boolean =>
  isProving || mustProve(options.monotonicMs() - beatMs)

function proveLead(leading: Leading): void {
  const { prove, post } = leading.options
  leading.isProving = true
  const text = 'the world thread stalled for longer than its lease: checking whether it still leads'
  post({ kind: 'log', level: 'warn', fields: {}, text })
  prove().then(
    () => {
      leading.isProving = false
    },
    (error: unknown) => post({ kind: 'fatal', text: String(error) }),
  )
}

/** Asks main to hand the world over, if a standby is near enough to the head to take it. */
function stepDown({ options, roster, head }: Leading): StepDownReply {
  const next = successorOf(roster.nodes(), head)
  if (next === undefined) {
    const text = 'no standby is there to take over: start one with ROLE=standby'
    return { ok: false, text }
  }
  options.post({ kind: 'step_down' })
  return { ok: true }
}

function beat(leading: Leading): void {
  const { options, nodes, subjects, from, head } = leading
  const { bus, leadership, monotonicMs, post } = options
  const nowMs = monotonicMs()
  if (mustProve(nowMs - leading.beatMs) && !leading.isProving) proveLead(leading)
  const isDeaf = !bus.isUp() || nowMs - leading.beatMs > NODE_SILENCE_MS / 2
  leading.beatMs = nowMs
  for (const state of [...nodes.values()]) {
    // Without a bus, or after a stall of its own, the leader has heard from nobody.
    if (isDeaf && !state.isGone) state.seenMs = nowMs
    const silenceMs = nowMs - state.seenMs
    if (silenceMs > NODE_FORGET_MS) forgetNode(leading, state)
    if (silenceMs <= NODE_SILENCE_MS || state.isGone) continue
    // The node's commands are remembered: it may come back and send them again.
    state.isGone = true
    leading.submit({ kind: 'submit', commands: [unbindNode(state.node)] })
    const text = 'a node is gone: its players are unbound'
    post({ kind: 'log', level: 'warn', fields: { node: state.node }, text })
  }
  if (isSilent(leading)) return
  bus.publish(subjects.leader, packMessage({ leadership, from, head } satisfies LeaderBeat))
}

/** Creates the leader's side of a world; it sends nothing until `lead` is called. */
export function createLeader(options: LeaderOptions): Leader {
  const { bus, leadership, post, monotonicMs } = options
  const subjects = subjectsOf(options.world)
  const ends: (() => void)[] = []
  const leading: Leading = {
    options,
    subjects,
    nodes: new Map(),
    owners: new Map(),
    submit: () => {},
    from: 0,
    head: 0,
    beatMs: monotonicMs(),
    isProving: false,
    sent: { bytes: 0, inputs: 0 },
    roster: createRoster(bus, subjects.nodes, monotonicMs),
  }
  return {
    post(message) {
      if (message.kind === 'answers') {
        const answers = divideAnswers(leading, message.answers)
        if (answers.length > 0) post({ kind: 'answers', answers })
      } else if (message.kind === 'batch') {
        post({ ...message, batch: divideBatch(leading, message.batch) })
      } else post(message)
    },
    committed(row, inputs) {
      leading.head = row.batch
      const { parts, bytes } = splitRow(row, options.wallMs())
      for (const part of parts) bus.publish(subjects.rows, part)
      leading.sent.bytes += bytes
      leading.sent.inputs += inputs
    },
    lead(submit, batch, nodes) {
      leading.submit = submit
      leading.from = batch
      leading.head = Math.max(leading.head, batch)
      const seenMs = monotonicMs()
      for (const node of nodes) addNode(leading, node, { sender: 0, from: batch, seenMs })
      // Node 0 is a server without a cluster, and none can run beside this leader.
      submit({ kind: 'submit', commands: [unbindNode(0)] })
      leading.beatMs = monotonicMs()
      ends.push(
        bus.subscribe(subjects.commands(leadership), (bytes, reply) => {
          if (isSilent(leading)) return
          reply(takeSlice(leading, unpackMessage(SLICE, bytes)))
        }),
        bus.subscribe(subjects.stepDown(leadership), (_, reply) =>
          reply(packMessage(stepDown(leading))),
        ),
        leading.roster.close,
      )
      const timer = setInterval(beat, LEADER_BEAT_MS, leading)
      ends.push(() => clearInterval(timer))
      beat(leading)
    },
    head: () => leading.head,
    sent: () => leading.sent,
    close() {
      for (const end of ends.splice(0)) end()
    },
  }
}
