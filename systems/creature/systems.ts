/**
 * Creatures in a tick: they strike, fight by their nature, heal, and lie in wait; and the creation
 * of creatures and herds. Source: combat.md section 13; numbers ours.
 */
import { assert } from '../../core/assert.ts'
import { HABITATS, type Habitat } from '../../core/catalog/creature-row.ts'
import { CREATURES, shipClassIndex } from '../../core/catalog/index.ts'
import { rowsOf } from '../../core/columns.ts'
import { holdsNoMoreGoods } from '../../core/goods.ts'
import { CREATURES_SHARE_PCT, HERDS_PER_SYSTEM_MAX, TABLE_FILL_MAX_PCT } from '../../core/limits.ts'
import { divCeil, divFloor } from '../../core/math.ts'
import type { CheckDef } from '../../core/registry.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { capitalSystems } from '../base/model.ts'
import { BATTLE_WRITES } from '../combat/battles-rules.ts'
import { aggress } from '../combat/engage-rules.ts'
import { Participant, ShipCombat, STANCES } from '../combat/state.ts'
import { CHARGE_WRITES } from '../law/crimes-rules.ts'
import { depositsOf } from '../mining/model.ts'
import { Deposit } from '../mining/state.ts'
import { Outlaw, SystemNpcs } from '../npc/state.ts'
import { createShip, recompute, SHIP_WRITES } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { Siege, StationHull } from '../siege/state.ts'
import { poisOf } from '../travel/model.ts'
import { PLACE_WRITES, placeInSpace } from '../travel/rules.ts'
import { AT_POI, Location, POI_TYPES, Poi, StarSystem } from '../travel/state.ts'
import { behaviourOf, canBolt, FLIGHT_TICKS, nearestEnemy } from './behaviour-systems.ts'
import { creatures, huntingCreatures, membersOf, rousedCreatures } from './model.ts'
import { calm, enterCreature, scheduleStrike, takeStrikes } from './rules.ts'
import { Creature, Herd, Wild } from './state.ts'

/** Checks each creature. */
export const creaturesLive: CheckDef = {
  name: 'creatures: each has a hull without an owner, in its system; no herd outgrows its size',
  run(view, full) {
    if (!full) return
    const row = view.read(Creature)
    const herds = view.read(Herd)
    const { owner, alive, hull, hullMax } = view.read(Ship)
    const { creature: wild } = view.read(Wild)
    const { system } = view.read(Location)
    const { participant } = view.read(ShipCombat)
    const roused = rousedCreatures(view)
    for (const creature of creatures(view)) {
      const body = row.ship[creature]
      const isSound = alive[body] === 1 && wild[body] === creature && owner[body] === 0
      if (!isSound) assert(false, `creature ${creature} has no body of its own`)
      const herd = row.herd[creature]
      const isHome = herd === 0 || herds.system[herd] === system[body]
      if (!isHome) assert(false, `creature ${creature} is away from home`)
      const isActive = participant[body] !== 0 || hull[body] < hullMax[body]
      if (isActive && !roused.has(creature)) assert(false, `creature ${creature} is overlooked`)
    }
    for (let herd = 1; herd <= view.highOf(Herd); herd++) {
      const count = herds.count[herd]
      if (count !== membersOf(view, herd).length) assert(false, `herd ${herd} is miscounted`)
      const size = herds.size[herd]
      if (count > size) assert(false, `herd ${herd} is larger than it may be`)
      if (size > CREATURES[herds.kind[herd]].herd[1])
        assert(false, `herd ${herd} is larger than its kind allows`)
    }
  },
}

/* Fighting */

/** Returns whether the target of a creature is still in its battle. */
function isPresent(view: WorldView, row: Row, target: Row): boolean {
  const { alive, battle } = view.read(Participant)
  return target !== 0 && alive[target] === 1 && battle[target] === battle[row]
}

/** Writes the orders of a creature in a battle. */
function fightBack(world: World, creature: Row, row: Row): void {
  const part = world.write(Participant)
  part.orderTick[row] = world.tick
  const enemy = isPresent(world, row, part.target[row])
    ? part.target[row]
    : nearestEnemy(world, row)
  if (enemy === 0) return
  if (enemy !== part.target[row]) part.orderTarget[row] = enemy
  const { hull, hullMax } = world.read(Ship)
  const { nature, guns } = CREATURES[world.read(Creature).kind[creature]]
  const body = part.ship[row]
  const behaviour = behaviourOf(nature, {
    hullPct: Math.trunc((100 * hull[body]) / hullMax[body]),
    isBlooded: part.dealt[row] + part.taken[row] > 0,
    reach: guns[0]?.reach ?? -1,
    ring: part.ring[row],
    enemyRing: part.ring[enemy],
    canBolt: canBolt(world, creature),
  })
  const flight = world.write(Creature)
  const last = flight.flightTick[creature]
  const isNew = last === 0 || world.tick - last >= FLIGHT_TICKS
  if (behaviour.stance === 'flee' && isNew) flight.flightTick[creature] = world.tick
  part.orderMove[row] = behaviour.move
  part.orderStance[row] = STANCES.indexOf(behaviour.stance) + 1
}

/* Strikes */

/** Chance that a creature that may strike does so, %. Source: combat.md section 13. */
const STRIKE_CHANCE_PCT = 25
const STRIKE = hashText('creature.strike')
const CHOICE = hashText('creature.choice')

/**
 * Returns the ships at a place that can be preyed on: flown by someone online, visible, at peace.
 */
function preyAt(view: WorldView, poi: Eid): Eid[] {
  const { nextHere, state } = view.read(Location)
  const { owner } = view.read(Ship)
  const { ship: flown, bound, cloaked } = view.read(Player)
  const { participant, graceUntil } = view.read(ShipCombat)
  const { tick } = view
  const prey: Eid[] = []
  for (let ship = view.read(Poi).firstShip[poi]; ship !== 0; ship = nextHere[ship]) {
    const pilot = owner[ship]
    if (pilot === 0 || flown[pilot] !== ship || bound[pilot] === 0 || cloaked[pilot] === 1) continue
    if (state[ship] !== AT_POI || participant[ship] !== 0 || graceUntil[ship] >= tick) continue
    prey.push(ship)
  }
  return prey
}

/**
 * Draws one of several ships. The order in which they are given does not matter, because it is that
 * of a place's list, which is not saved.
 */
function drawPrey(view: WorldView, own: number, prey: readonly Eid[]): Eid {
  const { seq } = view.read(Ship)
  const lotOf = (ship: Eid): number => hash32(view.seed, view.tick, CHOICE, own, seq[ship])
  return prey.reduce((best, ship) => {
    const lot = lotOf(ship)
    const bestLot = lotOf(best)
    return lot < bestLot || (lot === bestLot && seq[ship] < seq[best]) ? ship : best
  })
}

/** Lets creatures that lie in wait choose prey. Each place is searched once in a tick. */
export function lieInWait(world: World): void {
  const { ship, prey } = world.read(Creature)
  const { state, poi } = world.read(Location)
  const { participant } = world.read(ShipCombat)
  const { seq } = world.read(Ship)
  const preyByPlace = new Map<Eid, readonly Eid[]>()
  for (const creature of huntingCreatures(world)) {
    const body = ship[creature]
    if (state[body] !== AT_POI || participant[body] !== 0 || prey[creature] !== 0) continue
    const here = preyByPlace.get(poi[body]) ?? preyAt(world, poi[body])
    preyByPlace.set(poi[body], here)
    if (here.length === 0) continue
    const random = hash32(world.seed, world.tick, STRIKE, seq[body])
    if (drawBelow(100, random) < STRIKE_CHANCE_PCT)
      scheduleStrike(world, creature, drawPrey(world, seq[body], here))
  }
}

/**
 * Carries out the strikes decided in the last tick, if the prey is still there. For phase engage.
 */
function strike(world: World): void {
  const { ship } = world.read(Creature)
  const { state, poi } = world.read(Location)
  const { participant } = world.read(ShipCombat)
  const { owner } = world.read(Ship)
  const { bound } = world.read(Player)
  for (const { creature, prey } of takeStrikes(world)) {
    const body = ship[creature]
    if (prey === 0 || participant[body] !== 0 || state[body] !== AT_POI) continue
    if (state[prey] !== AT_POI || poi[prey] !== poi[body] || bound[owner[prey]] === 0) continue
    aggress(world, body, prey)
  }
}

/** Hull healed in a tick outside battles, %. Source: combat.md section 13. */
const HEAL_PCT = 1

/** Carries out strikes, after the attacks of players. */
export const pounce: SystemDef = {
  name: 'creature.pounce',
  phase: 'engage',
  writes: [
    ...SHIP_WRITES,
    ...PLACE_WRITES,
    ...BATTLE_WRITES,
    ...CHARGE_WRITES,
    Creature,
    Outlaw,
    Siege,
    StationHull,
    SystemNpcs,
  ],
  run: strike,
}

function heal(world: World, creature: Row, body: number): void {
  const { hull, hullMax } = world.write(Ship)
  hull[body] = Math.min(hullMax[body], hull[body] + divCeil(hullMax[body] * HEAL_PCT, 100))
  if (hull[body] === hullMax[body]) calm(world, creature)
}

/**
 * Updates only creatures that are in a battle or wounded, and those that prey on ships. Each acts
 * independently of the others, so that their order makes no difference.
 */
export const live: SystemDef = {
  name: 'creature.live',
  phase: 'decide',
  writes: [Creature, Participant, Ship],
  run(world) {
    const { ship } = world.read(Creature)
    const { participant } = world.read(ShipCombat)
    for (const creature of rousedCreatures(world)) {
      const body = ship[creature]
      if (participant[body] !== 0) fightBack(world, creature, participant[body])
      else heal(world, creature, body)
    }
    lieInWait(world)
  },
}

/* Creation of creatures and herds */

/** Class of a body's hull; its figures are those of the kind. */
const BODY = 'messenger'
/** Share of the habitable places that have a herd. */
const HERD_CHANCE_PCT = 30
const LAY = hashText('creature.lay')

const isHabitat = (text: string): text is Habitat => (HABITATS as readonly string[]).includes(text)

/**
 * Returns the habitat that a place is; undefined where nothing lives: at hidden places, bases,
 * entries of systems, and arenas.
 */
export function habitatOf(view: WorldView, poi: Eid): Habitat | undefined {
  const { type, class: kind, hidden, base, system } = view.read(Poi)
  const isEntry = view.read(StarSystem).entryPoi[system[poi]] === poi
  const name = view.texts.get(kind[poi])
  if (hidden[poi] === 1 || base[poi] !== 0 || isEntry || name === 'arena') return undefined
  if (isHabitat(name)) return name
  const general = POI_TYPES[type[poi]]
  return isHabitat(general) ? general : undefined
}

/** Returns the kinds that live at a place: indices into CREATURES. */
export function kindsAt(view: WorldView, poi: Eid): number[] {
  const habitat = habitatOf(view, poi)
  const police = view.read(StarSystem).police[view.read(Poi).system[poi]]
  if (habitat === undefined) return []
  return CREATURES.flatMap((row, index) =>
    row.habitats.includes(habitat) && police <= row.policeMax ? [index] : [],
  )
}

/** Returns whether the tables have room for another creature besides what players will need. */
export function hasRoom(view: WorldView): boolean {
  const share = (rows: number, pct: number): number => divFloor(rows * pct, 100)
  const ships = rowsOf(Ship, view.maxEntities)
  const rows = rowsOf(Creature, view.maxEntities)
  const max = Math.min(share(ships, CREATURES_SHARE_PCT), share(rows, TABLE_FILL_MAX_PCT))
  return (
    view.countOf(Creature) < max &&
    view.countOf(Ship) < share(ships, TABLE_FILL_MAX_PCT) &&
    !holdsNoMoreGoods(view)
  )
}

interface NewCreature {
  /** Index into CREATURES. */
  readonly kind: number
  readonly poi: Eid
  /** 0: a stray. */
  readonly herd: Row
}

/** Creates an unhurt creature at a place. The caller has checked that there is room. */
export function makeCreature(world: World, plan: NewCreature): Row {
  const { kind, poi, herd } = plan
  assert(CREATURES[kind] !== undefined, `there is no kind ${kind} of creature`)
  const shipClass = shipClassIndex(BODY)
  const ship = createShip(world, { owner: 0, shipClass, modules: [], issue: true })
  const creature = world.take(Creature)
  const row = world.write(Creature)
  row.ship[creature] = ship
  row.kind[creature] = kind
  row.herd[creature] = herd
  world.write(Wild).creature[ship] = creature
  if (herd !== 0) world.write(Herd).count[herd]++
  const body = world.write(Ship)
  body.crewFit[ship] = 0
  world.setText(Ship, 'name', ship, CREATURES[kind].name)
  recompute(world, ship)
  body.hull[ship] = body.hullMax[ship]
  body.shield[ship] = 0
  enterCreature(world, creature)
  placeInSpace(world, ship, poi)
  return creature
}

/** Adds a member to a herd, where it grazes. */
export function addMember(world: World, herd: Row): Row {
  const { kind, poi, count, size } = world.read(Herd)
  assert(count[herd] < size[herd], `herd ${herd} is full`)
  return makeCreature(world, { kind: kind[herd], poi: poi[herd], herd })
}

/** Returns the kinds of tier 1 that live at a place; none where new pilots mine. */
function smallGameAt(view: WorldView, poi: Eid): number[] {
  const { unlimited } = view.read(Deposit)
  if (depositsOf(view, poi).some((deposit) => unlimited[deposit] === 1)) return []
  return kindsAt(view, poi).filter((kind) => CREATURES[kind].tier === 1)
}

/**
 * Creates the herds of a system, without members. At a capital there is one at every place where
 * small game lives, for new pilots.
 */
function layHerds(world: World, system: Eid, isCapital: boolean): Row[] {
  const { seq } = world.read(Poi)
  const herds: Row[] = []
  for (const poi of poisOf(world, system)) {
    const kinds = isCapital ? smallGameAt(world, poi) : kindsAt(world, poi)
    const random = hash32(world.seed, LAY, seq[poi])
    const chancePct = isCapital ? 100 : HERD_CHANCE_PCT
    const isBarren = kinds.length === 0 || drawBelow(100, random) >= chancePct
    const isFull = world.countOf(Herd) >= rowsOf(Herd, world.maxEntities)
    if (isBarren || isFull || herds.length >= HERDS_PER_SYSTEM_MAX) continue
    const kind = kinds[drawBelow(kinds.length, hash32(random, 1))]
    const [min, max] = CREATURES[kind].herd
    const herd = world.take(Herd)
    const row = world.write(Herd)
    row.system[herd] = system
    row.poi[herd] = poi
    row.kind[herd] = kind
    row.size[herd] = min + drawBelow(max - min + 1, hash32(random, 2))
    herds.push(herd)
  }
  return herds
}

/**
 * Populates a new world in rounds of one member per herd, so that every herd has members even if
 * room is scarce.
 */
export function populate(world: World): void {
  const herds: Row[] = []
  const capitals = capitalSystems(world)
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    herds.push(...layHerds(world, system, capitals.has(system)))
  }
  const { size } = world.read(Herd)
  const largest = herds.reduce((max, herd) => Math.max(max, size[herd]), 0)
  for (let nth = 0; nth < largest; nth++) {
    for (const herd of herds) {
      if (nth >= size[herd]) continue
      if (!hasRoom(world)) return
      addMember(world, herd)
    }
  }
}
