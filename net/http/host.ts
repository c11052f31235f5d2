/**
 * A page elsewhere must not reach a server on this machine under a name that leads here (DNS
 * rebinding): loopback names count, and those that are listed. Source: RELIABILITY 6 (MCP).
 */
import type { NetConfig } from '../ports.ts'

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

const hostnameOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '')

/** Returns true for loopback names and for those of ALLOWED_HOSTS. */
export function isHostAllowed(
  { allowedHosts }: Pick<NetConfig, 'allowedHosts'>,
  host: string,
): boolean {
  const name = host === '' ? '' : hostnameOf(`http://${host}`)
  return name !== '' && (LOOPBACK.includes(name) || allowedHosts.includes(name))
}

/**
 * Returns true without an origin, for loopback ones, and for those listed exactly; `*` opens the
 * game's routes, not these.
 */
export function isOwnOrigin(config: Pick<NetConfig, 'allowedOrigins'>, origin: string): boolean {
  if (origin === '') return true
  if (config.allowedOrigins.includes(origin) && origin !== '*') return true
  return LOOPBACK.includes(hostnameOf(origin))
}
