/**
 * The lease of a world as statements, by the clock of the database; engine/lease.ts says what they
 * mean. It decides who tries to lead. Safety does not hang on it: commits check the writer's token.
 */
import { LEASE_MS, LEASE_RENEW_MS } from '../core/limits-cluster.ts'
import { type ConnectionOptions, connect, disconnect, type Sql, sessionsOf } from './db.ts'

const TERMINATE_TIMEOUT_MS = 1_000

interface TakenLease {
  readonly epoch: number
  /** The node that had it before. */
  readonly former: number
}

/** Takes the lease for a node where it is free or its own; undefined: another has it. */
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
  /** Until it expires, ms; negative: since. */
  readonly leftMs: number
  /** The archive is written up to this batch. */
  readonly projected: number
  /** The epoch of the world: a restore begins another. */
  readonly world: string
}

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

/** Ends every session of a node that held the lease: what it had begun is settled then. */
export async function endSessionsOf(sql: Sql, node: number): Promise<void> {
  await sql`
    select pg_terminate_backend(pid, ${TERMINATE_TIMEOUT_MS}::bigint) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and application_name like ${sessionsOf(node)}`
}

interface KeptLease {
  /** Ends the renewing and frees the lease, so that another need not wait until it expires. */
  release(): Promise<void>
}

/** A renewal without an answer for so long is made again over another connection. */
const RESPONSE_TIMEOUT_MS = 2_000

/**
 * Renews the lease of a node again and again. `lost`: another node has it. While the database is
 * away it is tried on: nobody else can take it there either.
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
    isOver = true
    lost((await readLease(sql)).epoch)
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

/** Keeps the lease from the moment in which the world thread has it, until everything is closed. */
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
