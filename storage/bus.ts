/**
 * The bus over NATS. The client is loaded only where a bus is set; it connects again for ever,
 * unless the bus refuses it, and what is sent meanwhile may be lost.
 */
import type { Status } from '@nats-io/transport-node'
import type { Bus } from '../core/bus.ts'
import { BusMessageError, DatabaseSetupError } from './errors.ts'
import type { StoreLog } from './store-log.ts'

const CONNECT_TIMEOUT_MS = 10_000
const RECONNECT_WAIT_MS = 200
const RECONNECT_JITTER_MS = 300
const CLOSE_TIMEOUT_MS = 2_000
/** Between two lines about messages that cannot be read, of which there may be many. */
const PASSED_OVER_LOG_MS = 10_000

/** Connects to the servers of a URL (several: separated by commas); throws where none answers. */
export async function openBus(url: string, log: StoreLog): Promise<Bus> {
  const { connect } = await import('@nats-io/transport-node')
  const servers = url.split(',').map((one) => one.trim())
  const connection = await connect({
    servers,
    timeout: CONNECT_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    reconnectJitter: RECONNECT_JITTER_MS,
    ...credentialsOf(servers[0]),
  }).catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error)
    throw new DatabaseSetupError(
      `no NATS server answers at BUS_URL (${text}): start it, or correct it`,
    )
  })
  // The client would keep what is sent meanwhile, without a bound.
  const state = { isUp: true, largest: 0 }
  void watch(connection.status(), state, log)
  const passOver = passingOver(log)
  const counted = (bytes: Uint8Array): Uint8Array => {
    state.largest = Math.max(state.largest, bytes.length)
    return bytes
  }
  return {
    publish(subject, bytes) {
      if (state.isUp && !connection.isClosed()) connection.publish(subject, counted(bytes))
    },
    subscribe(subject, take) {
      const subscription = connection.subscribe(subject, {
        callback: (error, message) => {
          if (error) return
          try {
            take(message.data, (bytes) => void message.respond(counted(bytes)))
          } catch (failure) {
            if (failure instanceof BusMessageError) passOver(subject)
            else endThread(failure)
          }
        },
      })
      return () => subscription.unsubscribe()
    },
    async request(subject, bytes, timeoutMs) {
      if (!state.isUp) throw new Error('the bus is away')
      return (await connection.request(subject, counted(bytes), { timeout: timeoutMs })).data
    },
    isUp: () => state.isUp,
    largest: () => state.largest,
    async close() {
      const wait = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref())
      await Promise.race([connection.drain().catch(() => {}), wait])
      await connection.close()
    },
  }
}

/** Follows what the client says of its connection, until it is closed. */
async function watch(
  statuses: AsyncIterable<Status>,
  state: { isUp: boolean },
  log: StoreLog,
): Promise<void> {
  let saidError = ''
  for await (const status of statuses) {
    if (status.type === 'disconnect') {
      state.isUp = false
      log('warn', {}, 'the bus is away: rows come from the database')
    } else if (status.type === 'reconnect') {
      state.isUp = true
      saidError = ''
      log('info', {}, 'the bus is back')
    } else if (status.type === 'error' && status.error.message !== saidError) {
      // The client may say it with each try to connect, or give up.
      saidError = status.error.message
      const advice = 'check its credentials there and in BUS_URL, and start this process again'
      log('error', {}, `the bus refuses this node (${saidError}): ${advice}`)
    }
  }
}

/** Returns what logs messages that cannot be read: the first, and then how many there were. */
function passingOver(log: StoreLog): (subject: string) => void {
  let passedOver = 0
  let saidMs = Number.NEGATIVE_INFINITY
  return (subject) => {
    passedOver += 1
    const nowMs = performance.now()
    if (nowMs - saidMs < PASSED_OVER_LOG_MS) return
    const fields = { passedOver }
    log('warn', fields, `a message on ${subject} could not be read and is passed over`)
    passedOver = 0
    saidMs = nowMs
  }
}

/**
 * Ends the thread by a bug in what takes a message. Thrown where it was met, it would end the
 * client's reader alone, and this node would hear nothing any more.
 */
function endThread(failure: unknown): void {
  setImmediate(() => {
    throw failure
  })
}

/** Returns user and password, or the token, that stand in a URL. */
function credentialsOf(server: string): { user?: string; pass?: string; token?: string } {
  if (!URL.canParse(server)) return {}
  const { username, password } = new URL(server)
  if (username === '') return {}
  const user = decodeURIComponent(username)
  return password === '' ? { token: user } : { user, pass: decodeURIComponent(password) }
}
