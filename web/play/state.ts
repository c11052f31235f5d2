/**
 * What the console knows of the player: the sections of the v2 state, the system around, the
 * commands sent, events and chat. Everything is bounded; old entries go first.
 */
import type { Call } from './console.ts'
import type { Ticks } from './ticks.ts'

export type Json = Readonly<Record<string, unknown>>

export interface Cargo {
  readonly item_id: string
  readonly item_name: string
  readonly quantity: number
  readonly size: number
}

interface Objective {
  readonly type: string
  readonly description: string
  readonly current: number
  readonly required: number
  readonly completed: boolean
  readonly sources?: readonly string[]
}

export interface Mission {
  readonly mission_id: string
  readonly template_id?: string
  readonly title: string
  readonly description: string
  readonly type: string
  readonly percent_complete: number
  readonly expires_in_ticks?: number
  readonly objectives?: readonly Objective[]
  readonly rewards?: { readonly credits?: number }
}

interface Place {
  readonly system_id?: string
  readonly system_name?: string
  readonly poi_id?: string
  readonly poi_name?: string
  readonly poi_type?: string
  readonly docked_at?: string | null
  readonly in_transit?: boolean
  readonly security_status?: string
  readonly transit_arrival_tick?: number
  readonly transit_dest_poi_name?: string
  readonly transit_dest_system_name?: string
  readonly connections?: readonly string[]
  readonly resources?: readonly {
    readonly item_id?: string
    readonly item_name?: string
    readonly remaining?: number
  }[]
  readonly nearby_players?: readonly { readonly username?: string; readonly ship_class?: string }[]
  readonly nearby_player_count?: number
  readonly nearby_pirates?: readonly {
    readonly pirate_id: string
    readonly name: string
    readonly tier: string
  }[]
  readonly nearby_empire_npc_count?: number
}

export interface Ship {
  readonly name: string
  readonly class_name?: string
  readonly class_id: string
  readonly hull: number
  readonly max_hull: number
  readonly shield: number
  readonly max_shield: number
  readonly fuel: number
  readonly max_fuel: number
  readonly cargo_used: number
  readonly cargo_capacity: number
}

/** Sections of the state as v2 sends them; an absent one is unchanged. */
export interface GameState {
  readonly player?: { readonly username: string; readonly empire: string; readonly credits: number }
  readonly ship?: Ship
  readonly modules?: readonly Json[]
  readonly cargo?: readonly Cargo[]
  readonly location?: Place
  readonly missions?: { readonly active: readonly Mission[]; readonly max_missions: number }
  readonly queue?: { readonly has_pending?: boolean; readonly command?: string }
  readonly skills?: Readonly<Record<string, Json>>
  readonly hints?: readonly string[]
}

export interface Poi {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly class?: string
  readonly has_base: boolean
  readonly base_name?: string
}

/** The system that the player is in, and what the station offers. */
interface Around {
  readonly system?: {
    readonly id: string
    readonly name: string
    readonly pois: readonly Poi[]
    readonly connections: readonly { readonly system_id: string; readonly name: string }[]
  }
  readonly offered?: readonly Mission[]
  readonly services?: readonly string[]
}

const SECTIONS = [
  'player',
  'ship',
  'modules',
  'cargo',
  'location',
  'missions',
  'queue',
  'skills',
  'hints',
] as const

/** Returns the state with the sections that an answer has; credits may come alone. */
export function merged(state: GameState, answer: Json): GameState {
  const changed: Record<string, unknown> = {}
  for (const section of SECTIONS)
    if (answer[section] !== undefined) changed[section] = answer[section]
  const next = { ...state, ...changed } as GameState
  const { credits } = answer
  if (typeof credits !== 'number' || !next.player) return next
  return { ...next, player: { ...next.player, credits } }
}

/* Commands sent */

/**
 * `queued` waits here, `sent` has no answer yet, `pending` is accepted and waits for its tick,
 * `lost` may have run: the connection went away before the answer.
 */
export type Progress = 'queued' | 'sent' | 'pending' | 'done' | 'refused' | 'lost'

export interface Sent extends Call {
  readonly id: string
  readonly mutation: boolean
  /** Asked by the console itself; not listed. */
  readonly isQuiet: boolean
  readonly progress: Progress
  /** Tick at which it is answered, where the server reports it. */
  readonly dueTick?: number
  readonly tick?: number
  readonly words?: string
  readonly code?: string
  readonly details?: unknown
  /** The answer as it came. */
  readonly raw?: unknown
}

export const SENT_MAX = 200
export const NOTES_MAX = 200
export const CHAT_MAX = 200
export const QUEUE_MAX = 20

const isOpen = ({ progress }: Sent): boolean =>
  progress === 'queued' || progress === 'sent' || progress === 'pending'

/** Returns a list with one more at its end, the oldest dropped past the bound. */
export function bounded<T>(list: readonly T[], item: T, max: number): readonly T[] {
  return list.length < max ? [...list, item] : [...list.slice(list.length - max + 1), item]
}

/** Returns the list of what was sent, answered ones dropped first past the bound. */
export function withSent(list: readonly Sent[], item: Sent): readonly Sent[] {
  if (list.length < SENT_MAX) return [...list, item]
  const dropped = Math.max(
    0,
    list.findIndex((sent) => !isOpen(sent)),
  )
  return [...list.filter((_, index) => index !== dropped), item]
}

export const queuedOf = (sent: readonly Sent[]): readonly Sent[] =>
  sent.filter(({ progress }) => progress === 'queued')

/** Returns the mutation that waits for its tick, or for its acknowledgement. */
export const pendingOf = (sent: readonly Sent[]): Sent | undefined =>
  sent.find(({ mutation, progress }) => mutation && (progress === 'pending' || progress === 'sent'))

/* Events and chat */

export interface Note {
  readonly n: number
  readonly type: string
  readonly payload: Json
  readonly tick?: number
}

export interface ChatLine {
  readonly id: string
  readonly channel: string
  readonly sender: string
  readonly content: string
  readonly timestamp: string
}

/** Returns a chat message of an event or of a history; undefined: it is none. */
export function chatLineOf(payload: Json): ChatLine | undefined {
  const { id, channel, sender, content, timestamp } = payload
  if (typeof content !== 'string' || typeof channel !== 'string') return undefined
  return {
    id: String(id ?? ''),
    channel,
    sender: String(sender ?? ''),
    content,
    timestamp: String(timestamp ?? ''),
  }
}

/** `out`: nobody is logged in. `away`: the socket is gone and is tried again. */
type Phase = 'out' | 'opening' | 'in' | 'away'

export interface PlayState {
  readonly phase: Phase
  /** Why the player is out or the socket away, as a sentence. */
  readonly why?: string
  readonly whyCode?: string
  /** When the next try comes, in milliseconds of this machine. */
  readonly retryAt?: number
  readonly version?: string
  readonly ticks?: Ticks
  readonly game: GameState
  readonly around: Around
  readonly sent: readonly Sent[]
  /** Logged in, and the whole state is not there yet. */
  readonly isFresh: boolean
  /** Held: the last mutation was refused, so what waits behind it does too. */
  readonly isHeld: boolean
  readonly notes: readonly Note[]
  readonly chat: readonly ChatLine[]
  readonly unreadChat: number
  /** The password of a player just registered: shown once. */
  readonly newPassword?: string
}

export const OUT: PlayState = {
  phase: 'out',
  game: {},
  around: {},
  sent: [],
  isFresh: false,
  isHeld: false,
  notes: [],
  chat: [],
  unreadChat: 0,
}
