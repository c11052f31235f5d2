/** What the limits of the forum remember. Threads, replies and votes are archive text. */
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import { defineIndex } from '../../core/world.ts'

/** Kinds of writing that are counted by themselves. */
const FORUM_KINDS = ['threads', 'replies', 'votes'] as const
export type ForumKind = (typeof FORUM_KINDS)[number]

/** Wall times in ms of what a player wrote within the last hour, by kind, oldest first. */
type ForumUse = Readonly<Partial<Record<ForumKind, readonly number[]>>>

/** Player number → use. */
export const FORUM_USE = defineRecords<ForumUse>('forum_use', ROWS.players)

/** Writes that the running tick has let through: each is work of the archive. Transient. */
export const WRITES = defineIndex('forum.writes', () => ({ tick: -1, count: 0 }))
