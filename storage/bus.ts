/**
 * The bus over NATS. The client is loaded only if a bus is configured. It reconnects forever;
 * messages sent meanwhile may be lost.
 */
import type { NatsConnection, Status } from '@nats-io/transport-node'
import type { Bus } from '../core/bus.ts'
import { MESSAGE_BYTES_MIN } from '../core/limits-cluster.ts'
import { busServersOf } from './bus-url.ts'
import { BusMessageError, DatabaseSetupError } from './errors.ts'
import type { StoreLog } from './store-log.ts'

/**
 * A handshake that takes longer is abandoned and begun again: one that began while the server hung
 * would delay the reconnection once it answers.
 */
const HANDSHAKE_TIMEOUT_MS = 3_000
const RECONNECT_WAIT_MS = 200
const RECONNECT_JITTER_MS = 300
const CLOSE_TIMEOUT_MS = 2_000
/**
 * A server that answers no ping for two intervals is away. Well below NODE_SILENCE_MS, so that a
 * leader that hears nobody knows by then that it is cut off itself.
 */
const PING_EVERY_MS = 1_000
const PINGS_UNANSWERED_MAX = 2
/** Interval between log lines about unreadable messages, of which there may be many. */
const PASSED_OVER_LOG_MS = 10_000

/**
 * Connects to the servers of a URL (several are separated by commas). If none answers it throws or,
 * with `waits`, waits until one does.
 */
export async function openBus(url: string, log: StoreLog, waits = false): Promise<Bus> {
  const { connect } = await import('@nats-io/transport-node')
  const connection = await connect({
    ...busServersOf(url),
    timeout: HANDSHAKE_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    reconnectJitter: RECONNECT_JITTER_MS,
    reconnectJitterTLS: RECONNECT_JITTER_MS,
    pingInterval: PING_EVERY_MS,
    maxPingOut: PINGS_UNANSWERED_MAX,
    // Credentials may be corrected at the bus.
    ignoreAuthErrorAbort: true,
    waitOnFirstConnect: waits,
  }).catch((error: unknown) => {
    throw new DatabaseSetupError(notConnected(error))
  })
  await requireSize(connection)
  // Nothing is sent while the bus is down: the client would buffer it without a limit.
  const state = { isUp: true, largest: 0 }
  void watch(connection.status(), state, log)
  const logUnreadable = createUnreadableLog(log)
  const counted = (bytes: Uint8Array): Uint8Array => {
    state.largest = Math.max(state.largest, bytes.length)
    return bytes
  }
  /** Returns true, and logs it, if a message is too long for NATS; the client would throw. */
  const isTooLong = (subject: string, { length }: Uint8Array): boolean => {
    const isOver = length > (connection.info?.max_payload ?? length)
    const text = `a message on ${subject} is longer than NATS accepts and is not sent`
    if (isOver) log('error', { bytes: length }, text)
    return isOver
  }
  return {
    publish(subject, bytes) {
      if (!state.isUp || connection.isClosed() || isTooLong(subject, bytes)) return
      connection.publish(subject, counted(bytes))
    },
    subscribe(subject, take) {
      const subscription = connection.subscribe(subject, {
        callback: (error, message) => {
          if (error) return
          try {
            take(message.data, (bytes) => {
              if (!isTooLong(subject, bytes)) message.respond(counted(bytes))
            })
          } catch (failure) {
            if (failure instanceof BusMessageError) logUnreadable(subject)
            else endThread(failure)
          }
        },
      })
      return () => subscription.unsubscribe()
    },
    async request(subject, bytes, timeoutMs) {
      if (!state.isUp) throw new Error('the bus is away')
      if (isTooLong(subject, bytes)) throw new Error('the message is too long for the bus')
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

/** Returns why there is no connection, and what to do. */
function notConnected(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return /authorization|authentication/i.test(text)
    ? `the NATS server at BUS_URL refuses this node (${text}): check user and password, or token`
    : `no NATS server answers at BUS_URL (${text}): start it, or correct it`
}

/**
 * Throws if the bus accepts only messages shorter than ours may be: such messages would never be
 * sent.
 */
async function requireSize(connection: NatsConnection): Promise<void> {
  const bytesMax = connection.info?.max_payload ?? MESSAGE_BYTES_MIN
  if (bytesMax >= MESSAGE_BYTES_MIN) return
  await connection.close()
  throw new DatabaseSetupError(
    `the NATS server at BUS_URL accepts at most ${bytesMax} bytes in a message: set its max_payload to ` +
      `${MESSAGE_BYTES_MIN} or more (1048576 is its default)`,
  )
}

/** Follows the status of the connection, until it is closed. */
async function watch(
  statuses: AsyncIterable<Status>,
  state: { isUp: boolean },
  log: StoreLog,
): Promise<void> {
  let loggedError = ''
  for await (const status of statuses) {
    if (status.type === 'disconnect') {
      state.isUp = false
      log('warn', {}, 'the bus is away: missed rows will be read once it is back')
    } else if (status.type === 'reconnect') {
      state.isUp = true
      loggedError = ''
      log('info', {}, 'the bus is back')
    } else if (status.type === 'error' && status.error.message !== loggedError) {
      // The client reports it with each attempt to connect.
      loggedError = status.error.message
      const advice =
        'this node keeps trying; correct its credentials at the bus, or correct BUS_URL and restart ' +
        'this node'
      log('error', {}, `the bus refuses this node (${loggedError}): ${advice}`)
    }
  }
}

/** Returns a function that logs unreadable messages: the first, then their number per interval. */
function createUnreadableLog(log: StoreLog): (subject: string) => void {
  let passedOver = 0
  let loggedMs = Number.NEGATIVE_INFINITY
  return (subject) => {
    passedOver += 1
    const nowMs = performance.now()
    if (nowMs - loggedMs < PASSED_OVER_LOG_MS) return
    const fields = { passedOver }
    log('warn', fields, `a message on ${subject} could not be read and is ignored`)
    passedOver = 0
    loggedMs = nowMs
  }
}

/**
 * Ends the thread because of a bug in a message handler. Thrown in the handler, the error would end
 * only the reader of the client, and this node would receive nothing any more.
 */
function endThread(failure: unknown): void {
  setImmediate(() => {
    throw failure
  })
}
