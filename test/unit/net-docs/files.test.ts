/** The catalogue file, conditional requests, public data. */
import * as zlib from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { fail, ok } from '../../../core/errors.ts'
import { createCatalogJson } from '../../../net/http/catalog-json.ts'
import { createPublicApi } from '../../../net/http/public-api.ts'
import { PUBLIC_DATA } from '../../../net/http/public-data.ts'
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

describe('public data', () => {
  const [stats, map] = PUBLIC_DATA
  const quotes = PUBLIC_DATA.find(({ param }) => param !== undefined) ?? stats
  const at = { now: 0, isUp: true, asked: [] as string[] }
  let outcome: ReturnType<typeof ok> | ReturnType<typeof fail> = ok({ systems: [] })
  const apiOf = () => {
    Object.assign(at, { now: 0, isUp: true, asked: [] })
    return createPublicApi({
      ask: async (query, { item_id = '' }) => {
        at.asked.push(`${query} ${item_id}`.trim())
        return outcome
      },
      isUp: () => at.isUp,
      monoMs: () => at.now,
      withNames: (text) => text.replace('{mine}', 'game/mine'),
    })
  }

  test('is asked of the world once in a few seconds', async () => {
    const api = apiOf()
    await Promise.all([api.reply(map, {}, NONE), api.reply(map, {}, NONE)])
    at.now = 4_999
    await api.reply(map, {}, NONE)
    expect(at.asked).toEqual(['internal:map'])
    at.now = 5_001
    expect(await api.reply(map, {}, NONE)).toMatchObject({
      status: 200,
      body: Buffer.from('{"systems":[]}'),
    })
    expect(at.asked).toHaveLength(2)
  })

  test('is sent in the form asked for, each with its tag, and names commands as v2 does', async () => {
    const api = apiOf()
    const systems = Array.from({ length: 200 }, (_, id) => ({ id, note: id ? '' : '{mine}' }))
    outcome = ok({ systems })
    const plain = await api.reply(map, {}, NONE)
    expect(String(plain.body)).toContain('game/mine')
    const gzip = await api.reply(map, {}, { ...NONE, acceptEncoding: 'gzip' })
    const br = await api.reply(map, {}, { ...NONE, acceptEncoding: 'gzip, br' })
    expect(gunzipSync(gzip.body as Buffer)).toEqual(plain.body)
    expect(brotliDecompressSync(br.body as Buffer)).toEqual(plain.body)
    expect(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size).toBe(3)
    // The same content later is the same bytes, not pressed again.
    at.now = 6_000
    const again = await api.reply(map, {}, { ...NONE, acceptEncoding: 'gzip' })
    expect(at.asked).toHaveLength(2)
    expect(again.body).toBe(gzip.body)
    const known = { ...NONE, ifNoneMatch: br.headers.etag }
    const spared = await api.reply(map, {}, known)
    expect([spared.status, spared.body]).toEqual([304, undefined])
    outcome = ok({ systems: [] })
  })

  test('of an item is kept for each, and the world never hears of one that is not', async () => {
    const api = apiOf()
    for (const item_id of ['iron_ore', 'iron_ore', 'copper_ore', 'iron_ore'])
      expect(await api.reply(quotes, { item_id }, NONE)).toMatchObject({ status: 200 })
    const items = ['iron_ore', 'copper_ore'].map((id) => `internal:item_quotes ${id}`)
    expect(at.asked).toEqual(items)
    const unknown = await api.reply(quotes, { item_id: 'unobtainium' }, NONE)
    expect(unknown.status).toBe(404)
    expect(JSON.parse(String(unknown.body))).toEqual({
      error: 'not_found',
      code: 'not_found',
      message: expect.stringContaining('unobtainium'),
    })
    expect(at.asked).toEqual(items)
  })

  test('refuses flat, and asks again after a refusal', async () => {
    const api = apiOf()
    outcome = fail('restarting')
    const refused = await api.reply(stats, {}, NONE)
    expect(refused.status).toBe(503)
    expect(JSON.parse(String(refused.body))).toMatchObject({ error: 'restarting' })
    outcome = ok({ tick: 1 })
    expect(await api.reply(stats, {}, NONE)).toMatchObject({
      status: 200,
      body: Buffer.from('{"tick":1}'),
    })
  })

  test('is what was said last while the world is away or the archive fails', async () => {
    const api = apiOf()
    outcome = ok({ tick: 7 })
    await api.reply(stats, {}, NONE)
    Object.assign(at, { now: 60_000, isUp: false })
    expect(await api.reply(stats, {}, NONE)).toMatchObject({
      status: 200,
      body: Buffer.from('{"tick":7}'),
    })
    expect(at.asked).toHaveLength(1)
    at.isUp = true
    outcome = fail('persist_timeout')
    expect(await api.reply(stats, {}, NONE)).toMatchObject({
      status: 200,
      body: Buffer.from('{"tick":7}'),
    })
    outcome = ok({ tick: 8 })
    expect(await api.reply(stats, {}, NONE)).toMatchObject({
      status: 200,
      body: Buffer.from('{"tick":8}'),
    })
    expect(at.asked).toHaveLength(3)
  })
})
