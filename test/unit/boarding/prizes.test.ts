/** Prizes and plunder won by boarding, and the events that report them. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex, skillIndex } from '../../../core/catalog/index.ts'
import { contentsOf, namedContainer } from '../../../core/goods.ts'
import { balanceOf } from '../../../core/ledger.ts'
import { playerId, statOf, walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { Link } from '../../../systems/boarding/state.ts'
import { closeBattle, leaveBattle } from '../../../systems/combat/battles-rules.ts'
import { capturesOf } from '../../../systems/combat/log-model.ts'
import { battleId } from '../../../systems/combat/model.ts'
import {
  Battle,
  FATES,
  PARTICIPANT_KINDS,
  Participant,
  ShipCombat,
} from '../../../systems/combat/state.ts'
import { prizeId, prizeOf } from '../../../systems/prize/model.ts'
import { Prize } from '../../../systems/prize/state.ts'
import { wrecksAt } from '../../../systems/salvage/model.ts'
import {
  activeShip,
  cargoUnits,
  freeSpace,
  loadCargo,
  shipClassOf,
  shipId,
  shipName,
  shipsOf,
} from '../../../systems/ship/model.ts'
import { recompute } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { poiId, poiName, poisOf, systemId } from '../../../systems/travel/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Location, Poi } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { type Stage, stages } from './stage.ts'

onSmallMap()

const freshStage = await stages()
let scene: Stage

beforeEach(async () => {
  scene = await freshStage()
})

const pilot = (index: number) => scene.players[index]

/** Makes a boarding of an undefended hull, one round before its end; no player means a pirate. */
function aboutToWin(captor: number | undefined, owner: number | undefined, marines = 6) {
  const flownBy = (player: number | undefined) => (player === undefined ? {} : { player })
  const attacker = scene.enter({ side: 1, marines, ...flownBy(captor) })
  const target = scene.enter({ side: 2, crew: 0, ...flownBy(owner) })
  scene.board(attacker, target, marines)
  scene.round()
  scene.small.world.write(Link).progress[scene.linkOf(attacker)] = 99
  return { attacker, target, hull: scene.shipOf(target), boarder: scene.shipOf(attacker) }
}

const stow = (ship: number, id: string, units: number) =>
  loadCargo(scene.small.world, ship, namedContainer('supply'), itemIndex(id), units)

describe('a capture', () => {
  test('makes the hull a prize at the place of the battle, with modules and cargo', () => {
    const { attacker, hull } = aboutToWin(pilot(0), pilot(1))
    stow(hull, 'iron_ore', 7)
    const { world } = scene.small
    scene.round()
    const prize = prizeOf(world, hull)
    expect(prize).not.toBe(0)
    const { captor, claimUntil, expireTick } = world.read(Prize)
    expect(captor[prize]).toBe(pilot(0))
    expect([claimUntil[prize], expireTick[prize]]).toEqual([world.tick + 360, world.tick + 8_640])
    expect(world.read(Ship).owner[hull]).toBe(0)
    expect(world.read(Location).poi[hull]).toBe(scene.poi)
    expect(cargoUnits(world, hull, itemIndex('iron_ore'))).toBe(7)
    expect(world.read(Ship).firstModule[hull]).not.toBe(0)
    expect(scene.people(attacker).marines).toBe(6)
  })

  test('takes the hull out of the battle and leaves no wreck', () => {
    const { hull } = aboutToWin(pilot(0), pilot(1))
    const { world } = scene.small
    const before = world.read(Battle).count[scene.battle]
    scene.round()
    expect(world.read(Battle).count[scene.battle]).toBe(before - 1)
    expect(world.read(Battle).captured[scene.battle]).toBe(1)
    expect(world.read(Battle).eventTick[scene.battle]).toBe(world.tick)
    expect(world.read(ShipCombat).participant[hull]).toBe(0)
    expect(wrecksAt(world, scene.poi)).toEqual([])
  })

  test('returns the former owner home in a starter ship with all credits', () => {
    const { hull } = aboutToWin(pilot(0), pilot(1))
    const { world } = scene.small
    const credits = balanceOf(world, walletOf(world, pilot(1)))
    scene.round()
    const ship = activeShip(world, pilot(1))
    expect(ship).not.toBe(hull)
    expect(shipClassOf(world, ship).starter_ship).toBe(true)
    expect(world.read(Ship).issue[ship]).toBe(1)
    expect(dockedBase(world, pilot(1))).toBe(world.read(Player).homeBase[pilot(1)])
    expect(balanceOf(world, walletOf(world, pilot(1)))).toBe(credits)
    expect(statOf(world, pilot(1), 'ships_lost')).toBe(1)
    expect(scene.takePayloads('player_died')).toEqual([])
  })

  test('removes the skill bonuses of the former owner from the hull', () => {
    const { hull } = aboutToWin(pilot(0), pilot(1))
    const { world } = scene.small
    const bare = world.read(Ship).hullMax[hull]
    const levels = world.write(PlayerSkills).level
    levels[pilot(1) * SKILLS_WIDTH + skillIndex('armor')] = 50
    for (const ship of shipsOf(world, pilot(1))) recompute(world, ship)
    expect(world.read(Ship).hullMax[hull]).toBeGreaterThan(bare)
    scene.round()
    expect(world.read(Ship).hullMax[hull]).toBe(bare)
  })

  test('is reported by ship_captured, without numbers of people', () => {
    const { hull } = aboutToWin(pilot(0), pilot(1))
    const { world } = scene.small
    scene.enter({ side: 1, player: pilot(2) })
    scene.enter({ side: 2 })
    const [id, poi] = [shipId(world, hull), scene.poi]
    scene.round()
    const [emission] = world.outbox.emissions.filter(({ type }) => type === 'ship_captured')
    expect(emission.payload).toEqual({
      battle_id: battleId(world, scene.battle),
      tick: world.tick,
      boarding_operation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      captor_id: playerId(world, pilot(0)),
      captor_username: 'Tester 1',
      captor_kind: 'player',
      former_owner_id: playerId(world, pilot(1)),
      former_owner_username: 'Tester 2',
      ship_id: id,
      ship_class: 'reaver',
      prize_id: prizeId(world, prizeOf(world, hull)),
      prize_poi_id: poiId(world, poi),
      prize_poi_name: poiName(world, poi),
      prize_system_id: systemId(world, world.read(Poi).system[poi]),
      prize_system_name: expect.any(String),
    })
    const { audience } = emission
    const rows = audience.kind === 'players' ? audience.rows : []
    expect([...rows].sort()).toEqual([pilot(0), pilot(1), pilot(2)].sort())
    const places = ['prize_poi_id', 'prize_poi_name', 'prize_system_id', 'prize_system_name']
    const listed = Object.entries(emission.payload).filter(
      ([name]) => name !== 'battle_id' && !places.includes(name),
    )
    expect(capturesOf(world, scene.battle)).toEqual([Object.fromEntries(listed)])
  })

  test.each(['hidden', 'under way'])('withholds the place of a prize that is %s', (why) => {
    aboutToWin(pilot(0), pilot(1))
    const { world } = scene.small
    if (why === 'hidden') world.write(Poi).hidden[scene.poi] = 1
    else world.write(Battle).origin[scene.battle] = 0
    scene.round()
    const [payload] = scene.takePayloads('ship_captured')
    expect(Object.keys(payload).filter((name) => name.startsWith('prize'))).toEqual(['prize_id'])
  })

  test('of a pirate hull makes a prize too', () => {
    const { hull } = aboutToWin(pilot(0), undefined)
    scene.round()
    expect(prizeOf(scene.small.world, hull)).not.toBe(0)
    expect(scene.takePayloads('ship_captured')[0]).toMatchObject({
      former_owner_id: shipId(scene.small.world, hull),
    })
  })

  test('cancels the self-destruct countdown of the hull', () => {
    const { target } = aboutToWin(pilot(0), pilot(1))
    const { world } = scene.small
    world.write(Participant).selfDestructTicks[target] = 1
    scene.round()
    expect(world.read(Participant).selfDestructTicks[target]).toBe(0)
    expect(FATES[world.read(Participant).fate[target]]).toBe('captured')
  })

  test('leaves the marines aboard if their own ship escapes in the same tick', () => {
    const { attacker, hull, boarder } = aboutToWin(pilot(0), pilot(1))
    const { world } = scene.small
    world.write(Participant).fate[attacker] = FATES.indexOf('emergency_cloak')
    scene.round()
    expect(world.read(Ship).marinesFit[hull]).toBe(6)
    expect(world.read(Ship).marinesFit[boarder]).toBe(0)
  })
})

describe('a prize', () => {
  test('becomes a wreck if nobody claims it for 8,640 ticks', () => {
    const { hull } = aboutToWin(pilot(0), pilot(1))
    const { world } = scene.small
    scene.round()
    const prize = prizeOf(world, hull)
    world.tick = world.read(Prize).expireTick[prize] - 2
    scene.round()
    expect(prizeOf(world, hull)).toBe(prize)
    scene.round()
    expect(prizeOf(world, hull)).toBe(0)
    expect(world.countOf(Prize)).toBe(0)
    expect(world.read(Ship).alive[hull]).toBe(0)
    expect(wrecksAt(world, scene.poi)).toHaveLength(1)
  })

  test('is still a prize after a restart', async () => {
    const { hull } = aboutToWin(pilot(0), pilot(1))
    scene.round()
    const { world } = await scene.small.reload()
    expect(prizeOf(world, hull)).not.toBe(0)
  })

  test('is removed to make room for a new one, the oldest first', () => {
    const { world } = scene.small
    const hulls: number[] = []
    for (let i = 0; i < 60; i++) {
      const { hull, attacker } = aboutToWin(pilot(0), undefined)
      scene.round()
      hulls.push(hull)
      leaveBattle(world, attacker, 'battle_ended')
    }
    expect(world.countOf(Prize)).toBeLessThan(60)
    expect(prizeOf(world, hulls[0])).toBe(0)
    expect(prizeOf(world, hulls[59])).not.toBe(0)
  })
})

describe('pirates', () => {
  test('plunder as much as their hold takes, the dearest goods first', () => {
    const { attacker, target, hull, boarder } = aboutToWin(undefined, pilot(1))
    stow(hull, 'iron_ore', 40)
    stow(hull, 'circuit_board', 5)
    const { world } = scene.small
    stow(boarder, 'iron_ore', freeSpace(world, boarder) - 20)
    const aboard = cargoUnits(world, boarder, itemIndex('iron_ore'))
    const notes = scene.round()
    expect(notes.at(-1)).toMatchObject({ event: 'ended', outcome: 'plundered' })
    const boards = cargoUnits(world, boarder, itemIndex('circuit_board'))
    expect(boards).toBe(5)
    expect(freeSpace(world, boarder)).toBe(0)
    const ore = cargoUnits(world, boarder, itemIndex('iron_ore')) - aboard
    expect(ore).toBeGreaterThan(0)
    expect(cargoUnits(world, hull, itemIndex('iron_ore'))).toBe(40 - ore)
    expect(scene.linkOf(attacker)).toBe(0)
    expect(world.read(Participant).alive[target]).toBe(1)
    expect(world.read(Ship).owner[hull]).toBe(pilot(1))
    expect(prizeOf(world, hull)).toBe(0)
    expect(scene.takePayloads('ship_captured')).toEqual([])
  })

  test('plunder nothing from an empty hold', () => {
    const { boarder } = aboutToWin(undefined, pilot(1))
    const { world } = scene.small
    expect(scene.round().at(-1)).toMatchObject({ outcome: 'plundered' })
    expect(contentsOf(world, world.read(Ship).hold[boarder])).toEqual([])
  })
})

describe('a prize adrift', () => {
  /** Makes a prize at the place of the scene, and a player next to it who is in no battle. */
  async function adrift() {
    const { hull, attacker } = aboutToWin(pilot(0), pilot(1))
    const { small } = scene
    scene.round()
    leaveBattle(small.world, attacker, 'fled')
    closeBattle(small.world, scene.battle)
    small.world.recycle()
    placeInSpace(small.world, activeShip(small.world, pilot(2)), scene.poi)
    return { hull, prize: prizeOf(small.world, hull), world: small.world, small }
  }

  test('is shown by get_nearby', async () => {
    const { small, world, hull, prize } = await adrift()
    const nearby = small.ask(pilot(2), 'get_nearby') as { result: { prizes: object[] } }
    const columns = world.read(Ship)
    expect(nearby.result.prizes).toEqual([
      {
        prize_id: prizeId(world, prize),
        actor_id: shipId(world, hull),
        ship_id: shipId(world, hull),
        ship_class: 'reaver',
        ship_name: shipName(world, hull),
        status: 'unclaimed',
        hull: columns.hull[hull],
        max_hull: columns.hullMax[hull],
        shield: columns.shield[hull],
        max_shield: columns.shieldMax[hull],
        in_combat: false,
      },
    ])
  })

  test('can be attacked only at its place, as a participant of kind prize', async () => {
    const { small, world, hull, prize } = await adrift()
    const target_id = prizeId(world, prize)
    const places = poisOf(world, world.read(Poi).system[scene.poi])
    const elsewhere = places.find((poi) => poi !== scene.poi) as number
    placeInSpace(world, activeShip(world, pilot(3)), elsewhere)
    expect(small.act(pilot(3), 'attack', { target_id })).toMatchObject({ code: 'invalid_target' })
    expect(small.act(pilot(2), 'attack', { target_id })).toMatchObject({ ok: true })
    const row = world.read(ShipCombat).participant[hull]
    expect(PARTICIPANT_KINDS[world.read(Participant).kind[row]]).toBe('prize')
  })

  test('is no longer a prize once destroyed', async () => {
    const { small, world, hull, prize } = await adrift()
    small.act(pilot(2), 'attack', { target_id: prizeId(world, prize) })
    const row = world.read(ShipCombat).participant[hull]
    world.write(Participant).fate[row] = FATES.indexOf('destroyed')
    world.write(Ship).hull[hull] = 0
    small.ticks(1)
    expect(world.countOf(Prize)).toBe(0)
    expect(world.read(Ship).alive[hull]).toBe(0)
  })

  test('does not become a wreck during a battle', async () => {
    const { small, world, hull, prize } = await adrift()
    small.act(pilot(2), 'attack', { target_id: prizeId(world, prize) })
    world.write(Prize).expireTick[prize] = world.tick
    small.ticks(1)
    expect(prizeOf(world, hull)).toBe(prize)
  })
})
