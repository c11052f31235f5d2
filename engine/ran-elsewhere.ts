/**
 * Finds the commands that players ran at other nodes, so that a limit per player holds across all
 * nodes, not at each node separately. Source: SCALE 5.
 */
import { processOf } from '../core/bus.ts'
import { NO_REPLY } from '../core/inbox.ts'
import type { JournalRow, RanElsewhere } from '../core/ports.ts'

/**
 * Returns the commands of players in a row that `node` did not send. `own`: refs of commands that
 * it sent, besides those that carry its number.
 */
export function ranElsewhere(
  { part, inputs }: Pick<JournalRow, 'part' | 'inputs'>,
  node: number,
  own: ReadonlySet<number>,
): RanElsewhere[] {
  // The commands of a tick need no count: each player has one slot in it.
  if (part === 0) return []
  return inputs.flatMap(({ ref, player, command }) => {
    const isHere = own.has(ref) || processOf(ref) === node
    const isOfPlayer = player !== 0 && ref !== NO_REPLY && !command.startsWith('internal:')
    return isOfPlayer && !isHere ? [{ player, command }] : []
  })
}
