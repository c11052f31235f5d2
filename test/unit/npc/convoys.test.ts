/** Convoys: how goods that a capital has bought travel there, are seen, raided and robbed. */
import { beforeEach, describe, expect, test } from 'vitest'
import { EMPIRES, GOODS } from '../../../core/catalog/index.ts'
import { idOf } from '../../../core/entity.ts'
import { moveItems, namedContainer, unitsIn } from '../../../core/goods.ts'
import { balanceOf } from '../../../core/ledger.ts'
import { checkWorld } from '../../../core/tick.ts'
import type { Eid, World } from '../../../core/types.ts'
import { loadWorld } from '../../../engine/start.ts'
import { reputationOf } from '../../../systems/account/model.ts'
import { baseId, capitalOf, empireOfBase } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { leaveBattle } from '../../../systems/combat/battles-rules.ts'
import {
  PARTICIPANT_KINDS,
  Participant,
  ShipCombat,
  STANCES,
} from '../../../systems/combat/state.ts'
import { bountyOf } from '../../../systems/law/model.ts'
import { sendConvoys } from '../../../systems/market/convoys-rules.ts'
import { Managed } from '../../../systems/market/state.ts'
import { managedOf, unitsInStock } from '../../../systems/market/stock-model.ts'
import { allConvoys, guardsOf, unitsAboard } from '../../../systems/npc/convoy-model.ts'
import { formConvoy } from '../../../systems/npc/convoy-rules.ts'
import { CONVOYS_OF_CAPITAL_MAX, Convoy, LOADING_TICKS } from '../../../systems/npc/convoy-state.ts'
import { npcOf } from '../../../systems/npc/model.ts'
import { prizeOf } from '../../../systems/prize/model.ts'
import { goodsOf } from '../../../systems/salvage/model.ts'
import { Wreck } from '../../../systems/salvage/state.ts'
import { activeShip, shipId } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { DOCKED_STATE, JUMPING, Location, Poi, StarSystem } from '../../../systems/travel/state.ts'
import {
  bringTo,
  type ConvoyScene,
  convoyScene,
  dockAt,
  follow,
  managerOf,
  pacify,
  runUntilOver,
  sendAll,
  systemOf,
} from './convoy-scene.ts'
import { pirateWorld, putAt, remove, standing } from './scene.ts'

const ARMED = ['beam_laser_ii', 'beam_laser_ii']

/** Returns the units that all managers have in stock. */
function stocksOf(world: World): number {
  const { alive, stock } = world.read(Managed)
  let sum = 0
  for (let row = 1; row <= world.highOf(Managed); row++) if (alive[row] === 1) sum += stock[row]
  return sum
}

let scene: ConvoyScene
beforeEach(async () => {
  scene = await convoyScene()
})

describe('a convoy', () => {
  test('takes its goods out of stock, is paid for at once and departs after loading', async () => {
    const small = await pirateWorld()
    const { world } = small
    const capital = capitalOf(world, 0)
    const before = balanceOf(world, managerOf(world, capital))
    const stocks = stocksOf(world)
    sendConvoys(world, capital)
    const [convoy] = allConvoys(world)
    const { ship, from, to } = world.read(Convoy)
    expect(to[convoy]).toBe(capital)
    expect(balanceOf(world, managerOf(world, capital))).toBeLessThan(before)
    expect(unitsAboard(world, convoy)).toBeGreaterThan(0)
    const { state, base } = world.read(Location)
    for (const member of [ship[convoy], ...guardsOf(world, convoy)]) {
      expect([state[member], base[member]]).toEqual([DOCKED_STATE, from[convoy]])
    }
    const aboard = allConvoys(world).reduce((sum, row) => sum + unitsAboard(world, row), 0)
    expect(stocks - stocksOf(world)).toBe(aboard)
    small.ticks(LOADING_TICKS - 1)
    expect(state[ship[convoy]]).toBe(DOCKED_STATE)
    small.ticks(3)
    expect(state[ship[convoy]]).toBe(JUMPING)
  })

  test('is announced in get_news, in view_market of its base and by convoy_update', () => {
    const { small, world, convoy, from, to, item } = scene
    const trader = small.join('Reader')
    dockAt(world, trader, from)
    const id = idOf(world, Convoy, convoy)
    const listed = {
      convoy_id: id,
      from_base_id: baseId(world, from),
      to_base_id: baseId(world, to),
      item_id: GOODS[item].id,
      quantity: unitsAboard(world, convoy),
      status: 'loading',
      leaves_in_ticks: LOADING_TICKS,
    }
    for (const command of ['get_news', 'view_market']) {
      expect(small.ask(trader, command)).toMatchObject({
        ok: true,
        result: { convoys: expect.arrayContaining([expect.objectContaining(listed)]) },
      })
    }
    small.takeEmissions()
    small.ticks(LOADING_TICKS + 1)
    const emissions = small.takeEmissions().filter(({ type }) => type === 'convoy_update')
    expect(emissions.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ event: 'departed', item_id: GOODS[item].id }),
    )
    // A market does not list a convoy that has left its base.
    expect(small.ask(trader, 'view_market')).not.toMatchObject({
      result: { convoys: expect.arrayContaining([expect.objectContaining({ convoy_id: id })]) },
    })
    expect(small.ask(trader, 'get_news')).toMatchObject({
      result: {
        convoys: expect.arrayContaining([
          expect.objectContaining({ convoy_id: id, status: 'under_way' }),
        ]),
      },
    })
  })

  test('delivers everything that it has loaded', () => {
    const { small, world, convoy, ship, item, to } = scene
    pacify(world)
    const aboard = unitsAboard(world, convoy)
    const row = managedOf(world, to, item)
    const passenger = small.join('Passenger')
    const seen = new Set<Eid>()
    const stocks: number[] = []
    runUntilOver(scene, () => {
      seen.add(world.read(Location).system[ship])
      follow(world, passenger, ship)
      stocks.push(world.read(Managed).stock[row])
    })
    // The last tick brings the load; use and growth of the good move it by far less.
    const gained = world.read(Managed).stock[row] - (stocks.at(-1) ?? 0)
    expect(gained).toBe(aboard)
    expect(seen.size).toBe(world.read(Convoy).jumps[convoy] + 1)
    expect(allConvoys(world)).not.toContain(convoy)
    expect(world.read(Ship).alive[ship]).toBe(0)
  })

  test('is visible at its stops, and a scan shows its cargo', () => {
    const { small, world, convoy, ship, item, to } = scene
    pacify(world)
    const scanner = small.join('Looker')
    const { entryPoi } = world.read(StarSystem)
    bringTo(world, convoy, entryPoi[systemOf(world, to)])
    small.ticks(1)
    putAt(world, scanner, world.read(Location).poi[ship], 'surveyor', [
      'cargo_scanner',
      'cargo_scanner',
    ])
    const { id } = EMPIRES[empireOfBase(world, to)]
    expect(small.ask(scanner, 'get_nearby')).toMatchObject({
      ok: true,
      result: {
        empire_npcs: expect.arrayContaining([
          expect.objectContaining({
            npc_id: shipId(world, ship),
            empire: id,
            role: 'freighter',
            fleet_name: expect.stringContaining('Convoy to '),
          }),
        ]),
      },
    })
    expect(small.act(scanner, 'scan', { target_id: shipId(world, ship) })).toMatchObject({
      ok: true,
      result: { success: true, username: expect.any(String), cargo_types: [GOODS[item].id] },
    })
  })

  test('is not formed beyond the maximum of a capital, whose goods then arrive at once', () => {
    const { world, item, from, to } = scene
    const stock = world.read(Base).stock[from]
    const form = () => formConvoy(world, { from, to, item, units: 1, stock })
    const before = allConvoys(world).filter((row) => world.read(Convoy).to[row] === to).length
    for (let count = before; count < CONVOYS_OF_CAPITAL_MAX; count++) expect(form()).toBe(1)
    expect(form()).toBe(0)
    const row = managedOf(world, to, item)
    const { stock: stockOf } = world.write(Managed)
    const units = unitsInStock(world, to, item)
    moveItems(world, world.read(Base).stock[to], namedContainer('consumption'), item, units)
    stockOf[row] -= units
    const stockBefore = stockOf[row]
    sendConvoys(world, to)
    expect(stockOf[row]).toBeGreaterThan(stockBefore)
  })

  test('is attacked by pirates on the way and defended by its guards', () => {
    const { small, world } = scene
    sendAll(world)
    const { participant } = world.read(ShipCombat)
    const { battle, kind, alive } = world.read(Participant)
    const freighters = () =>
      allConvoys(world)
        .map((row) => world.read(Convoy).ship[row])
        .filter((ship) => ship !== 0)
    const kindsAround = (ship: Eid): string[] => {
      const ownBattle = battle[participant[ship]]
      const kinds: string[] = []
      for (let row = 1; row <= world.highOf(Participant); row++) {
        if (alive[row] === 1 && battle[row] === ownBattle) kinds.push(PARTICIPANT_KINDS[kind[row]])
      }
      return kinds
    }
    let kinds: string[] = []
    for (let i = 0; i < 500 && !kinds.includes('pirate'); i++) {
      small.ticks(1)
      const attacked = freighters().find((ship) => participant[ship] !== 0)
      // The guards join in the next tick.
      if (attacked !== undefined) {
        small.ticks(1)
        kinds = kindsAround(attacked)
      }
    }
    expect(kinds).toContain('pirate')
    expect(kinds.filter((name) => name === 'npc').length).toBeGreaterThan(1)
  })

  test('continues identically after a restart', async () => {
    const { small, world } = scene
    small.ticks(LOADING_TICKS + 10)
    expect(allConvoys(world).length).toBeGreaterThan(0)
    const twin = await small.reload()
    expect(twin.hash()).toBe(small.hash())
    small.ticks(120)
    twin.ticks(120)
    expect(twin.hash()).toBe(small.hash())
  })
})

test('a world saved before convoys existed loads without any and forms new ones', async () => {
  const { world: before, registry, image } = await pirateWorld()
  const now = image()
  const tables = now.tables
    .filter(({ name }) => name !== 'convoy')
    .map((table) => ({
      ...table,
      columns: table.columns.filter(({ name }) => !/^(convoy|stops)$/.test(name)),
    }))
  const { tickMs, maxEntities } = before
  const old = { ...now, tables }
  const world = loadWorld({ registry, tickMs, maxEntities }, old, { isVerified: true })
  expect(allConvoys(world)).toEqual([])
  sendAll(world)
  expect(allConvoys(world).length).toBeGreaterThan(0)
  checkWorld({ world, registry })
})

describe('robbing a convoy', () => {
  /** Puts the freighter and a robber at one place of a system; returns the robber. */
  function ambush(poi: Eid): Eid {
    const { small, world, convoy, ship } = scene
    bringTo(world, convoy, poi)
    const robber = small.join('Robber')
    putAt(world, robber, poi, 'black_tithe', ARMED)
    world.write(Ship).hull[ship] = 1
    world.write(Ship).shield[ship] = 0
    return robber
  }

  function rob(robber: Eid): void {
    const { small, world, ship } = scene
    const target = { target_id: shipId(world, ship) }
    expect(small.act(robber, 'attack', target)).toMatchObject({ ok: true })
    for (let i = 0; i < 30 && npcOf(world, ship) !== 0; i++) small.ticks(1)
    expect(npcOf(world, ship)).toBe(0)
  }

  /** Returns the entry of a system with some police, or of one outside the empires. */
  function entryOfSystem(isLawful: boolean): Eid {
    const { world } = scene
    const { police, empire, entryPoi, stronghold } = world.read(StarSystem)
    for (let system = 1; system <= world.highOf(StarSystem); system++) {
      // Systems with a police level of 15 have no patrols.
      const isMatch = isLawful ? police[system] === 15 : empire[system] === 0
      if (isMatch && stronghold[system] === 0) return entryPoi[system]
    }
    throw new Error('there is no such system')
  }

  test('in lawless space is no crime and leaves all its goods in the wreck', () => {
    const { small, world, convoy, item } = scene
    pacify(world)
    const robber = ambush(entryOfSystem(false))
    const aboard = unitsAboard(world, convoy)
    rob(robber)
    expect(EMPIRES.map((_, empire) => bountyOf(world, robber, empire))).toEqual(
      EMPIRES.map(() => 0),
    )
    const { alive, poi } = world.read(Wreck)
    const wrecks = Array.from({ length: world.highOf(Wreck) }, (_, i) => i + 1).filter(
      (row) => alive[row] === 1 && poi[row] === entryOfSystem(false),
    )
    const found = wrecks.flatMap((row) => goodsOf(world, row)).find((goods) => goods.item === item)
    expect(found?.units).toBe(aboard)
    small.ticks(2)
    expect(allConvoys(world)).not.toContain(convoy)
  })

  test('brings its guards into the battle on its side', () => {
    const { small, world } = scene
    pacify(world)
    sendAll(world)
    const { ship: shipOf } = world.read(Convoy)
    const convoy = allConvoys(world).find((row) => guardsOf(world, row).length === 2) ?? 0
    const members = [shipOf[convoy], ...guardsOf(world, convoy)]
    const poi = entryOfSystem(true)
    for (const member of members) placeInSpace(world, member, poi)
    const robber = small.join('Outgunned')
    putAt(world, robber, poi, 'black_tithe', ARMED)
    const target = { target_id: shipId(world, shipOf[convoy]) }
    expect(small.act(robber, 'attack', target)).toMatchObject({ ok: true })
    small.ticks(1)
    const sides = members.map((member) => standing(world, member).side)
    expect(sides[0]).toBeGreaterThan(0)
    expect(sides).toEqual(sides.map(() => sides[0]))
    const { stance } = world.read(Participant)
    expect(STANCES[stance[standing(world, members[0]).row]]).toBe('fire')
  })

  test('by boarding captures the freighter with its load and ends the convoy', () => {
    const { small, world, convoy, ship, item } = scene
    pacify(world)
    const poi = entryOfSystem(false)
    const aboard = unitsAboard(world, convoy)
    for (const guard of guardsOf(world, convoy)) remove(world, guard)
    bringTo(world, convoy, poi)
    const boarder = small.join('Boarder')
    putAt(world, boarder, poi, 'reaver', ['blaster_ii', 'marine_barracks'])
    const own = activeShip(world, boarder)
    world.write(Ship).marinesFit[own] = 20
    const target = { target_id: shipId(world, ship) }
    expect(small.act(boarder, 'attack', target)).toMatchObject({ ok: true })
    const { ring } = world.write(Participant)
    for (const hull of [own, ship]) ring[standing(world, hull).row] = 0
    world.write(Ship).shield[ship] = 0
    const order = { action: 'stance', stance: 'board', ...target, marines: 20 }
    expect(small.ask(boarder, 'battle', order)).toMatchObject({ ok: true })
    for (let i = 0; i < 30 && npcOf(world, ship) !== 0; i++) small.ticks(1)
    expect(unitsIn(world, world.read(Ship).hold[ship], item)).toBe(aboard)
    expect(prizeOf(world, ship)).not.toBe(0)
    small.ticks(2)
    expect(allConvoys(world)).not.toContain(convoy)
  })

  test('does not bring back a guard that has fled from the battle', () => {
    const { small, world } = scene
    pacify(world)
    sendAll(world)
    const { ship: shipOf } = world.read(Convoy)
    const convoy = allConvoys(world).find((row) => guardsOf(world, row).length === 2) ?? 0
    const [stays, flees] = guardsOf(world, convoy)
    const poi = entryOfSystem(false)
    for (const member of [shipOf[convoy], stays, flees]) placeInSpace(world, member, poi)
    const robber = small.join('Outranging')
    putAt(world, robber, poi, 'black_tithe', ARMED)
    const target = { target_id: shipId(world, shipOf[convoy]) }
    expect(small.act(robber, 'attack', target)).toMatchObject({ ok: true })
    leaveBattle(world, standing(world, flees).row, 'fled')
    small.ticks(2)
    const { participant } = world.read(ShipCombat)
    expect(participant[stays]).toBeGreaterThan(0)
    expect(participant[flees]).toBe(0)
  })

  test('in a system with police is a crime under the empire of the place', () => {
    const { world } = scene
    pacify(world)
    const poi = entryOfSystem(true)
    const empire = world.read(StarSystem).empire[world.read(Poi).system[poi]] - 1
    const robber = ambush(poi)
    const reputation = reputationOf(world, robber, empire)
    rob(robber)
    const { bounty_attack, bounty_kill } = EMPIRES[empire].policy
    expect(bountyOf(world, robber, empire)).toBe(bounty_attack + bounty_kill)
    expect(reputationOf(world, robber, empire)).toBeLessThan(reputation)
  })
})
