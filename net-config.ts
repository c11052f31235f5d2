/** Derives the settings of the network from those of the process. */
import type { Config } from './config.ts'
import { RELEASES, VERSION } from './core/catalog/changelog.ts'
import type { AuthConfig, NetConfig } from './net/ports.ts'
import { localAuth, newIssuerKey } from './net/session/issuer.ts'
import type { Accounts } from './storage/accounts.ts'

/**
 * Returns whose account tokens are accepted: the provider's if one is configured, else only our
 * own.
 */
export async function authOf(config: Config, accounts: Accounts): Promise<AuthConfig> {
  const { authIssuer: issuer, authAudience: audience, authJwksUrl: jwksUrl } = config
  if (issuer && audience && jwksUrl) return { issuer, audience, jwksUrl }
  return localAuth(await accounts.issuerKey(newIssuerKey))
}

/** Returns the address of the website; PORT=0 is known only once the server listens. */
export const websiteOf = ({ publicUrl, host }: Config, port: number): string =>
  publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** Returns the addresses from which a new player starts. */
export function addressesAt(website: string) {
  const server = website.replace(/\/+$/, '')
  return { server, docs: `${server}/docs`, page: `${server}/` }
}

/** Returns the settings of net; the caller corrects `website` once the port is known. */
export function netConfig(config: Config, auth?: AuthConfig): NetConfig & { website: string } {
  return {
    version: VERSION,
    release: RELEASES[0].release,
    releaseDate: RELEASES[0].release_date,
    releaseNotes: RELEASES[0].notes,
    gameInfo: 'Orrery: mine, trade, explore and talk in a persistent galaxy that moves in ticks.',
    website: websiteOf(config, config.port),
    helpText: 'Send get_commands for all commands, get_guide for guides; register or log in first.',
    terms: 'Play fair: one program per player, no attacks on the server, English in chat.',
    limits: config.limits,
    registration: config.registrationOpen ? 'open' : 'code',
    trustedProxies: config.trustedProxies,
    allowedOrigins: config.allowedOrigins,
    allowedHosts: config.allowedHosts,
    spectatorDelay: config.spectatorDelay,
    spectatorNames: config.spectatorNames,
    metricsToken: config.metricsToken,
    ...(auth ? { auth } : {}),
  }
}
