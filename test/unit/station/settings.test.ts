/** Settings of a faction's station, and who may dock there. Source: crafting.md section 8. */
import { beforeAll, describe, expect, test } from 'vitest'
import { grant } from '../../../core/guard.ts'
import type { World } from '../../../core/types.ts'
import { usernameOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { fuelPriceAt } from '../../../systems/station/model.ts'
import { setGuests } from '../../../systems/station/rules.ts'
import { admitted, GUESTS, Station } from '../../../systems/station/state.ts'
import { dockedBase, shipOf } from '../../../systems/travel/location-model.ts'
import { dockingRefusal, dockShip } from '../../../systems/travel/rules.ts'
import { addGrant } from '../../contributions.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { does, member, outpost, type Port, pilotAt, port, refuses, stranger } from './scene.ts'

let small: SmallWorld
let world: World
let home: Port
beforeAll(async () => {
  small = await smallWorld()
  world = small.world
  home = port(small, false)
})

const configure = (action: string, params: object = {}) =>
  does(small, home.leader, 'station', { action, ...params })
const refused = (action: string, params: object, code: string) =>
  refuses(small, home.leader, ['station', { action, ...params }], code)
const mayDock = (player: number) => dockingRefusal(world, player, home.base) === undefined

describe('the station command', () => {
  test('shows the settings only to members who are docked there', () => {
    expect(small.ask(home.leader, 'station', { action: 'info' })).toMatchObject({
      result: {
        action: 'info',
        base_id: home.id,
        public_access: false,
        auto_buy_fuel: false,
        allow_outsider_facilities: false,
        market_fee_bps: 100,
        allowed_players: [],
        service_access: { market: 'public', refuel: 'public' },
      },
    })
    const outsider = stranger(small, home)
    const info = small.ask(outsider, 'v2:game_facility/station_info')
    expect(info).toMatchObject({ ok: false, code: 'not_in_faction' })
    const undocked = pilotAt(small, home.poi)
    expect(small.ask(undocked, 'station', { action: 'info' })).toMatchObject({ code: 'not_docked' })
  })

  test('changes each setting, returns it and notifies the members', () => {
    expect(configure('set_public', { public: true })).toMatchObject({ public_access: true })
    expect(configure('set_build_policy', { allow_outsiders: true })).toMatchObject({
      allow_outsider_facilities: true,
    })
    expect(configure('set_auto_buy_fuel', { auto_buy_fuel: true })).toMatchObject({
      auto_buy_fuel: true,
    })
    expect(configure('set_market_fee', { fee_percent: 7 })).toMatchObject({ market_fee_bps: 700 })
    const access = configure('set_service_access', { service: 'repair', access: 'faction' })
    expect(access).toMatchObject({ service_access: { repair: 'faction', market: 'public' } })
    expect(configure('set_repair_price', { price: 9 })).toMatchObject({ repair_price_per_hull: 9 })
    expect(configure('set_description', { description: 'Soup at six.' })).toMatchObject({
      description: 'Soup at six.',
    })
    small.takeEmissions()
    const named = small.ask(home.leader, 'v2:game_facility/station_set_name', { name: 'New Name' })
    expect(named).toMatchObject({ ok: true, result: { name: 'New Name', action: 'set_name' } })
    const news = small.takeEmissions().find(({ type }) => type === 'faction_event')
    expect(news?.payload).toMatchObject({ event: 'base_changed', base_id: home.id })
    expect(small.ask(home.leader, 'get_base')).toMatchObject({
      result: { base: { name: 'New Name', market_fee_bps: 700, description: 'Soup at six.' } },
    })
    configure('set_public', { public: false })
  })

  test('changes a price thirty ticks after it was announced', () => {
    configure('set_refuel_price', { price: 33 })
    expect(fuelPriceAt(world, home.base)).toBe(0)
    const from = world.read(Station).fuelTick[home.base]
    expect(from).toBe(world.tick + 30)
    world.write(Station).fuelTick[home.base] = world.tick
    expect(fuelPriceAt(world, home.base)).toBe(33)
    configure('set_refuel_price', { price: 2 })
    expect(fuelPriceAt(world, home.base)).toBe(33)
  })

  test('refuses values out of bounds and unknown names', () => {
    refused('set_refuel_price', { price: 41 }, 'invalid_price')
    refused('set_refuel_price', { price: -1 }, 'invalid_price')
    refused('set_repair_price', { price: 51 }, 'invalid_price')
    refused('set_market_fee', { fee_percent: 11 }, 'invalid_price')
    refused('set_service_access', { service: 'constructor', access: 'allies' }, 'invalid_service')
    refused('set_description', { description: 'x'.repeat(501) }, 'too_long')
    refused('allow_player', { player: 'nobody at all' }, 'player_not_found')
    refused('ban', { player: '__proto__' }, 'player_not_found')
    refused('remove_player', { player: usernameOf(world, home.leader) }, 'player_not_found')
    refused('unban', { player: usernameOf(world, home.leader) }, 'player_not_found')
    refused('allow_faction', { faction: 'GONE' }, 'faction_not_found')
    refused('remove_faction', { faction: 'GONE' }, 'faction_not_found')
    refused('ban', { player: usernameOf(world, home.leader) }, 'no_permission')
    refused('set_public', {}, 'invalid_payload')
    refused('allow_player', {}, 'invalid_payload')
  })

  test('is refused to members without permission and to other factions', () => {
    const recruit = member(small, home)
    dockShip(world, shipOf(world, recruit), home.base)
    const call = ['station', { action: 'set_public', public: true }] as const
    refuses(small, recruit, call, 'no_permission')
    const foreign = port(small)
    dockShip(world, shipOf(world, foreign.leader), home.base)
    refuses(small, foreign.leader, call, 'not_your_base')
  })

  test('renames a base up to ten times a day, and only to a free name', () => {
    const own = port(small)
    const rename = (name: string) => small.ask(own.leader, 'station', { action: 'set_name', name })
    expect(rename('No')).toMatchObject({ code: 'invalid_name' })
    expect(rename('New Name')).toMatchObject({ code: 'name_taken' })
    for (let i = 0; i < 10; i++) expect(rename(`Turn ${i}`)).toMatchObject({ ok: true })
    expect(rename('Turn 10')).toMatchObject({ code: 'limit_reached' })
    expect(
      small.ask(0, 'internal:register', { username: 'Turn 9', empire: 'nebula' }),
    ).toMatchObject({ code: 'invalid_username' })
  })

  test('changes only the name and the description of an outpost', () => {
    const depot = outpost(small)
    does(small, depot.leader, 'station', { action: 'set_description', description: 'Cold.' })
    const named = small.ask(depot.leader, 'station', { action: 'set_name', name: 'Cold Shelf' })
    expect(named).toMatchObject({ ok: true, result: { description: 'Cold.' } })
    const call = ['station', { action: 'set_public', public: true }] as const
    refuses(small, depot.leader, call, 'outpost_unsupported')
    expect(small.ask(depot.leader, 'station', { action: 'info' })).toMatchObject({ ok: true })
  })
})

describe('docking at a station', () => {
  test('is open to members, guests, guest factions and holders of a grant', () => {
    const outsider = stranger(small, home, false)
    expect(mayDock(outsider)).toBe(false)
    expect(mayDock(home.leader)).toBe(true)
    configure('allow_player', { player: usernameOf(world, outsider) })
    expect(mayDock(outsider)).toBe(true)
    configure('remove_player', { player: usernameOf(world, outsider) })
    expect(mayDock(outsider)).toBe(false)
    const faction = foundFaction(world, outsider, 'Guests of Honour', 'GUES')
    const mate = stranger(small, home, false)
    addMember(world, mate, faction)
    expect(configure('allow_faction', { faction: 'gues' })).toMatchObject({
      allowed_factions: ['GUES'],
    })
    expect(mayDock(mate)).toBe(true)
    configure('remove_faction', { faction: 'GUES' })
    expect(mayDock(mate)).toBe(false)
    addGrant(
      world,
      grant(admitted, (_, { player, base }) => player === mate && base === home.base),
    )
    expect(mayDock(mate)).toBe(true)
    expect(mayDock(outsider)).toBe(false)
  })

  test('is refused to banned players, who may stay if they are docked already', () => {
    const outsider = stranger(small, home)
    configure('allow_player', { player: usernameOf(world, outsider) })
    const banned = configure('ban', { player: usernameOf(world, outsider) })
    expect(banned).toMatchObject({
      banned_players: [usernameOf(world, outsider)],
      allowed_players: [],
    })
    expect(mayDock(outsider)).toBe(false)
    expect(dockedBase(world, outsider)).toBe(home.base)
    does(small, outsider, 'undock')
    refuses(small, outsider, ['dock', {}], 'access_denied')
    configure('unban', { player: usernameOf(world, outsider) })
    expect(mayDock(outsider)).toBe(false)
    configure('set_public', { public: true })
    expect(mayDock(outsider)).toBe(true)
    configure('set_public', { public: false })
  })

  test('is limited to two hundred names in each list of guests and banned players', () => {
    // Numbers that no player has.
    const first = world.read(Player).seq[home.leader] + 1_000
    const players = Array.from({ length: 200 }, (_, i) => first + i)
    setGuests(world, home.base, { players, factions: [], banned: players })
    const outsider = usernameOf(world, stranger(small, home))
    refused('allow_player', { player: outsider }, 'limit_reached')
    refused('ban', { player: outsider }, 'limit_reached')
    setGuests(world, home.base, { players: [], factions: players, banned: [] })
    // Factions that no longer exist make room for new ones.
    expect(configure('allow_faction', { faction: 'GUES' })).toMatchObject({
      allowed_factions: ['GUES'],
    })
    expect(world.records(GUESTS).size).toBe(1)
    setGuests(world, home.base, { players: [], factions: [], banned: [] })
    expect(world.records(GUESTS).size).toBe(0)
  })
})
