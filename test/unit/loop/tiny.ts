/** The loop over a world of one table, a clock that stands still and a journal in memory. */
import Type from 'typebox'
import { defineEntity, u8, u32 } from '../../../core/columns.ts'
import { immediate, mutation, query } from '../../../core/command.ts'
import { ok } from '../../../core/errors.ts'
import type { Answer, BatchStore, PublishedEmission, ToMain } from '../../../core/ports.ts'
import { createRegistry } from '../../../core/registry.ts'
import type { SystemDef } from '../../../core/system.ts'
import type { Framing, Submission } from '../../../core/types.ts'
import { defineFeed, notifyFeed } from '../../../core/wire/feed.ts'
import { createWorldLoop, type WorldLoop } from '../../../engine/loop.ts'
import type { LoopOptions } from '../../../engine/options.ts'
import { openSection } from '../../../engine/start.ts'
import { describeWith } from '../../../net/publish/frames.ts'
import { createMemoryStore, type MemoryStore } from '../../memory-store.ts'

const Player = defineEntity('player', 1_000_000, { bound: u8('bound'), pings: u32('pings') })

const TINY_PLAYERS = 2

const base = {
  summary: 'Test.',
  category: 'test',
  needs: [],
  errors: [],
  params: Type.Object({}),
  result: Type.Object({}),
}
const broken = (): never => {
  throw new Error('a bug of the test')
}

export const tinyFeed = defineFeed({
  type: 'tiny_feed',
  summary: 'Test.',
  queue: 'system',
  fields: Type.Object({}),
  feed: { list: 'rows', key: 'id', moving: { at: { kind: 'number', max: 99 } }, head: {} },
})

/**
 * Returns the entries of the feed in a tick: which ones come, go and change differs from tick to
 * tick.
 */
export const tinyList = (tick: number): { id: number; at: number }[] =>
  [1, 2, 3, 4, 5]
    .filter((id) => (tick + id) % 3 !== 0)
    .map((id) => ({ id, at: id === 1 ? 7 : tick % 100 }))

/** Notifies the feed in each tick once player 1 has pinged. */
const notifyTinyFeed: SystemDef = {
  name: 'tiny.tell',
  phase: 'settle',
  writes: [],
  run(world) {
    if (world.read(Player).pings[1] === 0) return
    const entries = tinyList(world.tick)
    notifyFeed(world, tinyFeed, {
      feed: 1,
      shared: { tick: world.tick },
      list: {
        count: entries.length,
        ids: Int32Array.from(entries, ({ id }) => id),
        codes: Int32Array.from(entries, ({ at }) => at),
        fixed: (place) => ({ id: entries[place].id }),
      },
      heads: { players: [1], head: () => {} },
    })
  },
}

const tinyRegistry = () =>
  createRegistry([
    {
      name: 'tiny',
      tables: [Player],
      events: [tinyFeed],
      systems: [notifyTinyFeed],
      players: { table: Player, isBound: () => true, isBoundAt: () => false, boundNodes: () => [] },
      genesis: (world) => {
        for (let player = 0; player < TINY_PLAYERS; player++) world.take(Player)
      },
      commands: [
        immediate({
          ...base,
          name: 'ping',
          run(world, player) {
            world.write(Player).pings[player]++
            return ok({})
          },
        }),
        immediate({
          ...base,
          name: 'measure',
          run(world, player) {
            world.write(Player).pings[player] = world.tickMs + world.maxEntities
            return ok({})
          },
        }),
        query({ ...base, name: 'look', run: () => ok({}) }),
        query({ ...base, name: 'broken_look', run: broken }),
        query({ ...base, name: 'broken_touch', run: () => ok({}), touch: broken }),
        mutation({
          ...base,
          name: 'broken_preview',
          order: 'plain',
          changes: [],
          run: () => ok({}),
          preview: broken,
        }),
        mutation({ ...base, name: 'haul', order: 'plain', changes: ['cargo'], run: () => ok({}) }),
        mutation({ ...base, name: 'act', order: 'plain', changes: [], run: () => ok({}) }),
      ],
    },
  ])

export interface Tiny {
  readonly loop: WorldLoop
  readonly store: MemoryStore
  readonly messages: ToMain[]
  readonly busy: () => boolean
  answers(): Answer[]
  step(ticks: number): Promise<void>
  /** Returns the emissions of all batches so far, in order. */
  feeds(): PublishedEmission[]
  /** Sends commands of player 1 over a socket and waits until the loop is idle. */
  send(...commands: string[]): Promise<void>
  sendOver(framing: Framing, ...commands: string[]): Promise<void>
}

interface TinyOptions {
  /** The store of an earlier loop, from whose end this one starts. */
  readonly memory?: MemoryStore
  readonly lastPublished?: number
  readonly store?: (store: MemoryStore, busy: () => boolean) => BatchStore
  readonly beat?: (ref: number) => void
  readonly monotonicMs?: () => number
  readonly tickMs?: number
  readonly maxEntities?: number
  /** Runs ticks of 1,000 ms by this timer; without it ticks are stepped. */
  readonly at?: LoopOptions['clock']['at']
}

export async function tinyLoop(options: TinyOptions = {}): Promise<Tiny> {
  const registry = tinyRegistry()
  const store = options.memory ?? createMemoryStore()
  const messages: ToMain[] = []
  let isBusy = false
  const busy = (): boolean => isBusy
  const post: LoopOptions['post'] = (message) => {
    messages.push(message)
    if (message.kind !== 'batch') return
    const { batch } = message.batch
    queueMicrotask(() => loop?.receive({ kind: 'published', batch }))
  }
  let loop: WorldLoop | undefined
  loop = await createWorldLoop({
    registry,
    store: options.store?.(store, busy) ?? store,
    clock: {
      wallMs: (tick) => 1_800_000_000_000 + tick,
      monotonicMs: options.monotonicMs ?? (() => 0),
      at: options.at ?? (() => () => {}),
    },
    post,
    section: (world) => openSection(world, registry),
    seed: 1,
    manual: options.at === undefined,
    tickMs: options.tickMs ?? 1_000,
    maxEntities: options.maxEntities ?? 1_000,
    snapshotEvery: 1_000,
    checkEvery: 1,
    hashEvery: 1,
    checksWrites: true,
    lastPublished: options.lastPublished,
    describe: describeWith(registry),
    heartbeat: options.beat ?? (() => {}),
    busy: (now) => {
      isBusy = now
    },
  })
  const startedLoop = loop
  let ref = 0
  const sendOver = async (framing: Framing, ...names: string[]): Promise<void> => {
    const commands = names.map(
      (command): Submission => ({ ref: ++ref, player: 1, command, params: {}, framing }),
    )
    startedLoop.receive({ kind: 'submit', commands })
    await startedLoop.idle()
  }
  return {
    loop: startedLoop,
    store,
    messages,
    busy,
    answers: () =>
      messages.flatMap((message) => {
        if (message.kind === 'answers') return message.answers
        return message.kind === 'batch' ? message.batch.answers : []
      }),
    async step(ticks) {
      startedLoop.receive({ kind: 'step', ticks })
      await startedLoop.idle()
    },
    feeds: () =>
      messages.flatMap((message) => (message.kind === 'batch' ? [...message.batch.emissions] : [])),
    send: (...names) => sendOver('ws1', ...names),
    sendOver,
  }
}
