/**
 * Work on facilities that takes ticks: building, upgrades, repairs and dismantling, by the tick in
 * which each ends. Source: crafting.md section 6.
 */
import { assert } from '../../core/assert.ts'
import { FACILITIES, GOODS, itemIndex, type MaterialRow } from '../../core/catalog/index.ts'
import { closeContainer, contentsOf, type Held } from '../../core/goods.ts'
import { PACKAGE_SIZE } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { hash32 } from '../../core/rng.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { baseName } from '../base/rules.ts'
import { cancelJobsOf } from '../craft/rules.ts'
import { openStore } from '../faction/store-rules.ts'
import { CARGO_CONTAINER, createPackage, type PackageHolder } from '../package/rules.ts'
import {
  DAMAGED,
  DISMANTLING,
  Facility,
  OF_FACTION,
  OF_PLAYER,
  OF_STATION,
  ONLINE,
  REPAIRING,
  UNDER_CONSTRUCTION,
} from './columns.ts'
import { ownerOf } from './owners.ts'
import { stockRanch } from './ranch-rules.ts'
import { facilityName, facilityTypeAt } from './rules.ts'
import { changeState, facilitiesAt, removeFacility } from './store.ts'
import { type Happening, tellOwner } from './tell.ts'

/** Facilities by the tick in which the work on them ends. */
const DUE = defineIndex('facility.due', () => new Map<number, Row[]>())

/** Facilities that the wheel of works holds, for the check. */
export function* worksDue(world: WorldView): IterableIterator<[number, Row]> {
  for (const [tick, rows] of world.index(DUE)) for (const row of rows) yield [tick, row]
}

/** Begins work that ends in so many ticks, at least 1. Returns the tick. */
export function beginWork(world: World, row: Row, ticks: number): number {
  const { dueTick } = world.write(Facility)
  assert(dueTick[row] === 0, `facility ${row} is worked on twice`)
  dueTick[row] = world.tick + Math.max(1, ticks)
  enter(world, row)
  return dueTick[row]
}

function enter(world: World, row: Row): void {
  const due = world.index(DUE)
  const tick = world.read(Facility).dueTick[row]
  const rows = due.get(tick)
  if (rows) rows.push(row)
  else due.set(tick, [row])
}

/** Gives up the work on a facility: its owner has lost it. */
export function dropWork(world: World, row: Row): void {
  const { dueTick, becomes } = world.write(Facility)
  if (dueTick[row] === 0) return
  const due = world.index(DUE)
  const left = (due.get(dueTick[row]) ?? []).filter((other) => other !== row)
  if (left.length === 0) due.delete(dueTick[row])
  else due.set(dueTick[row], left)
  dueTick[row] = 0
  becomes[row] = 0
}

/** Fills the wheel from the columns, after a restore. */
export function rebuildWorks(world: World): void {
  world.index(DUE).clear()
  const { alive, dueTick } = world.read(Facility)
  for (let row = 1; row <= world.highOf(Facility); row++) {
    if (alive[row] === 1 && dueTick[row] !== 0) enter(world, row)
  }
}

/** Ends the work that is due, oldest facility first. */
export function endWorks(world: World): void {
  const due = world.index(DUE)
  const rows = due.get(world.tick)
  if (!rows) return
  due.delete(world.tick)
  const { seq } = world.read(Facility)
  for (const row of rows.sort((a, b) => seq[a] - seq[b])) endWork(world, row)
}

function endWork(world: World, row: Row): void {
  const { status, becomes, dueTick, type } = world.write(Facility)
  const name = facilityName(world, row)
  dueTick[row] = 0
  if (status[row] === DISMANTLING) {
    cancelJobsOf(world, row, 'all')
    giveBack(world, row)
    tell(world, row, 'dismantled', `${name} is gone; its parts are packed.`)
    removeFacility(world, row)
    return
  }
  if (becomes[row] !== 0) {
    changeState(world, row, { type: becomes[row] - 1 })
    becomes[row] = 0
    stockRanch(world, row)
    tell(world, row, 'upgraded', `${name} is ${FACILITIES[type[row]].name} now.`)
    return
  }
  const isWork = status[row] === UNDER_CONSTRUCTION || status[row] === REPAIRING
  assert(isWork, `nothing was done to facility ${row}`)
  const verb = status[row] === REPAIRING ? 'repaired' : 'built'
  changeState(world, row, { status: ONLINE })
  if (verb === 'built') stockRanch(world, row)
  tell(world, row, verb, `${name} at ${baseName(world, world.read(Facility).base[row])} works.`)
}

function tell(world: World, row: Row, verb: Happening, said: string): void {
  const base = world.read(Facility).base[row]
  tellOwner(world, ownerOf(world, row), { verb, base, said })
}

/* Dismantling */

/** What goes into one package: as much as fits, item by item in the order given. */
export function packed(materials: readonly MaterialRow[]): Held[][] {
  const packages: Held[][] = []
  let open: Held[] = []
  let room = PACKAGE_SIZE
  for (const { item_id, quantity } of materials) {
    const item = itemIndex(item_id)
    const { size } = GOODS[item]
    let left = quantity
    while (left > 0) {
      const units = Math.min(left, divFloor(room, size))
      if (units === 0) {
        packages.push(open)
        open = []
        room = PACKAGE_SIZE
        continue
      }
      open.push({ item, units })
      room -= units * size
      left -= units
    }
  }
  if (open.length > 0) packages.push(open)
  return packages
}

/** Where the packages of a facility go: to its owner's locker, or into the store of his faction. */
function receiver(world: World, row: Row): PackageHolder {
  const { base } = world.read(Facility)
  const owner = ownerOf(world, row)
  assert(owner.kind === OF_PLAYER || owner.kind === OF_FACTION, 'a station dismantles nothing')
  if (owner.kind === OF_PLAYER) return { kind: 'locker', player: owner.player, base: base[row] }
  const container = openStore(world, { faction: owner.faction, base: base[row], bucket: 0 })
  return { kind: 'store', faction: owner.faction, base: base[row], container }
}

/** Packs what the facility was made of. The container held has a cargo container a package. */
function giveBack(world: World, row: Row): void {
  const { store } = world.write(Facility)
  const from = store[row]
  const goods = contentsOf(world, from)
    .filter(({ item }) => item !== CARGO_CONTAINER)
    .map(({ item, units }) => ({ item_id: GOODS[item].id, quantity: units }))
  const to = receiver(world, row)
  const label = `Parts of ${FACILITIES[world.read(Facility).type[row]].name}`
  for (const contents of packed(goods)) {
    createPackage(world, { from, contents, to, label, creator: ownerOf(world, row).player })
  }
  store[row] = 0
  closeContainer(world, from)
}

/** Puts a facility out of order: then it has to be repaired. */
export function damage(world: World, row: Row): void {
  if (world.read(Facility).status[row] !== ONLINE) return
  dropWork(world, row)
  changeState(world, row, { status: DAMAGED })
}

/**
 * Half the works at a station are damaged when it is wrecked; homes, stores and offices are not.
 * ours: the sheet knows damage and repair, and leaves open what causes it.
 */
export function wreckWorks(world: World, base: Row): void {
  const { seq } = world.read(Facility)
  for (const row of [...facilitiesAt(world, base)]) {
    const isHit = hash32(world.seed, world.tick, seq[row]) % 2 === 0
    if (isHit && facilityTypeAt(world, row).category === 'production') damage(world, row)
  }
}

/** With the station its own works are whole again; those of others are theirs to repair. */
export function mendWorks(world: World, base: Row): void {
  const { status, ownerKind } = world.read(Facility)
  for (const row of [...facilitiesAt(world, base)]) {
    if (ownerKind[row] !== OF_STATION || status[row] !== DAMAGED) continue
    changeState(world, row, { status: ONLINE })
  }
}
