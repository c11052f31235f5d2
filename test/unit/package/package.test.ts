/** Packages: places, contents and ends. Source: trade-storage.md sections 1, 5 and 7. */
import { beforeEach, describe, expect, test } from 'vitest'
import { Container, contentsOf, namedContainer, unitsIn } from '../../../core/goods.ts'
import type { Eid } from '../../../core/types.ts'
import {
  CARGO_CONTAINER,
  holdsPackage,
  labelOf,
  lockerOf,
  manifestOf,
  openLocker,
  packageOwner,
  packagePlace,
  packageRoom,
  packagesIn,
  storedUnits,
} from '../../../systems/cargo/model.ts'
import {
  destroyPackage,
  freeSlot,
  movePackage,
  openPackage,
  packageById,
  packageId,
  reserveSlot,
} from '../../../systems/cargo/rules.ts'
import { isPackageId, Locker, Package } from '../../../systems/cargo/state.ts'
import { PACKAGE_SIZE } from '../../../systems/craft/state.ts'
import { factionOf } from '../../../systems/faction/model.ts'
import { cargoUnits, freeSpace, spaceUsed, unitsThatFit } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { freighter, ORE, packAt } from './stage.ts'

onSmallMap()

let small: SmallWorld
let player: Eid
let other: Eid
let ship: Eid
let base: Eid

beforeEach(async () => {
  small = await smallWorld()
  player = small.join('Owner')
  other = small.join('Friend')
  ship = freighter(small.world, player)
  base = dockedBase(small.world, player)
})

const locker = (holder = player) => ({ kind: 'locker', player: holder, base }) as const
const cargo = () => ({ kind: 'cargo', ship }) as const

describe('a package', () => {
  test('has an id of its own by which it is found', () => {
    const pkg = packAt(small.world, locker(), { label: 'For the mill' })
    const id = packageId(small.world, pkg)
    expect(id).toMatch(/^package:[0-9a-f-]{36}$/)
    expect(packageById(small.world, id)).toBe(pkg)
    expect(packageById(small.world, id.slice('package:'.length))).toBe(0)
    expect(isPackageId('iron_ore')).toBe(false)
    expect(labelOf(small.world, pkg)).toBe('For the mill')
    small.ticks(1)
  })

  test('takes 100 of a hold, whatever its contents', () => {
    const before = spaceUsed(small.world, ship)
    const ores = unitsThatFit(small.world, ship, ORE)
    const pkg = packAt(small.world, locker(), { units: 3 })
    movePackage(small.world, pkg, cargo())
    expect(spaceUsed(small.world, ship)).toBe(before + PACKAGE_SIZE)
    expect(small.world.read(Ship).cargoUsed[ship]).toBe(before + PACKAGE_SIZE)
    const { cargoCap } = small.world.read(Ship)
    expect(freeSpace(small.world, ship)).toBe(cargoCap[ship] - before - PACKAGE_SIZE)
    expect(unitsThatFit(small.world, ship, ORE)).toBeLessThan(ores)
    small.ticks(1)
    movePackage(small.world, pkg, locker())
    expect(small.world.read(Ship).cargoUsed[ship]).toBe(before)
    small.ticks(1)
  })

  test('belongs to the player who keeps it, and nobody else holds it', () => {
    const { world } = small
    const pkg = packAt(world, locker())
    expect(packageOwner(world, pkg)).toEqual({ player, faction: 0 })
    expect(holdsPackage(world, player, pkg)).toBe(true)
    expect(holdsPackage(world, other, pkg)).toBe(false)
    movePackage(world, pkg, locker(other))
    expect(packageOwner(world, pkg)).toEqual({ player: other, faction: 0 })
    expect(holdsPackage(world, player, pkg)).toBe(false)
    movePackage(world, pkg, cargo())
    expect(holdsPackage(world, player, pkg)).toBe(true)
    small.act(player, 'create_faction', { name: 'Night Shift', tag: 'NGT1' })
    const faction = factionOf(world, player)
    const container = openLocker(world, other, base)
    movePackage(world, pkg, { kind: 'store', faction, base, container })
    expect(packageOwner(world, pkg)).toEqual({ player: 0, faction })
    expect(holdsPackage(world, player, pkg, faction)).toBe(true)
    expect(holdsPackage(world, player, pkg, faction + 1)).toBe(false)
    expect(holdsPackage(world, player, pkg)).toBe(false)
    movePackage(world, pkg, { kind: 'escrow', container: openLocker(world, player, base) })
    expect(packageOwner(world, pkg)).toEqual({ player: 0, faction })
    expect(holdsPackage(world, player, pkg, faction)).toBe(false)
  })

  test('keeps a locker open, which closes when the package leaves', () => {
    const { world } = small
    const pkg = packAt(world, locker())
    expect(packagesIn(world, lockerOf(world, player, base))).toEqual([pkg])
    movePackage(world, pkg, cargo())
    expect(lockerOf(world, player, base)).toBe(0)
    expect(packagePlace(world, pkg)).toBe('cargo')
    small.ticks(1)
  })

  test('returns its goods when it is opened, with its container or without', () => {
    const { world } = small
    const used = spaceUsed(world, ship)
    const pkg = packAt(world, cargo(), { units: 4 })
    expect(manifestOf(world, pkg)).toEqual([{ item: ORE, units: 4 }])
    openPackage(world, pkg, cargo(), true)
    expect(cargoUnits(world, ship, ORE)).toBe(4)
    expect(cargoUnits(world, ship, CARGO_CONTAINER)).toBe(1)
    expect(spaceUsed(world, ship)).toBeGreaterThan(used)
    const burned = unitsIn(world, namedContainer('burned'), CARGO_CONTAINER)
    openPackage(world, packAt(world, locker(), { units: 5 }), locker(), false)
    expect(storedUnits(world, player, base, ORE)).toBe(5)
    expect(unitsIn(world, namedContainer('burned'), CARGO_CONTAINER)).toBe(burned + 1)
    expect(world.countOf(Package)).toBe(0)
    small.ticks(1)
  })

  test('is destroyed with all its contents', () => {
    const { world } = small
    const before = unitsIn(world, namedContainer('destroyed'), ORE)
    destroyPackage(world, packAt(world, cargo(), { units: 6 }), 'destroyed')
    expect(unitsIn(world, namedContainer('destroyed'), ORE)).toBe(before + 6)
    expect(unitsIn(world, namedContainer('packaging'), CARGO_CONTAINER)).toBe(0)
    small.ticks(1)
  })

  test('is at the same place in a restored world', async () => {
    const pkg = packAt(small.world, cargo(), { label: 'Kept' })
    const id = packageId(small.world, pkg)
    packAt(small.world, locker())
    const twin = await small.reload()
    const found = packageById(twin.world, id)
    expect(labelOf(twin.world, found)).toBe('Kept')
    expect(packagesIn(twin.world, twin.world.read(Ship).hold[ship])).toEqual([found])
    expect(contentsOf(twin.world, twin.world.read(Package).manifest[found])).toHaveLength(1)
    expect(twin.hash()).toBe(small.hash())
    twin.ticks(2)
    small.ticks(2)
    expect(twin.hash()).toBe(small.hash())
  })
})

describe('room for packages', () => {
  test('is limited at each base, less packages there and slots reserved by jobs', () => {
    const { world } = small
    expect(packageRoom(world, player, base)).toBe(1_000)
    packAt(world, locker())
    reserveSlot(world, player, base)
    expect(packageRoom(world, player, base)).toBe(998)
    expect(packageRoom(world, other, base)).toBe(1_000)
    freeSlot(world, player, base)
    expect(packageRoom(world, player, base)).toBe(999)
    expect(() => freeSlot(world, player, base)).toThrow('reserved')
  })

  test('that is reserved keeps the locker open', () => {
    const { world } = small
    reserveSlot(world, player, base)
    expect(world.countOf(Locker)).toBe(1)
    small.ticks(1)
    freeSlot(world, player, base)
    expect(lockerOf(world, player, base)).toBe(0)
  })

  test('is counted in the container', () => {
    const { world } = small
    for (let i = 0; i < 5; i++) packAt(world, locker())
    expect(world.read(Container).packages[lockerOf(world, player, base)]).toBe(5)
    expect(packagesIn(world, lockerOf(world, player, base))).toHaveLength(5)
    small.ticks(1)
  })
})
