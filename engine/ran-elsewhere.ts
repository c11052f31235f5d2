/**
 * What players have done at other nodes: a limit that counts by player is one limit, and not one
 * at each node. Source: SCALE 5.
 */
import { processOf } from '../core/bus.ts'
import { NO_REPLY } from '../core/inbox.ts'
import type { JournalRow, RanElsewhere } from '../core/ports.ts'

/** `own`: refs of commands that this node has sent, beside those that its own number is in. */
export function ranElsewhere(
  { part, inputs }: Pick<JournalRow, 'part' | 'inputs'>,
  node: number,
  own: ReadonlySet<number>,
): RanElsewhere[] {
  // Those of a tick have its slot, of which a player has one.
  if (part === 0) return []
  return inputs.flatMap(({ ref, player, command }) => {
    const isHere = own.has(ref) || processOf(ref) === node
    const isOfPlayer = player !== 0 && ref !== NO_REPLY && !command.startsWith('internal:')
    return isOfPlayer && !isHere ? [{ player, command }] : []
  })
}
