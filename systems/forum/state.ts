/** Recent writes of players, for the limits. Threads, replies and votes are in the archive. */
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import { defineIndex } from '../../core/world.ts'

/** Kinds of writes; each has its own limit. */
const FORUM_KINDS = ['threads', 'replies', 'votes'] as const
export type ForumKind = (typeof FORUM_KINDS)[number]

/** Wall times in ms of what a player wrote within the last hour, by kind, oldest first. */
type ForumUse = Readonly<Partial<Record<ForumKind, readonly number[]>>>

/** By durable number of the player. */
export const FORUM_USE = defineRecords<ForumUse>('forum_use', ROWS.players)

/** Writes admitted in the running tick: each is work for the archive. Transient. */
export const WRITES = defineIndex('forum.writes', () => ({ tick: -1, count: 0 }))
