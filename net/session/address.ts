/**
 * Finds the address that a request counts against, with or without proxies in front of the server,
 * and checks its origin. Source: accounts.md section 10, RELIABILITY 6.
 */
import { isIP } from 'node:net'
import type { NetConfig } from '../ports.ts'

/** Returns the eight groups of an IPv6 address; undefined for anything else. */
function groupsOf(text: string): number[] | undefined {
  if (isIP(text) !== 6) return undefined
  let plain = text.split('%')[0]
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(plain)
  if (dotted) {
    const [a, b, c, d] = dotted.slice(2).map(Number)
    plain = `${dotted[1]}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  }
  const [left, right] = plain.split('::')
  const head = left ? left.split(':') : []
  const tail = right ? right.split(':') : []
  const gap = right === undefined ? 0 : 8 - head.length - tail.length
  const groups = [...head, ...new Array<string>(gap).fill('0'), ...tail]
  return groups.map((group) => Number.parseInt(group, 16))
}

/**
 * Returns the key of an address that buckets count by: an IPv4 address, or the /64 of an IPv6 one.
 */
export function addressKey(text: string): string {
  const groups = groupsOf(text)
  if (!groups) return text
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) {
    const [high, low] = groups.slice(6)
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
  }
  if (isLoopbackGroups(groups)) return '::1'
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

const isLoopbackGroups = (groups: readonly number[]): boolean =>
  groups.slice(0, 7).every((group) => group === 0) && groups[7] === 1

/** Returns the address of a hop, without the brackets and port that some proxies write. */
function hopAddress(hop: string): string {
  const [, v6, v4] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? []
  return v6 ?? v4 ?? hop
}

/**
 * Returns the client's address behind `trustedProxies` hops that the operator runs: the entry that
 * the outermost of them wrote into X-Forwarded-For. The client may have made up entries to the left
 * of it. If the entry is missing or is no address, returns the address of the socket, which a
 * client cannot make up.
 */
export function clientAddress(
  remote: string,
  forwardedFor: string,
  trustedProxies: number,
): string {
  if (trustedProxies === 0 || forwardedFor === '') return remote
  const client = hopAddress((forwardedFor.split(',').at(-trustedProxies) ?? '').trim())
  return isIP(client) === 0 ? remote : client
}

export const isLoopback = (key: string): boolean => key === '::1' || key.startsWith('127.')

/**
 * Returns whether the Origin is exactly on the list, or absent, as for clients other than browsers.
 */
export function isOriginAllowed(
  config: Pick<NetConfig, 'allowedOrigins'>,
  origin: string,
): boolean {
  if (origin === '') return true
  return config.allowedOrigins.includes('*') || config.allowedOrigins.includes(origin)
}
