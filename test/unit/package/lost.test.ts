/** Packages of lost ships, and in jettisoned containers. */
import { beforeEach, describe, expect, test } from 'vitest'
import { SHIP_CLASSES } from '../../../core/catalog/index.ts'
import { namedContainer, unitsIn } from '../../../core/goods.ts'
import { JETTISON_PACKAGES_MAX, JETTISON_TICKS } from '../../../core/limits.ts'
import { packageOwner, packagePlace, packagesIn } from '../../../systems/cargo/model.ts'
import { packageId } from '../../../systems/cargo/rules.ts'
import { Package } from '../../../systems/cargo/state.ts'
import { makeWreck } from '../../../systems/salvage/make-rules.ts'
import { wreckId } from '../../../systems/salvage/model.ts'
import { removeWreck } from '../../../systems/salvage/rules.ts'
import { Wreck } from '../../../systems/salvage/state.ts'
import { createShip, releaseShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { beside, type Yard } from '../salvage/stage.ts'
import { HOLD_LEAST, ORE, packAt } from './stage.ts'

onSmallMap()

let yard: Yard
beforeEach(async () => {
  yard = await beside()
})

const HAULER = SHIP_CLASSES.findIndex((row) => row.cargo_capacity >= 4 * HOLD_LEAST)

/** Makes the wreck of a ship that had this many packages aboard. */
function loseWith(count: number, isNpc = false): number {
  const { world, poi } = yard
  const ship = createShip(world, { owner: 0, shipClass: HAULER, modules: [] })
  for (let i = 0; i < count; i++) packAt(world, { kind: 'cargo', ship })
  const wreck = makeWreck(world, {
    ship,
    poi,
    isNpc,
    victimId: 'v',
    victimName: 'V',
    killerId: '',
    killerName: '',
  })
  releaseShip(world, ship)
  world.recycle()
  return wreck
}

const hauler = (): void => {
  yard.tug(yard.one, SHIP_CLASSES[HAULER].id, ['tow_rig_basic'])
}

describe('packages of a lost ship', () => {
  test('survive one by one, and the others are destroyed with their goods', () => {
    const { world } = yard
    const before = unitsIn(world, namedContainer('destroyed'), ORE)
    const wreck = loseWith(20)
    const survivors = packagesIn(world, world.read(Wreck).cargo[wreck])
    expect(survivors.length).toBeGreaterThan(3)
    expect(survivors.length).toBeLessThan(20)
    expect(world.countOf(Package)).toBe(survivors.length)
    expect(survivors.map((pkg) => packagePlace(world, pkg))).toEqual(survivors.map(() => 'wreck'))
    expect(unitsIn(world, namedContainer('destroyed'), ORE)).toBeGreaterThan(before)
    yard.small.ticks(1)
  })

  test('can be looted one by one or all at once', () => {
    const { world, small } = yard
    const wreck = loseWith(3, true)
    const [first] = packagesIn(world, world.read(Wreck).cargo[wreck])
    const wreck_id = wreckId(world, wreck)
    const item_id = packageId(world, first)
    expect(yard.wrecks(yard.one)[0].cargo).toHaveLength(3)
    const unknownPackage = yard.act(yard.two, 'loot_wreck', { wreck_id, item_id: 'package:none' })
    expect(unknownPackage).toMatchObject({ ok: false, code: 'item_not_found' })
    hauler()
    expect(yard.act(yard.one, 'loot_wreck', { wreck_id, item_id })).toMatchObject({
      result: { item_id, quantity: 1 },
    })
    expect(packageOwner(world, first).player).toBe(yard.one)
    const all = yard.act(yard.one, 'loot_wreck', { wreck_id })
    expect(all).toMatchObject({ result: { wreck_empty: true } })
    const ship = yard.world.read(Package).ship[first]
    expect(packagesIn(world, world.read(Ship).hold[ship])).toHaveLength(3)
    small.ticks(1)
  })

  test('do not go into a hold without room: no_cargo_space', () => {
    const { world } = yard
    const wreck = loseWith(1, true)
    const [pkg] = packagesIn(world, world.read(Wreck).cargo[wreck])
    const ship = yard.tug(yard.two, 'reaver', [])
    expect(world.read(Ship).cargoCap[ship]).toBeLessThan(100)
    const params = { wreck_id: wreckId(world, wreck), item_id: packageId(world, pkg) }
    expect(yard.act(yard.two, 'loot_wreck', params)).toMatchObject({ code: 'no_cargo_space' })
    expect(yard.act(yard.two, 'loot_wreck', { wreck_id: params.wreck_id })).toMatchObject({
      code: 'no_cargo_space',
    })
  })

  test('are removed with the wreck', () => {
    const { world } = yard
    const wreck = loseWith(2, true)
    removeWreck(world, wreck)
    expect(world.countOf(Package)).toBe(0)
    yard.small.ticks(1)
  })
})

test('a jettisoned container holds up to twenty packages, which are removed with it', () => {
  const { world, small } = yard
  const ship = yard.tug(yard.one, SHIP_CLASSES[HAULER].id, [])
  const ids = Array.from({ length: JETTISON_PACKAGES_MAX + 1 }, () =>
    packageId(world, packAt(world, { kind: 'cargo', ship })),
  )
  const items = ids.map((item_id) => ({ item_id, quantity: 1 }))
  const outcome = yard.act(yard.one, 'jettison', { items })
  expect(outcome).toMatchObject({ result: { succeeded: JETTISON_PACKAGES_MAX, failed: 1 } })
  const last = { item_id: ids[JETTISON_PACKAGES_MAX], quantity: 1 }
  expect(yard.act(yard.one, 'jettison', last)).toMatchObject({ code: 'limit_reached' })
  expect(yard.act(yard.one, 'jettison', { item_id: ids[0], quantity: 1 })).toMatchObject({
    code: 'insufficient_items',
  })
  expect(yard.act(yard.one, 'jettison', { ...last, quantity: 2 })).toMatchObject({
    code: 'invalid_payload',
  })
  small.ticks(JETTISON_TICKS + 1)
  expect(world.countOf(Package)).toBe(1)
})
