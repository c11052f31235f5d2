/** Routes of the public web API, derived from its table. Source: WEB 1.1. */
import { type ErrorCode, type Failure, fail, ok } from '../../core/errors.ts'
import { PUBLIC_QUERY_CHARACTERS_MAX } from '../../core/limits.ts'
import { respondFlat, respondLimited } from '../http/answers.ts'
import { type Exchange, respondJson } from '../http/exchange.ts'
import { ipOf } from '../http/http.ts'
import { conditionsOf } from '../http/static-file.ts'
import { namesOf } from '../names.ts'
import type { PathParams, Route } from '../router.ts'
import { addressRefusal } from '../session/limited.ts'
import type { Net } from '../session/types.ts'
import { type BodyCache, bodyReply, createBodyCache, type MadeBody, makeBody } from './bodies.ts'
import { createForumCount } from './forum-count.ts'
import { HOUR_MS } from './past.ts'
import type {
  CacheClass,
  PublicContext,
  PublicInfo,
  PublicRow,
  QueryParam,
  QueryValues,
} from './row.ts'
import { PUBLIC_ROWS } from './table.ts'

const SECONDS: Readonly<Record<Exclude<CacheClass, 'T'>, string>> = {
  M: '60',
  H: '3600',
  I: '31536000, immutable',
}

/** Returns a value within the bounds of its parameter, or the fallback for an invalid one. */
function valueIn(param: QueryParam, text: string | null): string | number {
  if (param.kind === 'text') return (text ?? '').slice(0, param.max)
  if (param.kind === 'choice') {
    return text !== null && param.values.includes(text) ? text : param.fallback
  }
  const number = text === null || text.trim() === '' ? Number.NaN : Math.floor(Number(text))
  if (!Number.isFinite(number)) return param.fallback
  return Math.min(param.max, Math.max(param.min, number))
}

/** Reads a query. Unknown and repeated parameters are ignored. */
export const readQuery = (row: Pick<PublicRow, 'query'>, query: URLSearchParams): QueryValues =>
  Object.fromEntries(
    (row.query ?? []).map((param) => [param.name, valueIn(param, query.get(param.name))]),
  )

interface Api {
  readonly net: Net
  readonly cache: BodyCache
  readonly about: PublicInfo
}

/** Makes the body of a row. Refuses with not_ready until a frame is public. */
async function make(api: Api, row: PublicRow, context: PublicContext): Promise<MadeBody> {
  const state = api.net.frames.state()
  if (row.source !== 'timeless' && !state) return fail('not_ready')
  const names = namesOf(api.net.registry)
  if (state && row.source === 'frame' && row.text) {
    return ok({ body: makeBody(names.text(2, row.text(state))), result: undefined })
  }
  const outcome = await (row.source === 'timeless'
    ? row.body(context)
    : row.body(state as NonNullable<typeof state>, context))
  if (!outcome.ok) return outcome
  const text = names.text(2, JSON.stringify(outcome.result))
  return ok({ body: makeBody(text), result: outcome.result })
}

const MINUTE_MS = 60_000

/** Returns the version of the data behind a body, as a text that changes with it. */
function versionOf({ frames, clock }: Net, row: PublicRow): string {
  if (row.source === 'timeless') {
    const keptMs = row.cache === 'H' ? HOUR_MS : MINUTE_MS
    return String(Math.floor(clock.monoMs() / keptMs))
  }
  const state = frames.state()
  if (!state || row.source === 'archive') return String(state?.tick ?? '')
  return row.reads.map((section) => state.changes[section]).join(' ')
}

function cacheControl(
  { frames }: Net,
  { cache }: PublicRow,
  result: unknown,
  params: PathParams,
): string {
  const kind = typeof cache === 'function' ? cache(result, params) : cache
  return `public, max-age=${kind === 'T' ? frames.secondsToNext() : SECONDS[kind]}`
}

const NOT_FOUND: readonly ErrorCode[] = ['not_found', 'battle_not_found', 'thread_not_found']

/** Refuses in the flat form; what does not exist is a 404 here. */
export function refuse(net: Net, exchange: Exchange, failure: Failure): void {
  const { code, message } = failure
  if (!NOT_FOUND.includes(code)) {
    respondFlat(net, exchange, failure)
    return
  }
  net.metrics.errors.inc({ code })
  respondJson(exchange, 404, { error: code, code, message })
}

async function answer(
  api: Api,
  row: PublicRow,
  exchange: Exchange,
  params: PathParams,
): Promise<void> {
  const { net, cache, about } = api
  const limitFailure = addressRefusal(net.gate, row.bucket, ipOf(net, exchange))
  if (limitFailure) return respondLimited(net, exchange, limitFailure)
  const isLong = Object.values(params).some((text) => text.length > PUBLIC_QUERY_CHARACTERS_MAX)
  if (isLong) return refuse(net, exchange, fail('not_found'))
  const query = readQuery(row, exchange.query)
  const key = JSON.stringify([row.path, params, query])
  const context = { params, query, archive: net.archive, about }
  const made = await cache.get(key, versionOf(net, row), () => make(api, row, context))
  if (!made.ok) return refuse(net, exchange, made)
  const { body, result } = made.result
  const control = cacheControl(net, row, result, params)
  const reply = await bodyReply(body, conditionsOf(exchange), control)
  net.metrics.publicBodies.inc({ status: String(reply.status) })
  exchange.respond(reply.status, reply.headers, reply.body ?? '')
}

export function publicDataRoutes(net: Net): Route[] {
  const forum = createForumCount(net)
  const about: PublicInfo = {
    version: net.config.version,
    epoch: net.frames.epoch,
    delay: net.frames.delay,
    showsNames: net.config.spectatorNames,
    get tickMs() {
      return net.link.state().tickMs
    },
    wallMs: () => net.clock.wallMs(),
    forum,
  }
  const api = { net, cache: createBodyCache(), about }
  return PUBLIC_ROWS.map((row) => ({
    method: 'GET',
    path: row.path,
    handle: (exchange, params) => answer(api, row, exchange, params),
  }))
}
