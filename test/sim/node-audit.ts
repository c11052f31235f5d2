/**
 * Checks for several nodes, in addition to those of a single server: no row crosses the bus before
 * it is durable, logins are where the world says they are, and outcomes reach the newer login.
 */
import { subjectsOf } from '../../core/bus.ts'
import type { PublishedBatch } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { createRowJoiner } from '../../storage/bus-messages.ts'
import { sameBytes } from '../../storage/journal-row.ts'
import { channelsAt } from '../../systems/account/presence-model.ts'
import { BOUND, Player } from '../../systems/account/state.ts'
import type { Bot } from './bot.ts'
import type { Gateway } from './gateway.ts'
import type { Stage } from './stage.ts'
import type { SimStorage } from './storage.ts'

export interface NodeAudit {
  /** Called when a message leaves a process. */
  sent(subject: string, bytes: Uint8Array): void
  /** Called when a leader has run a batch. */
  ran(batch: PublishedBatch): void
  /** Checks, when nothing is in flight, that logins are where the world says, one socket each. */
  checkLogins(world: World, registry: Registry, gateways: readonly Gateway[]): void
  /** Checks that an outcome whose connection is gone was read on the newer login. */
  checkOutcomes(bots: readonly Bot[]): void
}

interface NodeAuditOptions {
  readonly stage: Stage
  readonly storage: Pick<SimStorage, 'rowOf'>
  readonly worldName: string
}

/** Returns the channels on which a gateway has clients of a player. */
function clientsAt({ front }: Gateway, player: number): number {
  const bound = front.net.bindings.players.get(player)
  const sessions = bound?.sessions.map(({ channel }) => BOUND[channel]) ?? []
  return sessions.reduce((all, channel) => all | channel, bound?.socket ? BOUND.ws : 0)
}

export function createNodeAudit({ stage, storage, worldName }: NodeAuditOptions): NodeAudit {
  const { rows } = subjectsOf(worldName)
  const join = createRowJoiner()
  /** The batches of final answers and their players, by request_id. */
  const outcomes = new Map<string, { readonly batch: number; readonly player: number }>()
  /**
   * The batches in which players were last bound. A leader that takes a node for gone unbinds its
   * players until the node is back; outcomes decided meanwhile are only in the state and the log.
   */
  const bound = new Map<number, number>()

  const checkPlayer = (world: World, row: number, gateways: readonly Gateway[]): void => {
    const number = world.read(Player).seq[row]
    const sockets = gateways.filter((gateway) => clientsAt(gateway, number) & BOUND.ws)
    if (sockets.length > 1)
      stage.broken(`I11: player ${number} has sockets at ${sockets.length} nodes`)
    for (const gateway of gateways) {
      const actual = clientsAt(gateway, number)
      const known = channelsAt(world, row, gateway.node)
      if (actual === known) continue
      stage.broken(
        `presence: player ${number} has channels ${actual} at node ${gateway.node}, ` +
          `the world says ${known}`,
      )
    }
  }
  return {
    sent(subject, bytes) {
      const row = subject === rows ? join(bytes) : undefined
      if (!row) return
      const durable = storage.rowOf(row.batch)
      if (!durable || !sameBytes(durable.checksum, row.checksum))
        stage.broken(`I4: row ${row.batch} crosses the bus, the journal does not have it`)
    },
    ran({ batch, answers }) {
      for (const { stage: which, requestId, command, player } of answers) {
        if (which !== 'final') continue
        if (requestId !== undefined) outcomes.set(requestId, { batch, player })
        if (command === 'internal:bind') bound.set(player, batch)
      }
    },
    checkLogins(world, registry, gateways) {
      const { alive } = world.read(Player)
      for (let row = 1; row <= world.highOf(Player); row++) {
        if (alive[row] === 1) checkPlayer(world, row, gateways)
      }
      const gone = registry.players
        .boundNodes(world)
        .filter((node) => !gateways.some((gateway) => gateway.node === node))
      if (gone.length > 0)
        stage.broken(`presence: players are bound at node ${gone[0]}, which is gone`)
    },
    checkOutcomes(bots) {
      for (const bot of bots) {
        const port = bot.port()
        if (!port?.isSocket || !port.isOpen()) continue
        for (const { id, command } of bot.requests.unreadOutcomes()) {
          const decided = outcomes.get(id)
          if (!decided) continue
          const { batch, player } = decided
          if (batch <= Math.max(bot.loginBatch(), bound.get(player) ?? 0)) continue
          stage.broken(
            `outcomes: ${command} (${id}) was decided in batch ${batch}; ${bot.name}, logged in ` +
              `since batch ${bot.loginBatch()}, never read its outcome`,
          )
        }
      }
    },
  }
}
