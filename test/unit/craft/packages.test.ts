/** Jobs with packages: packing, unpacking, inputs out of them, outputs into one. crafting.md 5. */
import { beforeEach, describe, expect, test } from 'vitest'
import { facilityTypeIndex, itemIndex } from '../../../core/catalog/index.ts'
import { contentsOf, moveItems, namedContainer } from '../../../core/goods.ts'
import { namedAccount, post } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import {
  lockerRowOf,
  manifestOf,
  packageOwner,
  packagePlace,
  packagesIn,
} from '../../../systems/cargo/model.ts'
import { packageById } from '../../../systems/cargo/rules.ts'
import { Locker } from '../../../systems/cargo/state.ts'
import { jobsOf } from '../../../systems/craft/venue-model.ts'
import { addFacility } from '../../../systems/facility/lifecycle-rules.ts'
import { facilityId } from '../../../systems/facility/model.ts'
import { Facility, OF_STATION, ONLINE, PUBLIC } from '../../../systems/facility/state.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { treasuryOf } from '../../../systems/faction/model.ts'
import {
  bucketNumber,
  openStore,
  type StorePlace,
  storeContainer,
} from '../../../systems/faction/store-model.ts'
import { addService } from '../faction/scene.ts'
import {
  act,
  bench,
  done,
  give,
  INGOT,
  lockerContents,
  ORE,
  pay,
  refuses,
  type Scene,
} from './scene.ts'

const BOX = itemIndex('cargo_container')
let scene: Scene
let one: Eid
let two: Eid

beforeEach(async () => {
  scene = await bench(2, 100)
  ;[one, two] = scene.players
  const { world, base } = scene
  const type = facilityTypeIndex('packing_room')
  const owner = { kind: OF_STATION, player: 0, faction: 0 }
  const row = addFacility(world, { type, base, owner, status: ONLINE })
  world.write(Facility).access[row] = PUBLIC
  give(world, one, base, BOX, 2)
  pay(world, one, 10_000)
})

const pack = (params: object = {}) =>
  done(scene, one, {
    recipe_id: 'pack_package',
    items: [{ item_id: 'iron_ore', quantity: 40 }],
    label: 'Ore',
    ...params,
  }) as unknown as { package_id: string; job_id: string }
const packed = (): string => {
  const { package_id } = pack()
  scene.small.ticks(10)
  return package_id
}

describe('packing', () => {
  test('seals goods and a container at once, and stores the package when the work is done', () => {
    const { package_id } = pack()
    const pkg = packageById(scene.world, package_id)
    expect(packagePlace(scene.world, pkg)).toBe('escrow')
    expect(lockerContents(scene, one)).toContainEqual({ item: ORE, units: 60 })
    expect(lockerContents(scene, one)).toContainEqual({ item: BOX, units: 1 })
    expect(act(scene, one, 'craft')).toMatchObject({
      ok: true,
      result: { jobs: [{ mode: 'pack', package_id, label: 'Ore', produces: [] }] },
    })
    scene.small.ticks(10)
    expect(packagePlace(scene.world, pkg)).toBe('locker')
    expect(manifestOf(scene.world, pkg)).toEqual([{ item: ORE, units: 40 }])
    expect(jobsOf(scene.world, one)).toEqual([])
  })

  test('changes nothing when it is cancelled', () => {
    const before = lockerContents(scene, one)
    const { job_id } = pack()
    done(scene, one, { job_id })
    expect(lockerContents(scene, one)).toEqual(before)
  })

  test('is refused for what cannot be packed', () => {
    const recipe_id = 'pack_package'
    const ore = (quantity: number) => [{ item_id: 'iron_ore', quantity }]
    refuses(scene, one, { recipe_id, items: ore(101) }, 'output_too_large')
    const some = [...ore(10), { item_id: 'iron_ingot', quantity: 1 }]
    refuses(scene, one, { recipe_id, items: some }, 'missing_materials')
    refuses(scene, one, { recipe_id, items: [{ item_id: 'void', quantity: 1 }] }, 'unknown_item')
    const nested = [{ item_id: packed(), quantity: 1 }]
    refuses(scene, one, { recipe_id, items: nested }, 'package_nested')
    refuses(scene, one, { recipe_id }, 'invalid_payload')
    refuses(scene, two, { recipe_id, items: ore(10) }, 'no_cargo_container')
  })
})

describe('stores of a faction', () => {
  const goodsOf = (place: StorePlace) => contentsOf(scene.world, storeContainer(scene.world, place))

  test('are packed from and into, and opened from and into, by who may take from them', () => {
    const { world, base, small } = scene
    const faction = foundFaction(world, one, 'Packers', 'PACK')
    addMember(world, two, faction)
    addService(world, faction, base, 'faction_storage')
    const bucket = addService(world, faction, base, 'storage_extension')
    post(world, namedAccount('missions'), treasuryOf(world, faction), 10_000)
    const main = { faction, base, bucket: 0 }
    const side = { ...main, bucket: bucketNumber(world, bucket) }
    moveItems(world, namedContainer('supply'), openStore(world, main), ORE, 50)
    moveItems(world, namedContainer('supply'), openStore(world, main), BOX, 1)
    const recipe_id = 'pack_package'
    const asked = { source: 'faction', target: `faction:${facilityId(world, bucket)}` }
    const items = [{ item_id: 'iron_ore', quantity: 40 }]
    refuses(scene, two, { recipe_id, items, ...asked }, 'no_permission')
    const before = goodsOf(main)
    done(scene, one, { job_id: pack(asked).job_id })
    expect(goodsOf(main)).toEqual(before)
    const { package_id } = pack(asked)
    expect(goodsOf(main)).toEqual([{ item: ORE, units: 10 }])
    small.ticks(10)
    const pkg = packageById(world, package_id)
    expect(packageOwner(world, pkg)).toEqual({ player: 0, faction })
    expect(packagesIn(world, storeContainer(world, side))).toEqual([pkg])
    expect(reservedAt(one)).toBe(0)
    const open = { recipe_id: 'unpack_package', package_id, target: 'faction' }
    refuses(scene, two, open, 'no_permission')
    done(scene, one, { job_id: done(scene, one, open).job_id })
    expect(packagesIn(world, storeContainer(world, side))).toEqual([pkg])
    done(scene, one, open)
    small.ticks(5)
    expect(goodsOf(main)).toEqual(expect.arrayContaining([{ item: ORE, units: 50 }]))
    expect(packageById(world, package_id)).toBe(0)
  })

  test('that end before the work is done leave the package to who ordered it', () => {
    const { world, base, small } = scene
    const faction = foundFaction(world, one, 'Packers', 'PACK')
    addService(world, faction, base, 'faction_storage')
    const { package_id } = pack({ target: 'faction' })
    expect(act(scene, one, 'leave_faction', {}).ok).toBe(true)
    small.ticks(10)
    const pkg = packageById(world, package_id)
    expect(packageOwner(world, pkg)).toEqual({ player: one, faction: 0 })
    expect(packagePlace(world, pkg)).toBe('locker')
    expect(reservedAt(one)).toBe(0)
  })

  const reservedAt = (player: Eid): number =>
    scene.world.read(Locker).reserved[lockerRowOf(scene.world, player, scene.base)]
})

describe('unpacking', () => {
  test('gives back what was packed, with the container', () => {
    const package_id = packed()
    const before = lockerContents(scene, one)
    done(scene, one, { recipe_id: 'unpack_package', package_id })
    scene.small.ticks(5)
    expect(packageById(scene.world, package_id)).toBe(0)
    expect(lockerContents(scene, one)).toContainEqual({ item: ORE, units: 100 })
    expect(lockerContents(scene, one)).toContainEqual({ item: BOX, units: 2 })
    expect(before).toContainEqual({ item: BOX, units: 1 })
  })

  test('called off leaves the package where it was', () => {
    const package_id = packed()
    const { job_id } = done(scene, one, { recipe_id: 'unpack_package', package_id })
    done(scene, one, { job_id })
    expect(packagePlace(scene.world, packageById(scene.world, package_id))).toBe('locker')
  })

  test('at a workshop takes 40 ticks and costs the container', () => {
    const package_id = packed()
    done(scene, one, { recipe_id: 'unpack_package', package_id, preset: 'workshop' })
    scene.small.ticks(38)
    expect(packageById(scene.world, package_id)).not.toBe(0)
    scene.small.ticks(1)
    expect(packageById(scene.world, package_id)).toBe(0)
    expect(lockerContents(scene, one)).toContainEqual({ item: BOX, units: 1 })
  })

  test('is for who holds the package', () => {
    const package_id = packed()
    refuses(scene, two, { recipe_id: 'unpack_package', package_id }, 'not_found')
  })
})

describe('a recipe', () => {
  test('takes its inputs out of packages that hold exactly them', () => {
    const package_ids = [packed()]
    const recipe_id = 'smelt_iron'
    refuses(scene, one, { recipe_id, quantity: 19, package_ids }, 'package_mismatch')
    refuses(scene, one, { recipe_id, quantity: 20, package_ids: ['package:x'] }, 'not_found')
    done(scene, one, { recipe_id, quantity: 20, package_ids })
    scene.small.ticks(6)
    expect(lockerContents(scene, one)).toContainEqual({ item: INGOT, units: 20 })
    expect(lockerContents(scene, one)).toContainEqual({ item: BOX, units: 2 })
    expect(lockerContents(scene, one)).toContainEqual({ item: ORE, units: 60 })
  })

  test('counts a package once that is named twice, in any case', () => {
    const kit = packed()
    const recipe_id = 'smelt_iron'
    for (const package_ids of [
      [kit, kit],
      [kit, kit.toUpperCase()],
    ]) {
      refuses(scene, one, { recipe_id, quantity: 40, package_ids }, 'package_mismatch')
    }
    done(scene, one, { recipe_id, quantity: 20, package_ids: [kit, kit.toUpperCase()] })
    scene.small.ticks(6)
    expect(lockerContents(scene, one)).toContainEqual({ item: INGOT, units: 20 })
  })

  test('puts its outputs into one package', () => {
    const recipe_id = 'smelt_iron'
    const asked = { recipe_id, quantity: 10, output_package_label: 'Bars' }
    const quoted = act(scene, one, 'craft', { ...asked, dry_run: true })
    expect(quoted).toMatchObject({
      ok: true,
      result: {
        kind: 'packaged_quote',
        ready: true,
        gates: { inputs: { ok: true }, logistics: { ok: true }, credits: { ok: true } },
        output_package: { label: 'Bars', container_consumed: 1, size_max: 100 },
      },
    })
    const { output_package_id } = done(scene, one, asked)
    scene.small.ticks(3)
    const pkg = packageById(scene.world, String(output_package_id))
    expect(packagePlace(scene.world, pkg)).toBe('locker')
    expect(manifestOf(scene.world, pkg)).toEqual([{ item: INGOT, units: 10 }])
  })

  test('changes nothing when it is cancelled with packages, and restores the same', async () => {
    const package_ids = [packed()]
    const before = lockerContents(scene, one)
    const asked = { recipe_id: 'smelt_iron', quantity: 20, output_package_label: 'Bars' }
    done(scene, one, { recipe_id: 'smelt_iron', quantity: 12 })
    const ordered = done(scene, one, { ...asked, package_ids })
    const copy = await scene.small.reload()
    expect(copy.hash()).toBe(scene.small.hash())
    expect(ordered.output_package_id).toBeDefined()
    done(scene, one, { job_id: ordered.job_id })
    expect(packagePlace(scene.world, packageById(scene.world, package_ids[0]))).toBe('locker')
    const left = lockerContents(scene, one).filter(({ item }) => item === BOX)
    expect(left).toEqual(before.filter(({ item }) => item === BOX))
  })

  test('shows closed gates where packages are not as they should be', () => {
    const recipe_id = 'smelt_iron'
    const asked = { recipe_id, quantity: 5, package_ids: ['package:x'], dry_run: true }
    expect(act(scene, one, 'craft', asked)).toMatchObject({
      ok: true,
      result: { ready: false, gates: { package_match: { ok: false }, inputs: { ok: false } } },
    })
  })
})
