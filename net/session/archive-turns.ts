/**
 * Turns at the archive: only some reads of a player run at once, so that one player cannot take the
 * places of all. How many wait is limited by the unanswered commands of the player's clients.
 */
import { ARCHIVE_READS_PER_PLAYER_MAX } from '../../core/limits.ts'

/** The reads of a player: how many run, and those that wait. */
interface Reads {
  running: number
  readonly waiting: (() => void)[]
}

/** Reads by number of the player; who has none is not in it. */
export type ArchiveTurns = Map<number, Reads>

/** Runs a read once it is its player's turn; a read of no player (0) at once. */
export async function inTurn<T>(
  turns: ArchiveTurns,
  player: number,
  read: () => Promise<T>,
): Promise<T> {
  if (player === 0) return read()
  const reads = turns.get(player) ?? { running: 0, waiting: [] }
  turns.set(player, reads)
  if (reads.running < ARCHIVE_READS_PER_PLAYER_MAX) reads.running += 1
  else await new Promise<void>((resolve) => reads.waiting.push(resolve))
  try {
    return await read()
  } finally {
    const next = reads.waiting.shift()
    if (next) next()
    else reads.running -= 1
    if (reads.running === 0) turns.delete(player)
  }
}
