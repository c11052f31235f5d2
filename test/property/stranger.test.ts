/**
 * What strangers read depends only on the columns and records that are allowed, and not on those
 * rows of them that belong to hidden players and things. Source: WEB 3.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { assert } from '../../core/assert.ts'
import { ok } from '../../core/errors.ts'
import type { PublicFrame, PublicProjection } from '../../core/public/frame.ts'
import { runTick } from '../../core/tick.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import type { PublicRow } from '../../net/public/row.ts'
import { applyFrame } from '../../net/public/state.ts'
import { playerId } from '../../systems/account/model.ts'
import { Player } from '../../systems/account/state.ts'
import { Ship } from '../../systems/ship/state.ts'
import { createProjection } from '../../systems/spectator/frame-views.ts'
import { poiId, poisOf } from '../../systems/travel/model.ts'
import { Location, Poi } from '../../systems/travel/state.ts'
import { frameOf, stateOf } from '../public-world.ts'
import { COLUMNS, PATHS, RECORDS } from './stranger-allowed.ts'
import { LIVE_ROWS, withBodies } from './stranger-bodies.ts'
import {
  chartBattle,
  drawing,
  pathsOf,
  recording,
  type Stage,
  scrambleHidden,
  scrambleSecret,
  stageOf,
  swapNameless,
  textOf,
} from './stranger-world.ts'

const SEEDS = 200
/** One in this many seeds compares bodies, too: they cost as much as a frame. */
const BODIES_EVERY = 5
/** Seeds within which a forbidden read must show. */
const CANARY_SEEDS = 20

let stage: Stage
beforeAll(async () => {
  stage = await stageOf()
})

const allowed = (): Set<string> =>
  new Set([
    ...Object.entries(COLUMNS).flatMap(([table, columns]) =>
      columns.split(' ').map((column) => `${table}.${column}`),
    ),
    ...RECORDS.map((name) => `records ${name}`),
  ])

const frameText = (make: () => PublicProjection): string => textOf(frameOf(stage.world, make()))

/** Returns the frame of the world and all bodies made of it. */
function frameAndBodies(rows = LIVE_ROWS): Promise<string> {
  const frame = frameOf(stage.world)
  return withBodies(stage, frame, stateOf(frame), rows)
}

/** Returns the first seed whose hidden changes show; `isDeep` in one of BODIES_EVERY. */
async function seedsUntilShown(
  look: (isDeep: boolean) => string | Promise<string>,
  seeds: number,
): Promise<number | undefined> {
  const { world } = stage
  const allowedColumns = allowed()
  const [plain, deep] = [await look(false), await look(true)]
  for (let seed = 0; seed < seeds; seed++) {
    const draw = drawing(seed)
    const undoSecret = scrambleSecret(world, allowedColumns, draw)
    const undoHidden = scrambleHidden(stage, draw)
    const undoSwap = draw(2) === 0 ? swapNameless(stage) : undefined
    const isDeep = seed % BODIES_EVERY === 0
    const after = await look(isDeep)
    undoSwap?.()
    undoHidden()
    undoSecret()
    if (after !== (isDeep ? deep : plain)) return seed
  }
  return undefined
}

describe('the public frame', () => {
  test('reads exactly the columns and records that are listed as public', () => {
    const reads = new Set<string>()
    frameOf(recording(stage.world, reads))
    const undo = chartBattle(stage)
    frameOf(recording(stage.world, reads))
    undo()
    expect([...reads].sort()).toEqual([...allowed()].sort())
  })

  test('has exactly the fields and types that are listed as public', () => {
    const undo = chartBattle(stage)
    const paths = pathsOf(frameOf(stage.world))
    undo()
    expect([...paths].filter((path) => !PATHS.includes(path))).toEqual([])
    expect(PATHS.filter((path) => !paths.has(path))).toEqual([])
  })
})

const sumOf = (values: ArrayLike<number>, rows: number): number =>
  Array.from({ length: rows }, (_, row) => values[row + 1]).reduce((a, b) => a + b, 0)

describe('two worlds that differ only in what is hidden', () => {
  test('make the same frame and the same bodies, byte for byte', async () => {
    const look = (isDeep: boolean) => (isDeep ? frameAndBodies() : frameText(createProjection))
    expect(await seedsUntilShown(look, SEEDS)).toBeUndefined()
  })

  test('make different bodies once a body reads more than the frame', async () => {
    const { world } = stage
    const [row] = LIVE_ROWS
    const peeking = (peek: () => unknown): PublicRow =>
      ({ ...row, source: 'frame', body: () => ok(peek()) }) as PublicRow
    const peeks: readonly (() => unknown)[] = [
      () => sumOf(world.read(Ship).cargoUsed as ArrayLike<number>, world.highOf(Ship)),
      () => world.read(Location).poi[world.read(Player).ship[stage.ghost]],
    ]
    for (const peek of peeks) {
      const look = () => frameAndBodies([peeking(peek)])
      expect(await seedsUntilShown(look, CANARY_SEEDS)).toBeDefined()
    }
  })

  test('make different frames once a frame reads a private column', async () => {
    const leaking = (leak: (view: WorldView) => number): (() => PublicProjection) => {
      return () => {
        const sound = createProjection()
        return {
          observe: sound.observe,
          *build(view, isFull) {
            const frame = yield* sound.build(view, isFull)
            return { ...frame, wallMs: frame.wallMs + leak(view) }
          },
        }
      }
    }
    const leaks: readonly ((view: WorldView) => number)[] = [
      // What ships carry.
      (view) => sumOf(view.read(Ship).cargoUsed as ArrayLike<number>, view.highOf(Ship)),
      // Places off the chart.
      (view) => sumOf(view.read(Poi).x as ArrayLike<number>, view.highOf(Poi)),
      // Where a cloaked player is.
      (view) => view.read(Location).poi[view.read(Player).ship[stage.ghost]],
    ]
    for (const leak of leaks) {
      const look = () => frameText(leaking(leak))
      expect(await seedsUntilShown(look, CANARY_SEEDS)).toBeDefined()
    }
  })

  test('show neither hidden players nor hidden places', () => {
    const { world, ghost, nameless, hermit, cave } = stage
    const frame = frameOf(world)
    const { seq } = world.read(Player)
    const whereabouts = [...frame.presence.named, ...frame.presence.namedFlying]
    for (const player of [ghost, nameless, hermit]) {
      expect(numbersOf(frame)).not.toContain(seq[player])
      expect(textOf(frame)).not.toContain(playerId(world, player))
    }
    expect(whereabouts.length).toBeGreaterThan(0)
    const text = JSON.stringify(frame)
    for (const column of ['id', 'name'] as const)
      expect(text).not.toContain(JSON.stringify(world.texts.get(world.read(Poi)[column][cave])))
  })
})

/** Returns the numbers of players whose place is shown. */
const numbersOf = ({ presence }: PublicFrame): number[] =>
  [presence.named, presence.namedFlying].flatMap((pairs) =>
    [...pairs].filter((_, i) => i % 2 === 1),
  )

describe('actions of hidden players in a tick', () => {
  /** Runs these actions in a tick on a copy of the world; returns frame, events and bodies. */
  async function publishedAfter(
    acts: (stage: Stage) => readonly (readonly [Eid, string, object])[],
  ) {
    const fresh = await stageOf()
    const { small, world } = fresh
    const projection = createProjection()
    world.tick += 100
    const before = stateOf(frameOf(world, projection))
    const { seq } = world.read(Player)
    const inputs = acts(fresh).map(([player, command, params], i) => ({
      ref: 900_000 + i,
      player: seq[player],
      command,
      params: params as Record<string, unknown>,
      framing: 'ws2' as const,
    }))
    const run = runTick(small.engine, inputs, world.wallMs + 10_000)
    const refused = [...run.outbox.settled, ...run.answers].filter(({ outcome }) => !outcome.ok)
    expect(refused).toEqual([])
    projection.observe(world, run.outbox)
    const frame = frameOf(world, projection, false)
    const state = applyFrame(before, structuredClone(frame))
    assert(state, 'the frame follows the one before')
    return withBodies(fresh, frame, state)
  }

  test('change no frame, event or body', async () => {
    const idle = await publishedAfter(() => [])
    const busy = await publishedAfter(({ ghost, nameless, hermit }) => [
      [ghost, 'scan', {}],
      [nameless, 'scan', {}],
      [hermit, 'scan', {}],
    ])
    const moved = await publishedAfter(({ ghost, world, cave }) => {
      const { system } = world.read(Poi)
      const [place] = poisOf(world, system[cave]).filter(
        (poi) => poi !== cave && world.read(Poi).base[poi] !== 0,
      )
      return [[ghost, 'travel', { target_poi: poiId(world, place) }]]
    })
    expect(busy).toBe(idle)
    expect(moved).toBe(idle)
  })
})
