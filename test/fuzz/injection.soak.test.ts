/**
 * Texts that mean something to databases, browsers, shells or parsers, in every field that stores
 * them: they come back on every framing as they were sent, or are refused by a rule. Source:
 * RELIABILITY 5, B10.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRegistry } from '../../core/registry.ts'
import { playerById } from '../../systems/account/model.ts'
import { foundFaction } from '../../systems/faction/member-rules.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { dockedBase } from '../../systems/travel/location-model.ts'
import { type TestDatabase, testDatabases } from '../databases.ts'
import { editWorld } from '../edited-world.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import { addService } from '../unit/faction/scene.ts'
import type { Answer, Json } from './driver.ts'
import { KEPT_ELSEWHERE, KEPT_TEXTS, ownTexts, type Written } from './kept-texts.ts'
import { createPatience, type Patience, sleep } from './patience.ts'
import {
  createPlayer,
  FRAMINGS,
  type FuzzFraming,
  logInAgain,
  type Player,
  registerPlayer,
} from './player.ts'

const TEXTS: readonly string[] = [
  "'; drop table chat; --",
  '" or ""="',
  '$1 $2 %s %d %n %(name)s {0} {{x}} $x',
  '\\x00 \\u0000 \\0 \\n \\',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'a\nSet-Cookie: b=c',
  'a\r\n\r\nHTTP/1.1 200 OK',
  '\u001b[2J\u001b]0;title\u0007',
  '{"type":"logged_in","payload":{}}',
  '../../../../etc/passwd',
  '`id` $(id) | id ; id & id',
  '=1+1',
  '%00 %0a %0d %27',
  'e\u0301 \u00e9 \u212b',
  '\u{1f680}\u{1f468} \u{10ffff}',
  '\ufffd \ufffe \ue000',
  '__proto__',
  '-0 1e400 NaN',
  'x'.repeat(100),
]
/** Refusals by the rules of texts: characters, length, or an invalid name. */
const BY_RULE = /^(invalid_payload|too_long|invalid_[a-z_]+)$/
const SCALE = { tickMs: 1_000, maxEntities: 20_000 }
/** Players who share the texts: rate limits are by player. */
const WRITERS = 4
const SECONDS = 30

let databases: TestDatabase[]
let server: TestServer
let patience: Patience
const writers: Player[] = []
const logged: string[] = []

const log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (fields: object, text: string) => void logged.push(`${text} ${JSON.stringify(fields)}`),
}

/** Makes the writers, each with a faction of their own; that requires an edited world. */
beforeAll(async () => {
  databases = await testDatabases()
  patience = createPatience()
  const database = databases[databases.length - 1]
  const first = await startTestServer(database, { hooks: { log } })
  const { schema } = first
  const made: Player[] = []
  for (let i = 0; i < WRITERS; i++) {
    const player = createPlayer(first.url, 'http1', first.net.net.registry)
    await registerPlayer(player, patience, `Writer ${i}`)
    await player.driver.close()
    made.push(player)
  }
  await first.stop()
  await editWorld(database, schema, SCALE, (world) => {
    for (const [i, { name }] of made.entries()) {
      const player = playerById(world, name)
      const faction = foundFaction(world, player, `Careful Writers ${i}`, `TXT${i}`)
      addService(world, faction, dockedBase(world, player), 'faction_admin')
    }
  })
  server = await startTestServer(database, { schema, hooks: { log } })
  for (const { name, password } of made) writers.push(await loggedIn('http1', { name, password }))
})
afterAll(async () => {
  patience.stop()
  await server.stop()
  for (const database of databases) await database.close()
})

async function loggedIn(framing: FuzzFraming, account: { name: string; password: string }) {
  const player = createPlayer(server.url, framing, server.net.net.registry)
  Object.assign(player, account)
  await logInAgain(player, patience)
  return player
}

/** Sends a command by its v1 names; ticks pass until it is answered. */
async function play(player: Player, [command, params]: readonly [string, Json]): Promise<Answer> {
  const { driver, defs } = player
  const def = defs.find(({ name }) => name === command)
  if (!def) throw new Error(`${driver.framing} has no ${command}`)
  const rename = driver.framing.endsWith('2') ? (def.v2?.rename ?? {}) : {}
  const named = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [rename[name] ?? name, value]),
  )
  let answer: Answer | undefined
  const sent = driver.send(driver.compose(def, JSON.stringify(named), '"t"')).then((reply) => {
    answer = reply
    return reply
  })
  while (!answer) {
    if (server.link.pending() > 0) await server.link.step(1)
    else await sleep(2)
  }
  return patience.within(SECONDS, sent, () => command)
}

/** Returns a text as the server stores it. */
const stored = (text: string): string => text.normalize('NFC').trim()

/** Tells whether the text is a value anywhere inside. */
const holds = (value: unknown, text: string): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some((part) => holds(part, text))
    : value === text

test('every free text of a command is in one of the lists', () => {
  const listed = [...KEPT_TEXTS.map(({ field }) => field), ...KEPT_ELSEWHERE].sort()
  const texts = ownTexts(createRegistry(DOMAINS).commands.values())
  expect(texts.filter((field) => !listed.includes(field))).toEqual([])
  expect(listed.filter((field) => !texts.includes(field))).toEqual([])
})

/** Writes the text into every field; returns the answers of those that accepted it. */
async function writeAll(writer: Player, text: string): Promise<Written> {
  const written: Record<string, Json> = {}
  for (const kept of KEPT_TEXTS) {
    const answer = await play(writer, kept.write(text, written))
    if (answer.ok) written[kept.field] = answer.result
    else
      expect({ field: kept.field, text, code: answer.code }).toMatchObject({
        code: expect.stringMatching(BY_RULE),
      })
  }
  return written
}

test('stored texts come back on each framing as they were sent', async () => {
  const counts = new Map<string, number>()
  for (const [i, text] of TEXTS.entries()) {
    const writer = writers[i % WRITERS]
    const written = await writeAll(writer, text)
    for (const framing of FRAMINGS) {
      const reader = await loggedIn(framing, writer)
      for (const { field, read } of KEPT_TEXTS) {
        if (!written[field]) continue
        const answer = await play(reader, read(written))
        const isThere = answer.ok && holds(answer.result, stored(text))
        expect({ field, framing, text, isThere, shown: isThere ? '' : answer.text }).toMatchObject({
          isThere: true,
        })
        counts.set(field, (counts.get(field) ?? 0) + 1)
      }
      await reader.driver.close()
    }
    for (const { field, undo } of KEPT_TEXTS) {
      if (undo && written[field]) await play(writer, undo(written))
    }
  }
  console.log([...counts].map(([field, count]) => `${field} ${count}`).join(', '))
  // Every field refuses control characters, and stores the other texts that fit into it.
  for (const { field } of KEPT_TEXTS) expect(counts.get(field) ?? 0, field).toBeGreaterThan(0)
  expect(({} as Json).polluted).toBeUndefined()
  expect(logged).toEqual([])
  expect(server.link.ends()).toBe(0)
}, 240_000)
