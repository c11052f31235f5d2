/**
 * Drones of several players in several systems mine, haul, fight and remember: they run the same
 * with 0, 1, 2 and 4 kernel threads, and after a restart. Source: drones.md 6.
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
import { onSmallMap } from '../small-world.ts'
import {
  boardNewShip,
  deployed,
  placeId,
  teachDrones,
  type Yard,
  yard,
} from '../unit/drone/scene.ts'

onSmallMap()

const THREAD = new URL('../../kernel-thread.js', import.meta.url).href
const TICKS = 40
const RESTART = 17
const WALL_MS = 1_900_000_000_000

const registry = createRegistry(DOMAINS)

/** Returns places of another system that have what scripts look for. */
function elsewhere(scene: Yard): { belt: Eid; port: Eid; open: Eid } {
  const { depositCount, base, system, hidden, alive } = scene.world.read(Poi)
  for (let row = 1; row < 200; row++) {
    if (row === scene.system) continue
    const pois: Eid[] = []
    for (let poi = 1; poi <= scene.world.highOf(Poi); poi++) {
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
  const scene = await yard({ lawless: true })
  const { world } = scene
  const yards: Yard[] = [scene, { ...scene, owner: scene.other, ...elsewhere(scene) }]
  for (const site of yards) {
    teachDrones(world, site.owner, 60)
    boardNewShip(world, site.owner, site.belt)
    for (const { type, script } of DRONE_SAMPLES) {
      const source = script
        .replaceAll('"BELT"', `"${placeId(site, site.belt)}"`)
        .replaceAll('"PORT"', `"${placeId(site, site.port)}"`)
        .replaceAll('"POST"', `"${placeId(site, site.open)}"`)
      deployed(site, type, source, site.belt)
    }
  }
  makePirate(world, scene.system, 0)
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

test('drones leave the same world on 0, 1, 2 and 4 threads, and after a restart', async () => {
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
