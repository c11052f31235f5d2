/** scan, sweep, scan_result, scan_detected. Source: travel.md sections 8, 9. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { playerId, statOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { creatures } from '../../../systems/creature/model.ts'
import { Creature } from '../../../systems/creature/state.ts'
import { npcsOf } from '../../../systems/npc/model.ts'
import { makePirate } from '../../../systems/npc/spawn-systems.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { aliasOf, hasDetected, revealedBy } from '../../../systems/sensing/model.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { xpOf } from '../../../systems/skill/model.ts'
import { dockShip, placeInSpace } from '../../../systems/travel/rules.ts'
import { Location } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { baseIn, hullOf, open } from '../combat/scene.ts'
import { codeOf, resultOf, type Sensing, sensing } from './scene.ts'

onSmallMap()

let scene: Sensing
let one: Eid
let two: Eid
beforeEach(async () => {
  scene = await sensing(3)
  ;[one, two] = scene.players
})

const scan = (target?: string, by = one) =>
  scene.small.act(by, 'scan', target === undefined ? {} : { target_id: target })
const scanResult = (target?: string, by = one) => resultOf(scan(target, by))

describe('what a scan reveals', () => {
  const contest = { power: 5, cloak: 0, isAnonymous: false, hasCargoScanner: false }

  test.each([
    [5, ['ship_class', 'cloaked', 'username']],
    [10, ['ship_class', 'cloaked', 'username', 'faction_id', 'hull', 'shield']],
    [
      20,
      [
        'ship_class',
        'cloaked',
        'username',
        'faction_id',
        'hull',
        'shield',
        'ship_name',
        'description',
      ],
    ],
  ])('grows with the margin of power: %i', (power, revealed) => {
    expect(revealedBy({ ...contest, power })).toEqual(revealed)
  })

  test('is nothing below the cloak, and the hold from 40, or from 10 with a cargo scanner', () => {
    expect(revealedBy({ ...contest, power: 14, cloak: 15 })).toEqual([])
    expect(revealedBy({ ...contest, power: 40 })).toContain('cargo_types')
    expect(revealedBy({ ...contest, power: 39 })).not.toContain('cargo_types')
    expect(revealedBy({ ...contest, power: 10, hasCargoScanner: true })).toContain('cargo_types')
  })

  test('includes the name of an anonymous player only at twice the power', () => {
    const anonymous = { ...contest, isAnonymous: true }
    expect(revealedBy({ ...anonymous, power: 9 })).toEqual(['ship_class', 'cloaked'])
    expect(revealedBy({ ...anonymous, power: 10 })).toContain('username')
    expect(revealedBy({ ...anonymous, power: 39 })).not.toContain('ship_name')
    expect(revealedBy({ ...anonymous, power: 40 })).toContain('ship_name')
    expect(revealedBy({ ...anonymous, power: 29, cloak: 10 })).not.toContain('username')
    expect(revealedBy({ ...anonymous, power: 30, cloak: 10 })).toContain('username')
  })
})

describe('scan of a target', () => {
  test('answers the scanner, with scan_result for them and scan_detected for the target', () => {
    const result = scanResult('Tester 2')
    expect(result).toMatchObject({
      target_id: scene.id(two),
      success: true,
      username: 'Tester 2',
      cloaked: false,
      revealed_info: ['ship_class', 'cloaked', 'username'],
    })
    const emissions = scene.takeEmissions()
    const answer = emissions.find(({ type }) => type === 'scan_result')
    expect(answer?.to).toEqual([scene.world.read(Player).seq[one]])
    expect(answer?.payload).toMatchObject({ success: true, username: 'Tester 2' })
    const notice = emissions.find(({ type }) => type === 'scan_detected')
    expect(notice?.to).toEqual([scene.world.read(Player).seq[two]])
    expect(notice?.payload).toMatchObject({
      scanner_id: scene.id(one),
      scanner_username: 'Tester 1',
      revealed_info: ['ship_class', 'cloaked', 'username'],
    })
    expect(statOf(scene.world, one, 'scans_performed')).toBe(1)
    expect(xpOf(scene.world, one, 'scanning')).toBe(4)
  })

  test('is refused invalid_target for oneself and unknown, absent or docked players', () => {
    const { world } = scene
    expect(codeOf(scan('Tester 1'))).toBe('invalid_target')
    expect(codeOf(scan('Nobody at all'))).toBe('invalid_target')
    placeInSpace(world, hullOf(world, two), open(world, scene.system)[1])
    expect(codeOf(scan('Tester 2'))).toBe('invalid_target')
    dockShip(world, hullOf(world, two), baseIn(world, scene.system))
    dockShip(world, hullOf(world, one), baseIn(world, scene.system))
    expect(codeOf(scan('Tester 2'))).toBe('invalid_target')
  })

  test('shows a pirate as it shows a ship', () => {
    const { world, system, poi } = scene
    makePirate(world, system, 0)
    const [npc] = npcsOf(world, system)
    const ship = world.read(Npc).ship[npc]
    placeInSpace(world, ship, poi)
    scene.fit(one, 'scanner_i')
    expect(scanResult(shipId(world, ship))).toMatchObject({
      target_id: shipId(world, ship),
      success: true,
      cloaked: false,
      hull: expect.any(Number),
    })
  })

  test('always shows the species of a creature', () => {
    const { world } = scene
    const creature = creatures(world)[0]
    const { ship } = world.read(Creature)
    placeInSpace(world, hullOf(world, one), world.read(Location).poi[ship[creature]])
    expect(scanResult(shipId(world, ship[creature]))).toMatchObject({
      success: true,
      species: expect.any(String),
      role: expect.any(String),
      danger: expect.any(Number),
      hull: expect.any(Number),
      revealed_info: ['username', 'species', 'role', 'danger', 'hull'],
    })
    const watched = resultOf<{ nearby: object[]; creatures: object[] }>(
      scene.small.ask(one, 'subscribe_observation'),
    )
    const creature_id = shipId(world, ship[creature])
    expect(watched.creatures).toContainEqual(expect.objectContaining({ creature_id }))
    expect(JSON.stringify(watched.nearby)).not.toContain(creature_id)
  })

  test('finds an anonymous player by alias alone, and names them at twice the power', () => {
    const { world } = scene
    world.write(Player).anonymous[two] = 1
    expect(codeOf(scan('Tester 2'))).toBe('invalid_target')
    expect(codeOf(scan(playerId(world, two)))).toBe('invalid_target')
    const alias = aliasOf(world, two)
    expect(scanResult(alias)).toMatchObject({ target_id: alias, success: true })
    expect(JSON.stringify(scanResult(alias))).not.toContain('Tester 2')
    scene.fit(one, 'scanner_i')
    expect(scanResult(alias)).toMatchObject({ username: 'Tester 2', target_id: scene.id(two) })
  })

  test('gives the same answer for a cloaked ship at the place and for an absent one', () => {
    const { world, poi, system } = scene
    scene.fit(two, 'cloak_i')
    scene.hide(two)
    const here = scan('Tester 2')
    const elsewhere = open(world, system).find((place) => place !== poi)!
    placeInSpace(world, hullOf(world, two), elsewhere)
    expect(scan('Tester 2')).toEqual(here)
    expect(here).toMatchObject({ ok: true, result: { success: false, revealed_info: [] } })
  })

  test('detects a weaker cloak for 6 ticks, in which the ship can be attacked', () => {
    scene.fit(two, 'cloak_i')
    scene.fit(one, 'scanner_i', 'scanner_i')
    scene.hide(two)
    expect(codeOf(scene.small.act(one, 'attack', { target_id: 'Tester 2' }))).toBe('target_cloaked')
    expect(scanResult('Tester 2')).toMatchObject({ success: true, cloaked: true })
    expect(hasDetected(scene.world, one, two)).toBe(true)
    scene.small.ticks(6)
    expect(hasDetected(scene.world, one, two)).toBe(true)
    scene.small.ticks(1)
    expect(hasDetected(scene.world, one, two)).toBe(false)
    expect(codeOf(scene.small.act(one, 'attack', { target_id: 'Tester 2' }))).toBe('target_cloaked')
    scanResult('Tester 2')
    expect(codeOf(scene.small.act(one, 'attack', { target_id: 'Tester 2' }))).toBe('ok')
  })

  test('is reported to the target without the name of a cloaked scanner', () => {
    scene.fit(one, 'cloak_iii')
    scene.hide(one)
    scene.takeEmissions()
    scanResult('Tester 2')
    const [notice] = scene.takePayloads(two, 'scan_detected')
    expect(notice).toMatchObject({ scanner_id: '', scanner_username: '' })
    expect(notice.scanner_ship_class).toBeUndefined()
  })

  test('is possible in a battle, even of a ship that is elsewhere', () => {
    const { world, system, poi } = scene
    expect(codeOf(scene.small.act(one, 'attack', { target_id: 'Tester 2' }))).toBe('ok')
    const elsewhere = open(world, system).find((place) => place !== poi)!
    placeInSpace(world, hullOf(world, two), elsewhere)
    expect(scanResult('Tester 2')).toMatchObject({ success: true })
  })

  test('undocks the ship of the scanner first', () => {
    const { world, system } = scene
    dockShip(world, hullOf(world, one), baseIn(world, system))
    expect(scene.small.answer(one, 'scan', { target_id: 'Tester 2' })).toMatchObject({
      autoUndocked: true,
    })
  })
})

describe('a sweep', () => {
  test('needs a scanner and reveals ships with weaker cloaks', () => {
    expect(codeOf(scan())).toBe('no_scanner')
    scene.fit(one, 'scanner_i', 'scanner_i')
    scene.fit(two, 'cloak_i')
    expect(scanResult()).toMatchObject({ swept: true, contacts: [], signature_detected: false })
    scene.hide(two)
    scene.takeEmissions()
    expect(scanResult()).toMatchObject({
      swept: true,
      success: true,
      signature_detected: false,
      contacts: [{ target_id: scene.id(two), username: 'Tester 2', cloaked: true }],
    })
    expect(scene.takePayloads(two, 'scan_detected')).toHaveLength(1)
    expect(hasDetected(scene.world, one, two)).toBe(true)
  })

  test('senses a cloak that is a little stronger, but not one much stronger', () => {
    scene.fit(one, 'scanner_i')
    scene.fit(two, 'cloak_i', 'signature_damper')
    scene.hide(two)
    expect(scanResult()).toMatchObject({ contacts: [], signature_detected: true })
    expect(scene.small.ask(one, 'get_nearby')).toMatchObject({
      result: { unknown_signature: true },
    })
    expect(scene.world.section('location', one)).toMatchObject({ unknown_signature: true })
    scene.fit(two, 'cloak_iii')
    expect(scanResult()).toMatchObject({ contacts: [], signature_detected: false })
  })
})
