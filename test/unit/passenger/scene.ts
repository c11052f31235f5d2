/** An empty terminal, and passengers that tests put there. */
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { baseId } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { citizenPool, facilitiesAt } from '../../../systems/facility/model.ts'
import {
  carriersOf,
  evacuate,
  removePassenger,
  waitingAt,
} from '../../../systems/passenger/list-model.ts'
import { closeLounge, type Destination, destinationsOf } from '../../../systems/passenger/model.ts'
import { addPassenger, schedulePassenger } from '../../../systems/passenger/rules.ts'
import { Passenger, Terminal as Travellers } from '../../../systems/passenger/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { playersDockedAt } from '../../../systems/travel/model.ts'
import { placeInSpace, undockShip } from '../../../systems/travel/rules.ts'
import { Location } from '../../../systems/travel/state.ts'
import { type Docks, docks, hull } from '../fitting/scene.ts'

/** A liner with 8 economy, 5 business and 3 first-class berths, and the two suites fitted. */
export const LINER = 'vesper'
export const SUITES = 'first_class_suites'

export interface Terminal extends Docks {
  /** Flies a liner, docked. */
  readonly captain: Eid
  readonly base: Row
  /** The nearest base in another system, where passengers want to go by default. */
  readonly there: Destination
  /** The second nearest base in another system. */
  readonly elsewhere: Destination
}

/** Makes a world for the tests of a file. */
export const terminals = (): Promise<Docks> => docks()

/**
 * Returns the capital's terminal for one test: nobody waits there or is on a journey from there,
 * the only docked ship is that of a new captain, and its citizens have what they need.
 */
export function terminal(scene: Docks, modules: readonly string[] = [SUITES]): Terminal {
  const { world } = scene
  const captain = scene.pilot(LINER, modules)
  const base = dockedBase(world, captain)
  for (const ship of [...carriersOf(world)]) evacuate(world, ship)
  for (const room of facilitiesAt(world, base)) closeLounge(world, room)
  for (const row of waitingAt(world, base)) removePassenger(world, row)
  for (const pilot of playersDockedAt(world, base)) {
    if (pilot !== captain) undockShip(world, hull(world, pilot))
  }
  leavePool(scene, base, 1_000_000)
  scene.small.takeEmissions()
  const [there, elsewhere] = destinationsOf(world, base).filter(({ jumps }) => jumps > 0)
  return { ...scene, captain, base, there, elsewhere }
}

/** Makes people of a class wait for a journey, by default to the nearest place. */
export function wait(
  { world, base, there }: Pick<Terminal, 'world' | 'base' | 'there'>,
  classIndex: number,
  people = 1,
  to = there,
): Row[] {
  return Array.from({ length: people }, () =>
    addPassenger(world, { home: base, to: to.base, jumps: to.jumps, classIndex }),
  )
}

export const idOfBase = (world: World, base: Row): string => baseId(world, base)

/** Runs a command that must succeed; returns its result. */
export function does(scene: Docks, player: Eid, command: string, params: object = {}) {
  const done = scene.act(player, command, params)
  if (!done.ok) throw new Error(`${command}: ${JSON.stringify(done)}`)
  return done.result as Record<string, never>
}

export const load = (scene: Terminal, player = scene.captain, to = scene.there.base) =>
  does(scene, player, 'load_passenger', { destination: baseId(scene.world, to) })

/** Puts the ship of a player in space at a base and docks it there; returns the briefing. */
export function dockAt(scene: Terminal, player: Eid, base: Row) {
  takeOff(scene, player)
  placeInSpace(scene.world, hull(scene.world, player), scene.world.read(Base).poi[base])
  return does(scene, player, 'dock')
}

/** Puts the ship of a player in space where it is. */
export function takeOff({ world }: Docks, player: Eid): void {
  const ship = hull(world, player)
  if (world.read(Location).base[ship] !== 0) undockShip(world, ship)
}

export const creditsOf = ({ world }: Docks, player: Eid): number =>
  balanceOf(world, walletOf(world, player))

export const poolOf = ({ world }: Docks, base: Row): number =>
  balanceOf(world, citizenPool(world, base))

/** Leaves the citizens of a base this many credits. */
export function leavePool({ world }: Docks, base: Row, credits: number): void {
  const pool = citizenPool(world, base)
  const source = namedAccount('citizens')
  const missing = credits - balanceOf(world, pool)
  if (missing > 0) post(world, source, pool, missing)
  else post(world, pool, source, -missing)
}

/** Returns the credits set aside for journeys of a base's citizens. */
export function escrowed({ world }: Docks, base: Row): number {
  const account = world.read(Travellers).escrow[base]
  return account === 0 ? 0 : balanceOf(world, account)
}

/** Sets the ticks until the deadline of a journey, and until the deadline is checked. */
export function hurry(scene: Docks, row: Row, ticks: number, checkTicks = ticks + 1): void {
  setDeadline(scene, row, ticks)
  schedulePassenger(scene.world, row, scene.world.tick + checkTicks)
}

/** Sets the ticks until a journey's deadline; does not schedule it. */
export function setDeadline({ world }: Docks, row: Row, ticks: number): void {
  world.write(Passenger).deadline[row] = world.tick + ticks
}

export const isGone = ({ world }: Docks, row: Row): boolean =>
  world.read(Passenger).alive[row] === 0
