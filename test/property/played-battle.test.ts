/**
 * A battle played to its end by pilots who maneuver, change stances and targets, reload and are
 * joined by others: it runs the same with 0, 1 and 2 kernel threads, and after a restart.
 */
import { expect, test } from 'vitest'
import { itemIndex } from '../../core/catalog/index.ts'
import type { Engine } from '../../core/engine.ts'
import { namedContainer } from '../../core/goods.ts'
import { stateHash } from '../../core/hash.ts'
import { captureWorld, createImageMemory } from '../../core/image.ts'
import { playerNumber } from '../../core/pending.ts'
import type { PublishedEmission, WorldImage } from '../../core/ports.ts'
import { createRegistry } from '../../core/registry.ts'
import { runImmediates, runTick } from '../../core/tick.ts'
import type { Eid, JournalInput } from '../../core/types.ts'
import { finishUnstored } from '../../core/wire/describe.ts'
import { loadWorld, openEngine } from '../../engine/start.ts'
import { Battle } from '../../systems/combat/state.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { loadCargo, moduleId, modulesOf } from '../../systems/ship/model.ts'
import { Ship } from '../../systems/ship/state.ts'
import { onSmallMap } from '../small-world.ts'
import { hullOf, meeting, putAt } from '../unit/combat/scene.ts'

onSmallMap()

const registry = createRegistry(DOMAINS)
const THREAD = new URL('../../kernel-thread.js', import.meta.url).href
const WALL_MS = 1_900_000_000_000
const TICKS_MAX = 120
/** Low hull points, so that the battle is short. */
const HULL = 150

/** A command that a pilot gives before a tick. */
interface PilotCommand {
  readonly player: Eid
  readonly command: string
  readonly params: Record<string, unknown>
}

interface Play {
  readonly image: WorldImage
  /** Returns the commands given before a tick. */
  commandsAt(tick: number): readonly PilotCommand[]
}

/** Makes four armed pilots; two begin the battle, one more joins each side later. */
async function makePlay(): Promise<Play> {
  const scene = await meeting(4)
  const { world, players } = scene
  const [first, second, third, fourth] = players
  const guns = ['autocannon_ii', 'blaster_iii', 'shield_booster_i']
  for (const player of players) {
    const ship = putAt(world, player, scene.poi, { shipClass: 'reaver', modules: guns })
    loadCargo(world, ship, namedContainer('mined'), itemIndex('autocannon_rounds'), 2)
    world.write(Ship).hull[ship] = HULL
  }
  world.recycle()
  const weapon = (player: Eid) => moduleId(world, modulesOf(world, hullOf(world, player))[0])
  const order = (player: Eid, params: object): PilotCommand => ({
    player,
    command: 'battle',
    params: params as Record<string, unknown>,
  })
  const act = (player: Eid, command: string, params: Record<string, unknown>): PilotCommand => ({
    player,
    command,
    params,
  })
  const script: Record<number, readonly PilotCommand[]> = {
    1: players.map((player) => act(player, 'reload', { weapon_instance_id: weapon(player) })),
    2: [act(first, 'attack', { target_id: scene.id(second) })],
    3: [order(first, { action: 'advance' }), order(second, { action: 'stance', stance: 'evade' })],
    4: [order(third, { action: 'engage', side_id: 2 }), order(second, { action: 'advance' })],
    5: [act(fourth, 'attack', { target_id: scene.id(third) })],
    6: [order(second, { action: 'stance', stance: 'brace' }), order(first, { action: 'advance' })],
    8: [order(second, { action: 'stance', stance: 'fire' })],
    9: [order(third, { action: 'target', target_id: scene.id(fourth) })],
  }
  return { image: scene.small.image(), commandsAt: (tick) => script[tick] ?? [] }
}

function inputsOf(
  engine: Engine,
  commands: readonly PilotCommand[],
  refFrom: number,
): JournalInput[] {
  return commands.map(({ player, command, params }, index) => ({
    ref: refFrom + index,
    player: playerNumber(engine.world, player),
    command,
    params,
    framing: 'ws2' as const,
  }))
}

interface Played {
  readonly hashes: string[]
  readonly emissions: PublishedEmission[]
  /** The world after each tick of `keep`. */
  readonly images: Map<number, WorldImage>
}

interface Stage {
  readonly workers?: number
  /** First tick to play: the image is the world before it. */
  readonly from?: number
  /** Ticks after which to keep an image. */
  readonly keep?: readonly number[]
}

/** Plays until no battle is left. */
async function play({ image, commandsAt }: Play, stage: Stage = {}): Promise<Played> {
  const { workers = 0, from = 1, keep = [] } = stage
  const world = loadWorld({ registry, tickMs: 10_000, maxEntities: 2_000 }, image)
  const engine = await openEngine(world, registry, {
    workers,
    threadFile: THREAD,
    breakEvenNs: 0,
    checkEvery: 1,
  })
  const played: Played = { hashes: [], emissions: [], images: new Map() }
  for (let tick = from; tick <= TICKS_MAX; tick++) {
    const commands = commandsAt(tick)
    const orders = commands.filter(({ command }) => command === 'battle')
    const acts = commands.filter(({ command }) => command !== 'battle')
    const orderInputs = inputsOf(engine, orders, tick * 100)
    const immediates = runImmediates(engine, orderInputs, WALL_MS + tick)
    expect(immediates.inputs, `orders before tick ${tick}`).toHaveLength(orders.length)
    played.emissions.push(...finishUnstored(engine, immediates, 1).emissions)
    const actInputs = inputsOf(engine, acts, tick * 100 + 50)
    const run = runTick(engine, actInputs, WALL_MS + tick)
    played.emissions.push(...finishUnstored(engine, run, 0).emissions)
    await engine.section.settled()
    played.hashes.push(stateHash(world))
    if (keep.includes(tick)) played.images.set(tick, captureWorld(world, createImageMemory()))
    if (tick > 2 && world.countOf(Battle) === 0) break
  }
  await engine.section.close()
  return played
}

const payloads = (emissions: readonly PublishedEmission[], type: string) =>
  emissions.filter((emission) => emission.type === type).map(({ payload }) => payload)

test('a battle runs the same with 0, 1 and 2 kernel threads, and after restarts', async () => {
  const script = await makePlay()
  const keep = [2, 3, 4, 7, 10, 12]
  const alone = await play(script, { keep })
  expect(alone.hashes.length).toBeGreaterThan(Math.max(...keep))
  expect(payloads(alone.emissions, 'battle_started')).toHaveLength(1)
  expect(payloads(alone.emissions, 'battle_joined')).toHaveLength(2)
  expect(payloads(alone.emissions, 'battle_damage').length).toBeGreaterThan(10)
  const [ended] = payloads(alone.emissions, 'battle_ended')
  expect(['victory', 'mutual_destruction']).toContain(ended.reason)
  expect(ended.ships_destroyed).toBeGreaterThan(0)
  expect(payloads(alone.emissions, 'player_died')).toHaveLength(Number(ended.ships_destroyed))
  for (const workers of [1, 2]) {
    const shared = await play(script, { workers })
    expect(shared.hashes, `${workers} workers`).toEqual(alone.hashes)
    expect(shared.emissions).toEqual(alone.emissions)
  }
  for (const [tick, image] of alone.images) {
    const resumed = await play({ ...script, image }, { from: tick + 1 })
    expect(resumed.hashes, `from tick ${tick} on`).toEqual(alone.hashes.slice(tick))
  }
})
