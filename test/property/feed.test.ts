/**
 * Feeds from the world's list to the client's, whatever comes, goes, changes or gets lost on the
 * way: every format says the same as JSON.stringify of the whole would.
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
import { smallWorld } from '../small-world.ts'

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
  /** Who gets it: bits of the players. */
  readonly recipients: number
  readonly isMuted: boolean
  readonly loses: 'nothing' | 'all' | 'the world thread'
}

const codes = fc.tuple(
  fc.constantFrom(ABSENT, 0, 1),
  fc.constantFrom(ABSENT, 0, 7, 127, 128, 300, 70_000),
  fc.constantFrom(ABSENT, 0, 1),
)
const turn: fc.Arbitrary<Turn> = fc.record({
  members: fc.dictionary(
    fc.integer({ min: 1, max: 40 }).map(String),
    codes as fc.Arbitrary<Member['codes']>,
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

const pack = (codes_: Member['codes']): number =>
  packingOf(feed.feed).reduce(
    (sum, { shift, absent }, i) => sum | ((codes_[i] === ABSENT ? absent : codes_[i]) << shift),
    0,
  )
const nameOf = (id: number): string => `ship ${id} é`
const recipientsIn = ({ recipients }: Turn): number[] =>
  [0, 1, 2, 3].filter((i) => (recipients & (1 << i)) !== 0)

/** Tells a turn as a tick would, and finishes it. */
function tell(turn_: Turn) {
  const ids = Object.keys(turn_.members).map(Number)
  world.tick += 1
  world.outbox = emptyOutbox()
  notifyFeed(world, feed, {
    feed: 7,
    shared: { tick: world.tick, note: undefined, sides: [{ side_id: 1 }] },
    list: {
      count: ids.length,
      ids: Int32Array.from(ids),
      codes: Int32Array.from(ids, (id) => pack(turn_.members[id])),
      fixed: (place) => ({ id: nameOf(ids[place]), kind: undefined, is_npc: ids[place] % 2 === 0 }),
    },
    heads: {
      players: recipientsIn(turn_).map((i) => players[i]),
      head: (i, into, at) => into.set([players[recipientsIn(turn_)[i]] % 2, ids[0] ?? 99], at),
    },
  })
  const run = { inputs: [], outbox: world.outbox, archived: [], answers: [], hash: null }
  return finishUnstored(engine, run, 0)
}

function expected(turn_: Turn, i: number) {
  const ids = Object.keys(turn_.members).map(Number)
  const [first] = ids
  return {
    your_stance: STANCES[players[i] % 2],
    ...(first === undefined ? {} : { your_target: nameOf(first) }),
    tick: world.tick,
    sides: [{ side_id: 1 }],
    members: ids.map((id) => {
      const [stance, hull, hit] = turn_.members[id]
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

test('every format has the whole list', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 12 }), async (turns) => {
      forgetFeeds(world)
      const { bindings, frames, session } = clients()
      const fan = createFanOut({ registry, bindings, clock: SYSTEM_CLOCK })
      let list: Payload[] = []
      for (const each of turns) {
        // Main mends itself by asking for everything, a new world thread by telling it.
        if (each.loses === 'all') fan.images.clear()
        if (each.loses !== 'nothing') forgetFeeds(world)
        for (const bound of bindings.players.values()) bound.mask = each.isMuted ? 0xffff : 0
        await publishBatch(fan, tell(each), () => {})
        for (const i of recipientsIn(each)) {
          const got = frames.get(i)?.splice(0) ?? []
          if (FORMATS[i] === 'queue') {
            expect(session.queue.entries).toHaveLength(1)
            expect(session.queue.entries[0].data).toEqual(expected(each, i))
            continue
          }
          expect(got).toHaveLength(each.isMuted ? 0 : 1)
          if (each.isMuted) continue
          const text = got[0]
          const frame = (i === 0 ? JSON.parse(text.toString()) : unpack(text)) as Payload
          const { patch, ...payload } = frame.payload as Payload
          expect(frame.type).toBe('test_feed')
          if (i === 2)
            list = patch ? patched(list, patch, feed.feed) : (payload.members as Payload[])
          expect(i === 2 ? { ...payload, members: list } : payload).toEqual(expected(each, i))
        }
      }
    }),
    { numRuns: 150 },
  )
})
