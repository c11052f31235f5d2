/**
 * battle_update, from the columns of the world to what is handed to the sockets: one battle to all
 * its pilots, compared with a JSON.stringify for each; and the patch of a large battle, compared
 * with a library for patches.
 */
import { createRegistry } from '../core/registry.ts'
import { SYSTEM_CLOCK } from '../net/ports.ts'
import { createFanOut, publishBatch } from '../net/publish/publish.ts'
import { bindSocket, createBindings, type SocketClient } from '../net/session/session.ts'
import type { Format } from '../net/ws/codec.ts'
import { DOMAINS } from '../systems/registry.ts'
import { type BenchBattle, benchBattle, hullPct, shieldPct } from './battle.ts'
import { type BenchDef, measure, type Sample, type Size } from './bench.ts'
import { hashOf } from './flights.ts'

const PILOTS = { tiny: 20, full: 1_000 }
/** Recipients for whom JSON.stringify is timed; the time for all is extrapolated. */
const SAMPLED = { tiny: 20, full: 50 }
const CROWD = { tiny: 50, full: 5_000 }
/** One in this many is hit in a tick. */
const EVERY = 10
/** After this many ticks both sides of a comparison must have the same list. */
const CHECKED_TURNS = 3

interface Audience {
  /** Hands a tick of the battle to all sockets. */
  publish(battle: BenchBattle): Promise<void>
  /** The last frame of the last socket. */
  last: Buffer
}

/** Creates sockets for all pilots that discard their frames. */
function audienceOf(battle: BenchBattle, format: Format): Audience {
  const bindings = createBindings()
  const fan = createFanOut({ registry: createRegistry(DOMAINS), bindings, clock: SYSTEM_CLOCK })
  const audience: Audience = {
    last: Buffer.alloc(0),
    async publish(from) {
      // Copied, as by the port between the threads.
      const emission = structuredClone(from.publish())
      await publishBatch(fan, { tick: 0, answers: [], emissions: [emission] }, () => {})
    },
  }
  let head: Buffer | string = audience.last
  let tail = audience.last
  Object.defineProperty(audience, 'last', { get: () => Buffer.concat([Buffer.from(head), tail]) })
  for (const player of battle.pilots) {
    const client: SocketClient = {
      channel: 'ws',
      framing: 'ws1',
      ip: '',
      identity: undefined,
      authenticating: false,
      gone: false,
      format,
      lastFeed: undefined,
      push: (first, second) => {
        head = first
        tail = second ?? tail
      },
      cork: (pushAll) => pushAll(),
      close: () => {},
    }
    bindSocket(bindings, { player, playerId: '', username: '', empire: '' }, client)
  }
  return audience
}

interface Listed {
  readonly hull_pct: number
  readonly shield_pct: number
}
const hashOfList = (list: readonly Listed[]): string =>
  hashOf(
    list.length,
    (place) => list[place - 1].hull_pct,
    (place) => list[place - 1].shield_pct,
  )

async function toAll(size: Size): Promise<Sample> {
  const battle = await benchBattle(PILOTS[size], 0)
  const audience = audienceOf(battle, 'json')
  let turn = 0
  const next = async (): Promise<void> => {
    battle.hit(++turn, 1)
    await audience.publish(battle)
  }
  await next()
  const frame = JSON.parse(audience.last.toString()) as object
  const bytes = audience.last.byteLength
  let made = 0
  const medianMs = await measure(size, {
    battle_update: next,
    sample: () => {
      for (let i = 0; i < SAMPLED[size]; i++) made += Buffer.from(JSON.stringify(frame)).byteLength
    },
  })
  const { battle_update, sample } = medianMs
  return {
    medianMs: { battle_update, stringify: (sample * PILOTS[size]) / SAMPLED[size] },
    rows: PILOTS[size],
    amounts: { 'battle_update, bytes': { value: bytes, unit: 'B' } },
    facts: { bytesMade: made > 0 ? 'all' : 'none' },
    hash: await hashOfCrowd(size),
  }
}

async function patches(size: Size): Promise<Sample> {
  const battle = await benchBattle(1, CROWD[size] - 1)
  const audience = audienceOf(battle, 'patch')
  let turn = 0
  const next = async (): Promise<void> => {
    battle.hit(++turn, EVERY)
    await audience.publish(battle)
  }
  await audience.publish(battle)
  await next()
  const bytes = audience.last.byteLength
  const medianMs = await measure(size, { patch: next })
  return {
    medianMs,
    amounts: { 'patch, bytes': { value: bytes, unit: 'B' } },
    hash: await hashOfCrowd(size),
  }
}

/** Returns the list that a JSON client of the crowd has after the first turns. */
async function hashOfCrowd(size: Size): Promise<string> {
  const battle = await benchBattle(1, CROWD[size] - 1)
  const audience = audienceOf(battle, 'json')
  await audience.publish(battle)
  for (let turn = 1; turn <= CHECKED_TURNS; turn++) {
    battle.hit(turn, EVERY)
    await audience.publish(battle)
  }
  const { payload } = JSON.parse(audience.last.toString()) as {
    payload: { participants: Listed[] }
  }
  return hashOfList(payload.participants)
}

/**
 * Returns the state of a battle with the fields of battle_update, its class and its participants.
 */
function stateOf({ schema, t }: typeof import('@colyseus/schema'), count: number) {
  const Participant = schema(
    {
      player_id: t.string(),
      username: t.string(),
      ship_class: t.string(),
      kind: t.string(),
      is_npc: t.boolean(),
      side_id: t.uint8(),
      zone: t.string(),
      stance: t.string(),
      hull_pct: t.uint8(),
      shield_pct: t.uint8(),
    },
    'Participant',
  )
  const Battle = schema({ tick: t.uint32(), participants: t.array(Participant) }, 'Battle')
  const state = new Battle()
  const list = Array.from({ length: count }, (_, i) =>
    new Participant().assign({
      player_id: `00000000-0000-8000-8000-${String(i).padStart(12, '0')}`,
      username: `Bench ${i}`,
      ship_class: 'prospector',
      kind: 'pirate',
      is_npc: true,
      side_id: 1 + (i % 2),
      zone: 'outer',
      stance: 'fire',
      hull_pct: 100,
      shield_pct: 100,
    }),
  )
  state.participants.push(...list)
  return { Battle, state, list }
}

async function withColyseus(size: Size): Promise<Sample> {
  const colyseus = await import('@colyseus/schema')
  const { Decoder, Encoder } = colyseus
  Encoder.BUFFER_SIZE = 4 * 1024 * 1024
  const { Battle, state, list } = stateOf(colyseus, CROWD[size])
  const encoder = new Encoder(state)
  const far = new Battle()
  const decoder = new Decoder(far)
  decoder.decode(encoder.encodeAll())
  encoder.discardChanges()
  let turn = 0
  const next = (of: ArrayLike<Hit>): Uint8Array => {
    turn += 1
    state.tick = turn
    for (let i = turn % EVERY; i < of.length; i += EVERY) {
      const hit = of[i]
      hit.hull_pct = hullPct(turn, i)
      hit.shield_pct = shieldPct(turn, i)
    }
    const change = encoder.encode()
    encoder.discardChanges()
    return change
  }
  const inState = state.participants as unknown as ArrayLike<Hit>
  let bytes = 0
  for (let i = 0; i < CHECKED_TURNS; i++) {
    const change = next(inState)
    bytes = change.byteLength
    decoder.decode(change)
  }
  const hash = hashOfList([...far.participants] as unknown as Listed[])
  const medianMs = await measure(size, {
    '@colyseus/schema': () => void next(inState),
    '@colyseus/schema, objects at hand': () => void next(list),
  })
  return {
    medianMs,
    amounts: { '@colyseus/schema, bytes': { value: bytes, unit: 'B' } },
    hash,
  }
}

/** The fields of a participant that a hit changes. */
interface Hit {
  hull_pct: number
  shield_pct: number
}

const VARIANTS = { recipients: toAll, patch: patches, colyseus: withColyseus }

export const bench: BenchDef = {
  name: 'frames',
  about:
    'Full size: a battle of 1,000 pilots, all hit in each tick, from its columns to two fragments for each pilot, ' +
    'compared with JSON.stringify for each (timed for 50); and a tick of a battle of 5,000, of whom a tenth is hit, ' +
    'as a patch for a client of game.msgpack.patch, compared with @colyseus/schema with the same fields in an ' +
    'ArraySchema, changed by index and encoded. Our times include the copy between the threads.',
  variants: ['recipients', 'patch', 'colyseus'],
  lines: [
    { of: 'stringify', against: 'battle_update', atLeast: 100 },
    { of: 'patch', against: '@colyseus/schema', atMost: 1 },
    { of: 'patch', against: '@colyseus/schema, objects at hand' },
    { of: 'patch, bytes', against: '@colyseus/schema, bytes', atMost: 1 },
  ],
  run: (size, variant) => VARIANTS[variant as keyof typeof VARIANTS](size),
}
