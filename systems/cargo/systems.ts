/**
 * Jettison: goods thrown out of the hold drift in a container, one for each place and jettisoning
 * player, which anybody may loot until it expires. Source: trade-storage.md section 4, salvage.md
 * section 7.
 */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import {
  type ErrorCode,
  type Failure,
  fail,
  invalidFields,
  type Outcome,
  ok,
} from '../../core/errors.ts'
import { Container, isBare, namedContainer, unitsIn } from '../../core/goods.ts'
import { JETTISON_KINDS_MAX, JETTISON_PACKAGES_MAX } from '../../core/limits.ts'
import type { CheckDef } from '../../core/registry.ts'
import { counted } from '../../core/say.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import { PACKAGE_SIZE } from '../craft/state.ts'
import { logAction } from '../log/rules.ts'
import { Note } from '../note/state.ts'
import { cargoUnits, spaceUsed, unloadCargo } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { poiOf } from '../travel/location-model.ts'
import { poiName } from '../travel/model.ts'
import { openJettisonContainer, removeExpired } from './adrift-rules.ts'
import { notifyGifts } from './gift-notices-commands.ts'
import {
  CARGO_CONTAINER,
  containerId,
  findGood,
  footprintOf,
  isNearlyFull,
  isNote,
  isPackageIn,
  isStorageNearlyFull,
  jettisonContainerAt,
  kindOfId,
  lockerOf,
  manifestOf,
  packagePlace,
  packedSize,
} from './model.ts'
import {
  describePackage,
  destroyPackage,
  movePackage,
  PACKAGE_WRITES,
  packageById,
  packageId,
} from './rules.ts'
import { isPackageId, JettisonContainer, Locker, Package } from './state.ts'

/*
 * Invariants of holds and lockers after a tick. Source: trade-storage.md section 7, RELIABILITY 4
 * (I2, I8).
 */

export const cargoAddsUp: CheckDef = {
  name: 'I8 a hold uses the space of what is in it',
  run(view, full) {
    if (!full) return
    const { alive, cargoUsed, hold } = view.read(Ship)
    for (let ship = 1; ship <= view.highOf(Ship); ship++) {
      if (alive[ship] === 0 || hold[ship] === 0) continue
      const used = spaceUsed(view, ship)
      assert(cargoUsed[ship] === used, `ship ${ship} counts ${cargoUsed[ship]} of ${used} in use`)
    }
  },
}

export const lockersFound: CheckDef = {
  name: 'lockers are found by owner and base',
  run(view, full) {
    if (!full) return
    const { alive, player, base, container } = view.read(Locker)
    for (let row = 1; row <= view.highOf(Locker); row++) {
      if (alive[row] === 0) continue
      const found = lockerOf(view, player[row], base[row])
      assert(found === container[row], `locker ${row} is not the one of its owner`)
    }
  },
}

/* Invariants of packages after a tick. Source: trade-storage.md section 7. */

function checkSealed(view: WorldView, pkg: Row): void {
  const { manifest, size } = view.read(Package)
  const { alive, packages } = view.read(Container)
  assert(alive[manifest[pkg]] === 1, `package ${pkg} has no manifest`)
  assert(packages[manifest[pkg]] === 0, `package ${pkg} has packages in it`)
  // A package in escrow may still wait for the goods that a job makes.
  const isFilled = packagePlace(view, pkg) === 'escrow' || !isBare(view, manifest[pkg])
  assert(isFilled, `package ${pkg} is empty`)
  const sum = packedSize(manifestOf(view, pkg))
  assert(sum === size[pkg] && sum <= PACKAGE_SIZE, `package ${pkg} of size ${sum}`)
}

function checkPlace(view: WorldView, pkg: Row): void {
  const { holder, ship, base, player } = view.read(Package)
  const { alive } = view.read(Container)
  const place = packagePlace(view, pkg)
  assert(alive[holder[pkg]] === 1, `package ${pkg} has no place`)
  assert(isPackageIn(view, holder[pkg], pkg), `package ${pkg} is not listed where it is`)
  assert((ship[pkg] !== 0) === (place === 'cargo'), `package ${pkg} names the wrong ship`)
  if (place === 'cargo') {
    assert(view.read(Ship).hold[ship[pkg]] === holder[pkg], `package ${pkg} is in another hold`)
  }
  if (place === 'locker') {
    const locker = lockerOf(view, player[pkg], base[pkg])
    assert(locker === holder[pkg], `package ${pkg} is not in the locker of its owner`)
  }
}

export const packagesAreSound: CheckDef = {
  name: 'packages: each is in one place, and uses one cargo container',
  run(view, full) {
    if (!full) return
    const { alive, holder } = view.read(Package)
    const { packages, packageSpace } = view.read(Container)
    const counts = new Map<Row, number>()
    const spaces = new Map<Row, number>()
    let sealed = 0
    for (let pkg = 1; pkg <= view.highOf(Package); pkg++) {
      if (alive[pkg] === 0) continue
      checkPlace(view, pkg)
      if (!isNote(view, pkg)) {
        checkSealed(view, pkg)
        sealed++
      }
      counts.set(holder[pkg], (counts.get(holder[pkg]) ?? 0) + 1)
      spaces.set(holder[pkg], (spaces.get(holder[pkg]) ?? 0) + footprintOf(view, pkg))
    }
    let sum = 0
    for (let row = 1; row <= view.highOf(Container); row++) sum += packages[row]
    assert(sum === view.countOf(Package), `${sum} packages are listed`)
    for (const [row, count] of counts) {
      assert(packages[row] === count, `container ${row} counts ${packages[row]} packages`)
      const space = spaces.get(row)
      assert(packageSpace[row] === space, `container ${row} has packages of ${packageSpace[row]}`)
    }
    const used = unitsIn(view, namedContainer('packaging'), CARGO_CONTAINER)
    assert(used === sealed, `${used} cargo containers are in use`)
  },
}

/** Sends the tick's gift notices, before the batch is published. */
export const notifyOfGifts: SystemDef = {
  name: 'cargo.tell_gifts',
  phase: 'settle',
  writes: [],
  run: notifyGifts,
}

/**
 * Throws a package overboard, whole. Refusals: invalid_payload, insufficient_items, limit_reached.
 */
export function jettisonPackage(
  world: World,
  player: Eid,
  text: string,
  units: number,
): Outcome<ThrownPackage, 'insufficient_items' | 'invalid_payload' | 'limit_reached'> {
  if (units !== 1) return invalidFields({ field: 'quantity', expected: '1 package' })
  const ship = world.read(Player).ship[player]
  const pkg = packageById(world, text)
  if (pkg === 0 || !isPackageIn(world, world.read(Ship).hold[ship], pkg)) {
    return fail('insufficient_items', { need: 1, have: 0 })
  }
  const poi = poiOf(world, player)
  const existing = poi === 0 ? 0 : jettisonContainerAt(world, poi, player)
  const { container } = world.read(JettisonContainer)
  const { packages } = world.read(Container)
  const isFull = existing !== 0 && packages[container[existing]] >= JETTISON_PACKAGES_MAX
  const hasNoRow = poi !== 0 && existing === 0 && isNearlyFull(world, JettisonContainer)
  if (isFull || hasNoRow || isStorageNearlyFull(world)) return fail('limit_reached')
  const [id, name] = [packageId(world, pkg), describePackage(world, pkg)]
  const row = openJettisonContainer(world, player)
  if (row === 0) destroyPackage(world, pkg, 'jettison_expired')
  else movePackage(world, pkg, { kind: 'adrift', container: container[row] })
  addStat(world, player, 'items_jettisoned', 1)
  const where = poi === 0 ? 'off the lanes' : `at ${poiName(world, poi)}`
  const data = { item_id: id, quantity: 1 }
  logAction(world, player, 'storage', 'jettison', `Jettisoned ${name} ${where}.`, data)
  return ok({ container: row, id, description: name })
}

interface ThrownPackage {
  /** 0: nothing is left of it (adrift between systems). */
  readonly container: Row
  readonly id: string
  /** Its name in sentences. */
  readonly description: string
}

interface Jettisoned {
  /** 0: nothing is left of it (adrift between systems). */
  readonly container: Row
  readonly item: number
  readonly units: number
}

function jettisonRefusal(
  world: World,
  player: Eid,
  item: number,
  units: number,
): Failure<'insufficient_items' | 'limit_reached'> | undefined {
  const have = cargoUnits(world, world.read(Player).ship[player], item)
  if (have < units) {
    return fail('insufficient_items', { item_id: GOODS[item].id, need: units, have })
  }
  if (isStorageNearlyFull(world)) return fail('limit_reached')
  const poi = poiOf(world, player)
  if (poi === 0) return undefined
  const row = jettisonContainerAt(world, poi, player)
  if (row === 0) return isNearlyFull(world, JettisonContainer) ? fail('limit_reached') : undefined
  const { container } = world.read(JettisonContainer)
  const kinds = world.read(Container).kinds[container[row]]
  const isNew = unitsIn(world, container[row], item) === 0
  return isNew && kinds >= JETTISON_KINDS_MAX ? fail('limit_reached') : undefined
}

/**
 * Throws units of a good out of the hold, at the place of the ship. Refusals: unknown_item,
 * insufficient_items, limit_reached.
 */
export function jettisonItem(
  world: World,
  player: Eid,
  text: string,
  units: number,
): Outcome<Jettisoned, 'insufficient_items' | 'limit_reached' | 'unknown_item'> {
  const found = findGood(text)
  if (!found.ok) return found
  const item = found.result
  const refused = jettisonRefusal(world, player, item, units)
  if (refused) return refused
  // A quest item is of use to its owner only: it is destroyed, as is what is thrown into the void.
  const row = GOODS[item].quest_item === true ? 0 : openJettisonContainer(world, player)
  const to =
    row === 0 ? namedContainer('jettison_expired') : world.read(JettisonContainer).container[row]
  unloadCargo(world, world.read(Player).ship[player], to, item, units)
  addStat(world, player, 'items_jettisoned', units)
  const poi = poiOf(world, player)
  const where = poi === 0 ? 'off the lanes' : `at ${poiName(world, poi)}`
  const message = `Jettisoned ${units} ${GOODS[item].name} ${where}.`
  logAction(world, player, 'storage', 'jettison', message, {
    item_id: GOODS[item].id,
    quantity: units,
  })
  return ok({ container: row, item, units })
}

interface JettisonRow {
  readonly item_id: string
  readonly quantity: number
}

interface RowResult extends JettisonRow {
  success: boolean
  item_name?: string
  error?: ErrorCode
  message?: string
}

/**
 * Jettisons several rows in order; each commits or fails alone. When none succeeds, returns the
 * refusal of the first.
 */
export function jettisonRows(world: World, player: Eid, rows: readonly JettisonRow[]) {
  let firstRefusal:
    | Failure<'insufficient_items' | 'invalid_payload' | 'limit_reached' | 'unknown_item'>
    | undefined
  let container = 0
  const results = rows.map(({ item_id, quantity }): RowResult => {
    if (isPackageId(item_id)) {
      const thrown = jettisonPackage(world, player, item_id, quantity)
      if (thrown.ok) {
        container = thrown.result.container
        return { item_id: thrown.result.id, item_name: kindOfId(item_id), quantity, success: true }
      }
      firstRefusal ??= thrown
      return { item_id, quantity, success: false, error: thrown.code, message: thrown.message }
    }
    const done = jettisonItem(world, player, item_id, quantity)
    if (!done.ok) {
      firstRefusal ??= done
      return { item_id, quantity, success: false, error: done.code, message: done.message }
    }
    container = done.result.container
    const { id, name } = GOODS[done.result.item]
    return { item_id: id, item_name: name, quantity, success: true }
  })
  const succeeded = results.filter((row) => row.success).length
  if (succeeded === 0 && firstRefusal) return firstRefusal
  return ok({
    action: 'bulk_jettison',
    container_id: container === 0 ? '' : containerId(world, container),
    requested: rows.length,
    succeeded,
    failed: rows.length - succeeded,
    message: `Jettisoned ${succeeded} of ${counted(rows.length, 'kind')} of goods.`,
    results,
  })
}

/**
 * Removes containers to which nothing was added for 60 ticks. Reads only those that may be due.
 * Source: trade-storage.md 6.
 */
export const sweep: SystemDef = {
  name: 'cargo.sweep',
  phase: 'produce',
  writes: [...PACKAGE_WRITES, JettisonContainer, Note],
  run: removeExpired,
}
