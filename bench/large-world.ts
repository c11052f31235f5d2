/**
 * The large world of DESIGN 6: all systems of the map and 100,000 ships, some of them in flight;
 * the first 10,000 players act. Prepared in advance, so that a run can start in seconds. Also a
 * program, so that the memory of such a world is in a process of its own:
 * `node dist/bench/large-world.js --url postgres://… --schema s --cards file`.
 */
import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { newTool, wholeFrom } from '../cli/command-line.ts'
import { GOODS } from '../core/catalog/index.ts'
import { namedAccount, post } from '../core/ledger.ts'
import { hash32 } from '../core/rng.ts'
import type { Eid, World } from '../core/types.ts'
import { walletOf } from '../systems/account/model.ts'
import { Base } from '../systems/base/state.ts'
import { Book, Managed } from '../systems/market/state.ts'
import { Ship } from '../systems/ship/state.ts'
import { distanceMilliAu } from '../systems/travel/flight-model.ts'
import { shipOf } from '../systems/travel/location-model.ts'
import { neighboursOf, poiId, poisOf } from '../systems/travel/model.ts'
import { dockShip, placeInSpace, startFlight, visit } from '../systems/travel/rules.ts'
import { POI_TYPES, Poi, StarSystem } from '../systems/travel/state.ts'
import type { Card, Role } from './crowd.ts'
import { prepareWorld } from './prepared.ts'
import { preparedLogin } from './prepared-login.ts'

/** The roles of twenty acting players. */
const ROLE_OF: readonly Role[] = [
  ...Array<Role>(8).fill('miner'),
  ...Array<Role>(3).fill('traveller'),
  ...Array<Role>(5).fill('trader'),
  ...Array<Role>(4).fill('docker'),
]
/** Of five ships of absent players, one is in flight (0) and two are docked (1 and 2). */
const IN_FLIGHT = 0
const DOCKED_UP_TO = 2
/** All flights end within this many ticks. */
const FLIGHT_TICKS = 200
const TRADER_CREDITS = 100_000

interface Chart {
  readonly places: readonly Eid[]
  readonly belts: readonly Eid[]
  readonly bases: readonly Eid[]
}

function chartOf(world: World): Chart {
  const { alive, hidden, type, class: kind } = world.read(Poi)
  const places: Eid[] = []
  for (let poi = 1; poi <= world.highOf(Poi); poi++) {
    if (alive[poi] === 1 && hidden[poi] === 0) places.push(poi)
  }
  const belt = POI_TYPES.indexOf('asteroid_belt')
  const base = world.read(Base)
  const bases: Eid[] = []
  for (let row = 1; row <= world.highOf(Base); row++) {
    if (base.alive[row] === 1 && base.pirateRepRequired[row] === 0) bases.push(row)
  }
  return {
    places,
    belts: places.filter(
      (poi) => type[poi] === belt && !/ice|deep/.test(world.texts.get(kind[poi])),
    ),
    bases,
  }
}

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]

/** Returns the nearest other place in the same system, to save fuel. */
function neighbourOf(world: World, poi: Eid, places: ReadonlySet<Eid>): Eid {
  const { x, y, system } = world.read(Poi)
  const distance = (other: Eid): number => distanceMilliAu(x[poi], y[poi], x[other], y[other])
  const others = poisOf(world, system[poi]).filter((other) => other !== poi && places.has(other))
  return others.sort((a, b) => distance(a) - distance(b) || a - b)[0] ?? poi
}

/** Returns the item of which the station at a base has the largest stock. */
function stapleOf(world: World, base: Eid): string {
  const managed = world.read(Managed)
  const { item } = world.read(Book)
  let best = 0
  for (let row = 1; row <= world.highOf(Managed); row++) {
    if (managed.alive[row] !== 1 || managed.base[row] !== base) continue
    if (best === 0 || managed.stock[row] > managed.stock[best]) best = row
  }
  return best === 0 ? 'fuel_cell' : GOODS[item[managed.book[best]]].id
}

function arrangeActing(world: World, players: readonly Eid[], chart: Chart): Card[] {
  const places = new Set(chart.places)
  const staples = new Map(chart.bases.map((base) => [base, stapleOf(world, base)]))
  return players.map((player, index): Card => {
    const role = pick(ROLE_OF, index)
    const ship = shipOf(world, player)
    const base = pick(chart.bases, index)
    let poi = world.read(Base).poi[base]
    if (role === 'miner' || role === 'traveller') {
      poi = pick(role === 'miner' ? chart.belts : chart.places, index)
      placeInSpace(world, ship, poi)
    } else dockShip(world, ship, base)
    visit(world, player, world.read(Poi).system[poi])
    if (role === 'trader') {
      post(world, namedAccount('starting_grant'), walletOf(world, player), TRADER_CREDITS)
    }
    return {
      ...preparedLogin(index),
      role,
      poiId: poiId(world, poi),
      otherPoiId: poiId(world, neighbourOf(world, poi, places)),
      itemId: staples.get(base) ?? '',
    }
  })
}

/** Returns another place in the system, or the entry point of a neighbouring system. */
function destinationOf(world: World, poi: Eid, luck: number): Eid {
  const system = world.read(Poi).system[poi]
  const lanes = neighboursOf(world, system)
  if (luck % 2 === 0 && lanes.length > 0)
    return world.read(StarSystem).entryPoi[pick(lanes, luck >>> 1).to]
  return pick(poisOf(world, system), luck >>> 1)
}

/** Arranges the ships of absent players, by a hash of their index. */
function arrangeRest(world: World, players: readonly Eid[], chart: Chart): void {
  players.forEach((player, index) => {
    const ship = shipOf(world, player)
    const luck = hash32(world.seed, 0, index)
    const state = luck % 5
    if (state > IN_FLIGHT && state <= DOCKED_UP_TO) {
      dockShip(world, ship, pick(chart.bases, luck >>> 3))
      return
    }
    const poi = pick(chart.places, luck >>> 3)
    placeInSpace(world, ship, poi)
    if (state !== IN_FLIGHT) return
    const to = destinationOf(world, poi, hash32(world.seed, 1, index))
    if (to !== poi) startFlight(world, ship, to, 1 + (luck % FLIGHT_TICKS))
  })
}

/** Places all players; returns what the clients of the acting players need to know. */
export function arrangeLargeWorld(
  world: World,
  players: readonly Eid[],
  acting: number,
): readonly Card[] {
  const chart = chartOf(world)
  const cards = arrangeActing(world, players.slice(0, acting), chart)
  arrangeRest(world, players.slice(acting), chart)
  return cards
}

interface LargeWorldFlags {
  readonly url: string
  readonly schema: string
  readonly cards: string
  readonly ships: number
  readonly acting: number
  readonly maxEntities: number
}

async function run(): Promise<void> {
  const { url, schema, cards, ships, acting, maxEntities } = newTool(
    'node dist/bench/large-world.js',
    'Prepares a large world in a database, for load runs.',
  )
    .requiredOption('--url <url>', 'the database')
    .requiredOption('--schema <name>', 'the schema for the world')
    .requiredOption('--cards <file>', 'where to write the logins of the acting players')
    .option('--ships <n>', 'players with a ship each', wholeFrom(1), 100_000)
    .option('--acting <n>', 'how many of these play', wholeFrom(0), 10_000)
    .option('--max-entities <n>', 'scale of all capacities', wholeFrom(1), 1_000_000)
    .parse()
    .opts<LargeWorldFlags>()
  await prepareWorld({
    connection: { url, schema },
    maxEntities,
    players: ships,
    accounts: acting,
    arrange: (world, players) => {
      writeFileSync(cards, JSON.stringify(arrangeLargeWorld(world, players, acting)))
      console.log(`${world.countOf(Ship)} ships`)
    },
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await run()
  process.exit(0)
}
