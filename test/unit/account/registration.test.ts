/** Registering and binding: what a new player has, what is refused, and who counts as online. */
import { beforeAll, describe, expect, test } from 'vitest'
import { EMPIRES, STARTER } from '../../../core/catalog/index.ts'
import { balanceOf, namedAccount } from '../../../core/ledger.ts'
import { isBound, isCitizen, reputationOf, walletOf } from '../../../systems/account/model.ts'
import { Bound, Player, USERNAMES } from '../../../systems/account/state.ts'
import { Base } from '../../../systems/base/state.ts'
import { activeShip } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let small: SmallWorld
beforeAll(async () => {
  small = await smallWorld()
})

let count = 0
const join = (empire?: string) => small.join(`Pilot ${++count}`, empire)
const register = (username: string, empire: string, extra = {}) =>
  small.ask(0, 'internal:register', { username, empire, ...extra })

describe('a new player', () => {
  test.each(STARTER.map((kit, index) => [kit.empire, index] as const))(
    'of %s is docked at its capital with ship, kit and credits',
    (empire, index) => {
      const { world } = small
      const granted = balanceOf(world, namedAccount('starting_grant'))
      const player = join(empire)
      const base = dockedBase(world, player)
      expect(world.read(Base).capital[base]).toBe(1)
      expect(world.read(Base).empire[base]).toBe(index + 1)
      expect(world.read(Player).homeBase[player]).toBe(base)
      expect(balanceOf(world, walletOf(world, player))).toBe(STARTER[index].credits)
      expect(balanceOf(world, namedAccount('starting_grant'))).toBe(
        granted - STARTER[index].credits,
      )
      const status = small.ask(player, 'get_ship')
      expect(status).toMatchObject({
        ok: true,
        result: { ship: { class_id: STARTER[index].ship_class } },
      })
    },
  )

  test('has a whole ship with full tanks, its modules, and the starter cargo', () => {
    const player = join()
    const ship = activeShip(small.world, player)
    const row = small.world.read(Ship)
    expect(row.hull[ship]).toBe(row.hullMax[ship])
    expect(row.shield[ship]).toBe(row.shieldMax[ship])
    expect(row.fuel[ship]).toBe(row.fuelMax[ship])
    expect(row.issue[ship]).toBe(0)
    const answer = small.ask(player, 'get_ship')
    const { result } = answer as unknown as {
      result: {
        modules: { type_id: string }[]
        ship: { cargo: { item_id: string; quantity: number }[] }
      }
    }
    expect(result.modules.map((module) => module.type_id)).toEqual(STARTER[0].modules)
    const carried = new Map(result.ship.cargo.map((row) => [row.item_id, row.quantity]))
    for (const row of STARTER[0].cargo) expect(carried.get(row.item_id)).toBe(row.quantity)
    expect(small.world.read(Ship).minePower[ship * 3]).toBeGreaterThan(0)
  })

  test('is a citizen of the origin only, with standings at their baselines', () => {
    const player = join('nebula')
    for (let empire = 0; empire < EMPIRES.length; empire++) {
      const own = EMPIRES[empire].id === 'nebula'
      expect(isCitizen(small.world, player, empire)).toBe(own)
      expect(reputationOf(small.world, player, empire)).toBe(own ? 20 : 10)
    }
  })

  test('is written to the accounts in the same batch', () => {
    register('Zoe\u0308', 'crimson', { code: 'abc', accountId: 'acct' })
    const write = small.store.archive.rows.get('createPlayer')!.at(-1)!
    expect(write.args).toMatchObject({
      number: small.world.countOf(Player),
      username: 'Zo\u00eb',
      usernameKey: 'zo\u00eb',
      empire: 'crimson',
      code: 'abc',
      accountId: 'acct',
    })
    expect(write.args.playerId).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('registering is refused and changes nothing', () => {
  test.each([
    ['invalid_empire', 'Pilot', 'terran'],
    ['invalid_username', 'x', 'solarian'],
    ['invalid_username', 'system', 'solarian'],
    ['username_taken', 'TAKEN', 'solarian'],
  ])('with %s', (code, username, empire) => {
    if (!small.world.records(USERNAMES).has('taken')) small.join('taken')
    const before = small.hash()
    expect(register(username, empire)).toMatchObject({ ok: false, code })
    expect(small.hash()).toBe(before)
  })

  test('when the world is full', async () => {
    const full = await smallWorld({ maxEntities: 2_000 })
    let registered = 0
    for (let i = 0; i < 1_000; i++) {
      const params = { username: `Pilot ${i}`, empire: 'solarian' }
      const answer = full.ask(0, 'internal:register', params)
      if (answer.ok) registered++
      else {
        expect(answer.code).toBe('limit_reached')
        break
      }
    }
    expect(registered).toBe(full.world.countOf(Player))
    expect(registered).toBeLessThan(1_000)
    expect(full.world.records(USERNAMES).size).toBe(registered)
  })
})

describe('presence', () => {
  test('a player is bound while any channel is', () => {
    const player = join()
    const number = small.world.read(Player).seq[player]
    const online = () => isBound(small.world, player) && small.world.has(Player, player, Bound)
    expect(online()).toBe(true)
    small.ask(player, 'internal:bind', { player: number, channel: 'http' })
    small.ask(player, 'internal:unbind', { player: number, channel: 'ws' })
    expect(online()).toBe(true)
    small.ask(player, 'internal:unbind', { player: number, channel: 'http' })
    expect(online()).toBe(false)
    expect(small.world.has(Player, player, Bound)).toBe(false)
  })

  test('unbind_all unbinds everyone', () => {
    const players = [join(), join()]
    small.ask(0, 'internal:unbind_all')
    for (const player of players) expect(isBound(small.world, player)).toBe(false)
    expect(small.world.byId(Player, [Bound])).toEqual([])
  })

  test('binding returns the state and the mute mask, and records the login', () => {
    const player = join()
    const number = small.world.read(Player).seq[player]
    const answer = small.ask(0, 'internal:bind', { player: number, channel: 'ws' })
    expect(answer).toMatchObject({
      ok: true,
      result: {
        player: { username: `Pilot ${count}` },
        ship: { class_id: STARTER[0].ship_class },
        poi: { has_base: true },
        pending_trades: [],
        mask: 0,
      },
    })
    expect(small.world.read(Player).lastLoginMs[player]).toBe(small.world.wallMs)
    expect(small.takeEmissions().some((emissions) => emissions.type === 'internal:mask')).toBe(true)
  })

  test('an unknown player cannot be bound', () => {
    const answer = small.ask(0, 'internal:bind', { player: 9_999, channel: 'ws' })
    expect(answer).toMatchObject({ ok: false, code: 'player_not_found' })
  })

  test('survives a reload', async () => {
    const player = join()
    const restored = await small.reload()
    expect(restored.world.has(Player, player, Bound)).toBe(true)
    expect(restored.hash()).toBe(small.hash())
  })
})
