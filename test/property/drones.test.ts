/**
 * Drones of several players in several systems, mining, hauling, fighting and remembering: the same
 * with 0, 1, 2 and 4 kernel threads, and from any tick on after a restart. Source: drones.md 6.
 */
import { expect, test } from 'vitest'
import { DRONE_SAMPLES } from '../../core/catalog/guides/drone-samples.ts'
import { stateHash } from '../../core/hash.ts'
import { captureWorld, createImageMemory } from '../../core/image.ts'
import type { WorldImage } from '../../core/ports.ts'
import { createRegistry } from '../../core/registry.ts'
import { runTick } from '../../core/tick.ts'
import type { Eid } from '../../core/types.ts'
import { loadWorld, openEngine } from '../../engine/start.ts'
import { makePirate } from '../../systems/npc/spawn-systems.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { Poi } from '../../systems/travel/state.ts'
import { deployed, fly, placeId, teachDrones, type Yard, yard } from '../unit/drone/scene.ts'

const THREAD = new URL('../../kernel-thread.js', import.meta.url).href
const TICKS = 40
const RESTART = 17
const WALL_MS = 1_900_000_000_000

const registry = createRegistry(DOMAINS)

/** Returns places of another system that have what scripts look for. */
function elsewhere(at: Yard): { belt: Eid; port: Eid; open: Eid } {
  const { depositCount, base, system, hidden, alive } = at.world.read(Poi)
  for (let row = 1; row < 200; row++) {
    if (row === at.system) continue
    const pois: Eid[] = []
    for (let poi = 1; poi <= at.world.highOf(Poi); poi++) {
      if (alive[poi] === 1 && system[poi] === row && hidden[poi] === 0) pois.push(poi)
    }
    const belt = pois.find((poi) => depositCount[poi] > 0)
    const port = pois.find((poi) => base[poi] !== 0)
    const open = pois.find((poi) => poi !== belt && poi !== port)
    if (belt && port && open) return { belt, port, open }
  }
  throw new Error('there is no other system')
}

/** Sets every sample to work, in two systems, for two owners. */
async function stage(): Promise<WorldImage> {
  const at = await yard({ lawless: true })
  const { world } = at
  const yards: Yard[] = [at, { ...at, owner: at.other, ...elsewhere(at) }]
  for (const of of yards) {
    teachDrones(world, of.owner, 60)
    fly(world, of.owner, of.belt)
    for (const { type, script } of DRONE_SAMPLES) {
      const source = script
        .replaceAll('"BELT"', `"${placeId(of, of.belt)}"`)
        .replaceAll('"PORT"', `"${placeId(of, of.port)}"`)
        .replaceAll('"POST"', `"${placeId(of, of.open)}"`)
      deployed(of, type, source, of.belt)
    }
  }
  makePirate(world, at.system, 0)
  world.recycle()
  return captureWorld(world, createImageMemory())
}

async function play(image: WorldImage, workers: number, ticks: number) {
  const world = loadWorld({ registry, tickMs: 10_000, maxEntities: 4_000 }, image)
  const engine = await openEngine(world, registry, {
    workers,
    threadFile: THREAD,
    breakEvenNs: 0,
    checkEvery: 1,
  })
  const hashes: string[] = []
  let kept: WorldImage | undefined
  for (let tick = 1; tick <= ticks; tick++) {
    runTick(engine, [], WALL_MS + world.tick)
    await engine.section.settled()
    hashes.push(stateHash(world))
    if (tick === RESTART) kept = captureWorld(world, createImageMemory())
  }
  await engine.section.close()
  return { hashes, kept }
}

test('the same drones leave the same world on 0, 1, 2 and 4 kernel threads', async () => {
  const image = await stage()
  const alone = await play(image, 0, TICKS)
  expect(new Set(alone.hashes).size).toBe(TICKS)
  for (const workers of [1, 2, 4]) {
    const shared = await play(image, workers, TICKS)
    expect({ workers, hashes: shared.hashes }).toEqual({ workers, hashes: alone.hashes })
  }
  const resumed = await play(alone.kept as WorldImage, 1, TICKS - RESTART)
  expect(resumed.hashes).toEqual(alone.hashes.slice(RESTART))
}, 300_000)
