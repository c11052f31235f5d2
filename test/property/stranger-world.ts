/**
 * The world of the stranger test, in which some players and places hide: two worlds that differ
 * only in what is hidden must make the same public bytes. Source: WEB 3.
 */
import { assert } from '../../core/assert.ts'
import type { ColumnArray } from '../../core/columns.ts'
import type { PublicFrame } from '../../core/public/frame.ts'
import type { Eid, Store, World, WorldView } from '../../core/types.ts'
import { usernameOf } from '../../systems/account/model.ts'
import { Player } from '../../systems/account/state.ts'
import { Base } from '../../systems/base/state.ts'
import { battleIn } from '../../systems/combat/model.ts'
import { Battle } from '../../systems/combat/state.ts'
import { PACT_BOOK } from '../../systems/diplomacy/model.ts'
import { Faction, Membership } from '../../systems/faction/state.ts'
import { Book, Level } from '../../systems/market/state.ts'
import { poisOf } from '../../systems/travel/model.ts'
import { placeInSpace } from '../../systems/travel/rules.ts'
import { Location, Poi, TRAVELLING } from '../../systems/travel/state.ts'
import { type SmallWorld, uncheck } from '../small-world.ts'
import { hiding } from './seeing.ts'

type Hiding = Awaited<ReturnType<typeof hiding>>

export interface Stage extends Hiding {
  /** A station off the chart. */
  readonly lair: Eid
}

/** Makes the hiding players, a fight and a station off the chart. */
export async function stageOf(): Promise<Stage> {
  const hidden = await hiding()
  const { small, world, observers, hermit, cave } = hidden
  const { poi } = world.read(Base)
  const { system } = world.read(Poi)
  const lair = Array.from({ length: world.highOf(Base) }, (_, i) => i + 1).find(
    (base) => system[poi[base]] !== system[cave],
  ) as Eid
  world.write(Poi).hidden[poi[lair]] = 1
  const [first, second, victim] = observers
  foundFactions(small, first, second)
  placeInSpace(world, world.read(Player).ship[victim], cave)
  const fight = small.act(hermit, 'attack', { target_id: usernameOf(world, victim) })
  assert(fight.ok, 'there is a battle off the chart')
  small.ticks(1)
  // The test changes columns as no rule would, so checks are off; a few books serve as well as all.
  uncheck(small)
  keepBooks(world, lair)
  world.write(Player).anonymous[first] = 1
  return { ...hidden, lair }
}

/** Founds two factions at war, led by players who do not hide. */
function foundFactions(small: SmallWorld, first: Eid, second: Eid): void {
  const { world } = small
  for (const [player, name, tag] of [
    [first, 'Ore Guild', 'ORE1'],
    [second, 'Ice Guild', 'ICE1'],
  ] as const) {
    const made = small.act(player, 'create_faction', { name, tag })
    assert(made.ok, `${name} is founded`)
  }
  const { seq } = world.read(Faction)
  const { faction } = world.read(Membership)
  const [from, to] = [seq[faction[first]], seq[faction[second]]]
  const kills = { fromKills: 1, toKills: 2 }
  const war = { declaredBy: from, reason: 'Ore.', lawFromTick: 60, ...kills }
  PACT_BOOK.set(world, { from, to, number: 1, sinceMs: 0, war })
}

const BOOKS_KEPT = 40

function keepBooks(world: World, lair: Eid): void {
  const { alive, base } = world.write(Book)
  let kept = 0
  for (let book = 1; book <= world.highOf(Book); book++) {
    if (alive[book] === 1 && base[book] !== lair && ++kept > BOOKS_KEPT) alive[book] = 0
  }
}

/** Shows the battle to strangers, as if it had begun on the chart. */
export function chartBattle({ world, cave }: Hiding): Undo {
  const { system } = world.read(Poi)
  const battle = battleIn(world, system[cave])
  const open = poisOf(world, system[cave]).find((poi) => world.read(Poi).hidden[poi] === 0)
  return overwrite(storeOf(world, Battle.name).columns.origin, battle, [open ?? 0])
}

/* What is read */

/** Returns a view that records which columns, records and indexes are read through it. */
export function recording(view: WorldView, reads: Set<string>): WorldView {
  const noted = (name: string, columns: object): object =>
    new Proxy(columns, {
      get(target, column) {
        reads.add(`${name}.${String(column)}`)
        return Reflect.get(target, column)
      },
    })
  return new Proxy(view, {
    get(target, property) {
      if (property === 'read')
        return (table: typeof Player) => noted(table.name, target.read(table))
      if (property === 'records')
        return (def: { readonly name: string }) => {
          reads.add(`records ${def.name}`)
          return target.records(def as never)
        }
      return Reflect.get(target, property)
    },
  })
}

/* What is changed */

/** Undoes a change. */
type Undo = () => void

const undoAll = (undos: readonly Undo[]): Undo => {
  return () => {
    for (const undo of [...undos].reverse()) undo()
  }
}

/** Returns a generator of numbers that depend only on a seed. */
export function drawing(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8) % below
  }
}

function overwrite(column: ColumnArray, from: number, values: ArrayLike<number>): Undo {
  const before = column.slice(from, from + values.length)
  for (let i = 0; i < values.length; i++) column[from + i] = values[i]
  return () => column.set(before as never, from)
}

/** Fills one in four of the columns that are not public with noise. */
export function scrambleSecret(
  world: World,
  allowed: ReadonlySet<string>,
  draw: (below: number) => number,
): Undo {
  const undos: Undo[] = []
  for (const [name, store] of world.stores) {
    for (const [column, array] of Object.entries(store.columns)) {
      if (allowed.has(`${name}.${column}`) || column === 'alive' || draw(4) !== 0) continue
      const width = store.def.columns[column]?.width ?? 1
      const used = array.subarray(0, (store.high + 1) * width)
      const before = used.slice()
      const noise = 1 + draw(100)
      for (let i = 0; i < used.length; i++) used[i] += noise
      undos.push(() => used.set(before as never))
    }
  }
  return undoAll(undos)
}

/** Changes columns of some rows, public or not. */
function scrambleRows(
  { columns, def }: Pick<Store, 'columns' | 'def'>,
  rows: readonly number[],
  names: readonly string[],
  draw: (below: number) => number,
): Undo {
  return undoAll(
    rows.flatMap((row) =>
      names.map((name) => {
        const width = def.columns[name].width ?? 1
        const values = Array.from({ length: width }, () => 1 + draw(100))
        return overwrite(columns[name], row * width, values)
      }),
    ),
  )
}

const storeOf = (world: World, name: string): Store => {
  const store = world.stores.get(name)
  assert(store, `there is no table ${name}`)
  return store
}

/** Puts a ship at another place, or in flight. */
function moveShip(world: World, ship: Eid, draw: (below: number) => number): Undo {
  const { columns } = storeOf(world, Location.name)
  const poi = 1 + draw(world.highOf(Poi))
  const to = 1 + draw(world.highOf(Poi))
  const state = draw(TRAVELLING + 2)
  const place: Readonly<Record<string, number>> = {
    state,
    system: world.read(Poi).system[poi],
    poi: state < TRAVELLING ? poi : 0,
    base: state === 0 ? world.read(Poi).base[poi] : 0,
    fromPoi: poi,
    toPoi: to,
    departTick: world.tick - draw(5),
    arriveTick: world.tick + 1 + draw(20),
  }
  return undoAll(
    Object.entries(place).map(([name, value]) => overwrite(columns[name], ship, [value])),
  )
}

/**
 * Returns the books that strangers do not read: of company stores and the station off the chart.
 */
function hiddenBooks(world: World, lair: Eid): number[] {
  const { alive, base, faction } = world.read(Book)
  return Array.from({ length: world.highOf(Book) }, (_, i) => i + 1).filter(
    (book) => alive[book] === 1 && (faction[book] !== 0 || base[book] === lair),
  )
}

function hiddenLevels(world: World, lair: Eid): number[] {
  const books = new Set(hiddenBooks(world, lair))
  const { alive, book } = world.read(Level)
  return Array.from({ length: world.highOf(Level) }, (_, i) => i + 1).filter(
    (level) => alive[level] === 1 && books.has(book[level]),
  )
}

/** Changes everything about players and things that hide, and nothing else. */
export function scrambleHidden(stage: Stage, draw: (below: number) => number): Undo {
  const { world, ghost, hermit, cave, lair } = stage
  const { ship } = world.read(Player)
  const battle = battleIn(world, world.read(Poi).system[cave])
  assert(battle !== 0, 'there is a battle off the chart')
  const lairPoi = world.read(Base).poi[lair]
  const places = ['x', 'y', 'class', 'type', 'difficulty', 'firstDeposit', 'depositCount']
  const figures = ['hull', 'hullMax', 'shield', 'armor', 'weaponDamage', 'fuel', 'services']
  const fight = ['damage', 'destroyed', 'captured', 'startTick', 'count']
  return undoAll([
    moveShip(world, ship[ghost], draw),
    scrambleRows(storeOf(world, Poi.name), [cave, lairPoi], places, draw),
    overwrite(storeOf(world, Poi.name).columns.name, cave, [world.read(Poi).name[lairPoi]]),
    scrambleRows(storeOf(world, Base.name), [lair], figures, draw),
    scrambleRows(storeOf(world, Battle.name), [battle], fight, draw),
    scrambleRows(storeOf(world, Level.name), hiddenLevels(world, lair), ['price', 'units'], draw),
    // A player who is online off the chart may be at another hidden place.
    overwrite(storeOf(world, Location.name).columns.poi, ship[hermit], [
      draw(2) === 0 ? cave : lairPoi,
    ]),
  ])
}

/** Lets two anonymous pilots at one place swap everything, ships included. */
export function swapNameless(stage: Stage): Undo {
  const { world, nameless, observers } = stage
  const { columns } = storeOf(world, Player.name)
  const [first, second] = [nameless, observers[0]]
  const { ship } = world.read(Player)
  return undoAll([
    overwrite(columns.ship, first, [ship[second]]),
    overwrite(columns.ship, second, [ship[first]]),
  ])
}

/* Bytes */

/** Returns the frame as one text: any difference in it shows in the text. */
export const textOf = (frame: PublicFrame): string =>
  JSON.stringify(frame, (_, value) => (ArrayBuffer.isView(value) ? [...(value as never)] : value))

/** Lists the paths of a frame with their types; entries of lists and keys of maps are `*`. */
export function pathsOf(frame: PublicFrame): ReadonlySet<string> {
  const paths = new Set<string>()
  const walk = (value: unknown, path: string): void => {
    if (ArrayBuffer.isView(value) || typeof value !== 'object' || value === null) {
      const type = ArrayBuffer.isView(value) ? value.constructor.name : typeof value
      paths.add(`${path}: ${type}`)
      return
    }
    const isMap = /(^|\.)(systems|kills)$/.test(path) && !path.startsWith('chart')
    for (const [key, entry] of Object.entries(value)) {
      const step = Array.isArray(value) || isMap ? '*' : key
      walk(entry, path === '' ? step : `${path}.${step}`)
    }
  }
  const { docs, ...rest } = frame
  walk(rest, '')
  for (const [section, patch] of Object.entries(docs)) {
    for (const [key, text] of patch.set) {
      walk(JSON.parse(text), section === 'world' ? `docs.world.${key}` : `docs.${section}`)
    }
  }
  return paths
}
