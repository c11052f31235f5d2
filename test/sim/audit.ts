/**
 * The model beside the server: what must hold of every durable row, of every batch that leaves, and
 * of every answer a player has read. It knows the ports only, not the world.
 */
import type { ArchiveWrite } from '../../core/archive-calls.ts'
import type { JournalRow, PublishedBatch } from '../../core/ports.ts'
import type { Stage } from './stage.ts'

/** What one main sends. */
interface Outlet {
  /** It takes a batch over to publish it. */
  published(batch: PublishedBatch): void
}

export interface Audit {
  /** A row became durable. */
  committed(row: JournalRow, writes: readonly ArchiveWrite[]): void
  /** Opens the account of a main that begins: what was published before is owed to nobody. */
  outlet(): Outlet
  /** A player read that a command with this id was done. */
  claimed(requestId: string, what: string): void
  /** Balances by player as the action log tells them. */
  readonly balances: ReadonlyMap<number, number>
  readonly durable: { batch: number; tick: number; rows: number; inputs: number }
}

export function createAudit(stage: Stage): Audit {
  const refs = new Set<number>()
  const requestIds = new Set<string>()
  const balances = new Map<number, number>()
  const durable = { batch: 0, tick: 0, rows: 0, inputs: 0 }
  let isFirst = true

  /**
   * Rebuilds every wallet from the action log: each balance must be the last one plus the delta.
   */
  const followLog = (writes: readonly ArchiveWrite[], row: JournalRow): void => {
    for (const write of writes) {
      if (write.method !== 'logActions') continue
      const rows = write.args.rows as readonly {
        player: number
        eventType: string
        data: LogData
      }[]
      for (const { player, eventType, data } of rows) {
        if (data.delta === undefined) continue
        const expected = (balances.get(player) ?? 0) + Number(data.delta)
        balances.set(player, Number(data.balance))
        if (expected !== data.balance) {
          stage.broken(
            `action log: ${eventType} of player ${player} in batch ${row.batch} ` +
              `ends at ${data.balance} credits, the entries before it give ${expected}`,
          )
        }
      }
    }
  }
  return {
    balances,
    durable,
    committed(row, writes) {
      if (!isFirst && row.batch !== durable.batch + 1)
        stage.broken(`I4: row ${row.batch} follows row ${durable.batch}`)
      isFirst = false
      const players = new Set<number>()
      for (const { ref, player, command, requestId } of row.inputs) {
        // What the world adds itself (a gift seen, a last visit) has no ref: nobody waits for it.
        if (ref !== 0 && refs.has(ref))
          stage.broken(`exactly once: ${command} (ref ${ref}) is in two rows`)
        refs.add(ref)
        if (requestId !== undefined) requestIds.add(requestId)
        if (row.part === 0 && players.has(player))
          stage.broken(`I3: player ${player} has two mutations in tick ${row.tick}`)
        players.add(player)
      }
      followLog(writes, row)
      durable.batch = row.batch
      durable.tick = row.tick
      durable.rows += 1
      durable.inputs += row.inputs.length
    },
    outlet() {
      let lastPublished = 0
      return {
        published(batch) {
          if (batch.batch > durable.batch)
            stage.broken(`I4: batch ${batch.batch} leaves, the journal ends at ${durable.batch}`)
          if (lastPublished !== 0 && batch.batch !== lastPublished + 1)
            stage.broken(`I10: batch ${batch.batch} is published after batch ${lastPublished}`)
          lastPublished = batch.batch
          for (const ref of batch.ran) {
            if (ref !== 0 && !refs.has(ref))
              stage.broken(`I4: batch ${batch.batch} ran ref ${ref}, no row has it`)
          }
        },
      }
    },
    claimed(requestId, what) {
      if (!requestIds.has(requestId))
        stage.broken(`durability: ${what} (${requestId}) is answered, no durable row has it`)
    },
  }
}

interface LogData {
  readonly delta?: number
  readonly balance?: number
}
