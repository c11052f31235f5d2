/** The world thread of a gateway: a replica of the world beside the one that leads. */
import { RULES_VERSION } from '../core/version.ts'
import { openBus } from '../storage/bus.ts'
import { openReplica } from '../storage/replica.ts'
import { createFollower } from './follower.ts'
import { identityOf } from './roster.ts'
import { logTo, type NodeData, type Running, type Shared } from './thread-data.ts'

/** Opens what a follower stands on; `waits`: for a bus that is away, as long as it takes. */
export async function openFollowed(
  { connection, cluster }: NodeData,
  { post }: Pick<Shared, 'post'>,
  waits = false,
) {
  const log = logTo(post)
  const bus = await openBus(cluster.busUrl, log, waits)
  return { bus, store: openReplica(connection, { rulesVersion: RULES_VERSION, log }) }
}

export type Followed = Awaited<ReturnType<typeof openFollowed>>

export const startFollower = ({ cluster }: NodeData, shared: Shared, { bus, store }: Followed) =>
  createFollower({
    ...shared,
    bus,
    store,
    node: cluster.node,
    worldName: cluster.world,
    identity: identityOf(cluster),
  })

/** Runs a replica of the world beside the one that leads. */
export async function runGateway(data: NodeData, shared: Shared): Promise<Running> {
  // A thread that takes the place of another has players, who would lose their connections.
  const followed = await openFollowed(data, shared, data.lastPublished !== undefined)
  const follower = await startFollower(data, shared, followed)
  return {
    receive: follower.receive,
    async close() {
      await follower.leave()
      await followed.store.close()
      await followed.bus.close()
    },
  }
}
