/** Opens and collapses paths, drops what disbanded factions knew, and checks invariants. */
import { assert } from '../../core/assert.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef, GaugeDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { World } from '../../core/types.ts'
import { disbanded, Faction } from '../faction/state.ts'
import { Poi } from '../travel/state.ts'
import { allPaths } from './model.ts'
import {
  collapsePath,
  dormantMouths,
  forgetFactionPaths,
  makeMouths,
  openPath,
  settlePath,
  WORMHOLE_WRITES,
} from './rules.ts'
import {
  COLLAPSED,
  DORMANT,
  ENTRANCE,
  EXIT,
  Mouth,
  OPENING_TICKS,
  PATHS_OPEN_MAX,
  Wormhole,
} from './state.ts'

/** Collapses the open paths that are due, and ends the collapsed ones. O(paths). */
function endDue(world: World): void {
  const { isCollapsed, endTick } = world.read(Wormhole)
  for (const path of allPaths(world)) {
    if (endTick[path] > world.tick) continue
    if (isCollapsed[path] === 0) collapsePath(world, path)
    else settlePath(world, path)
  }
}

/** Opens missing paths: in a new galaxy all, later as many as have collapsed. O(places). */
function openMissing(world: World): void {
  if (world.countOf(Wormhole) === 0 && dormantMouths(world).length === 0) makeMouths(world)
  const { isCollapsed } = world.read(Wormhole)
  const open = allPaths(world).filter((path) => isCollapsed[path] === 0).length
  for (let i = open; i < PATHS_OPEN_MAX; i++) openPath(world, i)
}

export const wormholeLife: SystemDef = {
  name: 'wormhole.live',
  phase: 'produce',
  writes: WORMHOLE_WRITES,
  run(world) {
    endDue(world)
    if (world.tick % OPENING_TICKS === 1) openMissing(world)
  },
}

/** Drops the paths that a disbanded faction knew. */
export const forgetPaths = observe(disbanded, (world, { faction }) => {
  forgetFactionPaths(world, world.read(Faction).seq[faction])
})

export const pathsHold: CheckDef = {
  name: 'wormholes: each mouth has one path, and shows its state',
  run(view, full) {
    if (!full) return
    const { state } = view.read(Mouth)
    const { entrance, exit, isCollapsed } = view.read(Wormhole)
    const used = new Set<number>()
    for (const path of allPaths(view)) {
      const isClosed = isCollapsed[path] === 1
      const mouths = [
        [entrance[path], isClosed ? COLLAPSED : ENTRANCE],
        [exit[path], isClosed ? COLLAPSED : EXIT],
      ]
      for (const [poi, expected] of mouths) {
        assert(!used.has(poi), `mouth ${poi} has two paths`)
        used.add(poi)
        assert(
          state[poi] === expected,
          `mouth ${poi} of wormhole ${path} is in state ${state[poi]}`,
        )
      }
    }
    for (let poi = 1; poi <= view.highOf(Poi); poi++) {
      if (state[poi] > DORMANT) assert(used.has(poi), `mouth ${poi} leads nowhere`)
    }
  },
}

export const openWormholes: GaugeDef = {
  name: 'wormholes',
  help: 'Wormholes that exist, including those with settling mouths.',
  read: (view) => view.countOf(Wormhole),
}
