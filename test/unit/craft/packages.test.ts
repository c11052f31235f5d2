/** Jobs with packages: packing, unpacking, packed inputs, packed outputs. crafting.md 5. */
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
import { onSmallMap } from '../../small-world.ts'
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

onSmallMap()

const BOX = itemIndex('cargo_container')
let scene: Scene
let ann: Eid
let bob: Eid

beforeEach(async () => {
  scene = await bench(2, 100)
  ;[ann, bob] = scene.players
  const { world, base } = scene
  const type = facilityTypeIndex('packing_room')
  const owner = { kind: OF_STATION, player: 0, faction: 0 }
  const row = addFacility(world, { type, base, owner, status: ONLINE })
  world.write(Facility).access[row] = PUBLIC
  give(world, ann, base, BOX, 2)
  pay(world, ann, 10_000)
})

const pack = (params: object = {}) =>
  done(scene, ann, {
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
    expect(lockerContents(scene, ann)).toContainEqual({ item: ORE, units: 60 })
    expect(lockerContents(scene, ann)).toContainEqual({ item: BOX, units: 1 })
    expect(act(scene, ann, 'craft')).toMatchObject({
      ok: true,
      result: { jobs: [{ mode: 'pack', package_id, label: 'Ore', produces: [] }] },
    })
    scene.small.ticks(10)
    expect(packagePlace(scene.world, pkg)).toBe('locker')
    expect(manifestOf(scene.world, pkg)).toEqual([{ item: ORE, units: 40 }])
    expect(jobsOf(scene.world, ann)).toEqual([])
  })

  test('changes nothing when it is cancelled', () => {
    const before = lockerContents(scene, ann)
    const { job_id } = pack()
    done(scene, ann, { job_id })
    expect(lockerContents(scene, ann)).toEqual(before)
  })

  test('is refused for what cannot be packed', () => {
    const recipe_id = 'pack_package'
    const ore = (quantity: number) => [{ item_id: 'iron_ore', quantity }]
    refuses(scene, ann, { recipe_id, items: ore(101) }, 'output_too_large')
    const partial = [...ore(10), { item_id: 'iron_ingot', quantity: 1 }]
    refuses(scene, ann, { recipe_id, items: partial }, 'missing_materials')
    refuses(scene, ann, { recipe_id, items: [{ item_id: 'void', quantity: 1 }] }, 'unknown_item')
    const nested = [{ item_id: packed(), quantity: 1 }]
    refuses(scene, ann, { recipe_id, items: nested }, 'package_nested')
    refuses(scene, ann, { recipe_id }, 'invalid_payload')
    const label = 'two\nlines'
    refuses(scene, ann, { recipe_id, items: ore(10), label }, 'invalid_payload')
    const labelled = { recipe_id: 'smelt_iron', quantity: 1, output_package_label: label }
    refuses(scene, ann, labelled, 'invalid_payload')
    refuses(scene, bob, { recipe_id, items: ore(10) }, 'no_cargo_container')
  })
})

describe('stores of a faction', () => {
  const goodsOf = (place: StorePlace) => contentsOf(scene.world, storeContainer(scene.world, place))

  test('are packed and unpacked only by members who may take from them', () => {
    const { world, base, small } = scene
    const faction = foundFaction(world, ann, 'Packers', 'PACK')
    addMember(world, bob, faction)
    addService(world, faction, base, 'faction_storage')
    const bucket = addService(world, faction, base, 'storage_extension')
    post(world, namedAccount('missions'), treasuryOf(world, faction), 10_000)
    const mainStore = { faction, base, bucket: 0 }
    const bucketStore = { ...mainStore, bucket: bucketNumber(world, bucket) }
    moveItems(world, namedContainer('supply'), openStore(world, mainStore), ORE, 50)
    moveItems(world, namedContainer('supply'), openStore(world, mainStore), BOX, 1)
    const recipe_id = 'pack_package'
    const request = { source: 'faction', target: `faction:${facilityId(world, bucket)}` }
    const items = [{ item_id: 'iron_ore', quantity: 40 }]
    refuses(scene, bob, { recipe_id, items, ...request }, 'no_permission')
    const before = goodsOf(mainStore)
    done(scene, ann, { job_id: pack(request).job_id })
    expect(goodsOf(mainStore)).toEqual(before)
    const { package_id } = pack(request)
    expect(goodsOf(mainStore)).toEqual([{ item: ORE, units: 10 }])
    small.ticks(10)
    const pkg = packageById(world, package_id)
    expect(packageOwner(world, pkg)).toEqual({ player: 0, faction })
    expect(packagesIn(world, storeContainer(world, bucketStore))).toEqual([pkg])
    expect(reservedAt(ann)).toBe(0)
    const open = { recipe_id: 'unpack_package', package_id, target: 'faction' }
    refuses(scene, bob, open, 'no_permission')
    done(scene, ann, { job_id: done(scene, ann, open).job_id })
    expect(packagesIn(world, storeContainer(world, bucketStore))).toEqual([pkg])
    done(scene, ann, open)
    small.ticks(5)
    expect(goodsOf(mainStore)).toEqual(expect.arrayContaining([{ item: ORE, units: 50 }]))
    expect(packageById(world, package_id)).toBe(0)
  })

  test('leave a package to its orderer if the faction ends during the work', () => {
    const { world, base, small } = scene
    const faction = foundFaction(world, ann, 'Packers', 'PACK')
    addService(world, faction, base, 'faction_storage')
    const { package_id } = pack({ target: 'faction' })
    expect(act(scene, ann, 'leave_faction', {}).ok).toBe(true)
    small.ticks(10)
    const pkg = packageById(world, package_id)
    expect(packageOwner(world, pkg)).toEqual({ player: ann, faction: 0 })
    expect(packagePlace(world, pkg)).toBe('locker')
    expect(reservedAt(ann)).toBe(0)
  })

  const reservedAt = (player: Eid): number =>
    scene.world.read(Locker).reserved[lockerRowOf(scene.world, player, scene.base)]
})

describe('unpacking', () => {
  test('returns the packed goods and the container', () => {
    const package_id = packed()
    const before = lockerContents(scene, ann)
    done(scene, ann, { recipe_id: 'unpack_package', package_id })
    scene.small.ticks(5)
    expect(packageById(scene.world, package_id)).toBe(0)
    expect(lockerContents(scene, ann)).toContainEqual({ item: ORE, units: 100 })
    expect(lockerContents(scene, ann)).toContainEqual({ item: BOX, units: 2 })
    expect(before).toContainEqual({ item: BOX, units: 1 })
  })

  test('leaves the package where it was when it is cancelled', () => {
    const package_id = packed()
    const { job_id } = done(scene, ann, { recipe_id: 'unpack_package', package_id })
    done(scene, ann, { job_id })
    expect(packagePlace(scene.world, packageById(scene.world, package_id))).toBe('locker')
  })

  test('takes 40 ticks and the container at a workshop', () => {
    const package_id = packed()
    done(scene, ann, { recipe_id: 'unpack_package', package_id, preset: 'workshop' })
    scene.small.ticks(38)
    expect(packageById(scene.world, package_id)).not.toBe(0)
    scene.small.ticks(1)
    expect(packageById(scene.world, package_id)).toBe(0)
    expect(lockerContents(scene, ann)).toContainEqual({ item: BOX, units: 1 })
  })

  test('is refused to players who do not hold the package', () => {
    const package_id = packed()
    refuses(scene, bob, { recipe_id: 'unpack_package', package_id }, 'not_found')
  })
})

describe('a recipe', () => {
  test('takes its inputs out of packages that hold exactly them', () => {
    const package_ids = [packed()]
    const recipe_id = 'smelt_iron'
    refuses(scene, ann, { recipe_id, quantity: 19, package_ids }, 'package_mismatch')
    refuses(scene, ann, { recipe_id, quantity: 20, package_ids: ['package:x'] }, 'not_found')
    done(scene, ann, { recipe_id, quantity: 20, package_ids })
    scene.small.ticks(6)
    expect(lockerContents(scene, ann)).toContainEqual({ item: INGOT, units: 20 })
    expect(lockerContents(scene, ann)).toContainEqual({ item: BOX, units: 2 })
    expect(lockerContents(scene, ann)).toContainEqual({ item: ORE, units: 60 })
  })

  test('counts a package once even if its id is given twice', () => {
    const kit = packed()
    const recipe_id = 'smelt_iron'
    for (const package_ids of [
      [kit, kit],
      [kit, kit.toUpperCase()],
    ]) {
      refuses(scene, ann, { recipe_id, quantity: 40, package_ids }, 'package_mismatch')
    }
    done(scene, ann, { recipe_id, quantity: 20, package_ids: [kit, kit.toUpperCase()] })
    scene.small.ticks(6)
    expect(lockerContents(scene, ann)).toContainEqual({ item: INGOT, units: 20 })
  })

  test('puts its outputs into one package', () => {
    const recipe_id = 'smelt_iron'
    const request = { recipe_id, quantity: 10, output_package_label: 'Bars' }
    const quoted = act(scene, ann, 'craft', { ...request, dry_run: true })
    expect(quoted).toMatchObject({
      ok: true,
      result: {
        kind: 'packaged_quote',
        ready: true,
        gates: { inputs: { ok: true }, logistics: { ok: true }, credits: { ok: true } },
        output_package: { label: 'Bars', container_consumed: 1, size_max: 100 },
      },
    })
    const { output_package_id } = done(scene, ann, request)
    scene.small.ticks(3)
    const pkg = packageById(scene.world, String(output_package_id))
    expect(packagePlace(scene.world, pkg)).toBe('locker')
    expect(manifestOf(scene.world, pkg)).toEqual([{ item: INGOT, units: 10 }])
  })

  test('is quoted as not ready while the workshop has too much work', () => {
    const { world, base } = scene
    give(world, ann, base, ORE, 30_000)
    pay(world, ann, 100_000)
    const whole = act(scene, ann, 'craft', { recipe_id: 'smelt_iron', quantity: 10_000 })
    const { most } = (whole as unknown as { details: { most: number } }).details
    done(scene, ann, { recipe_id: 'smelt_iron', quantity: most })
    const request = { recipe_id: 'smelt_iron', quantity: 10, output_package_label: 'Bars' }
    refuses(scene, ann, request, 'job_limit_reached')
    expect(act(scene, ann, 'craft', { ...request, dry_run: true })).toMatchObject({
      ok: true,
      result: { ready: false, gates: { destination_room: { ok: false } } },
    })
  })

  test('is refused for fuel, and for stores of factions, with the field that is wrong', () => {
    const fuel = { recipe_id: 'mill_fuel', output_package_label: 'Cells' }
    const bars = { recipe_id: 'smelt_iron', output_package_label: 'Bars' }
    for (const dry_run of [true, false]) {
      expect(act(scene, ann, 'craft', { ...fuel, dry_run })).toMatchObject({
        code: 'invalid_payload',
        message: expect.stringContaining('recipe_id'),
      })
    }
    refuses(scene, bob, { ...bars, deliver_to: 'faction' }, 'not_in_faction')
  })

  test('returns its packages when it is cancelled', async () => {
    const package_ids = [packed()]
    const before = lockerContents(scene, ann)
    const request = { recipe_id: 'smelt_iron', quantity: 20, output_package_label: 'Bars' }
    done(scene, ann, { recipe_id: 'smelt_iron', quantity: 12 })
    const ordered = done(scene, ann, { ...request, package_ids })
    const copy = await scene.small.reload()
    expect(copy.hash()).toBe(scene.small.hash())
    expect(ordered.output_package_id).toBeDefined()
    done(scene, ann, { job_id: ordered.job_id })
    expect(packagePlace(scene.world, packageById(scene.world, package_ids[0]))).toBe('locker')
    const left = lockerContents(scene, ann).filter(({ item }) => item === BOX)
    expect(left).toEqual(before.filter(({ item }) => item === BOX))
  })

  test('reports the gates that an unusable package closes', () => {
    const recipe_id = 'smelt_iron'
    const request = { recipe_id, quantity: 5, package_ids: ['package:x'], dry_run: true }
    expect(act(scene, ann, 'craft', request)).toMatchObject({
      ok: true,
      result: { ready: false, gates: { package_match: { ok: false }, inputs: { ok: false } } },
    })
  })
})
