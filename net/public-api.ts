/**
 * Public data that maps and bots read before any login: the galaxy and its stations. Answers of the
 * world, kept a few seconds so that a crowd of readers costs one query. Source: WIRE 6.6-6.8.
 */
import type { ErrorCode, Outcome } from '../core/errors.ts'
import { ERRORS } from '../core/errors.ts'
import type { StaticReply } from './static-file.ts'

/** How long an answer is served again. */
const FRESH_MS = 5_000

export const PUBLIC_DATA = ['map', 'stations'] as const
export type PublicData = (typeof PUBLIC_DATA)[number]

export interface PublicApi {
  /** Body of GET /api/map or /api/stations. */
  reply(what: PublicData): Promise<StaticReply>
}

export interface PublicApiOptions {
  /** The internal query `internal:<what>`. */
  ask(what: PublicData): Promise<Outcome<unknown>>
  monoMs(): number
}

interface Kept {
  readonly untilMs: number
  readonly reply: Promise<StaticReply>
}

export function createPublicApi(options: PublicApiOptions): PublicApi {
  const kept = new Map<PublicData, Kept>()
  return {
    reply: (what) => {
      const now = options.monoMs()
      const found = kept.get(what)
      if (found && now < found.untilMs) return found.reply
      const reply = options.ask(what).then((outcome) => {
        // A refusal is not kept: the next reader asks again.
        if (!outcome.ok) kept.delete(what)
        return answer(outcome)
      })
      kept.set(what, { untilMs: now + FRESH_MS, reply })
      reply.catch(() => kept.delete(what))
      return reply
    },
  }
}

function answer(outcome: Outcome<unknown>): StaticReply {
  if (!outcome.ok) return flatError(outcome.code, outcome.message)
  return {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'cache-control': `public, max-age=${FRESH_MS / 1000}`,
    },
    body: JSON.stringify(outcome.result),
  }
}

/** The error form of public endpoints: `{ error, message }`. */
export function flatError(code: ErrorCode, message: string = ERRORS[code].message): StaticReply {
  return {
    status: ERRORS[code].status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: code, message }),
  }
}
