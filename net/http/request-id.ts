/** The id of an HTTP request on lines of the log and in its answer. */
import { randomBytes } from 'node:crypto'

export const REQUEST_ID_HEADER = 'x-request-id'

/** What a client or a proxy may name a request: nothing that a log or a header reads otherwise. */
const SANE = /^[A-Za-z0-9_.-]{1,64}$/

/** Differs from process to process, so that a log kept over restarts has no id twice. */
const PROCESS = randomBytes(4).toString('hex')
let made = 0

/** Returns the id a request came with, or a new one where that is none or cannot be used. */
export const requestIdOf = (given: string): string =>
  SANE.test(given) ? given : `${PROCESS}-${(++made).toString(36)}`
