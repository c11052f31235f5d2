/** The id of an HTTP request, in log lines and in its answer. */
import { randomBytes } from 'node:crypto'

export const REQUEST_ID_HEADER = 'x-request-id'

/**
 * Ids that are accepted from clients and proxies: no characters that are special in a log or a
 * header.
 */
const VALID_ID = /^[A-Za-z0-9_.-]{1,64}$/

/** Random per process, so that ids are unique in a log that spans restarts. */
const PROCESS_ID = randomBytes(4).toString('hex')
let count = 0

/** Returns the id that the request has, or a new one if it has none or an invalid one. */
export const requestIdOf = (given: string): string =>
  VALID_ID.test(given) ? given : `${PROCESS_ID}-${(++count).toString(36)}`
