/** What owners set at their stations, who may dock there and use what. crafting.md section 8. */
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

const sets = (action: string, params: object = {}) =>
  does(small, home.leader, 'station', { action, ...params })
const refused = (action: string, params: object, code: string) =>
  refuses(small, home.leader, ['station', { action, ...params }], code)
const mayDock = (player: number) => dockingRefusal(world, player, home.base) === undefined

describe('station', () => {
  test('info shows the settings to members, docked there', () => {
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
    const other = stranger(small, home)
    const asked = small.ask(other, 'v2:game_facility/station_info')
    expect(asked).toMatchObject({ ok: false, code: 'not_in_faction' })
    const lost = pilotAt(small, home.poi)
    expect(small.ask(lost, 'station', { action: 'info' })).toMatchObject({ code: 'not_docked' })
  })

  test('sets each value, reports it and notifies the members', () => {
    expect(sets('set_public', { public: true })).toMatchObject({ public_access: true })
    expect(sets('set_build_policy', { allow_outsiders: true })).toMatchObject({
      allow_outsider_facilities: true,
    })
    expect(sets('set_auto_buy_fuel', { auto_buy_fuel: true })).toMatchObject({
      auto_buy_fuel: true,
    })
    expect(sets('set_market_fee', { fee_percent: 7 })).toMatchObject({ market_fee_bps: 700 })
    const access = sets('set_service_access', { service: 'repair', access: 'faction' })
    expect(access).toMatchObject({ service_access: { repair: 'faction', market: 'public' } })
    expect(sets('set_repair_price', { price: 9 })).toMatchObject({ repair_price_per_hull: 9 })
    expect(sets('set_description', { description: 'Soup at six.' })).toMatchObject({
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
    sets('set_public', { public: false })
  })

  test('prices hold thirty ticks after they were announced', () => {
    sets('set_refuel_price', { price: 33 })
    expect(fuelPriceAt(world, home.base)).toBe(0)
    const from = world.read(Station).fuelTick[home.base]
    expect(from).toBe(world.tick + 30)
    world.write(Station).fuelTick[home.base] = world.tick
    expect(fuelPriceAt(world, home.base)).toBe(33)
    sets('set_refuel_price', { price: 2 })
    expect(fuelPriceAt(world, home.base)).toBe(33)
  })

  test('refuses what is out of bounds', () => {
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

  test('is for the faction whose base it is, and its permission', () => {
    const recruit = member(small, home)
    dockShip(world, shipOf(world, recruit), home.base)
    const call = ['station', { action: 'set_public', public: true }] as const
    refuses(small, recruit, call, 'no_permission')
    const foreign = port(small)
    dockShip(world, shipOf(world, foreign.leader), home.base)
    refuses(small, foreign.leader, call, 'not_your_base')
  })

  test('names a base ten times a day, free names alone', () => {
    const own = port(small)
    const name = (text: string) =>
      small.ask(own.leader, 'station', { action: 'set_name', name: text })
    expect(name('No')).toMatchObject({ code: 'invalid_name' })
    expect(name('New Name')).toMatchObject({ code: 'name_taken' })
    for (let i = 0; i < 10; i++) expect(name(`Turn ${i}`)).toMatchObject({ ok: true })
    expect(name('Turn 10')).toMatchObject({ code: 'limit_reached' })
    expect(
      small.ask(0, 'internal:register', { username: 'Turn 9', empire: 'nebula' }),
    ).toMatchObject({ code: 'invalid_username' })
  })

  test('of an outpost are its name and its description', () => {
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
  test('is for members, guests, members of guests, and those with business there', () => {
    const other = stranger(small, home, false)
    expect(mayDock(other)).toBe(false)
    expect(mayDock(home.leader)).toBe(true)
    sets('allow_player', { player: usernameOf(world, other) })
    expect(mayDock(other)).toBe(true)
    sets('remove_player', { player: usernameOf(world, other) })
    expect(mayDock(other)).toBe(false)
    const faction = foundFaction(world, other, 'Guests of Honour', 'GUES')
    const mate = stranger(small, home, false)
    addMember(world, mate, faction)
    expect(sets('allow_faction', { faction: 'gues' })).toMatchObject({ allowed_factions: ['GUES'] })
    expect(mayDock(mate)).toBe(true)
    sets('remove_faction', { faction: 'GUES' })
    expect(mayDock(mate)).toBe(false)
    addGrant(
      world,
      grant(admitted, (_, { player, base }) => player === mate && base === home.base),
    )
    expect(mayDock(mate)).toBe(true)
    expect(mayDock(other)).toBe(false)
  })

  test('is refused to who is banned, who may stay if they are docked', () => {
    const other = stranger(small, home)
    sets('allow_player', { player: usernameOf(world, other) })
    const banned = sets('ban', { player: usernameOf(world, other) })
    expect(banned).toMatchObject({
      banned_players: [usernameOf(world, other)],
      allowed_players: [],
    })
    expect(mayDock(other)).toBe(false)
    expect(dockedBase(world, other)).toBe(home.base)
    does(small, other, 'undock')
    refuses(small, other, ['dock', {}], 'access_denied')
    sets('unban', { player: usernameOf(world, other) })
    expect(mayDock(other)).toBe(false)
    sets('set_public', { public: true })
    expect(mayDock(other)).toBe(true)
    sets('set_public', { public: false })
  })

  test('keeps two hundred guests a list', () => {
    const number = world.read(Player).seq[home.leader]
    const players = Array.from({ length: 200 }, (_, i) => number + 1_000 + i)
    setGuests(world, home.base, { players, factions: [], banned: players })
    const other = usernameOf(world, stranger(small, home))
    refused('allow_player', { player: other }, 'limit_reached')
    refused('ban', { player: other }, 'limit_reached')
    setGuests(world, home.base, { players: [], factions: players, banned: [] })
    // Factions that are no more make room.
    expect(sets('allow_faction', { faction: 'GUES' })).toMatchObject({ allowed_factions: ['GUES'] })
    expect(world.records(GUESTS).size).toBe(1)
    setGuests(world, home.base, { players: [], factions: [], banned: [] })
    expect(world.records(GUESTS).size).toBe(0)
  })
})
