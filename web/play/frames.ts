/**
 * Applies frames of the server to the state of the console. Pure functions; the session sends and
 * receives.
 */
import { describeNote, factsOf } from './notes.ts'
import {
  bounded,
  CHAT_MAX,
  type ChatLine,
  chatLineOf,
  type GameState,
  type Json,
  type Mission,
  merged,
  NOTES_MAX,
  type PlayState,
  type Sent,
} from './state.ts'
import { ticksAfterWelcome, withSeenTick } from './ticks.ts'

export interface Frame {
  readonly type: string
  readonly request_id?: string
  readonly payload: Json
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Parses a message; returns undefined if it is not a frame. */
export function readFrame(data: unknown): Frame | undefined {
  if (typeof data !== 'string') return undefined
  let frame: unknown
  try {
    frame = JSON.parse(data)
  } catch {
    return undefined
  }
  if (!isObject(frame) || typeof frame.type !== 'string') return undefined
  const { type, request_id } = frame
  const payload = isObject(frame.payload) ? frame.payload : {}
  return typeof request_id === 'string' ? { type, request_id, payload } : { type, payload }
}

/**
 * Marks commands of an earlier connection as lost if the first state after a login shows that none
 * is pending: their outcome was sent while there was no connection.
 */
function withLostCommands(state: PlayState, isFirst: boolean): PlayState {
  if (!isFirst || state.game.queue?.has_pending !== false) return state
  const text = 'The outcome came while the connection was lost: see the action log.'
  const sent = state.sent.map((one) =>
    one.progress === 'pending' ? { ...one, progress: 'lost' as const, text } : one,
  )
  return { ...state, sent }
}

/** Merges an answer that describes all of the state: without hints in it there are none. */
const withAnswer = (game: GameState, answer: Json): GameState =>
  merged(game, { ...answer, hints: answer.hints ?? [] })

/** Functions that store the answers of queries which the console needs, by address. */
const STORED_ANSWERS: Readonly<Record<string, (state: PlayState, answer: Json) => PlayState>> = {
  'game/get_state': (state, answer) =>
    withLostCommands(
      { ...state, game: withAnswer(state.game, answer), isFresh: false },
      state.isFresh,
    ),
  'game/get_status': (state, answer) => ({ ...state, game: withAnswer(state.game, answer) }),
  'game/get_system': (state, answer) => ({
    ...state,
    around: { ...state.around, system: answer.system as PlayState['around']['system'] },
  }),
  'game/get_missions': (state, answer) => ({
    ...state,
    around: { ...state.around, offered: answer.missions as readonly Mission[] },
  }),
  'game/get_base': (state, answer) => ({
    ...state,
    around: { ...state.around, services: answer.services as readonly string[] },
  }),
}

const withChange = (state: PlayState, id: string, change: Partial<Sent>): PlayState => ({
  ...state,
  sent: state.sent.map((sent) => (sent.id === id ? { ...sent, ...change } : sent)),
})

const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

function applyResult(state: PlayState, sent: Sent, { payload }: Frame): PlayState {
  const answer = isObject(payload.structuredContent) ? payload.structuredContent : {}
  if (sent.mutation && answer.pending === true) {
    const dueTick = typeof answer.arrival_tick === 'number' ? answer.arrival_tick : undefined
    const text = asText(answer.message)
    return withChange(state, sent.id, { progress: 'pending', dueTick, text })
  }
  const store = STORED_ANSWERS[sent.address]
  const next = store ? store(state, answer) : state
  if (sent.isQuiet) return { ...next, sent: next.sent.filter(({ id }) => id !== sent.id) }
  const done = withChange(next, sent.id, {
    progress: 'done',
    text: asText(payload.result),
    raw: answer,
  })
  return sent.address === CHAT_ADDRESS ? withOwnLine(done, sent, answer) : done
}

const CHAT_ADDRESS = 'game_social/chat'

/** Adds a line of chat that the player wrote, since the server does not send it back. */
function withOwnLine(state: PlayState, { id, payload }: Sent, answer: Json): PlayState {
  const sentAt = Number(answer.sent_at)
  const line: ChatLine = {
    id,
    channel: asText(answer.channel) ?? String(payload.target),
    sender: state.game.player?.username ?? '',
    content: String(payload.content),
    timestamp: Number.isSafeInteger(sentAt) ? new Date(sentAt * 1_000).toISOString() : '',
  }
  return { ...state, chat: bounded(state.chat, line, CHAT_MAX) }
}

/** By command, the type of the event whose wording also describes the result. */
const WORDED_AS: Readonly<Record<string, string>> = { 'game/mine': 'mining_yield' }

function outcomeText({ address }: Sent, details: Json): string {
  const type = WORDED_AS[address]
  return type ? describeNote({ type, payload: details }) : factsOf(details)
}

function applyActionResult(state: PlayState, sent: Sent, { payload }: Frame): PlayState {
  const result = isObject(payload.result) ? payload.result : {}
  const details = isObject(result.details) ? result.details : {}
  const text = asText(result.message) ?? asText(details.message) ?? outcomeText(sent, details)
  const tick = typeof payload.tick === 'number' ? payload.tick : undefined
  const next = { ...state, game: merged(state.game, result) }
  return withChange(next, sent.id, { progress: 'done', tick, text, raw: payload })
}

function applyRefusal(state: PlayState, sent: Sent, { payload }: Frame): PlayState {
  if (sent.isQuiet) return { ...state, sent: state.sent.filter(({ id }) => id !== sent.id) }
  const hasQueued = state.sent.some(({ mutation, progress }) => mutation && progress === 'queued')
  const next = withChange(state, sent.id, {
    progress: 'refused',
    tick: typeof payload.tick === 'number' ? payload.tick : undefined,
    code: asText(payload.code),
    text: asText(payload.message),
    details: payload.details,
    raw: payload,
  })
  return sent.mutation && hasQueued ? { ...next, isHeld: true } : next
}

/** Functions that apply the answer to a command, by the type of the frame. */
const ANSWERS: Readonly<Record<string, (state: PlayState, sent: Sent, frame: Frame) => PlayState>> =
  {
    result: applyResult,
    action_result: applyActionResult,
    action_error: applyRefusal,
    error: applyRefusal,
  }

let lastNote = 0

function addNote(state: PlayState, { type, payload }: Frame): PlayState {
  if (type === 'chat_message') {
    const line = chatLineOf(payload)
    if (!line) return state
    const chat = bounded(state.chat, line, CHAT_MAX)
    return { ...state, chat, unreadChat: state.unreadChat + 1 }
  }
  lastNote += 1
  const tick = typeof payload.tick === 'number' ? { tick: payload.tick } : {}
  const note = { n: lastNote, type, payload, ...tick }
  return { ...state, notes: bounded(state.notes, note, NOTES_MAX) }
}

function applyLogin(state: PlayState, { payload }: Frame): PlayState {
  const lines = Array.isArray(payload.recent_chat) ? payload.recent_chat.filter(isObject) : []
  const chat = lines.map(chatLineOf).filter((line) => line !== undefined)
  const known = new Set(chat.map(({ id }) => id))
  const notResent = state.chat.filter(({ id }) => id === '' || !known.has(id))
  return {
    ...state,
    phase: 'in',
    why: undefined,
    whyCode: undefined,
    retryAt: undefined,
    isFresh: true,
    game: {},
    around: { system: payload.system as PlayState['around']['system'] },
    chat: [...chat, ...notResent].slice(-CHAT_MAX),
  }
}

/** Returns the state after a frame that arrived at `now`, in milliseconds of this machine. */
export function applyFrame(state: PlayState, frame: Frame, now: number): PlayState {
  const { type, payload, request_id: id } = frame
  if (type === 'welcome') {
    const ticks = ticksAfterWelcome(Number(payload.tick_rate), Number(payload.current_tick), now)
    return { ...state, ticks, version: asText(payload.version) }
  }
  if (type === 'registered') return { ...state, newPassword: asText(payload.password) }
  if (type === 'logged_in') return applyLogin(state, frame)
  const { tick } = payload
  const next =
    typeof tick === 'number' && state.ticks
      ? { ...state, ticks: withSeenTick(state.ticks, tick, now) }
      : state
  const sent = id === undefined ? undefined : next.sent.find((one) => one.id === id)
  const answer = ANSWERS[type]
  if (sent && answer) return answer(next, sent, frame)
  // Events, and answers to commands that this console did not send or no longer lists.
  return addNote(next, frame)
}
