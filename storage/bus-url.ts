/** Parses BUS_URL: the servers of the bus and their credentials, or why the text is invalid. */

/** Options of the bus client. */
interface BusServers {
  /** Only host and port: in a URL the client would find the port in the password. */
  readonly servers: string[]
  /** Requires TLS; if absent, the client uses it if a server offers it. */
  readonly tls?: object
  readonly user?: string
  readonly pass?: string
  readonly token?: string
}

/** Matches a host without a scheme, with or without a port. */
const BARE = /^[\w.-]+(:\d+)?$/

const partsOf = (text: string): string[] => text.split(',').map((part) => part.trim())

function isServer(text: string): boolean {
  if (BARE.test(text)) return true
  try {
    const { protocol, hostname, username, password } = new URL(text)
    // Throws at an unescaped %.
    decodeURIComponent(username + password)
    return /^(nats|tls):$/.test(protocol) && hostname !== ''
  } catch {
    return false
  }
}

/** Returns what is wrong with a list of servers, or undefined. */
export const busUrlRefusal = (text: string): string | undefined =>
  text === '' || partsOf(text).every(isServer)
    ? undefined
    : 'must be nats:// or tls:// URLs, separated by commas; in a password /, # and % are written ' +
      'as %2F, %23 and %25'

/** Returns user and password, or the token, of a URL. */
function credentialsOf(server: string): Pick<BusServers, 'user' | 'pass' | 'token'> {
  if (BARE.test(server)) return {}
  const { username, password } = new URL(server)
  if (username === '') return {}
  const user = decodeURIComponent(username)
  return password === '' ? { token: user } : { user, pass: decodeURIComponent(password) }
}

function addressOf(server: string): string {
  if (BARE.test(server)) return server
  const { hostname, port } = new URL(server)
  return port === '' ? hostname : `${hostname}:${port}`
}

/** Returns the options for the client; all servers get the credentials of the first. */
export function busServersOf(url: string): BusServers {
  const parts = partsOf(url)
  return {
    servers: parts.map(addressOf),
    ...(parts.some((part) => part.startsWith('tls://')) ? { tls: {} } : {}),
    ...credentialsOf(parts[0]),
  }
}
