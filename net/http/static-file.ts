/**
 * Files made once and served often: plain and compressed, with a strong ETag.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)
const GZIP_LEVEL = 9

export interface StaticFile {
  readonly etag: string
  readonly type: string
  readonly plain: Buffer
  readonly gzipped: Buffer
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
  return { etag, type, plain, gzipped: await compress(plain, { level: GZIP_LEVEL }) }
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
  const isGzipped = acceptsGzip(conditions.acceptEncoding)
  // A strong tag is one of bytes: each form has its own (RFC 9110, 8.8.3.3).
  const etag = isGzipped ? gzippedTag(file.etag) : file.etag
  const headers = { etag, 'cache-control': cacheControl, vary: 'accept-encoding' }
  if (hasFile(file, conditions.ifNoneMatch)) return { status: 304, headers }
  const typed = { ...headers, 'content-type': file.type }
  if (!isGzipped) return { status: 200, headers: typed, body: file.plain }
  return { status: 200, headers: { ...typed, 'content-encoding': 'gzip' }, body: file.gzipped }
}

const gzippedTag = (etag: string): string => `${etag.slice(0, -1)}-gzip"`

/** True when a client has the file in either form: what it would read is the same. */
const hasFile = ({ etag }: StaticFile, ifNoneMatch: string): boolean =>
  matches(ifNoneMatch, etag) || matches(ifNoneMatch, gzippedTag(etag))

/**
 * If-None-Match against a strong tag: weak marks are ignored, as RFC 9110 wants for this header.
 */
export function matches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag)
}

/** True when gzip is named, or everything is, and not with weight 0. */
export function acceptsGzip(acceptEncoding: string): boolean {
  const weights = new Map<string, number>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, q === undefined ? 1 : Number(q.slice(2)))
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}
