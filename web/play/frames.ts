/**
 * What a frame of the server does to what the console knows. Pure: the session sends and receives.
 */
import { factsOf, sayNote } from './news.ts'
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
import { seen, welcomed } from './ticks.ts'

export interface Frame {
  readonly type: string
  readonly request_id?: string
  readonly payload: Json
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Returns the frame of a message; undefined: it is none of ours. */
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
 * Ends what an earlier connection left pending, where the first state after a login says that
 * nothing is: its outcome went elsewhere.
 */
function settled(state: PlayState, isFirst: boolean): PlayState {
  if (!isFirst || state.game.queue?.has_pending !== false) return state
  const words = 'The outcome came while the connection was away; the action log has it.'
  const sent = state.sent.map((one) =>
    one.progress === 'pending' ? { ...one, progress: 'lost' as const, words } : one,
  )
  return { ...state, sent }
}

/** Returns the whole state: what is absent is not there any more; only hints go that way. */
const whole = (game: GameState, answer: Json): GameState =>
  merged(game, { ...answer, hints: answer.hints ?? [] })

/** Queries of which the console keeps what they answer, by address. */
const KEPT: Readonly<Record<string, (state: PlayState, answer: Json) => PlayState>> = {
  'game/get_state': (state, answer) =>
    settled({ ...state, game: whole(state.game, answer), isFresh: false }, state.isFresh),
  'game/get_status': (state, answer) => ({ ...state, game: whole(state.game, answer) }),
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

const with1 = (state: PlayState, id: string, change: Partial<Sent>): PlayState => ({
  ...state,
  sent: state.sent.map((sent) => (sent.id === id ? { ...sent, ...change } : sent)),
})

const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

function answered(state: PlayState, sent: Sent, { payload }: Frame): PlayState {
  const answer = isObject(payload.structuredContent) ? payload.structuredContent : {}
  if (sent.mutation && answer.pending === true) {
    const dueTick = typeof answer.arrival_tick === 'number' ? answer.arrival_tick : undefined
    return with1(state, sent.id, { progress: 'pending', dueTick, words: asText(answer.message) })
  }
  const kept = KEPT[sent.address]
  const next = kept ? kept(state, answer) : state
  if (sent.isQuiet) return { ...next, sent: next.sent.filter(({ id }) => id !== sent.id) }
  const done = with1(next, sent.id, {
    progress: 'done',
    words: asText(payload.result),
    raw: answer,
  })
  return sent.address === SAID ? withOwnLine(done, sent, answer) : done
}

const SAID = 'game_social/chat'

/** Adds the own line of chat: its sender is not sent the message. */
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

/** Commands whose result reads like an event of a type. */
const READS_LIKE: Readonly<Record<string, string>> = { 'game/mine': 'mining_yield' }

function wordsOf({ address }: Sent, details: Json): string {
  const type = READS_LIKE[address]
  return type ? sayNote({ type, payload: details }) : factsOf(details)
}

function ran(state: PlayState, sent: Sent, { payload }: Frame): PlayState {
  const result = isObject(payload.result) ? payload.result : {}
  const details = isObject(result.details) ? result.details : {}
  const words = asText(result.message) ?? asText(details.message) ?? wordsOf(sent, details)
  const tick = typeof payload.tick === 'number' ? payload.tick : undefined
  const next = { ...state, game: merged(state.game, result) }
  return with1(next, sent.id, { progress: 'done', tick, words, raw: payload })
}

function refused(state: PlayState, sent: Sent, { payload }: Frame): PlayState {
  if (sent.isQuiet) return { ...state, sent: state.sent.filter(({ id }) => id !== sent.id) }
  const isBehind = state.sent.some(({ mutation, progress }) => mutation && progress === 'queued')
  const next = with1(state, sent.id, {
    progress: 'refused',
    tick: typeof payload.tick === 'number' ? payload.tick : undefined,
    code: asText(payload.code),
    words: asText(payload.message),
    details: payload.details,
    raw: payload,
  })
  return sent.mutation && isBehind ? { ...next, isHeld: true } : next
}

/** Which frame answers a command how. */
const ANSWERS: Readonly<Record<string, (state: PlayState, sent: Sent, frame: Frame) => PlayState>> =
  { result: answered, action_result: ran, action_error: refused, error: refused }

let lastNote = 0

function noted(state: PlayState, { type, payload }: Frame): PlayState {
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

function loggedIn(state: PlayState, { payload }: Frame): PlayState {
  const lines = Array.isArray(payload.recent_chat) ? payload.recent_chat.filter(isObject) : []
  const chat = lines.map(chatLineOf).filter((line) => line !== undefined)
  const known = new Set(chat.map(({ id }) => id))
  const own = state.chat.filter(({ id }) => id === '' || !known.has(id))
  return {
    ...state,
    phase: 'in',
    why: undefined,
    whyCode: undefined,
    retryAt: undefined,
    isFresh: true,
    game: {},
    around: { system: payload.system as PlayState['around']['system'] },
    chat: [...chat, ...own].slice(-CHAT_MAX),
  }
}

/** Returns what is known after a frame that came at `now`, in milliseconds of this machine. */
export function after(state: PlayState, frame: Frame, now: number): PlayState {
  const { type, payload, request_id: id } = frame
  if (type === 'welcome') {
    const ticks = welcomed(Number(payload.tick_rate), Number(payload.current_tick), now)
    return { ...state, ticks, version: asText(payload.version) }
  }
  if (type === 'registered') return { ...state, newPassword: asText(payload.password) }
  if (type === 'logged_in') return loggedIn(state, frame)
  const { tick } = payload
  const next =
    typeof tick === 'number' && state.ticks
      ? { ...state, ticks: seen(state.ticks, tick, now) }
      : state
  const sent = id === undefined ? undefined : next.sent.find((one) => one.id === id)
  const answer = ANSWERS[type]
  if (sent && answer) return answer(next, sent, frame)
  // The answer of a command that this console did not send, or has forgotten, is shown as news.
  return noted(next, frame)
}
