/** Runs the world thread of a gateway: a replica that follows the leader's world. */
import { RULES_VERSION } from '../core/version.ts'
import { openBus } from '../storage/bus.ts'
import { openReplica } from '../storage/replica.ts'
import { createFollower } from './follower.ts'
import { identityOf } from './roster.ts'
import { logTo, type NodeData, type Running, type Shared } from './thread-data.ts'

/** Opens the bus and the store of a follower. `waits`: waits without limit for the bus to be up. */
export async function openFollowed(
  { connection, cluster }: NodeData,
  { post }: Pick<Shared, 'post'>,
  waits = false,
) {
  const log = logTo(post)
  if (waits) log('info', {}, 'this thread starts once a NATS server of BUS_URL answers')
  const bus = await openBus(cluster.busUrl, log, waits)
  return { bus, store: openReplica(connection, { rulesVersion: RULES_VERSION, log }) }
}

export type Followed = Awaited<ReturnType<typeof openFollowed>>

/** Starts the replica of a node on an open bus and store. */
export const startFollower = ({ cluster }: NodeData, shared: Shared, { bus, store }: Followed) =>
  createFollower({
    ...shared,
    bus,
    store,
    node: cluster.node,
    worldName: cluster.world,
    identity: identityOf(cluster),
  })

/** Runs the replica of a gateway until its node closes. */
export async function runGateway(data: NodeData, shared: Shared): Promise<Running> {
  // A replacement thread waits for the bus: if it ended, its players would be disconnected.
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
