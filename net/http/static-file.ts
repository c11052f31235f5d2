/**
 * Files made once and served often: plain and compressed, with a strong ETag.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'

const gzipped = promisify(zlib.gzip)
const brotlied = promisify(zlib.brotliCompress)

interface Zstd {
  readonly compress: (plain: Buffer, options: object) => Promise<Buffer>
  readonly levelParam: number
}

/** Returns zstd, which is absent before Node 22.15; its types do not have it either. */
function findZstd(): Zstd | undefined {
  const { zstdCompress, constants } = zlib as unknown as {
    zstdCompress?: (plain: Buffer, options: object, done: (e: Error, b: Buffer) => void) => void
    constants: Readonly<Record<string, number>>
  }
  if (!zstdCompress) return undefined
  return {
    compress: promisify(zstdCompress) as Zstd['compress'],
    levelParam: constants.ZSTD_c_compressionLevel,
  }
}

const zstd = findZstd()

/** Codings in order of preference where a client weights them equally. */
const CODINGS = ['br', 'zstd', 'gzip'] as const
type Coding = (typeof CODINGS)[number]

/**
 * Compression levels: for content that is built once and served for long, and for content that
 * lasts seconds. Higher levels take many times as long for a few per cent.
 */
const EFFORTS = {
  once: { bytesMin: 0, gzip: 9, brotli: 9, zstd: 12 },
  often: { bytesMin: 1024, gzip: 6, brotli: 4, zstd: 3 },
} as const
type Effort = keyof typeof EFFORTS

export interface StaticFile {
  readonly etag: string
  readonly type: string
  readonly plain: Buffer
  /** Compressed forms: those this Node supports; none for small content. */
  readonly coded: ReadonlyMap<Coding, Buffer>
}

/** Status, headers and body for the exchange to send. */
export interface StaticReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | string
}

async function codedForms(plain: Buffer, effort: Effort): Promise<Map<Coding, Buffer>> {
  const levels = EFFORTS[effort]
  if (plain.byteLength < levels.bytesMin) return new Map()
  const brotliParams = { [zlib.constants.BROTLI_PARAM_QUALITY]: levels.brotli }
  const forms: (readonly [Coding, Promise<Buffer>])[] = [
    ['br', brotlied(plain, { params: brotliParams })],
    ['gzip', gzipped(plain, { level: levels.gzip })],
  ]
  if (zstd)
    forms.push(['zstd', zstd.compress(plain, { params: { [zstd.levelParam]: levels.zstd } })])
  return new Map(
    await Promise.all(forms.map(async ([coding, made]) => [coding, await made] as const)),
  )
}

/** Builds a file from its content: ETag and compressed forms. */
export async function staticFile(
  content: string | Buffer,
  type: string,
  effort: Effort = 'once',
): Promise<StaticFile> {
  const plain = Buffer.from(content)
  const etag = `"${createHash('sha256').update(plain).digest('hex')}"`
  return { etag, type, plain, coded: await codedForms(plain, effort) }
}

/**
 * Returns a function that builds a file at its first call and caches it; a failed build is retried
 * at the next call.
 */
export function fileOnce(make: () => Promise<StaticFile>): () => Promise<StaticFile> {
  let made: Promise<StaticFile> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

/**
 * Returns a function that builds files of changing content. Unchanged content is not compressed
 * again.
 */
export function latestFile(type: string): (content: string) => Promise<StaticFile> {
  let latest: { readonly content: string; readonly file: Promise<StaticFile> } | undefined
  return (content) => {
    if (latest?.content !== content) latest = { content, file: staticFile(content, type, 'often') }
    return latest.file
  }
}

/** Headers of a conditional request; empty if absent. */
export interface Conditions {
  readonly ifNoneMatch: string
  readonly acceptEncoding: string
}

/** Returns the conditions of a request. */
export const conditionsOf = (head: { header(name: string): string }): Conditions => ({
  ifNoneMatch: head.header('if-none-match'),
  acceptEncoding: head.header('accept-encoding'),
})

/** Returns the reply with a file: compressed if the client accepts that, 304 if it has the file. */
export function fileReply(
  file: StaticFile,
  conditions: Conditions,
  cacheControl: string,
): StaticReply {
  const coding = codingOf(conditions.acceptEncoding, [...file.coded.keys()])
  // A strong tag identifies bytes, so each form has its own (RFC 9110, 8.8.3.3).
  const etag = coding ? codedTag(file.etag, coding) : file.etag
  const headers = { etag, 'cache-control': cacheControl, vary: 'accept-encoding' }
  if (hasFile(file, conditions.ifNoneMatch)) return { status: 304, headers }
  const typed = { ...headers, 'content-type': file.type }
  const coded = coding && file.coded.get(coding)
  if (!coded) return { status: 200, headers: typed, body: file.plain }
  return { status: 200, headers: { ...typed, 'content-encoding': coding }, body: coded }
}

const codedTag = (etag: string, coding: Coding): string => `${etag.slice(0, -1)}-${coding}"`

/** Returns true if a client has the file in any form: the content is the same. */
const hasFile = ({ etag }: StaticFile, ifNoneMatch: string): boolean =>
  [etag, ...CODINGS.map((coding) => codedTag(etag, coding))].some((tag) =>
    matches(ifNoneMatch, tag),
  )

/**
 * Returns whether If-None-Match contains a tag; weak marks are ignored, as RFC 9110 requires for
 * this header.
 */
export function matches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag)
}

/** Returns the available coding that a client prefers; undefined if it prefers the plain form. */
export function codingOf(acceptEncoding: string, available: readonly Coding[]): Coding | undefined {
  const weights = new Map<string, number>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, q === undefined ? 1 : Number(q.slice(2)) || 0)
  }
  // If `identity` is not listed, the plain form is used only if no coding is accepted.
  let best = weights.get('identity') ?? 0
  let chosen: Coding | undefined
  for (const coding of CODINGS) {
    if (!available.includes(coding)) continue
    const weight = weights.get(coding) ?? weights.get('*') ?? 0
    if (weight > best || (weight === best && weight > 0 && chosen === undefined)) {
      best = weight
      chosen = coding
    }
  }
  return chosen
}
