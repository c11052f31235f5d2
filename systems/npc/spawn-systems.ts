/**
 * Spawning of pirates. Each system with little or no police has a pack, and a stronghold also has a
 * boss. A new world starts with all of them; a system that lacks some gets one every 60 ticks.
 * Prowlers visit better policed systems for a while. Source: balance.md section 8.
 */
import { BOSS, PIRATES, PROWLER_TICKS, packAt, prowlerPct } from '../../core/catalog/index.ts'
import { divFloor } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { SHIP_WRITES } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { rearm } from '../siege/rules.ts'
import { Siege } from '../siege/state.ts'
import { depthOf } from '../travel/depth-model.ts'
import { PLACE_WRITES, placeInSpace } from '../travel/rules.ts'
import { POI_TYPES, Poi, StarSystem } from '../travel/state.ts'
import { empireSpawnOf, missingShipType, shipTypesWanted } from './empire-model.ts'
import {
  crewRowIn,
  EMPIRE_SHIP,
  hasRoom,
  lurkPlacesOf,
  npcsOf,
  PIRATE,
  strongholdBase,
} from './model.ts'
import { broadcast } from './radio-rules.ts'
import { addToWheel, makeNpcShip, type NewNpcShip, scheduleDecision } from './rules.ts'
import { Npc, NpcPilot, SystemNpcs, THINK_WHEEL } from './state.ts'

const SPAWN_TICKS = 60
/** A lost empire ship is replaced at one spawn in this many. ours: the sheets give no rate. */
const SPAWNS_PER_EMPIRE_SHIP = 6
/** Ticks over which the first decisions of new NPCs are spread. */
const FIRST_DECISION_TICKS = 30
const PLACE_SEED = hashText('npc.place')
const DECISION_SEED = hashText('npc.first_thought')
const PACK_SEED = hashText('npc.pack')
const PROWL_SEED = hashText('npc.prowl')
/** A system draws for a prowler at one spawn in this many. */
const SPAWNS_PER_PROWLER = PROWLER_TICKS / SPAWN_TICKS
/** Ticks for which a prowler stays: it leaves before the next one can come. */
const STAY_TICKS = PROWLER_TICKS - 1

/** Index into PIRATES of the prowlers. */
const SCOUT = PIRATES.findIndex(({ role }) => role === 'scout')

/** Makes an undamaged NPC at a place of its system, and schedules its first decision. */
function makeNpc(world: World, poi: Eid, plan: Omit<NewNpcShip, 'system'>): Row {
  const npc = makeNpcShip(world, { ...plan, system: world.read(Poi).system[poi] })
  const ship = world.read(Npc).ship[npc]
  placeInSpace(world, ship, poi)
  const { seed, tick } = world
  const { seq } = world.read(Ship)
  const wait = drawBelow(FIRST_DECISION_TICKS, hash32(seed, tick, DECISION_SEED, seq[ship]))
  scheduleDecision(world, npc, tick + 1 + wait)
  return npc
}

/** Draws one of the places of a system; without any, returns the place where jumps arrive. */
function drawPlace(view: WorldView, system: Eid, places: readonly Eid[]): Eid {
  if (places.length === 0) return view.read(StarSystem).entryPoi[system]
  return places[drawBelow(places.length, hash32(view.seed, view.countOf(Ship), PLACE_SEED, system))]
}

/**
 * Makes a pirate where pirates of its system lurk, a boss at its station; `type` is an index into
 * PIRATES.
 */
export function makePirate(world: World, system: Eid, type: number): Row {
  const station = PIRATES[type].isBoss ? strongholdBase(world, system) : 0
  const poi =
    station === 0
      ? drawPlace(world, system, lurkPlacesOf(world, system))
      : world.read(Base).poi[station]
  return makePirateAt(world, poi, type)
}

function makePirateAt(world: World, poi: Eid, type: number): Row {
  const { shipClass, marines } = PIRATES[type]
  const npc = makeNpc(world, poi, { kind: PIRATE, type, shipClass })
  world.write(Ship).marinesFit[world.read(Npc).ship[npc]] = marines
  return npc
}

/** Makes a prowler: a scout from lawless space that waits at a belt for a while. */
function makeProwler(world: World, system: Eid): void {
  const { type } = world.read(Poi)
  const places = lurkPlacesOf(world, system)
  const belts = places.filter((poi) => POI_TYPES[type[poi]] === 'asteroid_belt')
  const poi = drawPlace(world, system, belts.length > 0 ? belts : places)
  const npc = makePirateAt(world, poi, SCOUT)
  world.write(Npc).guestUntil[npc] = world.tick + STAY_TICKS
}

/**
 * Returns whether a prowler comes to a system at its spawn of this tick: only at every
 * SPAWNS_PER_PROWLER-th spawn, by chance, and never while another pirate is there.
 */
function doesProwlerCome(view: WorldView, system: Eid): boolean {
  const { police, seq } = view.read(StarSystem)
  const pct = prowlerPct(police[system])
  if (pct === 0) return false
  const turn = divFloor(view.tick, SPAWN_TICKS) + seq[system]
  if (turn % SPAWNS_PER_PROWLER !== 0) return false
  const { kind } = view.read(Npc)
  if (npcsOf(view, system).some((npc) => kind[npc] === PIRATE)) return false
  return drawBelow(100, hash32(view.seed, PROWL_SEED, seq[system], turn)) < pct
}

/** Makes a ship of the empire that a system belongs to; `type` is an index into EMPIRE_NPCS. */
function makeEmpireShip(world: World, system: Eid, type: number): Row {
  const { poi, shipClass } = empireSpawnOf(world, system, type)
  return makeNpc(world, poi, { kind: EMPIRE_SHIP, type, shipClass })
}

/** Returns how many pirates of each type a system should have now. */
function wantedIn(view: WorldView, system: Eid): readonly number[] {
  const { police, stronghold, seq } = view.read(StarSystem)
  const isStronghold = stronghold[system] === 1
  const isDue = view.tick >= view.read(SystemNpcs).bossTick[system]
  const pack = packAt({
    police: police[system],
    jumps: depthOf(view, system),
    isStronghold,
    random: hash32(view.seed, PACK_SEED, seq[system]),
  })
  return isStronghold && !isDue ? pack.map((count, type) => (type === BOSS ? 0 : count)) : pack
}

/** Returns the type of pirate that a system lacks: the boss, else the first one; -1 if none. */
function missingPirateType(view: WorldView, system: Eid): number {
  const wanted = wantedIn(view, system)
  if (wanted.every((count) => count === 0)) return -1
  const { kind, type } = view.read(Npc)
  const present = new Array<number>(PIRATES.length).fill(0)
  for (const npc of npcsOf(view, system)) if (kind[npc] === PIRATE) present[type[npc]]++
  if (present[BOSS] < wanted[BOSS]) return BOSS
  return wanted.findIndex((count, index) => present[index] < count)
}

/**
 * Fills a new world in rounds of one NPC per system, so that scarce room is shared by all systems.
 */
export function populate(world: World): void {
  const systems = Array.from({ length: world.highOf(StarSystem) }, (_, i) => i + 1)
  const typesBySystem = systems.map((system) =>
    wantedIn(world, system).flatMap((count, type) => Array<number>(count).fill(type)),
  )
  fill(world, typesBySystem, makePirate)
  fill(
    world,
    systems.map((system) => shipTypesWanted(world, system)),
    makeEmpireShip,
  )
}

/** Makes NPCs of these types for each system, one per system and round, while there is room. */
function fill(
  world: World,
  typesBySystem: readonly (readonly number[])[],
  make: (world: World, system: Eid, type: number) => Row,
): void {
  const rounds = typesBySystem.reduce((max, types) => Math.max(max, types.length), 0)
  for (let round = 0; round < rounds; round++) {
    for (const [index, types] of typesBySystem.entries()) {
      if (round >= types.length) continue
      if (!hasRoom(world)) return
      make(world, index + 1, types[round])
    }
  }
}

/** Makes the boss of a stronghold, rearms its station, and announces it on the pirate radio. */
function spawnBoss(world: World, system: Eid): void {
  makePirate(world, system, BOSS)
  const base = strongholdBase(world, system)
  if (base !== 0) rearm(world, base)
  const { boss } = crewRowIn(world, system)
  broadcast(world, {
    event: 'boss_returns',
    speaker: boss,
    system,
    poi: 0,
    actor: 0,
    number: world.read(StarSystem).seq[system],
  })
}

/** Makes missing ships, in one sixtieth of the systems each tick. */
export const spawn: SystemDef = {
  name: 'npc.spawn',
  phase: 'arrive',
  writes: [...SHIP_WRITES, ...PLACE_WRITES, NpcPilot, Npc, Siege, SystemNpcs],
  run(world) {
    const first = world.tick % SPAWN_TICKS
    const isEmpiresTurn = divFloor(world.tick, SPAWN_TICKS) % SPAWNS_PER_EMPIRE_SHIP === 0
    for (let system = first; system <= world.highOf(StarSystem); system += SPAWN_TICKS) {
      if (system === 0 || !hasRoom(world)) continue
      const type = missingPirateType(world, system)
      if (type === BOSS) spawnBoss(world, system)
      else if (type >= 0) makePirate(world, system, type)
      else if (doesProwlerCome(world, system)) makeProwler(world, system)
      const shipType = isEmpiresTurn && hasRoom(world) ? missingShipType(world, system) : -1
      if (shipType >= 0) makeEmpireShip(world, system, shipType)
    }
  },
}

/*
 * When NPCs decide: a timing wheel, so that a tick costs only as much as the NPCs that are due.
 * Derived from `thinkTick`.
 */

/**
 * Lists the NPCs that are due in this tick, in the order of their ships: if `isStalking`, those
 * that stalk prey or answer a call, otherwise the others. An NPC that has scheduled its next
 * decision is in neither list. A row that was released and taken again may be listed twice until
 * its NPC schedules a decision.
 */
export function dueNpcs(world: World, isStalking: boolean): Row[] {
  const due = world.index(THINK_WHEEL).get(world.tick)
  if (!due) return []
  const { alive, thinkTick, prey, call, ship } = world.read(Npc)
  const { seq } = world.read(Ship)
  const rows = due.filter(
    (npc) =>
      alive[npc] === 1 &&
      thinkTick[npc] === world.tick &&
      (prey[npc] !== 0 || call[npc] !== 0) === isStalking,
  )
  return rows.sort((a, b) => seq[ship[a]] - seq[ship[b]])
}

/** Removes the entries of this tick from the wheel. */
export function clearDue(world: World): void {
  world.index(THINK_WHEEL).delete(world.tick)
}

/** Rebuilds the wheel from the table, after a restore. */
export function rebuildWheel(world: World): void {
  world.index(THINK_WHEEL).clear()
  const { alive, thinkTick } = world.read(Npc)
  for (let npc = 1; npc <= world.highOf(Npc); npc++) {
    if (alive[npc] === 1) addToWheel(world, npc, thinkTick[npc])
  }
}
