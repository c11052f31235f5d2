/** Corrections by operators: how they are booked, logged, sent, replayed and refused. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { wireId } from '../../../core/entity.ts'
import { namedContainer, unitsIn } from '../../../core/goods.ts'
import { stateHash } from '../../../core/hash.ts'
import { balanceOf, namedAccount } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { loadWorld, openEngine, replayRow } from '../../../engine/start.ts'
import { createAddresses } from '../../../net/addresses.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseId, capitalOf } from '../../../systems/base/model.ts'
import { storedUnits } from '../../../systems/cargo/model.ts'
import { cargoUnits, modulesOf, shipId, shipsOf } from '../../../systems/ship/model.ts'
import { createShip, releaseShip } from '../../../systems/ship/rules.ts'
import { dockedBase, poiOf } from '../../../systems/travel/location-model.ts'
import { poiId } from '../../../systems/travel/model.ts'
import { removeFromMap } from '../../../systems/travel/rules.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { meeting, open } from '../combat/scene.ts'

onSmallMap()

const REASON = 'The market took the order twice.'
const ORE = itemIndex('iron_ore')
/** Commands and forms of address for players, which no message to an operator has. */
const TO_PLAYERS = /get_|list_|uninstall|switch_ship|\b[Yy]ou(r|rs)?\b/

let small: SmallWorld
let player: Eid

beforeEach(async () => {
  small = await smallWorld({ players: 1 })
  player = small.players[0]
  small.takeEmissions()
})

const correct = (command: string, params: object) =>
  small.ask(0, `internal:correct_${command}`, {
    player: small.world.read(Player).seq[player],
    reason: REASON,
    ...params,
  })

const wallet = () => balanceOf(small.world, walletOf(small.world, player))
const takeCorrections = () =>
  small.takeEmissions().filter(({ type }) => type === 'operator_correction')
const logged = () =>
  small.world.outbox.writes.flatMap((write) =>
    write.method === 'logActions' ? write.args.rows : [],
  )

describe('grant', () => {
  test('gives and takes back credits of the correction account, logged and sent', () => {
    const before = wallet()
    const source = () => balanceOf(small.world, namedAccount('correction'))
    const tick = small.world.tick
    expect(correct('grant', { credits: 500 })).toMatchObject({
      ok: true,
      result: { tick, balance: before + 500, message: 'An operator gave you 500 credits.' },
    })
    expect([wallet(), source()]).toEqual([before + 500, -500])
    expect(logged()).toMatchObject([
      {
        eventType: 'other.correction_grant',
        summary: `An operator gave you 500 credits. Reason: ${REASON}`,
        data: { delta: 500, balance: before + 500, reason: REASON },
      },
    ])
    expect(takeCorrections()).toMatchObject([{ payload: { kind: 'grant', reason: REASON, tick } }])
    expect(correct('grant', { credits: -200 })).toMatchObject({ ok: true })
    expect([wallet(), source()]).toEqual([before + 300, -300])
    expect(correct('grant', { credits: -wallet() - 1 })).toMatchObject({ code: 'no_credits' })
    expect(wallet()).toBe(before + 300)
  })

  test('gives and takes back goods, in the hold or in storage', () => {
    const { world } = small
    const ship = world.read(Player).ship[player]
    const unitsBefore = cargoUnits(world, ship, ORE)
    expect(correct('grant', { item_id: 'iron_ore', quantity: 3 })).toMatchObject({ ok: true })
    expect(cargoUnits(world, ship, ORE)).toBe(unitsBefore + 3)
    const base = dockedBase(world, player)
    const inStorage = { item_id: 'iron_ore', base: baseId(world, base) }
    expect(correct('grant', { ...inStorage, quantity: 1_000 })).toMatchObject({ ok: true })
    expect(storedUnits(world, player, base, ORE)).toBe(1_000)
    expect(correct('grant', { ...inStorage, quantity: -1_001 })).toMatchObject({
      code: 'insufficient_items',
    })
    expect(correct('grant', { ...inStorage, quantity: -1_000 })).toMatchObject({ ok: true })
    expect(storedUnits(world, player, base, ORE)).toBe(0)
    expect(unitsIn(world, namedContainer('correction'), ORE)).toBe(-3)
    expect(correct('grant', { item_id: 'iron_ore', quantity: 1_000_000 })).toMatchObject({
      code: 'no_cargo_space',
    })
    expect(takeCorrections()).toHaveLength(3)
  })

  test('refuses invalid grants, and changes nothing', () => {
    const quest = GOODS.find((good) => good.quest_item === true)?.id
    const cases: [object, string][] = [
      [{}, 'invalid_payload'],
      [{ credits: 0 }, 'invalid_payload'],
      [{ credits: 1, item_id: 'iron_ore' }, 'invalid_payload'],
      [{ item_id: 'iron_ore' }, 'invalid_payload'],
      [{ item_id: 'moon_dust', quantity: 1 }, 'unknown_item'],
      [{ item_id: 'iron_ore', quantity: 1, base: 'nowhere' }, 'station_not_found'],
      [{ credits: 1, player: 99 }, 'player_not_found'],
      [{ credits: 1, reason: ' ' }, 'invalid_payload'],
      [{ credits: 1, reason: 'a\u0000b' }, 'invalid_payload'],
      ...(quest ? [[{ item_id: quest, quantity: 1 }, 'quest_item'] as [object, string]] : []),
    ]
    const before = small.hash()
    for (const [params, code] of cases) {
      const answer = correct('grant', params)
      expect([params, answer]).toMatchObject([params, { ok: false, code }])
      expect(answer).toMatchObject({ message: expect.not.stringMatching(TO_PLAYERS) })
    }
    expect(small.hash()).toBe(before)
  })
})

describe('move', () => {
  test('docks a ship elsewhere, and ends its flight', () => {
    const { world } = small
    const home = dockedBase(world, player)
    const away = [1, 2, 3, 4]
      .map((empire) => capitalOf(world, empire))
      .find((base) => base !== home)
    expect(correct('move', { to: baseId(world, away as Eid) })).toMatchObject({ ok: true })
    expect(dockedBase(world, player)).toBe(away)
    const system = small.ask(player, 'get_system') as {
      result: { system: { pois: { id: string }[] } }
    }
    const here = poiId(world, poiOf(world, player))
    const target = system.result.system.pois.find(({ id }) => id !== here)?.id
    small.tick({ player, command: 'travel', params: { target_poi: target } })
    expect(poiOf(world, player)).toBe(0)
    expect(correct('move', { to: baseId(world, home) })).toMatchObject({ ok: true })
    expect(dockedBase(world, player)).toBe(home)
    // The pending travel no longer takes the slot.
    expect(small.act(player, 'undock')).toMatchObject({ ok: true })
    expect(correct('move', { to: 'nowhere' })).toMatchObject({
      code: 'invalid_poi',
      message: 'There is no base or place “nowhere”: name one by its id.',
    })
  })

  test('is refused in a battle', async () => {
    const scene = await meeting(2)
    small = scene.small
    player = scene.players[1]
    const attacked = { target_id: scene.id(player) }
    scene.small.act(scene.players[0], 'attack', attacked)
    const [, other] = open(scene.world, scene.system)
    expect(correct('move', { to: poiId(scene.world, other) })).toMatchObject({ code: 'in_combat' })
  })
})

describe('restore_ship', () => {
  test('gives a lost ship back with its modules, once', () => {
    const { world } = small
    const base = dockedBase(world, player)
    const original = createShip(world, {
      owner: player,
      shipClass: 0,
      modules: [],
    })
    const ship_id = shipId(world, original)
    const lost = {
      lost_ship_id: ship_id,
      design: 'hornet',
      modules: ['blaster_i'],
      base: baseId(world, base),
    }
    expect(correct('restore_ship', lost)).toMatchObject({ code: 'invalid_target' })
    removeFromMap(world, original)
    releaseShip(world, original)
    small.ticks(1)
    const before = shipsOf(world, player).length
    expect(correct('restore_ship', { ...lost, design: 'none' })).toMatchObject({
      code: 'unknown_class',
    })
    const many = Array.from({ length: 20 }, () => 'blaster_i')
    expect(correct('restore_ship', { ...lost, modules: many })).toMatchObject({ code: 'no_slot' })
    const done = correct('restore_ship', lost)
    expect(done).toMatchObject({
      ok: true,
      result: { old_ship_id: ship_id, modules: ['blaster_i'] },
    })
    const [replacement] = shipsOf(world, player)
    expect(shipsOf(world, player)).toHaveLength(before + 1)
    expect(shipId(world, replacement)).not.toBe(ship_id)
    expect(modulesOf(world, replacement)).toHaveLength(1)
    expect(unitsIn(world, namedContainer('correction'), itemIndex('blaster_i'))).toBe(-1)
    expect(correct('restore_ship', lost)).toMatchObject({ code: 'invalid_target' })
    const stranger = { ...lost, lost_ship_id: wireId(world.seed, 'player', 1) }
    expect(correct('restore_ship', stranger)).toMatchObject({ code: 'ship_not_found' })
    // Its owner can fly it like any other ship.
    const boarded = small.act(player, 'switch_ship', { ship_id: shipId(world, replacement) })
    expect(boarded).toMatchObject({ ok: true })
  })
})

test('corrections replay to the same world, from a snapshot taken before them', async () => {
  const { world, registry } = small
  const from = small.image()
  correct('grant', { credits: 500 })
  correct('grant', { item_id: 'iron_ore', quantity: 2 })
  small.ticks(1)
  const away = [1, 2]
    .map((empire) => capitalOf(world, empire))
    .find((base) => base !== dockedBase(world, player))
  correct('move', { to: baseId(world, away as Eid) })
  const lost = wireId(world.seed, 'ship', 1_000_000)
  const restored = {
    lost_ship_id: lost,
    design: 'hornet',
    modules: [],
    base: baseId(world, away as Eid),
  }
  expect(correct('restore_ship', restored)).toMatchObject({ ok: true })
  small.ticks(2)
  const { tickMs, maxEntities } = world
  const replayed = loadWorld({ registry, tickMs, maxEntities }, from)
  const engine = await openEngine(replayed, registry, { checkEvery: 1 })
  for (const row of small.journal.filter(({ batch }) => batch > from.batch)) replayRow(engine, row)
  expect(stateHash(replayed)).toBe(small.hash())
  expect((await small.reload()).hash()).toBe(small.hash())
})

test('corrections have no address on any channel', () => {
  const { v1, v2 } = createAddresses(small.registry)
  for (const name of ['grant', 'move', 'restore_ship']) {
    expect(small.registry.commands.has(`internal:correct_${name}`)).toBe(true)
    expect(v1.has(`internal:correct_${name}`)).toBe(false)
    for (const address of v2.keys()) expect(address).not.toContain('correct')
  }
})
