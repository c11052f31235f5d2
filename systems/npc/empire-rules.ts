/**
 * Ships of the empires: how many of each a system has, where they are posted, and what they do:
 * patrols keep watch and stand by whom pirates attack, customs lie where one arrives, traders go
 * from place to place. ours: the sheets name them and leave the rest open.
 */
import { EMPIRE_NPCS, empireNpcIndex } from '../../core/catalog/index.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { Eid, Row, World, WorldView } from '../../core/world.ts'
import { Base } from '../base/columns.ts'
import { Fighting, PARTICIPANT_KINDS, Participant } from '../combat/columns.ts'
import { areHostile, battleIn, wishToEngage } from '../combat/rules.ts'
import { participantsOf } from '../combat/views.ts'
import { Ship } from '../ship/columns.ts'
import { AT_POI, Location, Poi, StarSystem } from '../travel/columns.ts'
import { lanesFrom, poisOf } from '../travel/rules.ts'
import { Npc } from './columns.ts'
import { EMPIRE_SHIP, npcsOf } from './rules.ts'
import { thinkAt } from './think.ts'
import { flyTo, LOOK_TICKS, mend } from './ways.ts'

const PATROL = empireNpcIndex('patrol')
const CUSTOMS = empireNpcIndex('customs')
const TRADER = empireNpcIndex('trader')
const WAY = hashText('npc.empire_way')
/** Looks after which a trader sails on, and a patrol makes its round, in one of so many cases. */
const LOOKS_PER_WAY: Readonly<Record<number, number>> = { [PATROL]: 12, [TRADER]: 4 }

/** The place of a system with a station of its empire; 0 none. */
function portOf(view: WorldView, system: Eid): Eid {
  const { empire } = view.read(StarSystem)
  const { base } = view.read(Poi)
  const of = view.read(Base).empire
  return (
    poisOf(view, system).find((poi) => base[poi] !== 0 && of[base[poi]] === empire[system]) ?? 0
  )
}

/** True for a system of an empire with a lane out of it. */
export function isBorder(view: WorldView, system: Eid): boolean {
  const { empire } = view.read(StarSystem)
  if (empire[system] === 0) return false
  return lanesFrom(view, system).some((to) => empire[to] !== empire[system])
}

/** Types of ships (indices into EMPIRE_NPCS) that a system should have, one each time. */
export function officesOf(view: WorldView, system: Eid): number[] {
  if (view.read(StarSystem).empire[system] === 0) return []
  const port = portOf(view, system)
  const isCapital = port !== 0 && view.read(Base).capital[view.read(Poi).base[port]] === 1
  const customs = isBorder(view, system) ? [CUSTOMS] : []
  if (port === 0) return customs
  return isCapital ? [PATROL, TRADER, ...customs, PATROL, TRADER] : [PATROL, TRADER, ...customs]
}

/** The type of empire ship that a system is short of; -1 if it has all. */
export function missingShip(view: WorldView, system: Eid): number {
  const wanted = officesOf(view, system)
  if (wanted.length === 0) return -1
  const { kind, type } = view.read(Npc)
  const there = EMPIRE_NPCS.map(() => 0)
  for (const npc of npcsOf(view, system)) if (kind[npc] === EMPIRE_SHIP) there[type[npc]]++
  return EMPIRE_NPCS.findIndex(
    (_, type_) => there[type_] < wanted.filter((office) => office === type_).length,
  )
}

/** Where a new ship of that type begins, and its hull. */
export function postOf(view: WorldView, system: Eid, type: number) {
  const entry = view.read(StarSystem).entryPoi[system]
  const poi = type === CUSTOMS ? entry : portOf(view, system) || entry
  return { poi, shipClass: EMPIRE_NPCS[type].shipClass }
}

/** Places that traders and patrols call at. */
function callsOf(view: WorldView, system: Eid): readonly Eid[] {
  const { hidden, class: kind } = view.read(Poi)
  return poisOf(view, system).filter(
    (poi) => hidden[poi] === 0 && view.texts.get(kind[poi]) !== 'arena',
  )
}

/**
 * The side of a battle that stands against pirates alone, and is no pirates' itself: whom a patrol
 * may help without a quarrel of its own. 0 none.
 */
export function sideToHelp(view: WorldView, battle: Row): number {
  const { kind, side } = view.read(Participant)
  const rows = participantsOf(view, battle)
  const isPirates = (row: Row): boolean => PARTICIPANT_KINDS[kind[row]] === 'pirate'
  const sides = [...new Set(rows.map((row) => side[row]))].sort((a, b) => a - b)
  return (
    sides.find((own) => {
      const foes = rows.filter((row) => areHostile(view, battle, own, side[row]))
      const isOwn = rows.some((row) => side[row] === own && isPirates(row))
      return foes.length > 0 && foes.every(isPirates) && !isOwn
    }) ?? 0
  )
}

/** A patrol joins whom pirates have attacked in its system. True when it will. */
function help(world: World, npc: Row): boolean {
  const { ship, system } = world.read(Npc)
  const battle = battleIn(world, system[npc])
  if (battle === 0) return false
  const side = sideToHelp(world, battle)
  if (side === 0) return false
  wishToEngage(world, ship[npc], battle, side)
  return true
}

/** What the ships of the empires do whose turn it is. */
export function keepWatch(world: World, npcs: readonly Row[]): void {
  const { ship, system, type, thinkTick } = world.read(Npc)
  const { state, poi } = world.read(Location)
  const { hull, hullMax, seq } = world.read(Ship)
  for (const npc of npcs) {
    if (thinkTick[npc] !== world.tick) continue
    const own = ship[npc]
    thinkAt(world, npc, world.tick + LOOK_TICKS)
    if (state[own] !== AT_POI || world.read(Fighting).participant[own] !== 0) continue
    if (hull[own] < hullMax[own]) mend(world, own)
    if (type[npc] === PATROL && help(world, npc)) continue
    const looks = LOOKS_PER_WAY[type[npc]]
    if (looks === undefined) continue
    const lot = hash32(world.seed, world.tick, WAY, seq[own])
    if (drawBelow(looks, lot) !== 0) continue
    const others = callsOf(world, system[npc]).filter((at) => at !== poi[own])
    if (others.length === 0) continue
    const ticks = flyTo(world, own, others[lot % others.length])
    thinkAt(world, npc, world.tick + ticks + LOOK_TICKS)
  }
}

/** Empire ships that stand by one that is attacked: free patrols and customs of its system. */
export function watchOf(view: WorldView, system: Eid): Eid[] {
  const { kind, type, ship } = view.read(Npc)
  const { participant } = view.read(Fighting)
  const { state } = view.read(Location)
  const { seq } = view.read(Ship)
  return npcsOf(view, system)
    .filter((npc) => kind[npc] === EMPIRE_SHIP && type[npc] !== TRADER)
    .map((npc) => ship[npc])
    .filter((at) => participant[at] === 0 && state[at] === AT_POI)
    .sort((a, b) => seq[a] - seq[b])
}

/** The customs ship that lies where one arrives in a system; 0 none that is free. */
export function customsAt(view: WorldView, system: Eid): Eid {
  const { kind, type, ship } = view.read(Npc)
  const found = npcsOf(view, system).find(
    (npc) =>
      kind[npc] === EMPIRE_SHIP &&
      type[npc] === CUSTOMS &&
      view.read(Fighting).participant[ship[npc]] === 0,
  )
  return found === undefined ? 0 : ship[found]
}
