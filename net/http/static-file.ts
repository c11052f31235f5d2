/**
 * Files made once and served often: plain and compressed, with a strong ETag.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const gzipped = promisify(gzip)
const brotlied = promisify(brotliCompress)
const GZIP_LEVEL = 9
/** The levels above take ten times as long for a few per cent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** Codings by the order in which they are taken where a client likes them alike. */
const CODINGS = ['br', 'gzip'] as const
type Coding = (typeof CODINGS)[number]

export interface StaticFile {
  readonly etag: string
  readonly type: string
  readonly plain: Buffer
  readonly coded: Readonly<Record<Coding, Buffer>>
}

/** Status, headers and body for the exchange to send. */
export interface StaticReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | string
}

export async function staticFile(text: string, type: string): Promise<StaticFile> {
  const plain = Buffer.from(text)
  const etag = `"${createHash('sha256').update(plain).digest('hex')}"`
  const [br, gzip] = await Promise.all([
    brotlied(plain, BROTLI),
    gzipped(plain, { level: GZIP_LEVEL }),
  ])
  return { etag, type, plain, coded: { br, gzip } }
}

/** What a conditional request says in its headers; empty when absent. */
interface Conditions {
  readonly ifNoneMatch: string
  readonly acceptEncoding: string
}

/** The file, compressed where the client takes that, or 304 where it has it. */
export function fileReply(
  file: StaticFile,
  conditions: Conditions,
  cacheControl: string,
): StaticReply {
  const coding = codingOf(conditions.acceptEncoding)
  // A strong tag is one of bytes: each form has its own (RFC 9110, 8.8.3.3).
  const etag = coding ? codedTag(file.etag, coding) : file.etag
  const headers = { etag, 'cache-control': cacheControl, vary: 'accept-encoding' }
  if (hasFile(file, conditions.ifNoneMatch)) return { status: 304, headers }
  const typed = { ...headers, 'content-type': file.type }
  if (!coding) return { status: 200, headers: typed, body: file.plain }
  return {
    status: 200,
    headers: { ...typed, 'content-encoding': coding },
    body: file.coded[coding],
  }
}

const codedTag = (etag: string, coding: Coding): string => `${etag.slice(0, -1)}-${coding}"`

/** True when a client has the file in any form: what it would read is the same. */
const hasFile = ({ etag }: StaticFile, ifNoneMatch: string): boolean =>
  [etag, ...CODINGS.map((coding) => codedTag(etag, coding))].some((tag) =>
    matches(ifNoneMatch, tag),
  )

/**
 * If-None-Match against a strong tag: weak marks are ignored, as RFC 9110 wants for this header.
 */
export function matches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag)
}

/** The coding that a client likes best; undefined where it would rather have none. */
export function codingOf(acceptEncoding: string): Coding | undefined {
  const weights = new Map<string, number>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, q === undefined ? 1 : Number(q.slice(2)) || 0)
  }
  // Not named, the plain form is taken only where no coding is.
  let best = weights.get('identity') ?? 0
  let chosen: Coding | undefined
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0
    if (weight > best || (weight === best && weight > 0 && chosen === undefined)) {
      best = weight
      chosen = coding
    }
  }
  return chosen
}
