/**
 * What passengers do by themselves. Source: crafting.md section 11.
 *
 * Meals and evenings aboard: every thirty ticks in space passengers eat and drink out of the hold,
 * and pay for it. Source: crafting.md section 9, onboard.
 *
 * What happens when the time of a journey is over. Source: crafting.md sections 9, 11.
 */
import { GOODS, isModule } from '../../core/catalog/index.ts'
import { Container, contentsOf, namedContainer, Stack } from '../../core/goods.ts'
import { Account, balanceOf, canReceive } from '../../core/ledger.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { baseName } from '../base/model.ts'
import { citizenPool } from '../facility/model.ts'
import { Grid } from '../facility/state.ts'
import { creditMove } from '../log/rules.ts'
import { unloadCargo } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { Location } from '../travel/state.ts'
import { putOff } from './arrival-rules.ts'
import { eveningOf, mealOf, tastesOf } from './fare-model.ts'
import { carriersOf, passengersOf } from './list-model.ts'
import { updateMarkets } from './market-rules.ts'
import { cabinFigure, isExpired } from './model.ts'
import { expectAt, PATIENCE_TICKS, remindGuest, takeDue } from './rules.ts'
import { ABOARD, Cabin, Lounge, Passenger, SERVICE_TICKS, Terminal } from './state.ts'

/**
 * True for somebody who leaves now: aboard of a ship in dock, or after a day past the deadline also
 * in space. ours: a ship that never docks does not keep people, and their fares, for ever.
 */
function leavesNow(world: World, row: Row): boolean {
  const { ship, deadline } = world.read(Passenger)
  if (world.read(Location).base[ship[row]] !== 0) return true
  return world.tick > deadline[row] + PATIENCE_TICKS
}

/** Looks at everybody whose time it is; those of one ship leave it together. */
export function remind(world: World): void {
  const { state, ship, deadline } = world.read(Passenger)
  const leaving = new Map<Eid, Row[]>()
  for (const row of takeDue(world)) {
    if (state[row] !== ABOARD) remindGuest(world, row)
    else if (leavesNow(world, row)) {
      const rows = leaving.get(ship[row])
      if (rows) rows.push(row)
      else leaving.set(ship[row], [row])
    } else expectAt(world, row, deadline[row] + PATIENCE_TICKS + 1)
  }
  const { owner } = world.read(Ship)
  const { base } = world.read(Location)
  for (const [hull, rows] of leaving) putOff(world, owner[hull], rows, base[hull])
}

type Fare = 'dish' | 'drink' | 'alcohol'

const TABLE: readonly Fare[] = ['dish', 'drink']
const SALOON: readonly Fare[] = ['alcohol', 'drink']

const kindOf = (item: number): string | undefined => {
  const good = GOODS[item]
  return isModule(good) ? undefined : good.food_type
}

/** What of the hold can be served, by kind, items in order of the catalogue. */
type Larder = Map<string, { readonly item: number; units: number }[]>

function larderOf(view: WorldView, ship: Eid): Larder {
  const larder: Larder = new Map()
  for (const { item, units } of contentsOf(view, view.read(Ship).hold[ship])) {
    const kind = kindOf(item)
    if (kind === undefined) continue
    const shelf = larder.get(kind)
    if (shelf) shelf.push({ item, units })
    else larder.set(kind, [{ item, units }])
  }
  return larder
}

/** Takes a unit of the first kind there is; the item, or -1 for none. */
function take(larder: Larder, kinds: readonly Fare[]): number {
  for (const kind of kinds) {
    const found = larder.get(kind)?.find(({ units }) => units > 0)
    if (!found) continue
    found.units--
    return found.item
  }
  return -1
}

/** What a round comes to. */
interface Round {
  readonly larder: Larder
  readonly eaten: Map<number, number>
  readonly paid: Map<Row, number>
  total: number
}

function add(counts: Map<number, number>, key: number, n: number): void {
  counts.set(key, (counts.get(key) ?? 0) + n)
}

/** One thing for one passenger; nothing where nothing is left, or they cannot pay. */
function serve(world: World, row: Row, round: Round, kinds: readonly Fare[], price: number): void {
  const { home, fare, spent } = world.write(Passenger)
  const pool = citizenPool(world, home[row])
  const left = balanceOf(world, pool) - (round.paid.get(home[row]) ?? 0)
  const credits = Math.min(price, left, fare[row] - spent[row])
  if (credits <= 0) return
  const item = take(round.larder, kinds)
  if (item < 0) return
  add(round.eaten, item, 1)
  add(round.paid, home[row], credits)
  round.total += credits
  spent[row] += credits
}

/** A round in one ship. ours: nobody spends more aboard than their fare, however long it waits. */
function serveShip(world: World, ship: Eid): void {
  const dining = cabinFigure(world, ship, 'dining_points')
  const leisure = cabinFigure(world, ship, 'leisure_points')
  if (dining + leisure === 0) return
  const { class: travelClass } = world.read(Passenger)
  const round: Round = {
    larder: larderOf(world, ship),
    eaten: new Map(),
    paid: new Map(),
    total: 0,
  }
  if (round.larder.size === 0) return
  for (const row of passengersOf(world, ship)) {
    if (isExpired(world, row)) continue
    const tastes = tastesOf(world, row)
    serve(world, row, round, TABLE, mealOf(dining, tastes.dining, travelClass[row]))
    serve(world, row, round, SALOON, eveningOf(leisure, tastes.leisure, travelClass[row]))
  }
  settle(world, ship, round)
}

function settle(world: World, ship: Eid, { eaten, paid }: Round): void {
  const owner = world.read(Ship).owner[ship]
  const wallet = walletOf(world, owner)
  for (const [item, units] of eaten) {
    unloadCargo(world, ship, namedContainer('consumption'), item, units)
  }
  for (const [home, credits] of paid) {
    if (!canReceive(world, wallet, credits)) continue
    const said = `Passengers from ${baseName(world, home)} ate and drank aboard.`
    const pool = citizenPool(world, home)
    creditMove(world, owner, pool, wallet, credits, 'other', 'passenger.service', said)
  }
}

/** Serves the ships whose turn it is and that are not docked. O(ships with passengers). */
export function serveShips(world: World): void {
  const carriers = carriersOf(world)
  if (carriers.size === 0) return
  const { seq, owner } = world.read(Ship)
  const { base } = world.read(Location)
  const turn = [...carriers].filter(
    (ship) =>
      (world.tick + seq[ship]) % SERVICE_TICKS === 0 && base[ship] === 0 && owner[ship] !== 0,
  )
  for (const ship of turn.sort((a, b) => seq[a] - seq[b])) serveShip(world, ship)
}

export const remindPassengers: SystemDef = {
  name: 'passenger.due',
  phase: 'arrive',
  writes: [Passenger, Terminal, Cabin, Lounge, Account, Player],
  run: remind,
}

export const servePassengers: SystemDef = {
  name: 'passenger.service',
  phase: 'produce',
  writes: [Passenger, Account, Container, Stack, Ship],
  run: serveShips,
}

/** After rent, before ranches. */
export const moveMarkets: SystemDef = {
  name: 'passenger.market',
  phase: 'settle',
  after: 'facility.rent',
  writes: [Passenger, Terminal, Grid, Account],
  run: updateMarkets,
}
