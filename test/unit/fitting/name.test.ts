/** name_ship, list_ships and get_ship. Source: ships.md sections 8, 10. */
import { beforeAll, describe, expect, test } from 'vitest'
import { baseId, baseName } from '../../../systems/base/model.ts'
import { tieShip } from '../../../systems/salvage/tow-rules.ts'
import { shipName } from '../../../systems/ship/model.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { poiName } from '../../../systems/travel/model.ts'
import { undockShip } from '../../../systems/travel/rules.ts'
import { Location } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { baseWith, type Docks, docks, fly, give, hull, idOf, parked } from './scene.ts'

onSmallMap()

let shipyard: Docks
beforeAll(async () => {
  shipyard = await docks()
})

describe('name_ship', () => {
  test('names the active ship, and an empty name frees the name for others', () => {
    const player = shipyard.pilot()
    const ship = hull(shipyard.world, player)
    expect(shipyard.act(player, 'name_ship', { name: 'Old Habit' })).toMatchObject({
      ok: true,
      result: { ship_id: idOf(shipyard.world, ship), ship_name: 'Old Habit' },
    })
    expect(shipName(shipyard.world, ship)).toBe('Old Habit')
    const other = shipyard.pilot()
    for (const name of ['Old Habit', 'OLD HABIT', 'old habit']) {
      shipyard.refuses(other, 'name_ship', { name }, 'name_taken')
    }
    expect(shipyard.act(player, 'name_ship', { name: 'old habit' })).toMatchObject({ ok: true })
    const cleared = shipyard.act(player, 'name_ship', { name: '' })
    expect(cleared.ok).toBe(true)
    expect(cleared.result).not.toHaveProperty('ship_name')
    expect(shipName(shipyard.world, ship)).toBe('Almoner')
    expect(shipyard.act(other, 'name_ship', { name: 'Old Habit' })).toMatchObject({ ok: true })
  })

  test('frees the previous name, and is rename_ship in v2', () => {
    const player = shipyard.pilot()
    const other = shipyard.pilot()
    expect(shipyard.act(player, 'name_ship', { name: 'First Draft' }).ok).toBe(true)
    expect(shipyard.act(player, 'name_ship', { name: 'Second Draft' }).ok).toBe(true)
    expect(shipyard.act(other, 'name_ship', { name: 'First Draft' }).ok).toBe(true)
    const { v2 } = shipyard.small.registry.commands.get('name_ship') ?? {}
    expect(v2).toEqual({ tool: 'game_ship', action: 'rename_ship' })
  })

  test('refuses names of a wrong length or with wrong characters: invalid_name', () => {
    const player = shipyard.pilot()
    const bad = ['ab', 'x'.repeat(33), ' edge', 'two  spaces', 'tab\there', 'Кто там', '<b>']
    for (const name of bad) shipyard.refuses(player, 'name_ship', { name }, 'invalid_name')
    expect(shipyard.act(player, 'name_ship', { name: 'x'.repeat(32) })).toMatchObject({ ok: true })
  })

  test('gives a name that two players choose in one tick to one of them', () => {
    const [first, second] = [shipyard.pilot(), shipyard.pilot()]
    const params = { name: 'Same Idea' }
    const answers = shipyard.small.tick(
      { player: first, command: 'name_ship', params },
      { player: second, command: 'name_ship', params },
    )
    const outcomes = [first, second].map((player) => answers.get(player))
    expect(outcomes.filter((outcome) => outcome?.ok).length).toBe(1)
    expect(outcomes.find((outcome) => !outcome?.ok)).toMatchObject({ code: 'name_taken' })
  })

  test('refuses in a reloaded world a name that was taken before', async () => {
    const player = shipyard.pilot()
    expect(shipyard.act(player, 'name_ship', { name: 'Evergreen' }).ok).toBe(true)
    const other = shipyard.pilot()
    const reloaded = await shipyard.small.reload()
    expect(reloaded.act(other, 'name_ship', { name: 'EVERGREEN' })).toMatchObject({
      code: 'name_taken',
    })
  })
})

interface Listed {
  readonly result: {
    readonly count: number
    readonly active_ship_id: string
    readonly active_ship_class: string
    readonly ships: readonly Record<string, unknown>[]
  }
}

describe('list_ships', () => {
  test('lists owned ships and their places, the active one first', () => {
    const player = shipyard.pilot('almoner', ['tow_rig_basic'])
    const here = dockedBase(shipyard.world, player)
    const ship = hull(shipyard.world, player)
    give(shipyard.world, ship, 'iron_ore', 5)
    const away = baseWith(shipyard.world, 'shipyard', true, here)
    const far = parked(shipyard.world, player, 'tugboat', ['scanner_i'], away)
    const towed = parked(shipyard.world, player, 'clause')
    tieShip(shipyard.world, ship, towed)
    expect(shipyard.act(player, 'name_ship', { name: 'Flag of All' }).ok).toBe(true)
    const { result } = shipyard.small.ask(player, 'list_ships') as unknown as Listed
    expect(result).toMatchObject({
      count: 4,
      active_ship_id: idOf(shipyard.world, ship),
      active_ship_class: 'almoner',
    })
    const rowOf = (ship: number) =>
      result.ships.find(({ ship_id }) => ship_id === idOf(shipyard.world, ship)) ?? {}
    expect(result.ships[0]).toMatchObject({
      is_active: true,
      custom_name: 'Flag of All',
      class_name: 'Almoner',
      cargo_used: 5,
      modules: 1,
      location: baseName(shipyard.world, here),
      location_base_id: baseId(shipyard.world, here),
      fuel: expect.stringMatching(/^\d+\/\d+$/),
    })
    expect(rowOf(far)).toMatchObject({
      is_active: false,
      class_id: 'tugboat',
      modules: 1,
      location: baseName(shipyard.world, away),
      location_base_id: baseId(shipyard.world, away),
    })
    expect(rowOf(towed)).toMatchObject({ location: 'in tow' })
    undockShip(shipyard.world, ship)
    const { ships: later } = (shipyard.small.ask(player, 'list_ships') as unknown as Listed).result
    expect(later[0].location).toBe(poiName(shipyard.world, shipyard.world.read(Location).poi[ship]))
    expect(later[0]).not.toHaveProperty('location_base_id')
  })

  test('lists a hundred ships', () => {
    const player = shipyard.pilot()
    for (let i = 0; i < 98; i++) parked(shipyard.world, player, 'clause')
    const { result } = shipyard.small.ask(player, 'list_ships') as unknown as Listed
    expect([result.count, result.ships.length]).toEqual([100, 100])
  })
})

describe('get_ship', () => {
  test('shows a ship parked at another base, but not to other players', () => {
    const player = shipyard.pilot()
    const away = baseWith(shipyard.world, 'shipyard', true, dockedBase(shipyard.world, player))
    const ship = parked(shipyard.world, player, 'tugboat', ['scanner_i'], away)
    const shown = shipyard.small.ask(player, 'get_ship', { ship_id: idOf(shipyard.world, ship) })
    expect(shown).toMatchObject({
      ok: true,
      result: {
        ship: { class_id: 'tugboat', docked_at_base: baseId(shipyard.world, away) },
        modules: [{ type_id: 'scanner_i' }],
      },
    })
    const other = shipyard.pilot()
    expect(
      shipyard.small.ask(other, 'get_ship', { ship_id: idOf(shipyard.world, ship) }),
    ).toMatchObject({
      code: 'ship_not_found',
    })
    fly(shipyard.world, player, ship)
    expect(shipyard.small.ask(player, 'get_ship')).toMatchObject({
      result: { ship: { class_id: 'tugboat' } },
    })
  })
})
