/**
 * The world thread of a standby: keeps a replica of the world, and leads once the lease is free. It
 * continues from the replica; if that is not possible, from the newest snapshot.
 * Source: SCALE 4 and 6.
 */
import { LEASE_POLL_MS } from '../core/limits-cluster.ts'
import type { ToWorld } from '../core/ports.ts'
import { isTransient, sleep } from '../storage/db.ts'
import { WorldLockedError } from '../storage/errors.ts'
import type { LeaseView } from '../storage/lease.ts'
import { type Followed, openFollowed, startFollower } from './following.ts'
import { lead, openLed } from './leading.ts'
import { coldReason, standbyStep } from './lease.ts'
import type { Origin } from './origin.ts'
import type { NodeData, Running, Shared } from './thread-data.ts'

type Follower = Awaited<ReturnType<typeof startFollower>>
type Opened = Awaited<ReturnType<typeof openLed>> & { readonly sinceMs: number }

interface Watch {
  /** Takes the lease if it may, and opens the store; undefined if it may not. */
  tryLead(isFollowing: boolean): Promise<Opened | undefined>
}

function createWatch(
  data: NodeData,
  shared: Shared,
  { read, seen }: { read(): Promise<LeaseView>; seen(lease: LeaseView): void },
): Watch {
  const { node, world } = data.cluster
  const { monotonicMs } = shared.clock
  let freeSinceMs: number | undefined
  let wasAway = false
  let lastWarning = ''
  const warn = (text: string): undefined => {
    if (text !== lastWarning) shared.post({ kind: 'log', level: 'warn', fields: {}, text })
    lastWarning = text
  }
  return {
    async tryLead(isFollowing) {
      const sinceMs = monotonicMs()
      try {
        const lease = await read()
        if (lease.world !== world) {
          throw new Error('the world has been restored or imported: restart this process')
        }
        seen(lease)
        if (!lease.isFree) wasAway = false
        freeSinceMs = lease.isFree ? (freeSinceMs ?? sinceMs) : undefined
        const freeMs = sinceMs - (freeSinceMs ?? sinceMs)
        const isOwn = lease.holder === node
        const step = standbyStep({ ...lease, isOwn, freeMs, wasAway, isFollowing })
        if (step === 'wait') return undefined
        return { ...(await openLed(data, shared, 0)), sinceMs }
      } catch (error) {
        if (isTransient(error)) {
          wasAway = true
          freeSinceMs = undefined
          return undefined
        }
        if (error instanceof WorldLockedError) return warn(error.message)
        throw error
      }
    },
  }
}

/** Waits until there is a world to follow; resolves with the open store if this node is to lead. */
async function wait({ tryLead }: Watch, { store }: Followed, { post }: Shared) {
  let isLogged = false
  for (;;) {
    // Nothing is followed yet: a node that still holds the lease leads from the newest snapshot.
    const opened = await tryLead(false)
    if (opened) return opened
    const isThere = await hasWorld(store)
    if (isThere) return undefined
    const text = 'there is no world yet: this standby creates one unless another server does'
    if (isThere === false && !isLogged) {
      isLogged = true
      post({ kind: 'log', level: 'info', fields: {}, text })
    }
    await sleep(LEASE_POLL_MS)
  }
}

/** Returns whether the database has a world; undefined while it does not answer. */
async function hasWorld(store: Followed['store']): Promise<boolean | undefined> {
  try {
    return await store.hasWorld()
  } catch (error) {
    if (isTransient(error)) return undefined
    throw error
  }
}

/** Runs a standby: follows the world, and takes over when the lease becomes free. */
export async function runStandby(data: NodeData, shared: Shared): Promise<Running> {
  const { post } = shared
  const followed = await openFollowed(data, shared)
  let follower: Follower | undefined
  const watch = createWatch(data, shared, {
    read: followed.store.lease,
    seen: ({ projected }) => follower?.archived(projected),
  })
  const leadFrom = async (opened: Opened, replica?: Origin): Promise<Running> => {
    const { store, epoch, sinceMs } = opened
    await followed.store.close()
    const cluster = { data: data.cluster, bus: followed.bus, epoch }
    return lead(data, shared, { store, cluster, ...(replica ? { replica } : {}), sinceMs })
  }
  const openedAtStart = await wait(watch, followed, shared)
  if (openedAtStart) return leadFrom(openedAtStart)
  follower = await startFollower(data, shared, followed)
  const following = follower
  let isOver = false
  let led: Running | undefined
  const queued: ToWorld[] = []
  let receive = following.receive
  const takeOver = async (opened: Opened): Promise<void> => {
    const { keptFrom, ...replica } = await following.handOver()
    receive = (message) => void queued.push(message)
    const reason = coldReason({
      batch: replica.world.batch,
      keptFrom,
      projected: opened.store.projectedBatch,
      hasSettings:
        replica.world.tickMs === data.tickMs && replica.world.maxEntities === data.maxEntities,
    })
    if (reason) {
      await replica.section.close()
      const text = `this standby leads from the newest snapshot, not from its replica: ${reason}`
      post({ kind: 'log', level: 'warn', fields: {}, text })
    }
    led = await leadFrom(opened, reason ? undefined : replica)
    receive = led.receive
    for (const message of queued.splice(0)) receive(message)
  }
  const watching = (async () => {
    while (!isOver) {
      const opened = await watch.tryLead(true)
      if (opened) return takeOver(opened)
      await sleep(LEASE_POLL_MS)
    }
  })().catch((error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    post({ kind: 'fatal', text: `this standby cannot lead: ${text}` })
  })
  return {
    receive: (message) => receive(message),
    async close() {
      isOver = true
      await watching
      if (led) return led.close()
      await following.leave()
      await followed.store.close()
      await followed.bus.close()
    },
  }
}
