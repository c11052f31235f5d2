/** Convoys: what a capital has bought is flown there, seen, raided and robbed on the way. */
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
  test('takes its goods out of the stock, paid for at once, and is loaded for a while', async () => {
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

  test('is announced: in the news, on the exchange where it is loaded, and in its system', () => {
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
    // Who has left is no news of the base any more.
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

  test('arrives with all that it has loaded', () => {
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
    const looker = small.join('Looker')
    const { entryPoi } = world.read(StarSystem)
    bringTo(world, convoy, entryPoi[systemOf(world, to)])
    small.ticks(1)
    putAt(world, looker, world.read(Location).poi[ship], 'surveyor', [
      'cargo_scanner',
      'cargo_scanner',
    ])
    const { id } = EMPIRES[empireOfBase(world, to)]
    expect(small.ask(looker, 'get_nearby')).toMatchObject({
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
    expect(small.act(looker, 'scan', { target_id: shipId(world, ship) })).toMatchObject({
      ok: true,
      result: { success: true, username: expect.any(String), cargo_types: [GOODS[item].id] },
    })
  })

  test('does not go where there are enough: then the goods are there at once', () => {
    const { world, item, from, to } = scene
    const stock = world.read(Base).stock[from]
    const form = () => formConvoy(world, { from, to, item, units: 1, stock })
    const coming = allConvoys(world).filter((row) => world.read(Convoy).to[row] === to).length
    for (let more = coming; more < CONVOYS_OF_CAPITAL_MAX; more++) expect(form()).toBe(1)
    expect(form()).toBe(0)
    const row = managedOf(world, to, item)
    const { stock: stockOf } = world.write(Managed)
    const all = unitsInStock(world, to, item)
    moveItems(world, world.read(Base).stock[to], namedContainer('consumption'), item, all)
    stockOf[row] -= all
    const before = stockOf[row]
    sendConvoys(world, to)
    expect(stockOf[row]).toBeGreaterThan(before)
  })

  test('is raided on the way, and its guards defend it', () => {
    const { small, world } = scene
    sendAll(world)
    const { participant } = world.read(ShipCombat)
    const { battle, kind, alive } = world.read(Participant)
    const freighters = () =>
      allConvoys(world)
        .map((row) => world.read(Convoy).ship[row])
        .filter((ship) => ship !== 0)
    const kindsAround = (ship: Eid): string[] => {
      const of = battle[participant[ship]]
      const kinds: string[] = []
      for (let row = 1; row <= world.highOf(Participant); row++) {
        if (alive[row] === 1 && battle[row] === of) kinds.push(PARTICIPANT_KINDS[kind[row]])
      }
      return kinds
    }
    let kinds: string[] = []
    for (let i = 0; i < 500 && !kinds.includes('pirate'); i++) {
      small.ticks(1)
      const attacked = freighters().find((ship) => participant[ship] !== 0)
      // Its guards join in the tick after.
      if (attacked !== undefined) {
        small.ticks(1)
        kinds = kindsAround(attacked)
      }
    }
    expect(kinds).toContain('pirate')
    expect(kinds.filter((one) => one === 'npc').length).toBeGreaterThan(1)
  })

  test('goes on after a restart as it would have without', async () => {
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

test('a world that was saved before there were convoys has none, and forms them', async () => {
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

  function systemWith(isLawful: boolean): Eid {
    const { world } = scene
    const { police, empire, entryPoi, stronghold } = world.read(StarSystem)
    for (let system = 1; system <= world.highOf(StarSystem); system++) {
      // No patrols are where police are few.
      const isSuch = isLawful ? police[system] === 15 : empire[system] === 0
      if (isSuch && stronghold[system] === 0) return entryPoi[system]
    }
    throw new Error('there is no such system')
  }

  test('in lawless space costs nothing before the law; all that it carried is in the wreck', () => {
    const { small, world, convoy, item } = scene
    pacify(world)
    const robber = ambush(systemWith(false))
    const aboard = unitsAboard(world, convoy)
    rob(robber)
    expect(EMPIRES.map((_, empire) => bountyOf(world, robber, empire))).toEqual(
      EMPIRES.map(() => 0),
    )
    const { alive, poi } = world.read(Wreck)
    const wrecks = Array.from({ length: world.highOf(Wreck) }, (_, i) => i + 1).filter(
      (row) => alive[row] === 1 && poi[row] === systemWith(false),
    )
    const found = wrecks.flatMap((row) => goodsOf(world, row)).find((one) => one.item === item)
    expect(found?.units).toBe(aboard)
    small.ticks(2)
    expect(allConvoys(world)).not.toContain(convoy)
  })

  test('brings its guards against the robber, who take no crime upon them', () => {
    const { small, world } = scene
    pacify(world)
    sendAll(world)
    const { ship: shipOf } = world.read(Convoy)
    const convoy = allConvoys(world).find((row) => guardsOf(world, row).length === 2) ?? 0
    const members = [shipOf[convoy], ...guardsOf(world, convoy)]
    const poi = systemWith(true)
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

  test('by boarding takes the freighter with its load, and the convoy is lost', () => {
    const { small, world, convoy, ship, item } = scene
    pacify(world)
    const poi = systemWith(false)
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
    for (const one of [own, ship]) ring[standing(world, one).row] = 0
    world.write(Ship).shield[ship] = 0
    const order = { action: 'stance', stance: 'board', ...target, marines: 20 }
    expect(small.ask(boarder, 'battle', order)).toMatchObject({ ok: true })
    for (let i = 0; i < 30 && npcOf(world, ship) !== 0; i++) small.ticks(1)
    expect(unitsIn(world, world.read(Ship).hold[ship], item)).toBe(aboard)
    expect(prizeOf(world, ship)).not.toBe(0)
    small.ticks(2)
    expect(allConvoys(world)).not.toContain(convoy)
  })

  test('is left alone by a guard that has fled from the fight, which would flee again', () => {
    const { small, world } = scene
    pacify(world)
    sendAll(world)
    const { ship: shipOf } = world.read(Convoy)
    const convoy = allConvoys(world).find((row) => guardsOf(world, row).length === 2) ?? 0
    const [stays, flees] = guardsOf(world, convoy)
    const poi = systemWith(false)
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

  test('under the law is charged by the empire of the place, as any ship of an empire', () => {
    const { world } = scene
    pacify(world)
    const poi = systemWith(true)
    const empire = world.read(StarSystem).empire[world.read(Poi).system[poi]] - 1
    const robber = ambush(poi)
    const standing = reputationOf(world, robber, empire)
    rob(robber)
    const { bounty_attack, bounty_kill } = EMPIRES[empire].policy
    expect(bountyOf(world, robber, empire)).toBe(bounty_attack + bounty_kill)
    expect(reputationOf(world, robber, empire)).toBeLessThan(standing)
  })
})
