/** What the limits of the forum remember. Threads, replies and votes are archive text. */
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'

/** Kinds of writing that are counted by themselves. */
export const FORUM_KINDS = ['threads', 'replies', 'votes'] as const
export type ForumKind = (typeof FORUM_KINDS)[number]

/** Wall times in ms of what a player wrote within the last hour, by kind, oldest first. */
export type ForumUse = Readonly<Partial<Record<ForumKind, readonly number[]>>>

/** Player number → use. */
export const FORUM_USE = defineRecords<ForumUse>('forum_use', ROWS.players)
