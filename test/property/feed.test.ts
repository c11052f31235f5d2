/**
 * Feeds carry a list from the world to clients, while entries come, go and change and frames get
 * lost: clients of every format end up with what JSON.stringify of the whole list would give them.
 */
import fc from 'fast-check'
import { unpack } from 'msgpackr'
import { expect, test } from 'vitest'
import { obj } from '../../core/params.ts'
import { createRegistry } from '../../core/registry.ts'
import type { Eid } from '../../core/types.ts'
import { finishUnstored } from '../../core/wire/describe.ts'
import { ABSENT, defineFeed, forgetFeeds, notifyFeed, packingOf } from '../../core/wire/feed.ts'
import { emptyOutbox } from '../../core/world.ts'
import { SYSTEM_CLOCK } from '../../net/ports.ts'
import { createFanOut, publishBatch } from '../../net/publish/publish.ts'
import {
  bindSession,
  bindSocket,
  createBindings,
  createPools,
  openSession,
  type SocketClient,
} from '../../net/session/session.ts'
import type { Format } from '../../net/ws/codec.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { patched } from '../feed-model.ts'
import { onSmallMap, smallWorld } from '../small-world.ts'

onSmallMap()

const STANCES = ['fire', 'flee'] as const
const feed = defineFeed({
  type: 'test_feed',
  summary: 'For this test.',
  queue: 'combat',
  channel: () => 'battle_ticker',
  fields: obj({}),
  feed: {
    list: 'members',
    key: 'id',
    moving: {
      stance: { kind: 'words', words: STANCES },
      hull: { kind: 'number', max: 70_000 },
      is_hit: { kind: 'flag' },
    },
    head: { your_stance: { kind: 'words', words: STANCES }, your_target: { kind: 'entry' } },
  },
})

const small = await smallWorld({ players: 4 })
const { world, players, engine } = small
const registry = createRegistry([...DOMAINS, { name: 'test', events: [feed] }])
const numberOf = (player: Eid): number =>
  (world.read(world.players) as unknown as { seq: number[] }).seq[player]

interface Member {
  readonly name: string
  readonly codes: [number, number, number]
}

interface Turn {
  /** Members by id after this tick. */
  readonly members: Readonly<Record<number, Member['codes']>>
  /** Players who receive the feed, as bits. */
  readonly recipients: number
  readonly isMuted: boolean
  readonly loses: 'nothing' | 'all' | 'the world thread'
}

const anyCodes = fc.tuple(
  fc.constantFrom(ABSENT, 0, 1),
  fc.constantFrom(ABSENT, 0, 7, 127, 128, 300, 70_000),
  fc.constantFrom(ABSENT, 0, 1),
)
const anyTurn: fc.Arbitrary<Turn> = fc.record({
  members: fc.dictionary(
    fc.integer({ min: 1, max: 40 }).map(String),
    anyCodes as fc.Arbitrary<Member['codes']>,
    { maxKeys: 25 },
  ) as fc.Arbitrary<Turn['members']>,
  recipients: fc.integer({ min: 0, max: 15 }),
  isMuted: fc.boolean(),
  loses: fc.constantFrom('nothing', 'nothing', 'nothing', 'all', 'the world thread'),
})

/** A player per format, the last one on HTTP. */
const FORMATS: readonly (Format | 'queue')[] = ['json', 'msgpack', 'patch', 'queue']

function clients() {
  const bindings = createBindings()
  const frames = new Map<number, Buffer[]>()
  const pools = createPools(SYSTEM_CLOCK)
  const session = openSession(pools, 'http1', { framing: 'http1', ip: 'x' })!
  FORMATS.forEach((format, i) => {
    const identity = { player: numberOf(players[i]), playerId: '', username: '', empire: '' }
    if (format === 'queue') {
      bindSession(bindings, identity, session)
      return
    }
    const got: Buffer[] = []
    frames.set(i, got)
    const client: SocketClient = {
      channel: 'ws',
      framing: 'ws1',
      ip: 'x',
      identity: undefined,
      authenticating: false,
      gone: false,
      format,
      lastFeed: undefined,
      push: (head, tail) => got.push(Buffer.concat([Buffer.from(head), tail ?? Buffer.alloc(0)])),
      cork: (pushAll) => pushAll(),
      close: () => {},
    }
    bindSocket(bindings, identity, client)
  })
  return { bindings, frames, session }
}

const pack = (codes: Member['codes']): number =>
  packingOf(feed.feed).reduce(
    (sum, { shift, absent }, i) => sum | ((codes[i] === ABSENT ? absent : codes[i]) << shift),
    0,
  )
const nameOf = (id: number): string => `ship ${id} é`
const recipientsIn = ({ recipients }: Turn): number[] =>
  [0, 1, 2, 3].filter((i) => (recipients & (1 << i)) !== 0)

/** Runs the tick of a turn: notifies the feed and finishes the batch. */
function runTurn(turn: Turn) {
  const ids = Object.keys(turn.members).map(Number)
  world.tick += 1
  world.outbox = emptyOutbox()
  notifyFeed(world, feed, {
    feed: 7,
    shared: { tick: world.tick, note: undefined, sides: [{ side_id: 1 }] },
    list: {
      count: ids.length,
      ids: Int32Array.from(ids),
      codes: Int32Array.from(ids, (id) => pack(turn.members[id])),
      fixed: (place) => ({ id: nameOf(ids[place]), kind: undefined, is_npc: ids[place] % 2 === 0 }),
    },
    heads: {
      players: recipientsIn(turn).map((i) => players[i]),
      head: (i, into, at) => into.set([players[recipientsIn(turn)[i]] % 2, ids[0] ?? 99], at),
    },
  })
  const run = { inputs: [], outbox: world.outbox, archived: [], answers: [], hash: null }
  return finishUnstored(engine, run, 0)
}

function expected(turn: Turn, i: number) {
  const ids = Object.keys(turn.members).map(Number)
  const [first] = ids
  return {
    your_stance: STANCES[players[i] % 2],
    ...(first === undefined ? {} : { your_target: nameOf(first) }),
    tick: world.tick,
    sides: [{ side_id: 1 }],
    members: ids.map((id) => {
      const [stance, hull, hit] = turn.members[id]
      return {
        ...(stance === ABSENT ? {} : { stance: STANCES[stance] }),
        ...(hull === ABSENT ? {} : { hull }),
        ...(hit === ABSENT ? {} : { is_hit: hit === 1 }),
        id: nameOf(id),
        is_npc: id % 2 === 0,
      }
    }),
  }
}

type Payload = Record<string, unknown>

test('clients of every format receive the whole list', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyTurn, { minLength: 1, maxLength: 12 }), async (turns) => {
      forgetFeeds(world)
      const { bindings, frames, session } = clients()
      const fan = createFanOut({ registry, bindings, clock: SYSTEM_CLOCK })
      let list: Payload[] = []
      for (const turn of turns) {
        // The main thread recovers by requesting everything, a new world thread by sending it.
        if (turn.loses === 'all') fan.images.clear()
        if (turn.loses !== 'nothing') forgetFeeds(world)
        for (const bound of bindings.players.values()) bound.mask = turn.isMuted ? 0xffff : 0
        await publishBatch(fan, runTurn(turn), () => {})
        for (const i of recipientsIn(turn)) {
          const got = frames.get(i)?.splice(0) ?? []
          const format = FORMATS[i]
          if (format === 'queue') {
            expect(session.queue.entries).toHaveLength(1)
            expect(session.queue.entries[0].data).toEqual(expected(turn, i))
            continue
          }
          expect(got).toHaveLength(turn.isMuted ? 0 : 1)
          if (turn.isMuted) continue
          const [bytes] = got
          const isJson = format === 'json'
          const frame = (isJson ? JSON.parse(bytes.toString()) : unpack(bytes)) as Payload
          const { patch, ...payload } = frame.payload as Payload
          expect(frame.type).toBe('test_feed')
          if (format === 'patch')
            list = patch ? patched(list, patch, feed.feed) : (payload.members as Payload[])
          const whole = format === 'patch' ? { ...payload, members: list } : payload
          expect(whole).toEqual(expected(turn, i))
        }
      }
    }),
    { numRuns: 150 },
  )
})
