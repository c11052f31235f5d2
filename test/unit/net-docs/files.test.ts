/** The catalogue file, conditional requests, public data. */
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { fail, ok } from '../../../core/errors.ts'
import { createCatalogJson } from '../../../net/catalog-json.ts'
import { createPublicApi } from '../../../net/public-api.ts'
import { acceptsGzip, fileReply, matches } from '../../../net/static-file.ts'

const NONE = { ifNoneMatch: '', acceptEncoding: '' }

describe('catalogue file', () => {
  const ask = async (type: string) =>
    ok({ items: [{ id: `${type}_1` }], hidden_count: type === 'achievements' ? 4 : 0 })

  test('has the members of the interface document, made once', async () => {
    let asked = 0
    const file = createCatalogJson((type) => {
      asked += 1
      return ask(type)
    }, '0.599.5')
    const { plain } = await file()
    await file()
    expect(asked).toBe(7)
    expect(JSON.parse(plain.toString())).toEqual({
      version: '0.599.5',
      ships: [{ id: 'ships_1' }],
      skills: [{ id: 'skills_1' }],
      recipes: [{ id: 'recipes_1' }],
      items: [{ id: 'items_1' }],
      facilities: [{ id: 'facilities_1' }],
      achievements: [{ id: 'achievements_1' }],
      hidden_achievement_count: 4,
      faction_achievements: [{ id: 'faction_achievements_1' }],
      hidden_faction_achievement_count: 0,
    })
  })

  test('is sent compressed, or not at all to who has it', async () => {
    const file = await createCatalogJson(ask, '1')()
    const plain = fileReply(file, NONE, 'public')
    const packed = fileReply(file, { ...NONE, acceptEncoding: 'br, gzip' }, 'public')
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.body as Buffer)).toEqual(plain.body)
    const known = fileReply(file, { ...NONE, ifNoneMatch: file.etag }, 'public')
    expect([known.status, known.body, known.headers.etag]).toEqual([304, undefined, file.etag])
  })

  test('is tried again after a failure, and its tag follows version and content', async () => {
    let isDown = true
    const file = createCatalogJson(async (type) => (isDown ? fail('restarting') : ask(type)), '1')
    await expect(file()).rejects.toThrow('the catalogue has no ships')
    isDown = false
    const other = await createCatalogJson(ask, '2')()
    expect((await file()).etag).not.toBe(other.etag)
  })
})

test('conditional and encoding headers are read as RFC 9110 has them', () => {
  expect(matches('W/"a", "b"', '"a"')).toBe(true)
  expect(matches('*', '"a"')).toBe(true)
  expect(matches('"ab"', '"a"')).toBe(false)
  expect(acceptsGzip('gzip;q=0, *')).toBe(false)
  expect(acceptsGzip('*;q=0.5')).toBe(true)
  expect(acceptsGzip('identity')).toBe(false)
  expect(acceptsGzip('')).toBe(false)
})

describe('public data', () => {
  test('is asked of the world once in a few seconds', async () => {
    let now = 0
    let asked = 0
    const api = createPublicApi({
      ask: async () => {
        asked += 1
        return ok({ systems: [] })
      },
      monoMs: () => now,
    })
    await Promise.all([api.reply('map'), api.reply('map')])
    expect(asked).toBe(1)
    now = 5_001
    expect(await api.reply('map')).toMatchObject({ status: 200, body: '{"systems":[]}' })
    expect(asked).toBe(2)
  })

  test('refuses flat, and asks again after a refusal', async () => {
    let outcome: ReturnType<typeof ok> | ReturnType<typeof fail> = fail('restarting')
    const api = createPublicApi({ ask: async () => outcome, monoMs: () => 0 })
    const refused = await api.reply('stations')
    expect(refused.status).toBe(503)
    expect(JSON.parse(String(refused.body))).toMatchObject({ error: 'restarting' })
    outcome = ok({ stations: [] })
    expect((await api.reply('stations')).status).toBe(200)
  })
})
