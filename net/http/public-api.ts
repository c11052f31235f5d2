/**
 * Answers of the world to whoever asks without a login, kept a few seconds so that a crowd of
 * readers costs one query. While the world is away they read what it said last.
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

/** How long an answer is served again. */
const FRESH_MS = 5_000
const CACHE = `public, max-age=${FRESH_MS / 1000}`
const JSON_TYPE = 'application/json'

interface PublicApi {
  /** The answer of an address of the table, in the form that the request asks for. */
  reply(data: PublicData, params: PathParams, conditions: Conditions): Promise<StaticReply>
}

interface PublicApiOptions {
  ask(query: string, params: PathParams): Promise<Outcome<unknown>>
  /** False while the world recovers: a question would wait for it. */
  isUp(): boolean
  monoMs(): number
  /** Commands named in a text as v2 calls them. */
  spoken(text: string): string
}

interface Kept {
  untilMs: number
  /** The last answer that was no refusal. */
  said: StaticFile | undefined
  /** The question under way. */
  asked: Promise<StaticFile | StaticReply> | undefined
  fileOf(text: string): Promise<StaticFile>
}

const isFile = (said: StaticFile | StaticReply): said is StaticFile => 'etag' in said

export function createPublicApi(options: PublicApiOptions): PublicApi {
  // As many as the table has addresses, and an item's for each one of the catalogue.
  const kept = new Map<string, Kept>()
  const ask = async (key: string, entry: Kept, data: PublicData, params: PathParams) => {
    try {
      const outcome = await options.ask(data.query, params)
      if (!outcome.ok) return entry.said ?? flatError(outcome.code, outcome.message)
      entry.said = await entry.fileOf(options.spoken(JSON.stringify(outcome.result)))
      entry.untilMs = options.monoMs() + FRESH_MS
      return entry.said
    } finally {
      entry.asked = undefined
      if (!entry.said) kept.delete(key)
    }
  }
  const find = (data: PublicData, params: PathParams): Promise<StaticFile | StaticReply> => {
    const value = data.param && params[data.param.name]
    const key = value === undefined ? data.path : `${data.path} ${value}`
    const entry = kept.get(key) ?? newEntry()
    kept.set(key, entry)
    const isGood = options.monoMs() < entry.untilMs || !options.isUp()
    if (entry.said && isGood) return Promise.resolve(entry.said)
    entry.asked ??= ask(key, entry, data, params)
    return entry.asked
  }
  return {
    reply: async (data, params, conditions) => {
      const value = data.param && params[data.param.name]
      if (value !== undefined && !data.param?.isKnown(value)) return unknownThing(data, value)
      const said = await find(data, params)
      return isFile(said) ? fileReply(said, conditions, CACHE) : said
    },
  }
}

const newEntry = (): Kept => ({
  untilMs: 0,
  said: undefined,
  asked: undefined,
  fileOf: latestFile(JSON_TYPE),
})

function unknownThing({ param }: PublicData, value: string): StaticReply {
  const text = `There is no ${param?.name} "${value.slice(0, 64)}"; /api/catalog.json lists them.`
  return { ...flatError('not_found', text), status: 404 }
}

/** The error form of public endpoints. */
function flatError(code: ErrorCode, message: string = ERRORS[code].message): StaticReply {
  return {
    status: ERRORS[code].status,
    headers: { 'content-type': JSON_TYPE },
    body: JSON.stringify({ error: code, code, message }),
  }
}
