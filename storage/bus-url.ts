/** BUS_URL: the servers of the bus, what is wrong with a text that names some, and who connects. */

/** What the client of the bus is told of them. */
interface BusServers {
  /** Host and port alone: in a URL the client would look for the port in the password. */
  readonly servers: string[]
  /** TLS is asked for; without this the client takes it where a server offers it. */
  readonly tls?: object
  readonly user?: string
  readonly pass?: string
  readonly token?: string
}

/** Of a host without a scheme, with a port or without. */
const BARE = /^[\w.-]+(:\d+)?$/

const partsOf = (text: string): string[] => text.split(',').map((one) => one.trim())

function isServer(text: string): boolean {
  if (BARE.test(text)) return true
  try {
    const { protocol, hostname, username, password } = new URL(text)
    // Throws at a % that stands for itself.
    decodeURIComponent(username + password)
    return /^(nats|tls):$/.test(protocol) && hostname !== ''
  } catch {
    return false
  }
}

/** Says what is wrong with a text that is to name the servers, or nothing. */
export const busUrlRefusal = (text: string): string | undefined =>
  text === '' || partsOf(text).every(isServer)
    ? undefined
    : 'must be nats:// or tls:// URLs, separated by commas; in a password /, # and % are written ' +
      'as %2F, %23 and %25'

/** Returns user and password, or the token, that stand in a URL. */
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

/** Returns what the client is told of the servers: all get the credentials of the first. */
export function busServersOf(url: string): BusServers {
  const all = partsOf(url)
  return {
    servers: all.map(addressOf),
    ...(all.some((one) => one.startsWith('tls://')) ? { tls: {} } : {}),
    ...credentialsOf(all[0]),
  }
}
