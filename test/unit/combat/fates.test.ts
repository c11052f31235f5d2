/** Destruction, wrecks, respawn, escape and the end of battles; the tests set the fates. */
import { describe, expect, test } from 'vitest'
import { itemIndex, SHIP_CLASSES } from '../../../core/catalog/index.ts'
import { contentsOf, namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { statOf, walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { BattleBoarding, Boarding, Link } from '../../../systems/boarding/state.ts'
import { selfDestructFee } from '../../../systems/combat/destruction-model.ts'
import { battleIn, inBattle } from '../../../systems/combat/model.ts'
import { fate } from '../../../systems/combat/outcomes-systems.ts'
import {
  Battle,
  Participant,
  PlayerCombat,
  SELF_DESTRUCTS_COUNTED,
  ShipCombat,
} from '../../../systems/combat/state.ts'
import { wrecksAt } from '../../../systems/salvage/model.ts'
import { Wreck } from '../../../systems/salvage/state.ts'
import { loadCargo, modulesOf } from '../../../systems/ship/model.ts'
import { Module, Ship } from '../../../systems/ship/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { Location, Poi } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { hullOf, meeting, payloadsTo, putAt, rowOf, type Scene } from './scene.ts'

onSmallMap()

const ORE = itemIndex('iron_ore')
const CLASS_T2 = SHIP_CLASSES.find(({ tier, faction }) => tier === 2 && faction === '')?.id ?? ''

/** Makes a battle of two players. */
async function duel(players = 2): Promise<Scene> {
  const scene = await meeting(players)
  const [one, two] = scene.players
  scene.small.act(one, 'attack', { target_id: scene.id(two) })
  expect(inBattle(scene.world, two)).toBe(true)
  scene.takeEmissions()
  return scene
}

const credits = (scene: Scene, player: Eid): number =>
  balanceOf(scene.world, walletOf(scene.world, player))

/** Leaves a player with this many credits. */
function setCredits(scene: Scene, player: Eid, left: number): void {
  const wallet = walletOf(scene.world, player)
  const grant = namedAccount('starting_grant')
  post(scene.world, wallet, grant, credits(scene, player))
  post(scene.world, grant, wallet, left)
}

describe('a ship that is destroyed', () => {
  test('leaves its pilot docked at home in an undamaged issue ship', async () => {
    const scene = await duel()
    const { world } = scene
    const [one, two] = scene.players
    const old = hullOf(world, two)
    scene.doom(two, 'destroyed', one)
    scene.small.ticks(1)
    const ship = hullOf(world, two)
    expect(ship).not.toBe(old)
    expect(world.read(Ship).alive[old]).toBe(0)
    const { issue, hull, hullMax, fuel, issueFuel } = world.read(Ship)
    expect([issue[ship], hull[ship], issueFuel[ship]]).toEqual([1, hullMax[ship], fuel[ship]])
    expect(dockedBase(world, two)).toBe(world.read(Player).homeBase[two])
    expect(modulesOf(world, ship).every((row) => world.read(Module).issue[row] === 1)).toBe(true)
    expect(statOf(world, two, 'times_destroyed')).toBe(1)
    expect(statOf(world, two, 'deaths_by_player')).toBe(1)
    expect(statOf(world, one, 'ships_destroyed')).toBe(1)
  })

  test('leaves a wreck with 50 to 80 % of the cargo', async () => {
    const scene = await duel()
    const { world } = scene
    const [one, two] = scene.players
    loadCargo(world, hullOf(world, two), namedContainer('mined'), ORE, 20)
    scene.doom(two, 'destroyed', one)
    scene.small.ticks(1)
    const [wreck] = wrecksAt(world, scene.poi)
    const held = contentsOf(world, world.read(Wreck).cargo[wreck]).find(({ item }) => item === ORE)
    expect(held?.units).toBeGreaterThanOrEqual(10)
    expect(held?.units).toBeLessThanOrEqual(16)
    expect(world.texts.get(world.read(Wreck).victimName[wreck])).toBe('Tester 2')
    expect(world.texts.get(world.read(Wreck).killerId[wreck])).toBe(scene.id(one))
  })

  test('notifies victim and killer, then everybody of the departure and of the end', async () => {
    const scene = await duel()
    const { world } = scene
    const [one, two] = scene.players
    scene.doom(two, 'destroyed', one)
    scene.small.ticks(1)
    const emissions = scene.takeEmissions()
    const [died] = payloadsTo(scene, emissions, two, 'player_died')
    expect(died).toMatchObject({
      killer_id: scene.id(one),
      killer_name: 'Tester 1',
      cause: 'player',
      clone_cost: 0,
      insurance_payout: 0,
      wreck_poi_id: world.texts.get(world.read(Poi).id[scene.poi]),
    })
    const [kill] = payloadsTo(scene, emissions, one, 'player_kill')
    expect(kill).toMatchObject({ victim: 'Tester 2', wreck_id: died.wreck_id })
    for (const player of [one, two]) {
      const [left] = payloadsTo(scene, emissions, player, 'battle_left')
      expect(left).toEqual({ player_id: scene.id(two), username: 'Tester 2', reason: 'destroyed' })
      const [ended] = payloadsTo(scene, emissions, player, 'battle_ended')
      expect(ended).toMatchObject({ winning_side: 1, reason: 'victory', ships_destroyed: 1 })
      expect(ended.participants).toHaveLength(2)
    }
    const types = emissions.map(({ type }) => type)
    const order = ['player_died', 'player_kill', 'battle_left', 'battle_update', 'battle_ended']
    expect(types.filter((type) => order.includes(type))).toEqual(order)
    expect(battleIn(world, scene.system)).toBe(0)
    expect(world.countOf(Battle) + world.countOf(Participant)).toBe(0)
  })

  test('costs a clone fee by the tier of the hull, waived if it cannot be paid', async () => {
    const scene = await duel()
    const { world, small } = scene
    const [one, two] = scene.players
    small.ticks(1)
    for (const left of [5_000, 199]) {
      scene.doom(two, 'destroyed', one)
      small.ticks(1)
      putAt(world, two, scene.poi, { shipClass: CLASS_T2 })
      small.act(one, 'attack', { target_id: scene.id(two) })
      setCredits(scene, two, left)
      scene.takeEmissions()
      scene.doom(two, 'destroyed', one)
      small.ticks(1)
      const [died] = payloadsTo(scene, scene.takeEmissions(), two, 'player_died')
      expect(died.clone_cost).toBe(left === 199 ? 0 : 200)
      expect(credits(scene, two)).toBe(left === 199 ? 199 : 4_800)
      putAt(world, two, scene.poi)
      small.act(one, 'attack', { target_id: scene.id(two) })
    }
  })

  test('raises a poor pilot to 100 credits, once a day', async () => {
    const scene = await duel()
    const { world, small } = scene
    const [one, two] = scene.players
    setCredits(scene, two, 30)
    scene.doom(two, 'destroyed', one)
    small.ticks(1)
    expect(credits(scene, two)).toBe(100)
    expect(world.read(PlayerCombat).floorTick[two]).toBe(world.tick)
    setCredits(scene, two, 30)
    putAt(world, two, scene.poi)
    small.act(one, 'attack', { target_id: scene.id(two) })
    scene.doom(two, 'destroyed', one)
    small.ticks(1)
    expect(credits(scene, two)).toBe(30)
  })

  test('leaves no wreck if it is an issue ship', async () => {
    const scene = await duel()
    const { world, small } = scene
    const [one, two] = scene.players
    scene.doom(two, 'destroyed', one)
    small.ticks(1)
    putAt(world, two, scene.poi)
    small.act(one, 'attack', { target_id: scene.id(two) })
    scene.takeEmissions()
    scene.doom(two, 'destroyed', one)
    const before = wrecksAt(world, scene.poi).length
    small.ticks(1)
    expect(wrecksAt(world, scene.poi)).toHaveLength(before)
    const [died] = payloadsTo(scene, scene.takeEmissions(), two, 'player_died')
    expect('wreck_id' in died).toBe(false)
  })

  test('can destroy its destroyer in the same tick', async () => {
    const scene = await duel()
    const [one, two] = scene.players
    scene.doom(two, 'destroyed', one)
    scene.doom(one, 'destroyed', two)
    scene.small.ticks(1)
    const [ended] = payloadsTo(scene, scene.takeEmissions(), one, 'battle_ended')
    expect(ended).toMatchObject({ winning_side: -1, reason: 'mutual_destruction' })
    expect(ended.ships_destroyed).toBe(2)
    expect(scene.world.read(Player).ship[one]).not.toBe(0)
  })
})

describe('escape', () => {
  test('a pilot who fled stays at the place and cannot be attacked for 6 ticks', async () => {
    const scene = await duel(3)
    const { world, small } = scene
    const [one, two, three] = scene.players
    small.act(three, 'attack', { target_id: scene.id(one) })
    scene.doom(two, 'fled')
    small.ticks(1)
    expect(inBattle(world, two)).toBe(false)
    expect(world.read(Location).poi[hullOf(world, two)]).toBe(scene.poi)
    expect(statOf(world, two, 'battles_fled')).toBe(1)
    const refused = small.act(one, 'attack', { target_id: scene.id(two) })
    expect(refused).toMatchObject({ ok: false, code: 'protected' })
    small.ticks(6)
    expect(small.act(one, 'attack', { target_id: scene.id(two) }).ok).toBe(true)
  })

  test('a pilot who fled and attacks can be attacked from the next tick', async () => {
    const scene = await duel(3)
    const { world, small } = scene
    const [one, two, three] = scene.players
    small.act(three, 'attack', { target_id: scene.id(one) })
    scene.doom(two, 'fled')
    small.ticks(1)
    small.act(two, 'attack', { target_id: scene.id(three) })
    expect(world.read(ShipCombat).graceUntil[hullOf(world, two)]).toBe(world.tick)
    expect(small.act(one, 'attack', { target_id: scene.id(two) }).ok).toBe(true)
  })

  test('emergency_warp moves the ship to another system and uses up the module', async () => {
    const scene = await meeting(2)
    const { world, small } = scene
    const [one, two] = scene.players
    putAt(world, two, scene.poi, { shipClass: CLASS_T2, modules: ['emergency_warp_stabilizer'] })
    small.act(one, 'attack', { target_id: scene.id(two) })
    scene.doom(two, 'emergency_warp')
    small.ticks(1)
    expect(world.read(Location).system[hullOf(world, two)]).not.toBe(scene.system)
    expect(modulesOf(world, hullOf(world, two))).toHaveLength(0)
  })

  test('emergency_cloak hides the ship for 10 ticks', async () => {
    const scene = await duel()
    const { world, small } = scene
    const [, two] = scene.players
    scene.doom(two, 'emergency_cloak')
    small.ticks(1)
    expect(world.read(Player).cloaked[two]).toBe(1)
    small.ticks(9)
    expect(world.read(Player).cloaked[two]).toBe(1)
    small.ticks(1)
    expect(world.read(Player).cloaked[two]).toBe(0)
  })

  test('battle_left reports the reason of each escape', async () => {
    for (const reason of ['fled', 'emergency_cloak', 'emergency_warp', 'knocked_out'] as const) {
      const scene = await duel()
      const [one, two] = scene.players
      scene.doom(two, reason)
      scene.small.ticks(1)
      const emissions = scene.takeEmissions()
      expect(payloadsTo(scene, emissions, one, 'battle_left')[0].reason).toBe(reason)
      expect(payloadsTo(scene, emissions, two, 'battle_left')[0].reason).toBe(reason)
    }
  })
})

describe('the end of a battle', () => {
  test('is a stalemate after 30 ticks without a kill, with grace for all', async () => {
    const scene = await duel()
    const { world, small } = scene
    const [one, two] = scene.players
    small.ticks(29)
    expect(inBattle(world, one)).toBe(true)
    small.ticks(1)
    expect(inBattle(world, one)).toBe(false)
    const [ended] = payloadsTo(scene, scene.takeEmissions(), one, 'battle_ended')
    expect(ended).toMatchObject({ winning_side: -1, reason: 'stalemate', duration: 31 })
    expect(world.read(ShipCombat).graceUntil[hullOf(world, two)]).toBe(world.tick + 6)
    const params = { target_id: scene.id(two) }
    expect(small.act(one, 'attack', params)).toMatchObject({ code: 'protected' })
    small.ticks(5)
    expect(small.act(one, 'attack', params).ok).toBe(true)
  })

  test('is postponed by a kill', async () => {
    const scene = await duel(3)
    const { world, small } = scene
    const [one, two, three] = scene.players
    small.act(three, 'attack', { target_id: scene.id(one) })
    small.ticks(25)
    scene.doom(two, 'destroyed', one)
    small.ticks(29)
    expect(inBattle(world, one)).toBe(true)
  })

  test('is the victory of the side left without enemies', async () => {
    const scene = await duel(3)
    const [one, two, three] = scene.players
    scene.small.act(three, 'attack', { target_id: scene.id(one) })
    scene.doom(one, 'destroyed', three)
    scene.small.ticks(1)
    const [ended] = payloadsTo(scene, scene.takeEmissions(), two, 'battle_ended')
    expect(ended).toMatchObject({ winning_side: 2, reason: 'victory' })
  })
})

describe('self-destruction in a battle', () => {
  test('takes three ticks, even if repeated, and leaves a wreck', async () => {
    const scene = await duel()
    const { world, small } = scene
    const [, two] = scene.players
    expect(small.ask(two, 'battle', { action: 'self_destruct' }).ok).toBe(true)
    small.ticks(1)
    small.ask(two, 'battle', { action: 'self_destruct' })
    expect(world.read(Participant).selfDestructTicks[rowOf(world, two)]).toBe(2)
    small.ticks(1)
    expect(inBattle(world, two)).toBe(true)
    small.ticks(1)
    expect(inBattle(world, two)).toBe(false)
    const [died] = payloadsTo(scene, scene.takeEmissions(), two, 'player_died')
    expect(died).toMatchObject({ cause: 'self_destruct', self_destruct_fee: 0 })
    expect('wreck_id' in died).toBe(true)
    expect(statOf(world, two, 'deaths_by_self_destruct')).toBe(1)
  })

  test('damages the attached ship by half of its own hull, and may destroy it', async () => {
    for (const isWeak of [false, true]) {
      const scene = await duel()
      const { world } = scene
      const [one, two] = scene.players
      const [boarder, victim] = [rowOf(world, one), rowOf(world, two)]
      const { hull, hullMax, shield, armor } = world.write(Ship)
      const ship = hullOf(world, one)
      shield[ship] = 5
      if (isWeak) hull[ship] = 1
      const before = hull[ship]
      const link = world.take(Link)
      const links = world.write(Link)
      links.battle[link] = battleIn(world, scene.system)
      links.attacker[link] = boarder
      links.target[link] = victim
      links.attached[link] = 1
      world.write(BattleBoarding).first[links.battle[link]] = link
      for (const row of [boarder, victim]) world.write(Boarding).link[row] = link
      world.write(Participant).selfDestructTicks[victim] = 1
      // The shield takes 5 points of the blast; armour takes the rest but for a tenth.
      const pastShield = Math.floor(hullMax[hullOf(world, two)] / 2) - 5
      const hit = Math.max(Math.ceil(pastShield / 10), pastShield - armor[ship])
      const old = world.read(Player).ship[one]
      world.tick++
      fate.run?.(world)
      expect(world.read(Player).ship[one] === old).toBe(!isWeak)
      if (!isWeak) expect([shield[ship], hull[ship]]).toEqual([0, before - hit])
    }
  })

  test('costs more each time within a day', () => {
    const fees = [1, 2, 3, 4, 8, 9, 20].map(selfDestructFee)
    expect(fees).toEqual([0, 500, 1_000, 2_000, 32_000, 50_000, 50_000])
  })

  test('without the fee leaves no wreck and bars from trade for a day', async () => {
    const scene = await duel()
    const { world, small } = scene
    const [, two] = scene.players
    world.write(PlayerCombat).selfDestructTicks[two * SELF_DESTRUCTS_COUNTED] = 1
    setCredits(scene, two, 40)
    small.ask(two, 'battle', { action: 'self_destruct' })
    small.ticks(3)
    const [died] = payloadsTo(scene, scene.takeEmissions(), two, 'player_died')
    expect(died).toMatchObject({ wreck_suppressed: true, self_destruct_fee: 0 })
    expect(wrecksAt(world, scene.poi)).toHaveLength(0)
    expect(world.read(PlayerCombat).restrictedUntil[two]).toBe(world.tick + 8_640)
    expect(credits(scene, two)).toBe(40)
    const gift = { item_id: 'iron_ore', quantity: 1, target: 'Tester 1' }
    for (const [command, params] of [
      ['buy', gift],
      ['sell', gift],
      ['create_sell_order', { item_id: 'iron_ore', quantity: 1, price_each: 5 }],
      ['deposit_items', gift],
      ['v2:game_storage/deposit', { credits: 1, target: 'Tester 1' }],
    ] as const) {
      const refused = small.act(two, command, params)
      expect(refused, command).toMatchObject({ ok: false, code: 'trading_restricted' })
    }
    const { result } = small.ask(two, 'get_status') as { result: { player: object } }
    expect('trading_restricted_until' in result.player).toBe(true)
  })
})
