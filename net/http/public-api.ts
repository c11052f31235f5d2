/**
 * Answers of the world to whoever asks without a login, kept a few seconds so that a crowd of
 * readers costs one query. While the world is away, they get its latest answer.
 */
import { ERRORS, type ErrorCode, type Outcome } from '../../core/errors.ts'
import type { PathParams } from '../router.ts'
import type { PublicData } from './public-data.ts'
import {
  type Conditions,
  fileReply,
  latestFile,
  type StaticFile,
  type StaticReply,
} from './static-file.ts'

/** How long an answer is fresh. */
const FRESH_MS = 5_000
const CACHE = `public, max-age=${FRESH_MS / 1000}`
const JSON_TYPE = 'application/json'

interface PublicApi {
  /** Returns the answer of an address in PUBLIC_DATA, in the form that the request asks for. */
  reply(data: PublicData, params: PathParams, conditions: Conditions): Promise<StaticReply>
}

interface PublicApiOptions {
  ask(query: string, params: PathParams): Promise<Outcome<unknown>>
  /** Returns false while the world recovers: a query would wait for it. */
  isUp(): boolean
  monoMs(): number
  /** Writes the command names that a text marks as v2 has them. */
  withNames(text: string): string
}

/** What is kept of an address. */
interface Entry {
  /** Monotonic time until which the answer is fresh. */
  untilMs: number
  /** The latest answer that was no refusal. */
  answer: StaticFile | undefined
  /** The query under way, which all requests wait for. */
  running: Promise<StaticFile | StaticReply> | undefined
  /** Makes a file, or returns the latest one where its text is the same. */
  fileOf(text: string): Promise<StaticFile>
}

const isFile = (reply: StaticFile | StaticReply): reply is StaticFile => 'etag' in reply

export function createPublicApi(options: PublicApiOptions): PublicApi {
  // Bounded by the addresses of PUBLIC_DATA, with one for each item of the catalogue.
  const kept = new Map<string, Entry>()
  const ask = async (key: string, entry: Entry, data: PublicData, params: PathParams) => {
    try {
      const outcome = await options.ask(data.query, params)
      if (!outcome.ok) return entry.answer ?? flatError(outcome.code, outcome.message)
      entry.answer = await entry.fileOf(options.withNames(JSON.stringify(outcome.result)))
      entry.untilMs = options.monoMs() + FRESH_MS
      return entry.answer
    } finally {
      entry.running = undefined
      if (!entry.answer) kept.delete(key)
    }
  }
  const find = (data: PublicData, params: PathParams): Promise<StaticFile | StaticReply> => {
    const value = data.param && params[data.param.name]
    const key = value === undefined ? data.path : `${data.path} ${value}`
    const entry = kept.get(key) ?? newEntry()
    kept.set(key, entry)
    const isGood = options.monoMs() < entry.untilMs || !options.isUp()
    if (entry.answer && isGood) return Promise.resolve(entry.answer)
    entry.running ??= ask(key, entry, data, params)
    return entry.running
  }
  return {
    reply: async (data, params, conditions) => {
      const value = data.param && params[data.param.name]
      if (value !== undefined && !data.param?.isKnown(value)) return unknownThing(data, value)
      const found = await find(data, params)
      return isFile(found) ? fileReply(found, conditions, CACHE) : found
    },
  }
}

const newEntry = (): Entry => ({
  untilMs: 0,
  answer: undefined,
  running: undefined,
  fileOf: latestFile(JSON_TYPE),
})

function unknownThing({ param }: PublicData, value: string): StaticReply {
  const text = `There is no ${param?.name} "${value.slice(0, 64)}"; /api/catalog.json lists them.`
  return { ...flatError('not_found', text), status: 404 }
}

/** Returns an error in the form of public endpoints. */
function flatError(code: ErrorCode, message: string = ERRORS[code].message): StaticReply {
  return {
    status: ERRORS[code].status,
    headers: { 'content-type': JSON_TYPE },
    body: JSON.stringify({ error: code, code, message }),
  }
}
