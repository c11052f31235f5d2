/**
 * The calls of the archive: every method with its arguments. Domains make them, storage answers
 * them; neither imports the other.
 */

interface Identity {
  /** Durable number of a player. */
  readonly player: number
}

interface Author extends Identity {
  readonly author: string
  readonly authorId: string
  readonly empire: string
  readonly factionTag?: string
  readonly content: string
}

/** An entry of the action log of a player or a faction. */
export interface ArchivedAction {
  /** Durable number of the player. */
  readonly player: number
  /** Wire id of the faction whose log it belongs to, instead of the player's. */
  readonly factionId?: string
  readonly category: string
  /** category.verb */
  readonly eventType: string
  readonly summary: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** One tick of a battle, for its log. */
export interface ArchivedTurn {
  readonly battle: number
  readonly tick: number
  /** Ships lost in this turn, if strangers may read about the battle; else 0. */
  readonly kills: number
  readonly entry: object
  readonly summary?: object
  /** The summary that strangers may read; absent for a battle off the public chart. */
  readonly told?: object
  /** Keys of the names by which strangers find the battle. */
  readonly names?: readonly string[]
}

/** A scope whose messages are counted, and the moment from which they count. */
export interface WatchedScope {
  readonly scope: string
  readonly sinceMs: number
}

const THREAD_SORTS = ['newest', 'hot', 'most_replies', 'most_upvotes'] as const

/** Writes, run inside the transaction of the batch that requests them. */
export interface ArchiveWriteArgs {
  readonly createPlayer: {
    readonly playerId: string
    readonly number: number
    readonly username: string
    readonly usernameKey: string
    readonly empire: string
    readonly code?: string
    readonly accountId?: string
  }
  readonly postChat: {
    readonly scope: string
    readonly channel: string
    readonly senderId: string
    readonly sender: string
    readonly content: string
    readonly targetId?: string
    readonly targetName?: string
    readonly systemId?: string
    readonly poiId?: string
    readonly factionId?: string
    readonly empireOfficial?: boolean
  }
  readonly addLogEntry: Identity & { readonly entry: string }
  readonly deleteLogEntry: Identity & { readonly index: number }
  readonly logActions: { readonly rows: readonly ArchivedAction[] }
  readonly logBattles: { readonly rows: readonly ArchivedTurn[] }
  readonly closeBooks: { readonly tick: number; readonly credits: object; readonly goods: object }
  /** Parallel lists: one price per index. */
  readonly recordPrices: {
    readonly tick: number
    readonly bases: readonly string[]
    readonly items: readonly string[]
    readonly units: readonly number[]
    readonly credits: readonly number[]
    /** Number of trades. */
    readonly fills: readonly number[]
    /** Whether strangers may see the trades of this place. */
    readonly charted: readonly boolean[]
  }
  /** Of the trades of a tick, those that everybody may read. Parallel lists: one row per index. */
  readonly recordFills: {
    readonly bases: readonly string[]
    readonly items: readonly string[]
    /** True if a buyer took a sell offer, false if a seller filled a buy order. */
    readonly bought: readonly boolean[]
    /** Whether the station was the buyer, and whether it was the seller. */
    readonly byStation: readonly boolean[]
    readonly fromStation: readonly boolean[]
    readonly units: readonly number[]
    readonly credits: readonly number[]
    readonly trades: readonly number[]
  }
  readonly filePetition: Identity & {
    readonly empire: string
    readonly playerId: string
    readonly username: string
    readonly kind: string
    readonly content: string
  }
  readonly createThread: Author & {
    readonly authorKey: string
    readonly category: string
    readonly title: string
  }
  readonly createReply: Author & { readonly thread: number }
  /** With `reply` 0 the vote is for the thread itself. */
  readonly castVote: Identity & { readonly thread: number; readonly reply: number }
  readonly deleteThread: Identity & { readonly thread: number }
  readonly deleteReply: Identity & { readonly reply: number }
  readonly writeNote: { readonly note: number; readonly content: string }
  readonly dropNote: { readonly note: number }
}

/** Reads, run on the connection pool of the main thread, between batches. */
export interface ArchiveReadArgs {
  readonly chatHistory: {
    readonly channel: string
    readonly scopes: readonly string[]
    readonly party?: string
    readonly limit: number
    readonly before?: string
    readonly after?: string
  }
  readonly chatSummary: {
    readonly party: string
    readonly privateSinceMs: number
    readonly system?: WatchedScope
    readonly local?: WatchedScope
    readonly faction?: WatchedScope
  }
  readonly listLog: Identity & { readonly index?: number }
  readonly getLogEntry: Identity & { readonly index: number }
  readonly readLog: Identity
  readonly actionLog: ActionLogArgs
  /** Jumps of players (by number) since a wall time in ms. */
  readonly jumps: {
    readonly players: readonly number[]
    readonly sinceMs: number
    readonly limit: number
  }
  readonly battleLog: {
    readonly battle: number
    readonly battle_id: string
    readonly limit: number
    readonly tickStart?: number
    readonly tickEnd?: number
    readonly activeTicks?: number
  }
  readonly battleSummary: {
    readonly battle: number
    readonly battle_id: string
    readonly active?: object
  }
  readonly listThreads: {
    readonly page: number
    readonly limit: number
    readonly sort: (typeof THREAD_SORTS)[number]
    readonly nowMs: number
    readonly categories: Readonly<Record<string, string>>
    readonly search?: string
    readonly fromMs?: number
    readonly toMs?: number
    readonly devOnly?: boolean
    readonly factionTag?: string
    readonly author?: string
    readonly authorKey?: string
    readonly category?: string
  }
  readonly readThread: { readonly thread: number; readonly page: number; readonly limit: number }
  /** The fields of the answer to which the counts are added. */
  readonly countForum: Readonly<Record<string, unknown>>
  /** `view`: the fields of the answer besides the text of the note. */
  readonly readNote: { readonly note: number; readonly view: object }
  readonly publicBattles: PublicTick & {
    readonly category?: string
    /** Prefix of the key of a name. */
    readonly nameKey?: string
    readonly limit: number
    readonly offset: number
  }
  readonly publicBattle: PublicTick & { readonly battle_id: string }
  readonly publicBattleLog: PublicTick & {
    readonly battle_id: string
    readonly from: number
    readonly to: number
    readonly limit: number
    /** Present while the battle is fought where strangers see it. */
    readonly active?: {
      readonly battle_id: string
      readonly status: string
      readonly duration_ticks: number
    }
  }
  readonly publicFills: PublicTick & {
    readonly since: number
    readonly sinceMs: number
    readonly item?: string
    readonly base?: string
    readonly limit: number
  }
  readonly topFills: PublicTick & { readonly since: number; readonly limit: number }
  readonly fillStats: PublicTick & { readonly since: number }
  readonly priceHistory: PublicTick & {
    /** Wall time of the public tick. */
    readonly atMs: number
    /** The first tick of the history. */
    readonly since: number
    readonly item: string
    readonly base?: string
    /** Absent: all days. */
    readonly days?: number
  }
  /** Sums up the ticks of each step. */
  readonly publicMoments: { readonly from: number; readonly to: number; readonly step: number }
  readonly publicFrame: PublicTick
  /** The signed proof of a tick that strangers may read about. */
  readonly proof: PublicTick
  /** The key of proofs, and how far back they go from a tick. */
  readonly proofKey: PublicTick
}

/** The last tick of the past that strangers may read. */
interface PublicTick {
  readonly tick: number
}

/** A row of the public tape of trades. */
export interface ArchivedFill {
  readonly tick: number
  /** Position among the rows of its tick. */
  readonly n: number
  readonly item: string
  readonly base: string
  readonly bought: boolean
  readonly byStation: boolean
  readonly fromStation: boolean
  readonly units: number
  readonly credits: number
  readonly atMs: number
}

/** The public frame of a tick, as strangers were shown it. */
export interface KeptFrame extends PublicTick {
  readonly atMs: number
  readonly tickMs: number
  /** Ticks since the previous kept frame. */
  readonly ticks: number
  readonly online: number
  readonly battles: number
  /** Gzip of JSON. */
  readonly body: Uint8Array
}

/** A frame between two that are kept whole, as the difference to the frame of an earlier tick. */
export interface KeptStep extends PublicTick {
  /** The earlier tick; null if the frame is whole. */
  readonly base: number | null
  /** Gzip of JSON. */
  readonly body: Uint8Array
}

/** The last whole frame at or before a tick, and the steps from there to it, in order. */
export interface KeptFrames {
  readonly frame?: Pick<KeptFrame, 'tick' | 'body'>
  readonly steps: readonly KeptStep[]
}

/** The action log of a player, or of a faction. */
interface ActionLogArgs {
  readonly player?: number
  readonly factionId?: string
  readonly page: number
  readonly pageSize: number
  readonly sinceId?: number
  readonly category?: string
  readonly eventTypes?: readonly string[]
}

export type ArchiveArgs = ArchiveWriteArgs & ArchiveReadArgs
export type ArchiveMethod = keyof ArchiveArgs

/** A method and the arguments that belong to it. */
type ArchiveCall<M extends ArchiveMethod = ArchiveMethod> = {
  [K in M]: { readonly method: K; readonly args: ArchiveArgs[K] }
}[M]

export type ArchiveRead = ArchiveCall<keyof ArchiveReadArgs> & {
  /** Number of a batch: the read must see the writes of all batches up to it. */
  readonly after?: number
}

/**
 * A write to the archive: inside the transaction of the batch, or after it where the journal alone
 * determines what to write.
 */
export type ArchiveWrite = ArchiveCall<keyof ArchiveWriteArgs> & {
  /** Set when a command waits for the outcome, which the journal row then keeps. */
  readonly ref?: number
  readonly secret?: Readonly<Record<string, string>>
}

const PROJECTED: ReadonlySet<ArchiveMethod> = new Set<keyof ArchiveWriteArgs>([
  'logActions',
  'logBattles',
  'closeBooks',
  'recordPrices',
  'recordFills',
])

/**
 * Returns whether a write follows from the journal and no command waits for it: such a write may
 * come after the commit of its batch, since a replay makes it again.
 */
export const isProjected = ({ method, ref }: ArchiveWrite): boolean =>
  ref === undefined && PROJECTED.has(method)
