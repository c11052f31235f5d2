/**
 * Forwards commands of a node to the leader: in slices, one in flight at a time. A command is kept
 * until a row holds it or the leader has refused it; those that no row holds are sent again to the
 * next leader. Source: SCALE 4.
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
import { sleep } from '../storage/db.ts'

interface ForwardingOptions {
  readonly bus: Bus
  /** The epoch of the world; the subjects on the bus carry it. */
  readonly world: string
  readonly node: number
  /** Incarnation of this world thread. */
  readonly sender: number
  /** Returns the last batch applied. */
  readonly applied: () => number
  /** Called with answers from the leader. */
  readonly answered: (answers: readonly Answer[]) => void
}

export interface Forwarding {
  /** Queues commands to be sent; returns those that are too long. */
  send(commands: readonly Submission[]): Submission[]
  /**
   * Stops keeping these commands, since rows hold them; remembers those that an earlier thread of
   * this process forwarded, so that they do not run twice.
   */
  dropHeld(refs: readonly number[]): void
  /** Sends the commands that no row holds again if the leader is a new one. */
  follow(beat: LeaderBeat): void
  /** Returns the number of commands taken so far. */
  taken(): number
  /** Returns the bytes of the slices sent so far. */
  bytes(): number
  /**
   * Resolves once each command is acknowledged or answered; earlier if there is no leader, or after
   * LEAVE_MS_MAX.
   */
  settled(): Promise<void>
  /** Stops forwarding. Sends a last command, if any; resolves when it is answered or times out. */
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
   * Refs of this process that ran without being open: an earlier thread forwarded them. Main may
   * still submit them again, and the leader may have forgotten them: they must not run twice.
   */
  readonly ranBefore: Set<number>
  unsent: Submission[]
  /** Commands of the slice that awaits its answer; undefined: none does. */
  inFlight: readonly Submission[] | undefined
  /** Epoch of the known leader; 0: none is known. */
  leadership: number
  /** Slices begun. */
  slices: number
  /** Answers taken from this leader. */
  got: number
  taken: number
  bytes: number
  isBusy: boolean
  isClosed: boolean
}

const SETTLED_POLL_MS = 20

/** Returns how many bytes of a slice a command takes. */
const sizeOf = ({ params }: Submission): number => packMessage(params).length

/** Returns whether a command may be sent: no row holds it, and the leader has not refused it. */
const isOpen = ({ open }: State, { ref }: Submission): boolean => ref === NO_REPLY || open.has(ref)

/** Takes the commands of the next slice. */
function nextCommands(state: State): Submission[] {
  const commands: Submission[] = []
  let bytes = 0
  let examined = 0
  for (const command of state.unsent) {
    if (isOpen(state, command)) {
      bytes += sizeOf(command)
      if (commands.length > 0 && bytes > SLICE_BYTES_MAX) break
      commands.push(command)
    }
    examined += 1
    if (commands.length === SLICE_COMMANDS_MAX) break
  }
  state.unsent = state.unsent.slice(examined)
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

/** Queues a command to be sent; returns false if it is too long for a message. */
function take({ unsent, open, ranBefore }: State, command: Submission): boolean {
  if (ranBefore.has(command.ref)) return true
  const isTouch = command.ref === NO_REPLY
  // Touches are marks of what was read: not worth unbounded memory while there is no leader.
  if (isTouch && unsent.length >= TOUCHES_WAITING_MAX) return true
  if (sizeOf(command) > COMMAND_BYTES_MAX) return false
  if (!isTouch) open.set(command.ref, command)
  unsent.push(command)
  return true
}

function takeAnswers(state: State, given: NodeAnswers): void {
  const { options } = state
  const isStale = given.leadership !== state.leadership || given.sender !== options.sender
  if (isStale || given.first > state.got + 1) return
  const fresh = given.answers.slice(state.got + 1 - given.first)
  if (fresh.length === 0) return
  state.got += fresh.length
  for (const { ref, stage } of fresh) {
    if (stage === 'final') settle(state, ref)
    else if (state.open.has(ref)) state.acknowledged.add(ref)
  }
  options.answered(fresh)
}

async function requestAnswers(state: State, slice: Slice): Promise<NodeAnswers> {
  const { options, subjects, leadership } = state
  const message = packMessage(slice)
  state.bytes += message.length
  const subject = subjects.commands(leadership)
  return unpackMessage(NODE_ANSWERS, await options.bus.request(subject, message, SLICE_TIMEOUT_MS))
}

async function sendSlice(state: State): Promise<void> {
  const { leadership } = state
  if (!state.inFlight) {
    state.inFlight = nextCommands(state)
    state.slices += 1
  }
  // This leader does not know which commands the rows of an earlier one hold.
  const commands = state.inFlight.filter((command) => isOpen(state, command))
  // The slice was lost, or there is no leader: the timer sends it again.
  const answer = await requestAnswers(state, sliceOf(state, commands)).catch(() => undefined)
  if (!answer || leadership !== state.leadership || answer.isBehind) return
  state.inFlight = undefined
  takeAnswers(state, answer)
}

function pump(state: State): void {
  if (state.isBusy || state.leadership === 0 || state.isClosed) return
  state.isBusy = true
  void sendSlice(state)
    .then(() => sleep(SLICE_PAUSE_MS))
    .finally(() => {
      state.isBusy = false
      if (!state.inFlight && state.unsent.length > 0) pump(state)
    })
}

/** Returns whether there is a leader that has yet to acknowledge or answer a command. */
const awaitsLeader = ({ options, leadership, open, acknowledged }: State): boolean =>
  leadership !== 0 && options.bus.isUp() && open.size > acknowledged.size

/** Creates the forwarding of a node; it sends nothing until `follow` has named a leader. */
export function createForwarding(options: ForwardingOptions): Forwarding {
  const { bus, node } = options
  const state: State = {
    options,
    subjects: subjectsOf(options.world),
    open: new Map(),
    acknowledged: new Set(),
    ranBefore: new Set(),
    unsent: [],
    inFlight: undefined,
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
    dropHeld(refs) {
      for (const ref of refs) {
        if (!state.open.has(ref) && processOf(ref) === node) state.ranBefore.add(ref)
        settle(state, ref)
      }
    },
    follow({ leadership }) {
      if (leadership <= state.leadership) return
      Object.assign(state, { leadership, got: 0, inFlight: undefined })
      state.acknowledged.clear()
      state.unsent = [...state.open.values()]
      pump(state)
    },
    taken: () => state.taken,
    bytes: () => state.bytes,
    async settled() {
      for (let ms = 0; ms < LEAVE_MS_MAX && awaitsLeader(state); ms += SETTLED_POLL_MS)
        await sleep(SETTLED_POLL_MS)
    },
    async close(last) {
      clearInterval(timer)
      state.isClosed = true
      endAnswers()
      if (state.leadership === 0 || !last) return
      state.slices += 1
      await requestAnswers(state, sliceOf(state, [last])).catch(() => {})
    },
  }
}
