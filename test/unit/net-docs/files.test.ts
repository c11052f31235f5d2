/** Static files and the catalogue file: built once, compressed, and answered with 304. */
import * as zlib from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { fail, ok } from '../../../core/errors.ts'
import { createCatalogJson } from '../../../net/http/catalog-json.ts'
import {
  codingOf,
  fileOnce,
  fileReply,
  matches,
  staticFile,
} from '../../../net/http/static-file.ts'

const { brotliDecompressSync, gunzipSync } = zlib
const NONE = { ifNoneMatch: '', acceptEncoding: '' }

test('a file that could not be built is built at the next request, then kept', async () => {
  let tries = 0
  const file = fileOnce(async () => {
    tries += 1
    if (tries === 1) throw new Error('the disk is away')
    return staticFile('x', 'text/plain')
  })
  await expect(file()).rejects.toThrow('the disk is away')
  expect((await file()).plain.toString()).toBe('x')
  await file()
  expect(tries).toBe(2)
})

describe('catalogue file', () => {
  const readCatalog = async () => ok({ ships: [{ id: 'ship_1' }], hidden_achievement_count: 4 })

  test('holds the version and then the answer of the world, which is read once', async () => {
    let reads = 0
    const file = createCatalogJson(() => {
      reads += 1
      return readCatalog()
    }, '0.599.5')
    const { plain } = await file()
    await file()
    expect(reads).toBe(1)
    expect(plain.toString()).toBe(
      '{"version":"0.599.5","ships":[{"id":"ship_1"}],"hidden_achievement_count":4}',
    )
  })

  test('is sent compressed, or as 304 to a client that has it', async () => {
    const file = await createCatalogJson(readCatalog, '1')()
    const plain = fileReply(file, NONE, 'public')
    const gzipped = fileReply(file, { ...NONE, acceptEncoding: 'br;q=0.5, gzip' }, 'public')
    const brotli = fileReply(file, { ...NONE, acceptEncoding: 'gzip, br' }, 'public')
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.body as Buffer)).toEqual(plain.body)
    const tags = [plain, gzipped, brotli].map(({ headers }) => headers.etag)
    expect(new Set(tags).size).toBe(3)
    for (const ifNoneMatch of tags)
      expect(fileReply(file, { ...NONE, ifNoneMatch }, 'public').status).toBe(304)
    expect(gzipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzipped.body as Buffer)).toEqual(plain.body)
    const known = fileReply(file, { ...NONE, ifNoneMatch: file.etag }, 'public')
    expect([known.status, known.body, known.headers.etag]).toEqual([304, undefined, file.etag])
  })

  test('is sent in Zstandard to a client that prefers it, if Node supports that', async () => {
    const file = await createCatalogJson(readCatalog, '1')()
    const sent = fileReply(file, { ...NONE, acceptEncoding: 'br;q=0.5, zstd' }, 'public')
    const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (body: Buffer) => Buffer }
    const [coding, unpack] = zstdDecompressSync
      ? ['zstd', zstdDecompressSync]
      : ['br', brotliDecompressSync]
    expect(sent.headers['content-encoding']).toBe(coding)
    expect(sent.headers.etag).toBe(file.etag.replace(/"$/, `-${coding}"`))
    expect(unpack(sent.body as Buffer)).toEqual(file.plain)
  })

  test('is read again after a failure, and its tag depends on the version', async () => {
    let isDown = true
    const file = createCatalogJson(async () => (isDown ? fail('restarting') : readCatalog()), '1')
    await expect(file()).rejects.toThrow('there is no catalogue')
    isDown = false
    const other = await createCatalogJson(readCatalog, '2')()
    expect((await file()).etag).not.toBe(other.etag)
  })
})

test('conditional and encoding headers are read as RFC 9110 defines them', () => {
  expect(matches('W/"a", "b"', '"a"')).toBe(true)
  expect(matches('*', '"a"')).toBe(true)
  expect(matches('"ab"', '"a"')).toBe(false)
  expect(codingOf('gzip;q=0, *', ['br', 'gzip'])).toBe('br')
  expect(codingOf('br;q=0, *;q=0.5', ['br', 'gzip'])).toBe('gzip')
  expect(codingOf('gzip;q=0.5, identity', ['br', 'gzip'])).toBeUndefined()
  expect(codingOf('gzip;q=wrong', ['br', 'gzip'])).toBeUndefined()
  expect(codingOf('identity', ['br', 'gzip'])).toBeUndefined()
  expect(codingOf('', ['br', 'gzip'])).toBeUndefined()
})
