/** Factions that found stations far from any empire, for tests. */
import { expect } from 'vitest'
import { facilityTypeIndex, itemIndex, SHIP_CLASSES } from '../../../core/catalog/index.ts'
import type { MutationDef } from '../../../core/command.ts'
import type { Outcome } from '../../../core/errors.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { namedAccount, post } from '../../../core/ledger.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseById } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { addFacility } from '../../../systems/facility/lifecycle-rules.ts'
import { OF_FACTION, ONLINE } from '../../../systems/facility/state.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { treasuryOf } from '../../../systems/faction/model.ts'
import { openStore } from '../../../systems/faction/store-model.ts'
import { loadCargo, unitsThatFit } from '../../../systems/ship/model.ts'
import { createShip, recompute } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { shipOf } from '../../../systems/travel/location-model.ts'
import { poisOf } from '../../../systems/travel/model.ts'
import { dockShip, placeInSpace, removeFromMap } from '../../../systems/travel/rules.ts'
import { Location, POI_TYPES, Poi, StarSystem } from '../../../systems/travel/state.ts'
import type { SmallWorld } from '../../small-world.ts'

interface Crew {
  readonly leader: Eid
  readonly faction: Row
  /** A place in a lawless system without a station. Each crew gets a system of its own. */
  readonly poi: Eid
  readonly system: Eid
}

const SUN = POI_TYPES.indexOf('sun')
const TAKEN = new WeakMap<World, Set<Eid>>()
let crews = 0

/** Returns a visible place, neither a sun nor a base, in a lawless system without bases. */
export function wildPlace({ world }: SmallWorld): Eid {
  const { alive, empire, police } = world.read(StarSystem)
  const { base, type, hidden } = world.read(Poi)
  const taken = TAKEN.get(world) ?? new Set<Eid>()
  TAKEN.set(world, taken)
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    if (alive[system] === 0 || empire[system] !== 0 || police[system] !== 0) continue
    const pois = poisOf(world, system)
    if (taken.has(system) || pois.some((poi) => base[poi] !== 0)) continue
    const poi = pois.find((row) => type[row] !== SUN && hidden[row] === 0)
    if (poi === undefined) continue
    taken.add(system)
    return poi
  }
  throw new Error('no wild system is left')
}

/** The hull with the largest hold. */
const FREIGHTER = SHIP_CLASSES.reduce(
  (best, { cargo_capacity }, index) =>
    cargo_capacity > SHIP_CLASSES[best].cargo_capacity ? index : best,
  0,
)

/** Puts a player into a freighter where they are. */
function boardFreighter({ world }: SmallWorld, player: Eid): void {
  const oldShip = shipOf(world, player)
  const { poi } = world.read(Location)
  const here = poi[oldShip]
  const ship = createShip(world, { owner: player, shipClass: FREIGHTER, modules: [] })
  recompute(world, ship)
  world.write(Ship).crewFit[ship] = world.read(Ship).crewCap[ship]
  world.write(Player).ship[player] = ship
  removeFromMap(world, oldShip)
  placeInSpace(world, ship, here)
}

/** Loads units of an item into a player's ship, or as many as fit if no number is given. */
export function load({ world }: SmallWorld, player: Eid, id: string, units?: number): void {
  const ship = shipOf(world, player)
  const item = itemIndex(id)
  const room = unitsThatFit(world, ship, item)
  loadCargo(world, ship, namedContainer('supply'), item, Math.min(room, units ?? room))
}

export const pay = ({ world }: SmallWorld, account: Row, credits: number): void =>
  post(world, namedAccount('missions'), account, credits)

/** Makes a player at a place in space. */
export function pilotAt(small: SmallWorld, poi: Eid, name = `Pilot ${small.players.length}`): Eid {
  const player = small.join(name)
  placeInSpace(small.world, shipOf(small.world, player), poi)
  return player
}

/**
 * Makes a faction whose leader is at a wild place, with credits to found bases,
 * and with a station core and an outpost kit aboard.
 */
export function crew(small: SmallWorld, poi: Eid = wildPlace(small)): Crew {
  const { world } = small
  crews++
  const leader = pilotAt(small, poi, `Founder ${crews}`)
  const tag = `S${String(crews).padStart(3, '0')}`
  const faction = foundFaction(world, leader, `Settlers ${crews}`, tag)
  pay(small, treasuryOf(world, faction), 20_000_000)
  pay(small, walletOf(world, leader), 1_000_000)
  boardFreighter(small, leader)
  load(small, leader, 'station_core', 1)
  load(small, leader, 'outpost_kit', 1)
  small.takeEmissions()
  return { leader, faction, poi, system: world.read(Poi).system[poi] }
}

type Answer = Outcome<Record<string, unknown>>

/** Runs a command that must succeed, and returns its result. */
export function does(small: SmallWorld, player: Eid, command: string, params: object = {}) {
  const outcome = small.act(player, command, params) as Answer
  if (!outcome.ok) throw new Error(`${command}: ${JSON.stringify(outcome)}`)
  return outcome.result
}

/** Expects a mutation to be refused and to change nothing. */
export function refuses(
  small: SmallWorld,
  player: Eid,
  [command, params]: readonly [string, object],
  refusal: object | string,
): void {
  const def = small.registry.commands.get(command) as MutationDef
  const before = small.hash()
  const unmet = def.needs.map((need) => need.ensure(small.world, player, params))
  const failure = unmet.find((met) => typeof met === 'object')
  const expected = typeof refusal === 'string' ? { code: refusal } : refusal
  expect(failure ?? def.run(small.world, player, params)).toMatchObject(expected)
  expect(small.hash()).toBe(before)
}

export interface Port extends Crew {
  readonly base: Eid
  readonly id: string
}

/** Makes a station of a new crew, where its leader is docked. */
export function port(small: SmallWorld, isOpen = true, poi?: Eid): Port {
  const founders = crew(small, poi)
  const { base_id } = does(small, founders.leader, 'build_base', {
    name: `Port ${crews}`,
    public_access: isOpen,
  })
  small.takeEmissions()
  return { ...founders, id: String(base_id), base: baseById(small.world, String(base_id)) }
}

/** Makes an outpost of a new crew, where its leader is docked. */
export function outpost(small: SmallWorld): Port {
  const founders = crew(small)
  const { base_id } = does(small, founders.leader, 'build_outpost', { name: `Depot ${crews}` })
  small.takeEmissions()
  return { ...founders, id: String(base_id), base: baseById(small.world, String(base_id)) }
}

/** Makes a working facility of the faction at its base. */
export function addService({ world }: SmallWorld, { faction, base }: Port, type: string): Row {
  const owner = { kind: OF_FACTION, player: 0, faction }
  return addFacility(world, { type: facilityTypeIndex(type), base, owner, status: ONLINE })
}

/** Puts goods into the main store of the faction at its base. */
export function stock({ world }: SmallWorld, { faction, base }: Port, id: string, units: number) {
  const container = openStore(world, { faction, base, bucket: 0 })
  moveItems(world, namedContainer('supply'), container, itemIndex(id), units)
}

/** Makes a member of the faction, in the lowest role. */
export function member(small: SmallWorld, { faction, base }: Port): Eid {
  const player = pilotAt(small, small.world.read(Base).poi[base])
  addMember(small.world, player, faction)
  small.takeEmissions()
  return player
}

/** Makes a stranger docked at a base, or in space next to it. */
export function stranger(small: SmallWorld, { base }: Port, docked = true): Eid {
  const player = pilotAt(small, small.world.read(Base).poi[base])
  if (docked) dockShip(small.world, shipOf(small.world, player), base)
  pay(small, walletOf(small.world, player), 100_000)
  return player
}
