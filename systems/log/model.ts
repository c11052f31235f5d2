/** Adds entries to the write of action logs that each batch makes. */
import type { ArchivedAction } from '../../core/archive-calls.ts'
import { assert } from '../../core/assert.ts'
import type { Eid, World } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { type LogData, OPEN_WRITE } from './state.ts'

/** Returns the rows of the batch's bulk write, which it adds to the outbox when there is none yet. */
export function rowsOfBatch(world: World): ArchivedAction[] {
  const open = world.index(OPEN_WRITE)
  const writes = world.outbox.writes
  if (open.write && writes[open.at] === open.write) return open.rows
  open.rows = []
  open.at = writes.length
  open.write = { method: 'logActions', args: { rows: open.rows } }
  writes.push(open.write)
  return open.rows
}

/** Adds an entry to the log of a faction; `player` is who did it. Source: social.md section 8. */
export function logFactionAction(
  world: World,
  entry: Pick<ArchivedAction, 'eventType' | 'summary'> & { player: Eid; factionId: string },
  data: LogData = {},
): void {
  const { alive, seq } = world.read(Player)
  assert(alive[entry.player] === 1, 'an action of a faction is logged for nobody')
  rowsOfBatch(world).push({ ...entry, player: seq[entry.player], category: 'faction', data })
}
