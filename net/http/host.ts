/**
 * A page elsewhere must not reach a server on this machine under a name that leads here (DNS
 * rebinding): loopback names count, and those that are listed. Source: RELIABILITY 6 (MCP).
 */
import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server'
import type { NetConfig } from '../ports.ts'

/** True for loopback names and for those of ALLOWED_HOSTS. */
export const isHostAllowed = (config: Pick<NetConfig, 'allowedHosts'>, host: string): boolean =>
  validateHostHeader(host, [...localhostAllowedHostnames(), ...config.allowedHosts]).ok

/**
 * True without an origin, for loopback ones, and for those listed exactly; `*` opens the game's
 * routes, not these.
 */
export function isOwnOrigin(config: Pick<NetConfig, 'allowedOrigins'>, origin: string): boolean {
  if (origin === '') return true
  if (config.allowedOrigins.includes(origin) && origin !== '*') return true
  const parsed = URL.canParse(origin) ? new URL(origin) : undefined
  return parsed !== undefined && localhostAllowedHostnames().includes(parsed.hostname)
}
