/**
 * The model that runs next to the server: checks every durable row, every published batch and every
 * answer that a player reads. It knows only the ports, not the world.
 */
import type { ArchiveWrite } from '../../core/archive-calls.ts'
import type { JournalRow, PublishedBatch } from '../../core/ports.ts'
import type { Stage } from './stage.ts'

/** Checks what one main thread publishes. */
interface Outlet {
  /** Called when main receives a batch to publish. */
  published(batch: PublishedBatch): void
}

export interface Audit {
  /** Called when a row has become durable. */
  committed(row: JournalRow, writes: readonly ArchiveWrite[]): void
  /** Begins the checks of a new main, which need not publish what earlier ones did. */
  outlet(): Outlet
  /** Called when a player has read that the command with this id was done. */
  claimed(requestId: string, what: string): void
  /** Balances by player, computed from the action log. */
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
        // Inputs that the world adds itself (a gift seen, a last visit) have no ref.
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
