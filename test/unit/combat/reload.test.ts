/** reload: which ammunition a weapon takes, and what becomes of rounds already loaded. */
import { describe, expect, test } from 'vitest'
import { GOODS, itemIndex } from '../../../core/catalog/index.ts'
import type { Failure } from '../../../core/errors.ts'
import { namedContainer } from '../../../core/goods.ts'
import type { Eid } from '../../../core/types.ts'
import { cargoUnits, loadCargo, moduleId, modulesOf } from '../../../systems/ship/model.ts'
import { Module } from '../../../systems/ship/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { hullOf, meeting, putAt, type Scene } from './scene.ts'

onSmallMap()

const codeOf = (outcome: unknown): string | undefined => (outcome as Failure).code

interface Armed extends Scene {
  readonly player: Eid
  readonly ship: Eid
  reload(weapon: number, ammo?: string): unknown
  stock(item: string, units: number): void
  readonly weapons: readonly number[]
}

/** Makes a player whose ship carries these weapons, empty. */
async function armed(...modules: string[]): Promise<Armed> {
  const scene = await meeting(2)
  const { world, small } = scene
  const [player] = scene.players
  const ship = putAt(world, player, scene.poi, { shipClass: 'reaver', modules })
  return {
    ...scene,
    player,
    ship,
    weapons: modulesOf(world, ship),
    reload: (weapon, ammo) =>
      small.act(player, 'reload', {
        weapon_instance_id: moduleId(world, weapon),
        ...(ammo === undefined ? {} : { ammo_item_id: ammo }),
      }),
    stock: (item, units) => loadCargo(world, ship, namedContainer('mined'), itemIndex(item), units),
  }
}

describe('reload', () => {
  test('burns one item and fills the magazine', async () => {
    const scene = await armed('autocannon_i')
    const [gun] = scene.weapons
    scene.stock('autocannon_rounds', 2)
    expect(scene.reload(gun, 'autocannon_rounds')).toMatchObject({
      ok: true,
      result: { action: 'reload', current_ammo: 200, magazine_size: 200 },
    })
    expect(cargoUnits(scene.world, scene.ship, itemIndex('autocannon_rounds'))).toBe(1)
    expect(scene.world.read(Module).ammo[gun]).toBe(200)
  })

  test('discards other loaded rounds, and reports their number', async () => {
    const scene = await armed('autocannon_i')
    const [gun] = scene.weapons
    scene.stock('autocannon_rounds', 1)
    scene.stock('autocannon_ap', 1)
    scene.reload(gun, 'autocannon_rounds')
    scene.world.write(Module).ammo[gun] = 120
    expect(scene.reload(gun, 'autocannon_ap')).toMatchObject({
      ok: true,
      result: { previous_ammo: 'autocannon_rounds', rounds_discarded: 120 },
    })
  })

  test('without an ammunition id loads the previous kind, else the cheapest aboard', async () => {
    const scene = await armed('autocannon_i')
    const [gun] = scene.weapons
    scene.stock('autocannon_ap', 2)
    scene.stock('autocannon_rounds', 2)
    expect(scene.reload(gun)).toMatchObject({ result: { ammo_id: 'autocannon_rounds' } })
    scene.reload(gun, 'autocannon_ap')
    scene.world.write(Module).ammo[gun] = 3
    expect(scene.reload(gun)).toMatchObject({ result: { ammo_id: 'autocannon_ap' } })
  })

  test('is refused invalid_weapon, no_ammo_needed, no_ammo, wrong_ammo, magazine_full', async () => {
    const scene = await armed('autocannon_i', 'blaster_i', 'shield_booster_i')
    const [gun, blaster, booster] = scene.weapons
    const { small, player } = scene
    const unknown = small.act(player, 'reload', { weapon_instance_id: 'x' })
    expect(codeOf(unknown)).toBe('invalid_weapon')
    expect(codeOf(scene.reload(booster))).toBe('invalid_weapon')
    expect(codeOf(scene.reload(blaster))).toBe('no_ammo_needed')
    expect(codeOf(scene.reload(gun))).toBe('no_ammo')
    expect(codeOf(scene.reload(gun, 'autocannon_rounds'))).toBe('no_ammo')
    expect(codeOf(scene.reload(gun, 'no such thing'))).toBe('no_ammo')
    scene.stock('rail_slugs', 1)
    expect(codeOf(scene.reload(gun, 'rail_slugs'))).toBe('wrong_ammo')
    scene.stock('autocannon_rounds', 2)
    scene.reload(gun)
    expect(codeOf(scene.reload(gun))).toBe('magazine_full')
    expect(codeOf(scene.reload(gun, 'autocannon_rounds'))).toBe('magazine_full')
  })

  test('a junk thrower loads any goods, the cheapest first', async () => {
    const thrower = GOODS.find((good) => 'special' in good && good.special === 'ammo_from_cargo')
    expect(thrower).toBeDefined()
    const scene = await armed(thrower?.id ?? '')
    const [gun] = scene.weapons
    scene.stock('circuit_board', 1)
    scene.stock('iron_ore', 1)
    expect(scene.reload(gun)).toMatchObject({ ok: true, result: { ammo_id: 'iron_ore' } })
    expect(scene.reload(gun, 'circuit_board')).toMatchObject({
      result: { ammo_id: 'circuit_board' },
    })
  })

  test('succeeds in the tick in which a battle starts', async () => {
    const scene = await armed('autocannon_i')
    const [gun] = scene.weapons
    scene.stock('autocannon_rounds', 1)
    const [player, other] = scene.players
    const outcomes = scene.small.tick(
      { player: other, command: 'attack', params: { target_id: scene.id(player) } },
      {
        player,
        command: 'reload',
        params: { weapon_instance_id: moduleId(scene.world, gun) },
      },
    )
    expect(outcomes.get(player)?.ok).toBe(true)
    expect(hullOf(scene.world, player)).toBe(scene.ship)
  })
})

describe('reload of several weapons', () => {
  const batch = (scene: Armed, weapons: object[], extra: object = {}) =>
    scene.small.act(scene.player, 'reload', { weapons, ...extra })
  const entry = (scene: Armed, weapon: number, ammo?: string) => ({
    weapon_instance_id: moduleId(scene.world, weapon),
    ...(ammo === undefined ? {} : { ammo_item_id: ammo }),
  })

  test('takes one tick and reports the result of each entry in order', async () => {
    const scene = await armed('autocannon_i', 'autocannon_i', 'blaster_i')
    const [first, second, laser] = scene.weapons
    scene.stock('autocannon_rounds', 1)
    const { tick } = scene.world
    const done = batch(scene, [
      entry(scene, laser),
      entry(scene, first),
      entry(scene, second, 'iron_ore'),
    ])
    expect(done).toMatchObject({
      ok: true,
      result: {
        action: 'reload',
        mode: 'bulk',
        message: 'Loaded 1 of 3 weapons.',
        summary: { total: 3, succeeded: 1, failed: 2 },
        results: [
          {
            index: 0,
            success: false,
            error_code: 'no_ammo_needed',
            weapon_id: moduleId(scene.world, laser),
            error: expect.any(String),
          },
          {
            index: 1,
            success: true,
            weapon_id: moduleId(scene.world, first),
            result: { action: 'reload', current_ammo: 200, magazine_size: 200 },
          },
          { index: 2, success: false, error_code: 'wrong_ammo' },
        ],
      },
    })
    expect(scene.world.tick).toBe(tick + 1)
    const { ammo } = scene.world.read(Module)
    expect([ammo[first], ammo[second]]).toEqual([200, 0])
  })

  test('is invalid_payload with the fields of a single reload as well, or without both', async () => {
    const scene = await armed('autocannon_i')
    const [gun] = scene.weapons
    scene.stock('autocannon_rounds', 1)
    expect(codeOf(batch(scene, [entry(scene, gun)], entry(scene, gun)))).toBe('invalid_payload')
    expect(codeOf(scene.small.act(scene.player, 'reload', {}))).toBe('invalid_payload')
    expect(scene.world.read(Module).ammo[gun]).toBe(0)
  })
})
