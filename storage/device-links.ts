/**
 * Device links: an agent shows a short code, a human approves it on the website and picks the
 * player, the agent's next poll logs it in once. Source: accounts.md 4.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { fail, type Outcome, ok } from '../core/errors.ts'
import { DEVICE_LINKS_PER_ADDRESS_MAX } from '../core/limits.ts'
import { hashSecret } from './account-secrets.ts'
import type { Sql, Tx } from './db.ts'

interface OpenedLink {
  readonly deviceCode: string
  readonly userCode: string
  /** Seconds between polls. */
  readonly interval: number
  readonly expiresIn: number
}

type PolledLink =
  | { readonly status: 'authorization_pending' | 'slow_down'; readonly interval: number }
  | { readonly status: 'approved'; readonly playerId: string }

export interface DeviceLinks {
  /** Opens a link. Refuses: rate_limited if the address has too many open ones. */
  openDeviceLink(address: string): Promise<Outcome<OpenedLink>>
  /** Answers a poll. Refuses: access_denied, expired_token (also if unknown or used). */
  pollDeviceLink(deviceCode: string): Promise<Outcome<PolledLink>>
  /** Returns the state of a link, for the website; undefined if unknown or expired. */
  deviceLinkStatus(userCode: string): Promise<'pending' | 'approved' | 'denied' | undefined>
  /**
   * Stores the human's decision; null denies. The caller must have checked that the player is
   * theirs. Refuses: expired_token.
   */
  decideDeviceLink(
    userCode: string,
    playerId: string | null,
  ): Promise<Outcome<{ approved: boolean }>>
}

const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const INTERVAL_S = 5
const EXPIRES_S = 600
const APPROVED_S = 60
/** First key of the advisory locks by address; the lock of the world has a single key. */
const LINK_LOCK = 7_203_001

const newUserCode = (): string => {
  const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

interface LinkRow {
  readonly status: string
  readonly player_id: string | null
  readonly interval_s: number
  readonly too_fast: boolean
}

/** Creates the part of the accounts for device links. */
export function createDeviceLinks(sql: Sql): DeviceLinks {
  return {
    openDeviceLink: (address) =>
      sql.begin((tx) => open(tx, address)) as Promise<Outcome<OpenedLink>>,
    pollDeviceLink: (deviceCode) =>
      sql.begin((tx) => poll(tx, hashSecret(deviceCode))) as Promise<Outcome<PolledLink>>,
    async deviceLinkStatus(userCode) {
      const rows = await sql<{ status: 'pending' | 'approved' | 'denied' }[]>`
        select status from device_link
        where user_code = ${userCode} and expires_at > now() and status <> 'consumed'`
      return rows[0]?.status
    },
    async decideDeviceLink(userCode, playerId) {
      const approved = playerId !== null
      const done = await sql`
        update device_link set status = ${approved ? 'approved' : 'denied'},
          player_id = ${playerId},
          expires_at = case when ${approved} then now() + ${APPROVED_S} * interval '1 second'
            else expires_at end
        where user_code = ${userCode} and status = 'pending' and expires_at > now()`
      return done.count === 1 ? ok({ approved }) : fail('expired_token')
    },
  }
}

/** Opens a link. Serialised by address, so that the count stays correct. */
async function open(tx: Tx, address: string): Promise<Outcome<OpenedLink>> {
  await tx`select pg_advisory_xact_lock(${LINK_LOCK}, hashtext(${address}))`
  const links = await tx<{ count: number }[]>`
    select count(*)::int as count from device_link
    where address = ${address} and status = 'pending' and expires_at > now()`
  if (links[0].count >= DEVICE_LINKS_PER_ADDRESS_MAX) {
    return fail('rate_limited', { wait_seconds: INTERVAL_S })
  }
  const deviceCode = randomBytes(32).toString('hex')
  const userCode = newUserCode()
  await tx`
    insert into device_link (device_hash, user_code, address, interval_s, expires_at)
    values (${hashSecret(deviceCode)}, ${userCode}, ${address}, ${INTERVAL_S},
      now() + ${EXPIRES_S} * interval '1 second')`
  return ok({ deviceCode, userCode, interval: INTERVAL_S, expiresIn: EXPIRES_S })
}

async function poll(tx: Tx, hash: Buffer): Promise<Outcome<PolledLink>> {
  const rows = await tx<LinkRow[]>`
    select status, player_id, interval_s,
      coalesce(polled_at > now() - interval_s * interval '1 second', false) as too_fast
    from device_link where device_hash = ${hash} and expires_at > now() for update`
  const link = rows[0]
  if (!link || link.status === 'consumed') return fail('expired_token')
  if (link.status === 'denied') return fail('access_denied')
  if (link.status === 'approved' && link.player_id !== null) {
    await tx`update device_link set status = 'consumed' where device_hash = ${hash}`
    return ok({ status: 'approved', playerId: link.player_id })
  }
  const interval = link.too_fast ? link.interval_s + INTERVAL_S : link.interval_s
  await tx`
    update device_link set polled_at = now(), interval_s = ${interval}
    where device_hash = ${hash}`
  return ok({ status: link.too_fast ? 'slow_down' : 'authorization_pending', interval })
}
