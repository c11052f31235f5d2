/**
 * Guards against DNS rebinding, with which a foreign web page reaches a server on this machine
 * under its own name: only loopback names and listed ones are accepted. Source: RELIABILITY 6
 * (MCP).
 */
import type { NetConfig } from '../ports.ts'

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

const hostnameOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '')

/** Returns true for loopback names and names in ALLOWED_HOSTS. */
export function isHostAllowed(
  { allowedHosts }: Pick<NetConfig, 'allowedHosts'>,
  host: string,
): boolean {
  const name = host === '' ? '' : hostnameOf(`http://${host}`)
  return name !== '' && (LOOPBACK.includes(name) || allowedHosts.includes(name))
}

/**
 * Returns true for no origin, loopback origins, and those listed exactly; `*` applies only to the
 * game's routes.
 */
export function isOwnOrigin(config: Pick<NetConfig, 'allowedOrigins'>, origin: string): boolean {
  if (origin === '') return true
  if (config.allowedOrigins.includes(origin) && origin !== '*') return true
  return LOOPBACK.includes(hostnameOf(origin))
}
