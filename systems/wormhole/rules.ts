/**
 * The life of wormholes: mouths are made, paths open and collapse, and players and factions learn
 * where they lead. Source: travel.md section 4; missions.md section 5.
 */
import { assert } from '../../core/assert.ts'
import type { TableDef } from '../../core/columns.ts'
import { divFloor } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import { dayOfTick } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import { factionOf } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import { reveal } from '../sensing/rules.ts'
import { levelOf } from '../skill/model.ts'
import { awardXp } from '../skill/rules.ts'
import { PLAYER_POIS_PER_SYSTEM_MAX } from '../station/state.ts'
import { forgetPlaceNames, madePlaces, poisOf, routeBetween, systemName } from '../travel/model.ts'
import { addPlace, describePlace } from '../travel/rules.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import {
  allPaths,
  entranceSystem,
  exitSystem,
  factionPaths,
  knownPaths,
  knowsPath,
  ownPaths,
  pathAt,
} from './model.ts'
import {
  COLLAPSED,
  DORMANT,
  ENTRANCE,
  EXIT,
  FACTION_PATHS,
  KNOWN_PATHS,
  type KnownPath,
  LEVEL_PER_STABILITY,
  LIFE_TICKS,
  MOUTHS_MAX,
  Mouth,
  type MouthState,
  PATH_JUMPS_MIN,
  SETTLING_TICKS,
  STABILITY_MAX,
  Wormhole,
} from './state.ts'

/** Tables that the life of wormholes writes. */
export const WORMHOLE_WRITES: readonly TableDef[] = [Wormhole, Mouth, Poi, StarSystem]

const SALT = hashText('wormhole')

/* Mouths */

/** Distance of a mouth from the middle of its system on each axis, milli-AU. */
const MOUTH_DISTANCE = { min: 4_000, max: 9_000 } as const
/** Survey power that reveals the mouths of a path, for each point of its stability. */
const DIFFICULTY_PER_STABILITY = 15
/** Difficulty that no survey reaches, for mouths that lead nowhere. */
const OUT_OF_REACH = 0xff_ff

interface MouthRow {
  readonly class: string
  readonly description: string
}

const MOUTHS: Readonly<Record<MouthState, MouthRow>> = {
  [DORMANT]: {
    class: 'wormhole_collapsed',
    description:
      'Space is worn thin here. Starlight swims a little, and clocks disagree by a heartbeat; ' +
      'what once opened may open again.',
  },
  [ENTRANCE]: {
    class: 'wormhole_entrance',
    description:
      'A lens of bent starlight, slowly turning. What drifts too near does not come back, at ' +
      'least not here.',
  },
  [EXIT]: {
    class: 'wormhole_exit',
    description:
      'A pale ring that spills the light of other suns. Ships come out of it; none goes in.',
  },
  [COLLAPSED]: {
    class: 'wormhole_collapsed',
    description:
      'The ring has shut. Dust still falls towards where it was, and the instruments ring with ' +
      'the echo.',
  },
}

function setMouth(world: World, poi: Eid, state: MouthState, difficulty: number): void {
  const row = MOUTHS[state]
  world.write(Mouth).state[poi] = state
  world.write(Poi).difficulty[poi] = difficulty
  world.setText(Poi, 'class', poi, row.class)
  const name = world.texts.get(world.read(Poi).name[poi])
  describePlace(world, poi, name, row.description)
}

/**
 * Returns whether a system may have a mouth. Systems with a base or a stronghold have none: what is
 * worth holding is not left to chance.
 */
function mayHaveMouth(view: WorldView, system: Eid): boolean {
  if (view.read(StarSystem).stronghold[system] === 1) return false
  if (madePlaces(view, system).length >= PLAYER_POIS_PER_SYSTEM_MAX) return false
  const { base } = view.read(Poi)
  return poisOf(view, system).every((poi) => base[poi] === 0)
}

/** Draws the distance of a mouth along one axis, to either side, milli-AU. */
const axisOf = (random: number): number => {
  const span = MOUTH_DISTANCE.max - MOUTH_DISTANCE.min + 1
  const distance = MOUTH_DISTANCE.min + drawBelow(span, random)
  return (random & 1) === 0 ? distance : -distance
}

/**
 * Makes the mouths of the galaxy, one per system, in systems drawn by the seed. In worlds of
 * earlier rules they are made when paths are to open for the first time.
 */
export function makeMouths(world: World): void {
  const { alive } = world.read(StarSystem)
  const drawn: { system: Eid; order: number }[] = []
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    if (alive[system] === 0 || !mayHaveMouth(world, system)) continue
    drawn.push({ system, order: hash32(world.seed, SALT, 0, system) })
  }
  drawn.sort((a, b) => a.order - b.order || a.system - b.system)
  for (const { system } of drawn.slice(0, MOUTHS_MAX)) makeMouth(world, system)
  forgetPlaceNames(world)
}

function makeMouth(world: World, system: Eid): void {
  const { x, y } = world.read(Poi)
  const entry = world.read(StarSystem).entryPoi[system]
  const poi = addPlace(world, system, {
    type: 'relic',
    x: x[entry] + axisOf(hash32(world.seed, SALT, 1, system)),
    y: y[entry] + axisOf(hash32(world.seed, SALT, 2, system)),
  })
  world.write(Poi).hidden[poi] = 1
  describePlace(world, poi, `${systemName(world, system)} Rift`, '')
  setMouth(world, poi, DORMANT, OUT_OF_REACH)
}

/** Returns the mouths without a path, by row. */
export function dormantMouths(view: WorldView): Eid[] {
  const { state } = view.read(Mouth)
  const mouths: Eid[] = []
  for (let poi = 1; poi <= view.highOf(Poi); poi++) if (state[poi] === DORMANT) mouths.push(poi)
  return mouths
}

/* Paths */

/** Draws a number below `bound` by the seed, the tick and a counter of the caller. */
const drawAt = (world: World, counter: number, bound: number): number =>
  drawBelow(bound, hash32(world.seed, SALT, world.tick, counter))

/** Pairs of mouths to try before giving up on a path. */
const ATTEMPTS = 8

/** Opens a path between two dormant mouths that lie far apart; returns its row, 0 for none. */
export function openPath(world: World, salt: number): Row {
  if (world.roomIn(Wormhole) === 0) return 0
  const mouths = dormantMouths(world)
  if (mouths.length < 2) return 0
  const { system } = world.read(Poi)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const draw = (what: number) =>
      drawAt(world, (salt * ATTEMPTS + attempt) * 4 + what, mouths.length)
    const entrance = mouths[draw(0)]
    const exit = mouths[draw(1)]
    const route = routeBetween(world, system[entrance], system[exit])
    if (!route || route.length - 1 < PATH_JUMPS_MIN) continue
    return linkMouths(world, entrance, exit, drawAt(world, salt * 4 + 3, LIFE_SPAN))
  }
  return 0
}

const LIFE_SPAN = LIFE_TICKS.max - LIFE_TICKS.min + 1

/** Links two mouths; a path that lasts longer is harder to predict. */
export function linkMouths(world: World, entrance: Eid, exit: Eid, extraTicks: number): Row {
  const row = world.take(Wormhole)
  const path = world.write(Wormhole)
  path.entrance[row] = entrance
  path.exit[row] = exit
  path.stability[row] = 1 + divFloor(extraTicks * STABILITY_MAX, LIFE_SPAN)
  path.endTick[row] = world.tick + LIFE_TICKS.min + extraTicks
  const difficulty = DIFFICULTY_PER_STABILITY * path.stability[row]
  setMouth(world, entrance, ENTRANCE, difficulty)
  setMouth(world, exit, EXIT, difficulty)
  return row
}

/** Collapses a path: no ship can enter any more. Ships on their way still come out. */
export function collapsePath(world: World, row: Row): void {
  const path = world.write(Wormhole)
  assert(path.isCollapsed[row] === 0, `wormhole ${row} has collapsed already`)
  path.isCollapsed[row] = 1
  path.endTick[row] = world.tick + SETTLING_TICKS
  for (const poi of [path.entrance[row], path.exit[row]]) {
    setMouth(world, poi, COLLAPSED, world.read(Poi).difficulty[poi])
  }
}

/** Ends a collapsed path: its mouths can open again. */
export function settlePath(world: World, row: Row): void {
  const { entrance, exit } = world.read(Wormhole)
  for (const poi of [entrance[row], exit[row]]) setMouth(world, poi, DORMANT, OUT_OF_REACH)
  world.release(Wormhole, row)
}

/* Knowledge */

/** Records what a player knows of a path, and drops paths that no longer exist. */
function setKnown(world: World, player: Eid, known: KnownPath): void {
  const { seq } = world.read(Wormhole)
  const existing = new Set(allPaths(world).map((path) => seq[path]))
  const others = ownPaths(world, player).filter(
    ({ path }) => path !== known.path && existing.has(path),
  )
  world.records(KNOWN_PATHS).set(String(world.read(Player).seq[player]), [...others, known])
}

/** Lets a player know where a path leads; changes nothing if they know already. */
export function learnPath(world: World, player: Eid, path: Row): void {
  const number = world.read(Wormhole).seq[path]
  if (ownPaths(world, player).some((known) => known.path === number)) return
  setKnown(world, player, { path: number, trainedDay: -1 })
}

/**
 * Shares with a player's faction the paths they know that begin or end in a system; returns how
 * many it did not know.
 */
export function sharePaths(world: World, player: Eid, system: Eid): number {
  const faction = factionOf(world, player)
  if (faction === 0) return 0
  const { seq } = world.read(Wormhole)
  const before = factionPaths(world, faction)
  const added = knownPaths(world, player)
    .filter((path) => [entranceSystem(world, path), exitSystem(world, path)].includes(system))
    .map((path) => seq[path])
    .filter((number) => !before.includes(number))
  if (added.length === 0) return 0
  const existing = new Set(allPaths(world).map((path) => seq[path]))
  const kept = before.filter((number) => existing.has(number))
  world.records(FACTION_PATHS).set(String(world.read(Faction).seq[faction]), [...kept, ...added])
  return added.length
}

/** Drops what a disbanded faction knew; `number` is its durable number. */
export const forgetFactionPaths = (world: World, number: number): void => {
  world.records(FACTION_PATHS).delete(String(number))
}

/**
 * Predicts the far ends of the open paths whose entrances a player has revealed. Returns those they
 * did not know before. Source: travel.md section 4.
 */
export function predictPaths(world: World, player: Eid, entrances: readonly Eid[]): Row[] {
  const level = levelOf(world, player, 'wormhole_navigation')
  const { entrance, stability, isCollapsed } = world.read(Wormhole)
  const predicted = allPaths(world).filter(
    (path) =>
      isCollapsed[path] === 0 &&
      entrances.includes(entrance[path]) &&
      level >= LEVEL_PER_STABILITY * stability[path] &&
      !knowsPath(world, player, path),
  )
  for (const path of predicted) learnPath(world, player, path)
  return predicted
}

const TRANSIT_XP = 50

/**
 * Records that a player has come out of a wormhole: they know the path and both its mouths, and
 * gain XP, once a day for each path. Returns the XP gained.
 */
export function completeTransit(world: World, player: Eid, exit: Eid): number {
  const path = pathAt(world, exit)
  addStat(world, player, 'wormholes_traversed', 1)
  if (path === 0) return 0
  reveal(world, player, [world.read(Wormhole).entrance[path], exit])
  const number = world.read(Wormhole).seq[path]
  const day = dayOfTick(world.tick)
  const known = ownPaths(world, player).find((other) => other.path === number)
  if (known?.trainedDay === day) return 0
  setKnown(world, player, { path: number, trainedDay: day })
  return awardXp(world, player, 'wormhole_navigation', TRANSIT_XP)
}
