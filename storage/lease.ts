/**
 * SQL of the lease of a world, by the clock of the database; engine/lease.ts has the same steps
 * without I/O. The lease decides which node tries to lead. Safety does not depend on it: commits
 * check the writer's token.
 */
import { LEASE_MS, LEASE_RENEW_MS } from '../core/limits-cluster.ts'
import { type ConnectionOptions, connect, disconnect, type Sql, sessionsOf } from './db.ts'

const TERMINATE_TIMEOUT_MS = 1_000

interface TakenLease {
  readonly epoch: number
  /** The previous holder. */
  readonly former: number
}

/**
 * Takes the lease for a node if it is free or its own; returns undefined if another node has it.
 */
export async function takeLease(sql: Sql, node: number): Promise<TakenLease | undefined> {
  const rows = await sql<TakenLease[]>`
    with before as (select holder from lease for update)
    update lease set holder = ${node}::bigint, epoch = lease.epoch + 1,
      expires_at = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
    from before
    where lease.holder = ${node}::bigint or lease.expires_at < clock_timestamp()
    returning lease.epoch, before.holder as former`
  return rows[0]
}

export interface LeaseView {
  readonly holder: number
  readonly epoch: number
  readonly isFree: boolean
  /** Milliseconds until it expires; negative if it has expired. */
  readonly leftMs: number
  /** Batch up to which the archive is complete. */
  readonly projected: number
  /** Epoch of the world; a restore starts another. */
  readonly world: string
}

/** Reads the lease, the projection and the epoch of the world in one statement. */
export async function readLease(sql: Sql): Promise<LeaseView> {
  const [view] = await sql<LeaseView[]>`
    select holder, lease.epoch, expires_at < clock_timestamp() as "isFree",
      projection.batch as projected,
      world.epoch as world,
      case when isfinite(expires_at)
        then (extract(epoch from expires_at - clock_timestamp()) * 1000)::float8
        else 0 end as "leftMs"
    from lease, projection, world`
  return view
}

/**
 * Terminates every session of a node that held the lease of a world, so that the outcome of its
 * statements is final.
 */
export async function endSessionsOf(sql: Sql, node: number, schema: string): Promise<void> {
  await sql`
    select pg_terminate_backend(pid, ${TERMINATE_TIMEOUT_MS}::bigint) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and application_name like ${sessionsOf(node, schema)}`
}

interface KeptLease {
  /** Stops the renewal and frees the lease, so that another node need not wait until it expires. */
  release(): Promise<void>
}

/** A renewal without an answer for this long is retried over another connection. */
const RESPONSE_TIMEOUT_MS = 2_000

/**
 * Renews the lease of a node periodically. `lost`: called if another node has it. While the
 * database is away the renewal is retried: nobody else can take the lease either.
 */
function keepLease(
  connection: ConnectionOptions,
  node: number,
  lost: (epoch: number) => void,
): KeptLease {
  const sql = connect(connection, { name: 'lease', responseTimeoutMs: RESPONSE_TIMEOUT_MS })
  let isOver = false
  let renewing: Promise<void> | undefined
  const renew = async (): Promise<void> => {
    const rows = await sql`
      update lease set expires_at = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
      where holder = ${node}::bigint returning epoch`
    if (rows.length > 0 || isOver) return
    // If this fails, the next renewal finds the lease lost again.
    const { epoch } = await readLease(sql)
    if (isOver) return
    isOver = true
    lost(epoch)
  }
  const timer = setInterval(() => {
    if (isOver) return
    renewing ??= renew()
      .catch(() => {})
      .finally(() => {
        renewing = undefined
      })
  }, LEASE_RENEW_MS)
  return {
    async release() {
      clearInterval(timer)
      isOver = true
      await renewing
      await sql`
        update lease set expires_at = clock_timestamp() - interval '1 millisecond'
        where holder = ${node}::bigint`.catch(() => {})
      await disconnect(sql, 0)
    },
  }
}

/**
 * Returns a keeper that renews the lease once the world thread has it, until everything is closed.
 */
export function leaseKeeper(
  connection: ConnectionOptions,
  node: number,
  lost: (text: string) => void,
) {
  let kept: KeptLease | undefined
  return {
    keep(): void {
      kept ??= keepLease(connection, node, (epoch) =>
        lost(
          `another node leads the world now (epoch ${epoch}): this one was away for longer than ` +
            'its lease, and ends. Start it again with ROLE=standby to have it stand by.',
        ),
      )
    },
    release: async () => kept?.release(),
  }
}
