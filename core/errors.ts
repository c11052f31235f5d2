/**
 * Refusals as values: a code of the table, a sentence for the player, and details that say what is
 * needed and what to do next.
 */
import { sentenceFor } from './error-entry.ts'
import { ERRORS } from './error-table.ts'
import { secondsOf } from './time.ts'

export type { ErrorEntry } from './error-entry.ts'
export { ERRORS } from './error-table.ts'

export type ErrorCode = keyof typeof ERRORS

/** Never a list: clients read details by name. Source: newer.md section 2. */
export type Details = Readonly<Record<string, unknown>>

/** A refusal; `E` are the codes it may have. */
export interface Failure<E extends ErrorCode = ErrorCode> {
  readonly ok: false
  readonly code: E
  readonly message: string
  readonly details?: Details
}

interface Success<R> {
  readonly ok: true
  readonly result: R
}

export type Outcome<R, E extends ErrorCode = ErrorCode> = Success<R> | Failure<E>

/** Returns a success. */
export const ok = <const R>(result: R): Success<R> => ({ ok: true, result })

/**
 * Returns a refusal with the most specific sentence of the table that the details can fill;
 * `message` replaces it where the caller can say more.
 */
export function fail<const E extends ErrorCode>(
  code: E,
  details?: Details,
  message?: string,
): Failure<E> {
  const sentence = message ?? sentenceFor(ERRORS[code], details)
  return details
    ? { ok: false, code, message: sentence, details }
    : { ok: false, code, message: sentence }
}

/**
 * Returns a refusal with the sentence of another code, which says more, where clients know `code`.
 */
export const failAs = <const E extends ErrorCode>(
  code: E,
  details: Details,
  worded: ErrorCode,
): Failure<E> => fail(code, details, sentenceFor(ERRORS[worded], details))

/** Refuses with rate_limited, and says for how many seconds. */
export const waitRefusal = (
  view: { readonly tickMs: number },
  ticks: number,
  message?: string,
): Failure<'rate_limited'> =>
  fail('rate_limited', { wait_seconds: secondsOf(view, ticks) }, message)

/** Refuses a command because the whole server has too many that wait. */
export const inboxFull = (): Failure<'rate_limited'> =>
  fail(
    'rate_limited',
    { limit: 'inbox', scope: 'server', wait_seconds: 1 },
    'The server has too many commands waiting already.',
  )

/** A parameter that is wrong; `expected` completes the sentence "<field> must be …". */
export interface FieldError {
  readonly field: string
  readonly expected: string
}

/** Refuses malformed parameters: `details.fields` and the message name each one. */
export function invalidFields(...fields: readonly FieldError[]): Failure<'invalid_payload'> {
  const words = fields.map(({ field, expected }) => `${field} must be ${expected}`).join('; ')
  return fail('invalid_payload', { fields }, `Check the parameters: ${words}.`)
}
