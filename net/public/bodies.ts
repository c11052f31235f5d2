/**
 * Cache of bodies of the public web API, by request. Each is serialised once and shared by all its
 * readers, with an ETag of its bytes; it is compressed at the first request that accepts gzip.
 * Source: WEB 1.1.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ErrorCode, Outcome } from '../../core/errors.ts'
import {
  PUBLIC_BODIES_BYTES_MAX,
  PUBLIC_BODIES_MAX,
  PUBLIC_GZIP_BYTES_MIN,
} from '../../core/limits.ts'
import { type Conditions, codingOf, matches, type StaticReply } from '../http/static-file.ts'

const gzipped = promisify(gzip)

interface Body {
  readonly plain: Buffer
  /** Strong ETag of the plain form. */
  readonly etag: string
  packed: Promise<Buffer> | undefined
}

const TAG_DIGITS = 16

/** Creates a body with its ETag. */
export function makeBody(text: string): Body {
  const plain = Buffer.from(text)
  const digest = createHash('sha256').update(plain).digest('hex')
  return { plain, etag: `"${digest.slice(0, TAG_DIGITS)}"`, packed: undefined }
}

/**
 * Returns the reply to a request: compressed if it accepts that, 304 if the reader has the body.
 */
export async function bodyReply(
  body: Body,
  conditions: Conditions,
  cacheControl: string,
): Promise<StaticReply> {
  const { plain, etag } = body
  const isLong = plain.byteLength >= PUBLIC_GZIP_BYTES_MIN
  const coding = codingOf(conditions.acceptEncoding, isLong ? ['gzip'] : [])
  // A strong tag is one of bytes: each form has its own (RFC 9110, 8.8.3.3).
  const packedTag = `${etag.slice(0, -1)}-gzip"`
  const tag = coding ? packedTag : etag
  const headers = { etag: tag, 'cache-control': cacheControl, vary: 'accept-encoding' }
  // A reader may have the other form: the reply names the tag of the one that they have.
  const known = [tag, etag, packedTag].find((each) => matches(conditions.ifNoneMatch, each))
  if (known !== undefined) return { status: 304, headers: { ...headers, etag: known } }
  const typed = { ...headers, 'content-type': 'application/json' }
  if (!coding) return { status: 200, headers: typed, body: plain }
  const packed = gzipOnce(body)
  return { status: 200, headers: { ...typed, 'content-encoding': 'gzip' }, body: await packed }
}

/** Compresses a body for all its readers; after a failure, the next reader tries again. */
function gzipOnce(body: Body): Promise<Buffer> {
  if (body.packed) return body.packed
  const packed = gzipped(body.plain)
  body.packed = packed
  packed.catch(() => {
    body.packed = undefined
  })
  return packed
}

/** The outcome of making a body. Most refusals are cached too, for as long as a body. */
export type MadeBody = Outcome<{ readonly body: Body; readonly result: unknown }>

interface Entry {
  /** Version of the data it was made from: the entry is valid while this is the same. */
  readonly version: string
  readonly made: Promise<MadeBody>
  bytes: number
}

export interface BodyCache {
  /** Returns the cached outcome of a request; makes it if none of this version is cached. */
  get(key: string, version: string, make: () => Promise<MadeBody>): Promise<MadeBody>
  readonly size: () => { readonly bodies: number; readonly bytes: number }
}

/** Temporary refusals, which are not cached: the next request tries again. */
const TEMPORARY: readonly ErrorCode[] = ['persist_timeout', 'not_ready', 'internal_error']

/** Bytes of an entry beside its body. */
const ENTRY_BYTES = 256

/** Creates an empty cache; the least recently used bodies are evicted. */
export function createBodyCache(): BodyCache {
  // In the order of their last use, oldest first.
  const entries = new Map<string, Entry>()
  let bytes = 0
  const drop = (key: string): void => {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  const evict = (): void => {
    for (const key of entries.keys()) {
      if (entries.size <= PUBLIC_BODIES_MAX && bytes <= PUBLIC_BODIES_BYTES_MAX) return
      drop(key)
    }
  }
  const add = (key: string, version: string, made: Promise<MadeBody>): void => {
    const entry: Entry = { version, made, bytes: ENTRY_BYTES + key.length }
    drop(key)
    entries.set(key, entry)
    bytes += entry.bytes
    evict()
    made.then(
      (outcome) => {
        if (entries.get(key) !== entry) return
        if (!outcome.ok) {
          if (TEMPORARY.includes(outcome.code)) drop(key)
          return
        }
        // The compressed form takes about a fifth on top.
        const size = Math.ceil(outcome.result.body.plain.byteLength * 1.2)
        entry.bytes += size
        bytes += size
        evict()
      },
      () => {
        if (entries.get(key) === entry) drop(key)
      },
    )
  }
  return {
    get(key, version, make) {
      const known = entries.get(key)
      if (known?.version === version) {
        entries.delete(key)
        entries.set(key, known)
        return known.made
      }
      const made = make()
      add(key, version, made)
      return made
    },
    size: () => ({ bodies: entries.size, bytes }),
  }
}
