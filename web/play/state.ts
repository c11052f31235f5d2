/**
 * The state of the console: the sections of the v2 state, the current system, the commands sent,
 * events and chat. All lists are bounded; old entries are dropped first.
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
  readonly in_cargo?: number
  readonly in_storage?: number
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

/** The sections of the v2 state. */
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

/** Returns the state with the sections of an answer merged in; credits may come separately. */
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
 * `queued`: not sent yet; `sent`: no answer yet; `pending`: accepted, waits for its tick; `lost`:
 * the connection was lost before the answer, so it may have run.
 */
export type Progress = 'queued' | 'sent' | 'pending' | 'done' | 'refused' | 'lost'

export interface Sent extends Call {
  readonly id: string
  readonly mutation: boolean
  /** Whether the console itself sent it; such commands are not listed. */
  readonly isQuiet: boolean
  readonly progress: Progress
  /** The tick in which it will be answered, if the server reported it. */
  readonly dueTick?: number
  readonly tick?: number
  readonly text?: string
  readonly code?: string
  readonly details?: unknown
  /** The answer as received. */
  readonly raw?: unknown
}

export const SENT_MAX = 200
export const NOTES_MAX = 200
export const CHAT_MAX = 200
export const QUEUE_MAX = 20

const isOpen = ({ progress }: Sent): boolean =>
  progress === 'queued' || progress === 'sent' || progress === 'pending'

/** Returns a list with an item added at its end; beyond the bound the oldest is dropped. */
export function bounded<T>(list: readonly T[], item: T, max: number): readonly T[] {
  return list.length < max ? [...list, item] : [...list.slice(list.length - max + 1), item]
}

/** Returns the list of commands with one added; beyond the bound an answered one is dropped. */
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

/** Parses a chat message from an event or the history; returns undefined if it is not one. */
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

/** `out`: nobody is logged in. `away`: the connection was lost and will be retried. */
type Phase = 'out' | 'opening' | 'in' | 'away'

export interface PlayState {
  readonly phase: Phase
  /** Why the player is out or the connection is away, as a sentence. */
  readonly why?: string
  readonly whyCode?: string
  /** When the next attempt is made, in milliseconds of this machine. */
  readonly retryAt?: number
  readonly version?: string
  readonly ticks?: Ticks
  readonly game: GameState
  readonly around: Around
  readonly sent: readonly Sent[]
  /** Whether the player has logged in and the complete state has not arrived yet. */
  readonly isFresh: boolean
  /** Whether the queue is on hold because the last mutation was refused. */
  readonly isHeld: boolean
  readonly notes: readonly Note[]
  readonly chat: readonly ChatLine[]
  readonly unreadChat: number
  /** The password of a player who just registered, shown once. */
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
