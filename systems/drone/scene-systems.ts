/**
 * What drones see: the state after phase act, read once a place and system, then noted for each of
 * them. Source: drones.md section 3.4, "F1 snapshot".
 */
import { skillIndex } from '../../core/catalog/index.ts'
import { rowsOf } from '../../core/columns.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { areAllied } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { isAway } from '../combat/engage-model.ts'
import { battleIn, percentOf } from '../combat/model.ts'
import { isPirate } from '../npc/model.ts'
import { seePlayer } from '../sensing/model.ts'
import { Ship } from '../ship/state.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../skill/state.ts'
import { AT_POI, Location, Poi, StarSystem } from '../travel/state.ts'
import { DEPLOYED, Drone, SCENE, type Scene, SEES, Thought } from './state.ts'

/*
 * Who is a friend of whom, to drones. Source: drones.md section 3.4: the same faction and its
 * allies; without a faction nobody is.
 */

export const areFriends = (view: WorldView, one: Eid, other: Eid): boolean =>
  one === other || areAllied(view, one, other)

const NOBODY = 0xff
const CONTROL = skillIndex('drone_control')

/** Level of drone_control. */
export const controlOf = (view: WorldView, player: Eid): number =>
  view.read(PlayerSkills).level[player * SKILLS_WIDTH + CONTROL]

interface Sights {
  readonly visitors: readonly Eid[]
  readonly pirates: readonly Eid[]
}

function sceneOf(world: WorldView): Scene {
  const kept = world.index(SCENE)
  if (kept.of) return kept.of
  const places = rowsOf(Poi, world.maxEntities) + 1
  const systems = rowsOf(StarSystem, world.maxEntities) + 1
  kept.of = {
    stamps: new Float64Array(places).fill(-1),
    pirates: [],
    visitors: [],
    battleStamps: new Float64Array(systems).fill(-1),
    battles: new Uint8Array(systems),
  }
  return kept.of
}

/** Players in the open at a place, whom anybody may see and reach, in order of their numbers. */
function visitorsAt(view: WorldView, poi: Eid): Eid[] {
  const { nextHere, state } = view.read(Location)
  const { owner } = view.read(Ship)
  const { ship: flown, seq } = view.read(Player)
  const found: Eid[] = []
  for (let ship = view.read(Poi).firstShip[poi]; ship !== 0; ship = nextHere[ship]) {
    const player = owner[ship]
    if (player === 0 || flown[player] !== ship || state[ship] !== AT_POI) continue
    if (seePlayer(view, 0, player) !== 'nothing' && !isAway(view, ship)) found.push(player)
  }
  return found.sort((a, b) => seq[a] - seq[b])
}

/** Pirates at a place, in order of their ships' numbers. */
function piratesAtPlace(view: WorldView, poi: Eid): Eid[] {
  const { nextHere, state } = view.read(Location)
  const { owner, seq } = view.read(Ship)
  const found: Eid[] = []
  for (let ship = view.read(Poi).firstShip[poi]; ship !== 0; ship = nextHere[ship]) {
    if (owner[ship] === 0 && state[ship] === AT_POI && isPirate(view, ship)) found.push(ship)
  }
  return found.sort((a, b) => seq[a] - seq[b])
}

function look(world: WorldView, scene: Scene, poi: Eid): void {
  if (scene.stamps[poi] === world.tick) return
  scene.stamps[poi] = world.tick
  scene.pirates[poi] = piratesAtPlace(world, poi)
  scene.visitors[poi] = visitorsAt(world, poi)
}

/** Whom drones saw at a place in this tick: found once, however many of them look. */
export function sightsAt(view: WorldView, poi: Eid): Sights {
  const scene = sceneOf(view)
  look(view, scene, poi)
  return { visitors: scene.visitors[poi], pirates: scene.pirates[poi] }
}

function isBattle(world: World, scene: Scene, system: Eid): boolean {
  if (scene.battleStamps[system] !== world.tick) {
    scene.battleStamps[system] = world.tick
    scene.battles[system] = battleIn(world, system) === 0 ? 0 : 1
  }
  return scene.battles[system] === 1
}

/** Lowest hull of a friend among those at a place, %; NOBODY when there is none. */
function lowestFriend(view: WorldView, owner: Eid, visitors: readonly Eid[]): number {
  const { hull, hullMax } = view.read(Ship)
  const { ship } = view.read(Player)
  let least = NOBODY
  for (const player of visitors) {
    if (player === owner || !areFriends(view, owner, player)) continue
    least = Math.min(least, percentOf(hull[ship[player]], hullMax[ship[player]]))
  }
  return least
}

/** Notes for each drone what it sees. */
export function observe(world: World, rows: Uint32Array): void {
  const scene = sceneOf(world)
  const { owner, poi, state, system } = world.read(Drone)
  const { sees, ownerPct, allyPct } = world.write(Thought)
  const { ship: flown } = world.read(Player)
  const { poi: at, state: location } = world.read(Location)
  const { hull, hullMax } = world.read(Ship)
  for (let i = 0; i < rows.length; i++) {
    const row: Row = rows[i]
    const player = owner[row]
    const ship = flown[player]
    sees[row] = isBattle(world, scene, system[row]) ? SEES.battle : 0
    ownerPct[row] = 100
    allyPct[row] = NOBODY
    if (state[row] !== DEPLOYED) continue
    const place = poi[row]
    look(world, scene, place)
    if (scene.pirates[place].length > 0) sees[row] |= SEES.pirate
    const visitors = scene.visitors[place]
    if (visitors.length > 0) {
      if (visitors.some((other) => other !== player && !areFriends(world, player, other)))
        sees[row] |= SEES.enemy
      allyPct[row] = lowestFriend(world, player, visitors)
    }
    if (at[ship] === place && location[ship] === AT_POI) {
      ownerPct[row] = percentOf(hull[ship], hullMax[ship])
    }
  }
}
