/** Collects the entries of action logs into one bulk write per batch. */
import type { ArchivedAction } from '../../core/archive-calls.ts'
import { assert } from '../../core/assert.ts'
import type { Eid, World } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { type LogData, OPEN_WRITE } from './state.ts'

/** Returns the rows of the batch's bulk write, adding the write to the outbox if needed. */
export function rowsOfBatch(world: World): ArchivedAction[] {
  const open = world.index(OPEN_WRITE)
  const writes = world.outbox.writes
  if (open.write && writes[open.position] === open.write) return open.rows
  open.rows = []
  open.position = writes.length
  open.write = { method: 'logActions', args: { rows: open.rows } }
  writes.push(open.write)
  return open.rows
}

/** Adds an action of `entry.player` to the log of a faction. Source: social.md section 8. */
export function logFactionAction(
  world: World,
  entry: Pick<ArchivedAction, 'eventType' | 'summary'> & { player: Eid; factionId: string },
  data: LogData = {},
): void {
  const { alive, seq } = world.read(Player)
  assert(alive[entry.player] === 1, 'an action of a faction has no player')
  rowsOfBatch(world).push({ ...entry, player: seq[entry.player], category: 'faction', data })
}
