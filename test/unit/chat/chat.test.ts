/** The command chat: recipients, refusals, limits, and the budget for strangers. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Outcome } from '../../../core/errors.ts'
import type { PublishedEmission } from '../../../core/ports.ts'
import { runImmediates } from '../../../core/tick.ts'
import type { Eid } from '../../../core/types.ts'
import { finishBatch, rowOfBatch } from '../../../core/wire/describe.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player, PlayerStats, STATS } from '../../../systems/account/state.ts'
import { privateKey } from '../../../systems/chat/model.ts'
import { CHATTERS, HELD_BACK } from '../../../systems/chat/state.ts'
import { poiOf, systemOf } from '../../../systems/travel/location-model.ts'
import { poiId, systemId } from '../../../systems/travel/model.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let start: SmallWorld
let small: SmallWorld
let ada: Eid
let ben: Eid
let cleo: Eid

beforeAll(async () => {
  start = await smallWorld({ players: 2 })
  ;[ada, ben] = start.players
  cleo = start.join('Cleo Far', 'crimson')
})

beforeEach(async () => {
  small = await start.reload()
})

const numberOf = (player: Eid): number => small.world.read(Player).seq[player]
const say = (player: Eid, params: object) => small.ask(player, 'chat', params)
const codeOf = (outcome: Outcome<unknown>) => (outcome.ok ? 'ok' : outcome.code)
const messages = (): PublishedEmission[] =>
  small.takeEmissions().filter((emission) => emission.type === 'chat_message')
const sentBy = (player: Eid): number =>
  small.world.read(PlayerStats).values[
    player * PlayerStats.columns.values.width + STATS.indexOf('chat_messages_sent')
  ]
const archivedPosts = () => small.store.archive.rows.get('postChat') ?? []

describe('the recipients of a message', () => {
  it('local: everyone else at the place', () => {
    expect(say(ada, { channel: 'local', content: ' hello ' })).toMatchObject({
      ok: true,
      result: { channel: 'local', message: 'Sent.' },
    })
    const [message, ...others] = messages()
    expect(others).toEqual([])
    expect(message.to).toEqual([numberOf(ben)])
    expect(message.payload).toMatchObject({
      channel: 'local',
      content: 'hello',
      sender: 'Tester 1',
      sender_id: playerId(small.world, ada),
      poi_id: poiId(small.world, poiOf(small.world, ada)),
      system_id: systemId(small.world, systemOf(small.world, ada)),
      target_id: poiId(small.world, poiOf(small.world, ada)),
    })
    expect(message.payload).not.toHaveProperty('empire_official')
  })

  it('system: everyone else in the system', () => {
    say(cleo, { channel: 'system', content: 'anybody here?' })
    expect(messages().map((message) => message.to)).toEqual([])
    say(ada, { channel: 'system', content: 'hello' })
    expect(messages().map((message) => message.to)).toEqual([[numberOf(ben)]])
  })

  it('private: one player anywhere, under a key that both share', () => {
    const key = privateKey(playerId(small.world, ada), playerId(small.world, cleo))
    const there = say(ada, { channel: 'private', content: 'psst', target_id: 'cleo far' })
    expect(there).toMatchObject({ result: { message: 'Sent to Cleo Far.' } })
    const back = say(cleo, {
      channel: 'private',
      content: 'yes?',
      target_id: playerId(small.world, ada),
    })
    expect(back.ok).toBe(true)
    const [first, second] = messages()
    expect(first.to).toEqual([numberOf(cleo)])
    expect(second.to).toEqual([numberOf(ada)])
    expect([first.payload.target_id, second.payload.target_id]).toEqual([key, key])
    const scopes = archivedPosts().map(({ args }) => args.scope)
    expect(scopes).toEqual([`private:${key}`, `private:${key}`])
  })

  it('private: a player who is offline reads it later, of which the sender is warned', () => {
    small.ask(0, 'internal:unbind', { player: numberOf(cleo), channel: 'ws' })
    const outcome = say(ada, { channel: 'private', content: 'later', target_id: 'Cleo Far' })
    expect(outcome).toMatchObject({
      ok: true,
      result: { warning: expect.stringContaining('Cleo') },
    })
    expect(messages()).toEqual([])
    expect(archivedPosts()).toHaveLength(1)
  })

  it('a message counts in chat_messages_sent unless it is refused', () => {
    say(ada, { channel: 'local', content: 'one' })
    say(ada, { channel: 'system', content: 'two' })
    say(ada, { channel: 'nowhere', content: 'three' })
    expect(sentBy(ada)).toBe(2)
  })
})

describe('refusals', () => {
  it.each([
    [{ channel: 'shout', content: 'x' }, 'invalid_channel'],
    [{ channel: 'emergency', content: 'x' }, 'channel_read_only'],
    [{ channel: 'pirate_radio', content: 'x' }, 'channel_read_only'],
    [{ channel: 'admin', content: 'x' }, 'channel_read_only'],
    [{ channel: 'faction', content: 'x' }, 'not_in_faction'],
    [{ channel: 'private', content: 'x' }, 'invalid_payload'],
    [{ channel: 'private', content: 'x', target_id: 'nobody' }, 'player_not_found'],
    [{ channel: 'private', content: 'x', target_id: 'TESTER 1' }, 'invalid_target'],
    [{ channel: 'local', content: '   ' }, 'invalid_payload'],
    [{ channel: 'local', content: 'a\u202eb' }, 'invalid_payload'],
    [{ channel: 'local', content: 'x'.repeat(501) }, 'too_long'],
  ])('%j is refused with %s and changes nothing', (params, code) => {
    const before = small.hash()
    expect(codeOf(say(ada, params))).toBe(code)
    expect(small.hash()).toBe(before)
    expect(messages()).toEqual([])
    expect(archivedPosts()).toEqual([])
  })

  it('local and system are refused in transit, private is not', () => {
    const poi = small.ask(ada, 'get_system', {})
    expect(poi.ok).toBe(true)
    const pois = (poi as { result: { system: { pois: { id: string }[] } } }).result.system.pois
    const here = poiId(small.world, poiOf(small.world, ada))
    const far = pois.filter(({ id }) => id !== here).at(-1)
    small.tick({ player: ada, command: 'travel', params: { target_poi: far?.id } })
    expect(codeOf(say(ada, { channel: 'local', content: 'x' }))).toBe('in_transit')
    expect(codeOf(say(ada, { channel: 'system', content: 'x' }))).toBe('in_transit')
    expect(codeOf(say(ada, { channel: 'private', content: 'x', target_id: 'Tester 2' }))).toBe('ok')
  })
})

describe('limits', () => {
  it('let a player send 20 messages a minute', () => {
    for (let i = 0; i < 20; i++) {
      expect(codeOf(say(ada, { channel: 'local', content: `number ${i}` }))).toBe('ok')
    }
    const refused = say(ada, { channel: 'local', content: 'one more' })
    expect(refused).toMatchObject({ code: 'rate_limited', details: { wait_seconds: 60 } })
    expect(codeOf(say(ben, { channel: 'local', content: 'me' }))).toBe('ok')
    small.ticks(7)
    expect(codeOf(say(ada, { channel: 'local', content: 'again' }))).toBe('ok')
  })

  it('count a burst within one batch too', () => {
    const inputs = Array.from({ length: 64 }, (_, i) => ({
      ref: 1_000_000 + i,
      player: numberOf(ada),
      command: 'chat',
      params: { channel: 'local', content: `burst ${i}` },
      framing: 'ws2' as const,
    }))
    const run = runImmediates(small.engine, inputs, small.world.wallMs)
    expect(run.archived).toHaveLength(20)
    const posted = { ok: true as const, result: { id: '1', timestamp: '2026-11-21T08:00:00Z' } }
    const archived = Object.fromEntries(run.inputs.map((input) => [String(input.ref), posted]))
    finishBatch(small.engine, run, { ...rowOfBatch(small.world, run, 99), archived })
    expect(sentBy(ada)).toBe(20)
    expect(codeOf(say(ada, { channel: 'local', content: 'after' }))).toBe('rate_limited')
  })

  it('let the same text pass three times in ten seconds', () => {
    for (let i = 0; i < 3; i++) {
      expect(codeOf(say(ada, { channel: 'local', content: 'buy ore' }))).toBe('ok')
    }
    expect(codeOf(say(ada, { channel: 'local', content: 'buy ore' }))).toBe('rate_limited')
    expect(codeOf(say(ada, { channel: 'system', content: 'buy ore' }))).toBe('ok')
    small.ticks(2)
    expect(codeOf(say(ada, { channel: 'local', content: 'buy ore' }))).toBe('ok')
  })

  it('let a player write to ten new partners an hour, answers not counted', () => {
    const others = Array.from({ length: 11 }, (_, i) => small.join(`Other ${i}`))
    for (let i = 0; i < 10; i++) {
      expect(codeOf(say(ada, { channel: 'private', content: 'hi', target_id: `Other ${i}` }))).toBe(
        'ok',
      )
    }
    const eleventh = { channel: 'private', content: 'hi', target_id: 'Other 10' }
    expect(codeOf(say(ada, eleventh))).toBe('rate_limited')
    expect(codeOf(say(ada, { ...eleventh, target_id: 'Other 3' }))).toBe('ok')
    expect(
      codeOf(say(others[10], { channel: 'private', content: 'hi', target_id: 'Tester 1' })),
    ).toBe('ok')
    expect(codeOf(say(ada, eleventh))).toBe('ok')
  })

  it('hold back pushes of strangers beyond a budget, and report their number later', () => {
    const crowd = Array.from({ length: 7 }, (_, i) => small.join(`Crowd ${i}`))
    small.takeEmissions()
    for (const sender of crowd) {
      for (let i = 0; i < 20; i++) {
        const content = `${i} from one of them`
        expect(codeOf(say(sender, { channel: 'private', content, target_id: 'Tester 1' }))).toBe(
          'ok',
        )
      }
    }
    expect(messages()).toHaveLength(120)
    expect(archivedPosts()).toHaveLength(140)
    small.ticks(6)
    expect(messages()).toEqual([])
    small.ticks(1)
    const [summary, ...others] = messages()
    expect(others).toEqual([])
    expect(summary.to).toEqual([numberOf(ada)])
    expect(summary.payload).toMatchObject({ channel: 'system', sender: 'server' })
    expect(summary.payload.content).toContain('20 messages')
    expect(small.world.records(HELD_BACK).size).toBe(0)
  })

  it('keep a bounded history of a player', () => {
    for (let minute = 0; minute < 5; minute++) {
      for (let i = 0; i < 25; i++) say(ada, { channel: 'local', content: `${minute} ${i}` })
      small.ticks(7)
    }
    const chatter = small.world.records(CHATTERS).get(String(numberOf(ada)))
    expect(chatter?.sent.length).toBeLessThanOrEqual(20)
    expect(chatter?.known).toEqual([])
  })
})

describe('get_chat_history', () => {
  const read = (player: Eid, params: object) => small.ask(player, 'get_chat_history', params)

  it('reads the scopes the player is in', () => {
    const system = systemId(small.world, systemOf(small.world, ada))
    const poi = poiId(small.world, poiOf(small.world, ada))
    expect(read(ada, { channel: 'system' })).toMatchObject({
      result: { channel: 'system', scopes: [`system:${system}`], limit: 50 },
    })
    expect(read(ada, { channel: 'local', limit: 500 })).toMatchObject({
      result: { scopes: [`local:${poi}`], limit: 100 },
    })
    expect(read(ada, { channel: 'emergency' })).toMatchObject({
      result: { scopes: [`emergency:${system}`] },
    })
  })

  it('reads a conversation, or the whole inbox', () => {
    const key = privateKey(playerId(small.world, ada), playerId(small.world, ben))
    expect(read(ben, { channel: 'private', target_id: 'Tester 1' })).toMatchObject({
      result: { scopes: [`private:${key}`] },
    })
    expect(read(ben, { channel: 'private' })).toMatchObject({
      result: { scopes: [], party: playerId(small.world, ben) },
    })
  })

  it.each([
    [{ channel: 'admin' }, 'invalid_channel'],
    [{ channel: 'faction' }, 'not_in_faction'],
    [{ channel: 'private', target_id: 'nobody' }, 'player_not_found'],
    [{ channel: 'system', before: 'yesterday' }, 'invalid_payload'],
    [
      { channel: 'system', after: '2026-11-21T09:00:00Z', before: '2026-11-21T08:00:00Z' },
      'invalid_payload',
    ],
  ])('refuses %j with %s', (params, code) => {
    expect(codeOf(read(ada, params))).toBe(code)
  })
})
