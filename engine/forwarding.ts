/**
 * Commands of a node on their way to the leader: in slices, one under way at a time. A command is
 * kept until a row holds it or the leader has refused it; another leader is sent again those that
 * no row holds. Source: SCALE 4.
 */
import {
  type Bus,
  type LeaderBeat,
  type NodeAnswers,
  processOf,
  type Slice,
  subjectsOf,
} from '../core/bus.ts'
import { NO_REPLY } from '../core/inbox.ts'
import {
  COMMAND_BYTES_MAX,
  LEAVE_MS_MAX,
  NODE_BEAT_MS,
  SLICE_BYTES_MAX,
  SLICE_COMMANDS_MAX,
  SLICE_PAUSE_MS,
  SLICE_TIMEOUT_MS,
  TOUCHES_WAITING_MAX,
} from '../core/limits-cluster.ts'
import type { Answer } from '../core/ports.ts'
import type { Submission } from '../core/types.ts'
import { packMessage, unpackMessage } from '../storage/bus-messages.ts'
import { NODE_ANSWERS } from '../storage/bus-shapes.ts'

interface ForwardingOptions {
  readonly bus: Bus
  /** The epoch of the world, by which its subjects are named. */
  readonly world: string
  readonly node: number
  /** Incarnation of this world thread. */
  readonly sender: number
  /** The last batch applied. */
  readonly applied: () => number
  readonly answered: (answers: readonly Answer[]) => void
}

export interface Forwarding {
  /** Returns those that are too long to be sent. */
  send(commands: readonly Submission[]): Submission[]
  /** Rows hold these commands. */
  held(refs: readonly number[]): void
  follow(beat: LeaderBeat): void
  /** Commands taken so far. */
  taken(): number
  /** Bytes of the slices sent so far. */
  bytes(): number
  /** Resolves once each command is acknowledged or answered; before that, where nobody leads. */
  settled(): Promise<void>
  /** Sends a last command, if any; resolves when the leader has it, or does not answer. */
  close(last?: Submission): Promise<void>
}

interface State {
  readonly options: ForwardingOptions
  readonly subjects: ReturnType<typeof subjectsOf>
  /** Commands that no row holds, in the order in which they came. */
  readonly open: Map<number, Submission>
  /** Those of them that the leader has acknowledged: their outcome may take ticks. */
  readonly acknowledged: Set<number>
  /**
   * Refs of this process that ran without being open: a former thread had sent them on. Main may
   * ask for them yet, and the leader may have forgotten them.
   */
  readonly ranBefore: Set<number>
  unsent: Submission[]
  /** Commands of the slice that is sent until it is answered; undefined: there is none. */
  underWay: readonly Submission[] | undefined
  /** The leader that is known; 0: none. */
  leadership: number
  /** Slices begun, and answers taken of this leader. */
  slices: number
  got: number
  taken: number
  bytes: number
  isBusy: boolean
  isClosed: boolean
}

const LOOK_MS = 20

/** Returns how much of a slice a command takes, bytes. */
const sizeOf = ({ params }: Submission): number => packMessage(params).length

/** Says whether a command may still be sent: no row has it, and the leader has not refused it. */
const isOpen = ({ open }: State, { ref }: Submission): boolean => ref === NO_REPLY || open.has(ref)

/** Takes the commands of the next slice. */
function nextCommands(state: State): Submission[] {
  const commands: Submission[] = []
  let bytes = 0
  let looked = 0
  for (const command of state.unsent) {
    if (isOpen(state, command)) {
      bytes += sizeOf(command)
      if (commands.length > 0 && bytes > SLICE_BYTES_MAX) break
      commands.push(command)
    }
    looked += 1
    if (commands.length === SLICE_COMMANDS_MAX) break
  }
  state.unsent = state.unsent.slice(looked)
  return commands
}

function sliceOf({ options, slices, got }: State, commands: readonly Submission[]): Slice {
  const { node, sender, applied } = options
  return { node, sender, slice: slices, got, applied: applied(), commands }
}

function settle({ open, acknowledged }: State, ref: number): void {
  open.delete(ref)
  acknowledged.delete(ref)
}

/** Keeps a command until the leader has it; returns false of one that fits no message. */
function take({ unsent, open, ranBefore }: State, command: Submission): boolean {
  if (ranBefore.has(command.ref)) return true
  const isTouch = command.ref === NO_REPLY
  // What reading changes is not worth memory without a bound, while there is no leader.
  if (isTouch && unsent.length >= TOUCHES_WAITING_MAX) return true
  if (sizeOf(command) > COMMAND_BYTES_MAX) return false
  if (!isTouch) open.set(command.ref, command)
  unsent.push(command)
  return true
}

function takeAnswers(state: State, given: NodeAnswers): void {
  const { options } = state
  const isOfOther = given.leadership !== state.leadership || given.sender !== options.sender
  if (isOfOther || given.first > state.got + 1) return
  const fresh = given.answers.slice(state.got + 1 - given.first)
  if (fresh.length === 0) return
  state.got += fresh.length
  for (const { ref, stage } of fresh) {
    if (stage === 'final') settle(state, ref)
    else if (state.open.has(ref)) state.acknowledged.add(ref)
  }
  options.answered(fresh)
}

async function ask(state: State, slice: Slice): Promise<NodeAnswers> {
  const { options, subjects, leadership } = state
  const message = packMessage(slice)
  state.bytes += message.length
  const subject = subjects.commands(leadership)
  return unpackMessage(NODE_ANSWERS, await options.bus.request(subject, message, SLICE_TIMEOUT_MS))
}

async function sendSlice(state: State): Promise<void> {
  const { leadership } = state
  if (!state.underWay) {
    state.underWay = nextCommands(state)
    state.slices += 1
  }
  // What a row of an earlier leader holds this one does not know.
  const commands = state.underWay.filter((command) => isOpen(state, command))
  // Lost, or nobody leads: the same slice is sent again with the next beat.
  const answer = await ask(state, sliceOf(state, commands)).catch(() => undefined)
  if (!answer || leadership !== state.leadership || answer.isBehind) return
  state.underWay = undefined
  takeAnswers(state, answer)
}

function pump(state: State): void {
  if (state.isBusy || state.leadership === 0 || state.isClosed) return
  state.isBusy = true
  void sendSlice(state)
    .then(() => sleep(SLICE_PAUSE_MS))
    .finally(() => {
      state.isBusy = false
      if (!state.underWay && state.unsent.length > 0) pump(state)
    })
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Says whether the leader, where there is one, has yet to say what becomes of a command. */
const isOwed = ({ options, leadership, open, acknowledged }: State): boolean =>
  leadership !== 0 && options.bus.isUp() && open.size > acknowledged.size

export function createForwarding(options: ForwardingOptions): Forwarding {
  const { bus, node } = options
  const state: State = {
    options,
    subjects: subjectsOf(options.world),
    open: new Map(),
    acknowledged: new Set(),
    ranBefore: new Set(),
    unsent: [],
    underWay: undefined,
    leadership: 0,
    slices: 0,
    got: 0,
    taken: 0,
    bytes: 0,
    isBusy: false,
    isClosed: false,
  }
  const endAnswers = bus.subscribe(state.subjects.node(node), (bytes) =>
    takeAnswers(state, unpackMessage(NODE_ANSWERS, bytes)),
  )
  const timer = setInterval(pump, NODE_BEAT_MS, state)
  return {
    send(commands) {
      state.taken += commands.length
      const tooLong = commands.filter((command) => !take(state, command))
      pump(state)
      return tooLong
    },
    held(refs) {
      for (const ref of refs) {
        if (!state.open.has(ref) && processOf(ref) === node) state.ranBefore.add(ref)
        settle(state, ref)
      }
    },
    follow({ leadership }) {
      if (leadership <= state.leadership) return
      Object.assign(state, { leadership, got: 0, underWay: undefined })
      state.acknowledged.clear()
      state.unsent = [...state.open.values()]
      pump(state)
    },
    taken: () => state.taken,
    bytes: () => state.bytes,
    async settled() {
      for (let ms = 0; ms < LEAVE_MS_MAX && isOwed(state); ms += LOOK_MS) await sleep(LOOK_MS)
    },
    async close(last) {
      clearInterval(timer)
      state.isClosed = true
      endAnswers()
      if (state.leadership === 0 || !last) return
      state.slices += 1
      await ask(state, sliceOf(state, [last])).catch(() => {})
    },
  }
}
