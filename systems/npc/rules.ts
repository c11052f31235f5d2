/**
 * Crews and their standing with players; making and removing NPCs and their ships; scheduling what
 * an NPC decides next, and sending it somewhere.
 */
import { assert } from '../../core/assert.ts'
import { CREWS, shipClassIndex } from '../../core/catalog/index.ts'
import { addToList } from '../../core/groups.ts'
import { clamp } from '../../core/math.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { logAction } from '../log/rules.ts'
import { createShip, recompute, releaseShip, trackShield } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { distanceMilliAu, flightOf, travelTicks } from '../travel/flight-model.ts'
import { lanesFrom } from '../travel/model.ts'
import { removeFromMap, startFlight } from '../travel/rules.ts'
import { AT_POI, Location, Poi, StarSystem } from '../travel/state.ts'
import { leaveConvoy } from './convoy-model.ts'
import { crewIn, isBoss, npcOf, PIRATE } from './model.ts'
import { CREWS_WIDTH, NPCS_OF, Npc, NpcPilot, Outlaw, SystemNpcs, THINK_WHEEL } from './state.ts'

/**
 * Points that an attack or a kill adds to a player's standing with the pirate's crew. Source:
 * combat.md section 13.
 */
export const ATTACK_STANDING = -2
export const KILL_STANDING = -5
const STANDING_MAX = 100

/**
 * Derives which crew holds each system: that of the nearest stronghold. If two are equally near,
 * the one that comes first in CREWS.
 */
export function rebuildCrews(world: World): void {
  const { crew } = world.write(SystemNpcs)
  const { name, stronghold } = world.read(StarSystem)
  const systems = Array.from({ length: world.highOf(StarSystem) }, (_, i) => i + 1)
  const strongholds = systems.filter((system) => stronghold[system] === 1)
  const crewOfStronghold = (system: Eid): number => {
    const systemName = world.texts.get(name[system])
    return Math.max(
      0,
      CREWS.findIndex((row) => row.stronghold === systemName),
    )
  }
  const reached = new Set<Eid>(strongholds)
  for (const system of strongholds) crew[system] = crewOfStronghold(system)
  let ring = [...strongholds].sort((a, b) => crew[a] - crew[b])
  while (ring.length > 0) {
    const next: Eid[] = []
    for (const system of ring) {
      for (const to of lanesFrom(world, system)) {
        if (reached.has(to)) continue
        reached.add(to)
        crew[to] = crew[system]
        next.push(to)
      }
    }
    ring = next
  }
}

/** Changes a player's standing with a crew, within its bounds, and logs it. */
export function changeStanding(world: World, player: Eid, crew: number, points: number): void {
  const { standing } = world.write(Outlaw)
  const row = player * CREWS_WIDTH + crew
  const before = standing[row]
  standing[row] = clamp(before + points, -STANDING_MAX, STANDING_MAX)
  const change = standing[row] - before
  if (change === 0) return
  const { key, name } = CREWS[crew]
  const summary = `Standing with ${name} changed by ${change} to ${standing[row]}.`
  const data = { crew: key, change, standing: standing[row] }
  logAction(world, player, 'reputation', 'pirate_standing', summary, data)
}

/** Adds negative points to a player's standing with a pirate's crew; nothing for other ships. */
export function lowerStanding(world: World, player: Eid, pirate: Eid, points: number): void {
  const npc = world.read(NpcPilot).npc[pirate]
  const { kind, system } = world.read(Npc)
  if (npc === 0 || kind[npc] !== PIRATE || world.read(Ship).owner[pirate] !== 0) return
  changeStanding(world, player, crewIn(world, system[npc]), points)
}

/** Ticks until a stronghold gets a new boss. Source: combat.md section 13. */
const BOSS_TICKS = 8_640

interface NewNpc {
  readonly kind: number
  readonly type: number
  readonly system: Eid
}

/** Adds an NPC as pilot of a ship without an owner; its stats become those of the NPC. */
export function addNpc(world: World, ship: Eid, plan: NewNpc): Row {
  assert(world.read(Ship).owner[ship] === 0, `ship ${ship} has an owner and an NPC`)
  assert(npcOf(world, ship) === 0, `ship ${ship} has an NPC already`)
  const npc = world.take(Npc)
  const row = world.write(Npc)
  row.ship[npc] = ship
  row.kind[npc] = plan.kind
  row.type[npc] = plan.type
  NPCS_OF.link(world, npc, plan.system)
  world.write(NpcPilot).npc[ship] = npc
  recompute(world, ship)
  return npc
}

/** An NPC to make, and the class of its ship. */
export interface NewNpcShip extends NewNpc {
  readonly shipClass: string
}

/** Makes an undamaged ship with its NPC, not yet at any place. */
export function makeNpcShip(world: World, { shipClass, ...plan }: NewNpcShip): Row {
  const ship = createShip(world, { owner: 0, shipClass: shipClassIndex(shipClass), modules: [] })
  const npc = addNpc(world, ship, plan)
  const columns = world.write(Ship)
  columns.hull[ship] = columns.hullMax[ship]
  columns.shield[ship] = columns.shieldMax[ship]
  trackShield(world, ship)
  return npc
}

/**
 * Removes the NPC of a ship that was destroyed or captured; its stats become those of its class.
 */
export function removeNpc(world: World, ship: Eid): void {
  const npc = npcOf(world, ship)
  assert(npc !== 0, `ship ${ship} has no NPC`)
  const home = world.read(Npc).system[npc]
  if (isBoss(world, ship)) world.write(SystemNpcs).bossTick[home] = world.tick + BOSS_TICKS
  leaveConvoy(world, npc)
  world.write(NpcPilot).npc[ship] = 0
  NPCS_OF.remove(world, npc)
  recompute(world, ship)
}

/** Removes an NPC and its ship from the world; the ship must not be in a battle. */
export function removeNpcShip(world: World, ship: Eid): void {
  removeNpc(world, ship)
  removeFromMap(world, ship)
  releaseShip(world, ship)
}

/* Decisions and moves */

/** Schedules an NPC's next decision; this replaces any tick scheduled before. */
export function scheduleDecision(world: World, npc: Row, tick: number): void {
  if (tick <= world.tick) assert(false, `NPC ${npc} cannot decide in the past`)
  world.write(Npc).thinkTick[npc] = tick
  addToWheel(world, npc, tick)
}

/** Adds an NPC to the timing wheel of decisions. */
export const addToWheel = (world: World, npc: Row, tick: number): void =>
  addToList(world.index(THINK_WHEEL), tick, npc)

/** Starts a flight to another place in the system; returns its ticks. NPCs burn no fuel. */
export function flyTo(world: World, ship: Eid, to: Eid): number {
  const from = world.read(Location).poi[ship]
  const { x, y } = world.read(Poi)
  const distance = distanceMilliAu(x[from], y[from], x[to], y[to])
  const ticks = travelTicks(flightOf(world, ship), distance)
  startFlight(world, ship, to, ticks)
  return ticks
}

/** Minimum ticks until a pirate called from another place joins. Source: balance.md section 8. */
const ANSWER_TICKS_MIN = 4

/**
 * Sends a pirate to join a battle; returns the ticks until it joins. `battle` is the battle's
 * durable number and `place` where it is fought, 0 if unknown.
 */
export function summon(world: World, ship: Eid, battle: number, place: Eid): number {
  const npc = npcOf(world, ship)
  const { state, poi } = world.read(Location)
  const columns = world.write(Npc)
  const isHere = place !== 0 && poi[ship] === place
  const isFree = state[ship] === AT_POI && place !== 0 && !isHere
  const flight = isFree ? flyTo(world, ship, place) + 1 : 0
  const ticks = isHere ? 1 : Math.max(ANSWER_TICKS_MIN, flight)
  columns.prey[npc] = 0
  columns.call[npc] = battle
  scheduleDecision(world, npc, world.tick + ticks)
  return ticks
}
