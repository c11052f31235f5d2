/** The catalogue file, conditional requests. */
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

test('a file that could not be made is tried again, and kept once it is there', async () => {
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
  const ask = async () => ok({ ships: [{ id: 'ship_1' }], hidden_achievement_count: 4 })

  test('is what the world answers behind the version, made once', async () => {
    let asked = 0
    const file = createCatalogJson(() => {
      asked += 1
      return ask()
    }, '0.599.5')
    const { plain } = await file()
    await file()
    expect(asked).toBe(1)
    expect(plain.toString()).toBe(
      '{"version":"0.599.5","ships":[{"id":"ship_1"}],"hidden_achievement_count":4}',
    )
  })

  test('is sent compressed, or not at all to who has it', async () => {
    const file = await createCatalogJson(ask, '1')()
    const plain = fileReply(file, NONE, 'public')
    const packed = fileReply(file, { ...NONE, acceptEncoding: 'br;q=0.5, gzip' }, 'public')
    const dense = fileReply(file, { ...NONE, acceptEncoding: 'gzip, br' }, 'public')
    expect(dense.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(dense.body as Buffer)).toEqual(plain.body)
    const tags = [plain, packed, dense].map(({ headers }) => headers.etag)
    expect(new Set(tags).size).toBe(3)
    for (const ifNoneMatch of tags)
      expect(fileReply(file, { ...NONE, ifNoneMatch }, 'public').status).toBe(304)
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.body as Buffer)).toEqual(plain.body)
    const known = fileReply(file, { ...NONE, ifNoneMatch: file.etag }, 'public')
    expect([known.status, known.body, known.headers.etag]).toEqual([304, undefined, file.etag])
  })

  test('is sent in Zstandard to who prefers it, where Node has that', async () => {
    const file = await createCatalogJson(ask, '1')()
    const sent = fileReply(file, { ...NONE, acceptEncoding: 'br;q=0.5, zstd' }, 'public')
    const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (body: Buffer) => Buffer }
    const [coding, unpack] = zstdDecompressSync
      ? ['zstd', zstdDecompressSync]
      : ['br', brotliDecompressSync]
    expect(sent.headers['content-encoding']).toBe(coding)
    expect(sent.headers.etag).toBe(file.etag.replace(/"$/, `-${coding}"`))
    expect(unpack(sent.body as Buffer)).toEqual(file.plain)
  })

  test('is tried again after a failure, and its tag follows version and content', async () => {
    let isDown = true
    const file = createCatalogJson(async () => (isDown ? fail('restarting') : ask()), '1')
    await expect(file()).rejects.toThrow('there is no catalogue')
    isDown = false
    const other = await createCatalogJson(ask, '2')()
    expect((await file()).etag).not.toBe(other.etag)
  })
})

test('conditional and encoding headers are read as RFC 9110 has them', () => {
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
