/**
 * Lookups of NPC ships: which NPC flies a ship, its name, which pirates defend one that is
 * attacked, and the wire forms of NPC ships.
 */
import {
  CREWS,
  type CrewRow,
  EMPIRE_NPCS,
  type EmpireNpcRow,
  PIRATES,
  type PirateRow,
  pirateName,
  policeName,
} from '../../core/catalog/index.ts'
import { rowsOf } from '../../core/columns.ts'
import { holdsNoMoreGoods } from '../../core/goods.ts'
import { PIRATES_PER_BATTLE_MAX, TABLE_FILL_MAX_PCT } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { hash32, hashText } from '../../core/rng.ts'
import { dayStartOf } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { empireOfBase } from '../base/model.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { ShipCombat } from '../combat/state.ts'
import { droneOf, droneTitle } from '../drone/model.ts'
import { hasSpecial, shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { creditsPerDayMax } from '../skill/model.ts'
import { lanesFrom, poisOf } from '../travel/model.ts'
import { Location, POI_TYPES, Poi, StarSystem } from '../travel/state.ts'
import { Convoy } from './convoy-state.ts'
import {
  CREWS_WIDTH,
  Hunter,
  NPC_KINDS,
  NPCS_OF,
  Npc,
  type NpcKind,
  NpcPilot,
  Outlaw,
  SystemNpcs,
} from './state.ts'

/** Returns whether a customs ship is on duty in a system; one that is in a battle is not. */
export function isGuarded(view: WorldView, system: Eid): boolean {
  const { kind, type, ship } = view.read(Npc)
  const { participant } = view.read(ShipCombat)
  return npcsOf(view, system).some(
    (npc) =>
      kind[npc] === EMPIRE_SHIP &&
      EMPIRE_NPCS[type[npc]].role === 'customs' &&
      participant[ship[npc]] === 0,
  )
}

/** Returns the index into CREWS of the crew that holds a system: that of the nearest stronghold. */
export const crewIn = (view: WorldView, system: Eid): number => view.read(SystemNpcs).crew[system]

/** Returns the catalogue row of the crew that holds a system. */
export const crewRowIn = (view: WorldView, system: Eid): CrewRow => CREWS[crewIn(view, system)]

/** Returns the base of a stronghold; 0 in other systems. */
export function strongholdBase(view: WorldView, system: Eid): Eid {
  if (view.read(StarSystem).stronghold[system] === 0) return 0
  const { base } = view.read(Poi)
  const poi = poisOf(view, system).find((place) => base[place] !== 0)
  return poi === undefined ? 0 : base[poi]
}

/**
 * Returns whether an NPC keeps the hulls it boards: a boss does; other pirates plunder a hull and
 * let it go. ours: the sheet has both doctrines but does not say which pirates follow which.
 * Source: combat.md section 10.
 */
export const keepsHulls = (view: WorldView, ship: Eid): boolean =>
  pirateOf(view, ship)?.doctrine === 'capture'

/** Returns a player's standing with a crew, -100…100. */
export const standingWith = (view: WorldView, player: Eid, crew: number): number =>
  view.read(Outlaw).standing[player * CREWS_WIDTH + crew]

const RADIO_SPECIAL = 'pirate_radio'

/** Lists the systems within this many jumps, nearest first. */
function systemsWithin(view: WorldView, system: Eid, jumps: number): Eid[] {
  const found = [system]
  const seen = new Set<Eid>(found)
  let from = 0
  for (let ring = 0; ring < jumps; ring++) {
    const end = found.length
    for (; from < end; from++) {
      for (const to of lanesFrom(view, found[from])) {
        if (seen.has(to)) continue
        seen.add(to)
        found.push(to)
      }
    }
  }
  return found
}

/** Lists the players online in a system whose ships have a receiver. */
function listenersIn(view: WorldView, system: Eid): Eid[] {
  const { owner } = view.read(Ship)
  const { ship: flown, bound } = view.read(Player)
  const { nextHere } = view.read(Location)
  const heads = poisOf(view, system).map((poi) => view.read(Poi).firstShip[poi])
  const found: Eid[] = []
  for (const head of [...heads, view.read(StarSystem).firstTraveller[system]]) {
    for (let ship = head; ship !== 0; ship = nextHere[ship]) {
      const player = owner[ship]
      if (player === 0 || flown[player] !== ship || bound[player] === 0) continue
      if (hasSpecial(view, ship, RADIO_SPECIAL)) found.push(player)
    }
  }
  return found
}

/** Lists the players who receive a broadcast from a system, in the order of their numbers. */
export function listeners(view: WorldView, system: Eid, jumps: number): Eid[] {
  const { seq } = view.read(Player)
  return systemsWithin(view, system, jumps)
    .flatMap((near) => listenersIn(view, near))
    .sort((a, b) => seq[a] - seq[b])
}

/** Returns how much more bounty a player can be paid today, credits. */
export function bountyLeft(view: WorldView, player: Eid): number {
  const { dayStartTick, bountyCredits } = view.read(Hunter)
  const paid = dayStartTick[player] === dayStartOf(view.tick) ? bountyCredits[player] : 0
  return Math.max(0, creditsPerDayMax(view, player) - paid)
}

/** Indexes into NPC_KINDS. */
export const PIRATE = NPC_KINDS.indexOf('pirate')
export const EMPIRE_SHIP = NPC_KINDS.indexOf('npc')
export const POLICE = NPC_KINDS.indexOf('police')
const NAME_SEED = hashText('npc.name')

/** Returns whether there is room for another NPC, with a reserve left for police and players. */
export function hasRoom(view: WorldView): boolean {
  const ships = divFloor(rowsOf(Ship, view.maxEntities) * TABLE_FILL_MAX_PCT, 100)
  return !isNearlyFull(view, Npc) && view.countOf(Ship) < ships && !holdsNoMoreGoods(view)
}

/** Returns the NPC who flies a ship: a row of `Npc`; 0 if none does. */
export const npcOf = (view: WorldView, ship: Eid): Row => view.read(NpcPilot).npc[ship]

/** Returns the convoy that a ship belongs to; 0 if none. */
export const convoyOf = (view: WorldView, ship: Eid): Row =>
  view.read(Npc).convoy[npcOf(view, ship)]

/** Returns whether a ship is the freighter of a convoy. */
export function isFreighter(view: WorldView, ship: Eid): boolean {
  const convoy = convoyOf(view, ship)
  return convoy !== 0 && view.read(Convoy).ship[convoy] === ship
}

/** Returns the catalogue row of the pirate who flies a ship; undefined if none does. */
export function pirateOf(view: WorldView, ship: Eid): PirateRow | undefined {
  const npc = npcOf(view, ship)
  return npc !== 0 && view.read(Npc).kind[npc] === PIRATE
    ? PIRATES[view.read(Npc).type[npc]]
    : undefined
}

/** Returns the catalogue row of the empire NPC who flies a ship; undefined if none does. */
export function empireNpcOf(view: WorldView, ship: Eid): EmpireNpcRow | undefined {
  const npc = npcOf(view, ship)
  return npc !== 0 && view.read(Npc).kind[npc] === EMPIRE_SHIP
    ? EMPIRE_NPCS[view.read(Npc).type[npc]]
    : undefined
}

/** Returns the kind of the NPC who flies a ship; undefined if none does. */
export function npcKindOf(view: WorldView, ship: Eid): NpcKind | undefined {
  const npc = npcOf(view, ship)
  return npc === 0 ? undefined : NPC_KINDS[view.read(Npc).kind[npc]]
}

export const isPolice = (view: WorldView, ship: Eid): boolean => npcKindOf(view, ship) === 'police'

/** Returns whether a ship is an empire's, police included: attacking one is a crime. */
export const isOfficial = (view: WorldView, ship: Eid): boolean =>
  isPolice(view, ship) || npcKindOf(view, ship) === 'npc'

/** Returns whether a ship is flown by the boss of a stronghold. */
export const isBoss = (view: WorldView, ship: Eid): boolean => pirateOf(view, ship)?.isBoss === true

export const isPirate = (view: WorldView, ship: Eid): boolean => pirateOf(view, ship) !== undefined

/**
 * Returns the name of the NPC who flies a ship. It is derived from the ship's durable number, so it
 * never changes; a boss is named after the crew's leader.
 */
export function npcName(view: WorldView, ship: Eid): string {
  const { system } = view.read(Npc)
  const random = hash32(view.seed, NAME_SEED, view.read(Ship).seq[ship])
  if (isBoss(view, ship)) return crewRowIn(view, system[npcOf(view, ship)]).boss
  if (isPolice(view, ship)) {
    return policeName(view.read(StarSystem).empire[system[npcOf(view, ship)]] - 1, random)
  }
  const empireNpc = empireNpcOf(view, ship)
  return empireNpc ? empireNpc.names[random % empireNpc.names.length] : pirateName(random)
}

/**
 * Returns the index into EMPIRES of the empire that an NPC ship fights for; -1 for police, who
 * fight for the law alone, and for others. A convoy belongs to the empire of its destination,
 * wherever it is.
 */
export function empireOfNpc(view: WorldView, ship: Eid): number {
  if (npcKindOf(view, ship) !== 'npc') return -1
  const convoy = convoyOf(view, ship)
  if (convoy !== 0) return empireOfBase(view, view.read(Convoy).to[convoy])
  return view.read(StarSystem).empire[view.read(Npc).system[npcOf(view, ship)]] - 1
}

/** Returns the name of a ship that no player flies: that of its drone, its NPC or its hull. */
export function pilotName(view: WorldView, ship: Eid): string {
  const drone = droneOf(view, ship)
  if (drone !== 0) return droneTitle(view, drone)
  return npcOf(view, ship) === 0 ? shipName(view, ship) : npcName(view, ship)
}

/** Lists the NPCs at home in a system, newest first. */
export const npcsOf: (view: WorldView, system: Eid) => Row[] = NPCS_OF.rows

/** Kinds of places that attract pirates. */
const LURES: readonly (typeof POI_TYPES)[number][] = [
  'asteroid_belt',
  'asteroid',
  'gas_cloud',
  'nebula',
  'relic',
]

/**
 * Lists the places where pirates of a system lurk: those of a kind in LURES; if there are none, all
 * others. Hidden places, bases, arenas and the place where ships arrive are never among them.
 */
export function lurkPlacesOf(view: WorldView, system: Eid): readonly Eid[] {
  const { type, hidden, base, class: kind } = view.read(Poi)
  const entry = view.read(StarSystem).entryPoi[system]
  const open: Eid[] = []
  const lures: Eid[] = []
  for (const poi of poisOf(view, system)) {
    if (hidden[poi] !== 0 || base[poi] !== 0 || poi === entry) continue
    if (view.texts.get(kind[poi]) === 'arena') continue
    open.push(poi)
    if (LURES.includes(POI_TYPES[type[poi]])) lures.push(poi)
  }
  return lures.length > 0 ? lures : open
}

/** Lists a system's pirates in no battle, by ship number, at most as many as a battle may have. */
export function uncommittedPirates(view: WorldView, system: Eid): Eid[] {
  const { kind, ship } = view.read(Npc)
  const { seq } = view.read(Ship)
  const { participant } = view.read(ShipCombat)
  return npcsOf(view, system)
    .filter((npc) => kind[npc] === PIRATE && participant[ship[npc]] === 0)
    .map((npc) => ship[npc])
    .sort((a, b) => seq[a] - seq[b])
    .slice(0, PIRATES_PER_BATTLE_MAX)
}

/** What a crew knows about the ships that fight one of its own. */
export interface Threat {
  readonly foes: number
  /** Tier of the largest hull among the foes. */
  readonly tierMax: number
  /** Pirates lost in the battle so far. */
  readonly losses: number
}

const RAIDER_TIER_MIN = 1
const RAIDER_LOSSES_MIN = 2
const ENFORCER_TIER_MIN = 2
const ENFORCER_FOES_MIN = 3
/** Highest tier of hull that a scout attacks alone. Source: combat.md section 13. */
export const DUEL_TIER_MAX = 1

/** Returns whether pirates of a rank come when called for help. Source: balance.md section 8. */
export function answersCall(rank: number, { foes, tierMax, losses }: Threat): boolean {
  if (rank <= 1) return true
  if (rank === 2) return tierMax >= RAIDER_TIER_MIN || losses >= RAIDER_LOSSES_MIN
  return tierMax >= ENFORCER_TIER_MIN || foes >= ENFORCER_FOES_MIN
}

/**
 * Returns whether a pirate fights a threat without calling for help: a scout does so when it is the
 * only pirate at its place and the threat is a single small hull. At a stronghold all fight
 * together.
 */
export function isDuel(view: WorldView, ship: Eid, { foes, tierMax, losses }: Threat): boolean {
  const { poi, system } = view.read(Location)
  if (pirateOf(view, ship)?.rank !== 1 || losses > 0) return false
  if (view.read(StarSystem).stronghold[system[ship]] === 1) return false
  if (poi[ship] !== 0 && piratesHere(view, poi[ship]).length > 1) return false
  return foes === 1 && tierMax <= DUEL_TIER_MAX
}

/** Lists the pirates at a place, oldest ship first. O(NPCs of the system). */
export const piratesHere = (view: WorldView, poi: Eid): Eid[] => npcsHere(view, poi, PIRATE)

/** Lists the empire ships at a place, then its police, oldest first. O(NPCs of the system). */
export const empireShipsHere = (view: WorldView, poi: Eid): Eid[] => [
  ...npcsHere(view, poi, EMPIRE_SHIP),
  ...npcsHere(view, poi, POLICE),
]

function npcsHere(view: WorldView, poi: Eid, kindWanted: number): Eid[] {
  const { kind, ship } = view.read(Npc)
  const { poi: poiOf } = view.read(Location)
  const { seq } = view.read(Ship)
  return npcsOf(view, view.read(Poi).system[poi])
    .filter((npc) => kind[npc] === kindWanted && poiOf[ship[npc]] === poi)
    .map((npc) => ship[npc])
    .sort((a, b) => seq[a] - seq[b])
}
