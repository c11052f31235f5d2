/** The command hunt, and how battles with creatures end. Source: combat.md sections 1, 13, 17. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CREATURES, creatureIndex } from '../../../core/catalog/index.ts'
import { rowsOf } from '../../../core/columns.ts'
import { contentsOf } from '../../../core/goods.ts'
import { TABLE_FILL_MAX_PCT } from '../../../core/limits.ts'
import type { Eid, World } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { aggress } from '../../../systems/combat/engage-rules.ts'
import { battleIn, inBattle, participantsOf } from '../../../systems/combat/model.ts'
import { BATTLE_KINDS, Battle, FATES, Participant } from '../../../systems/combat/state.ts'
import { isCreature } from '../../../systems/creature/model.ts'
import { addBounty, collectBounty } from '../../../systems/law/rules.ts'
import { wrecksAt } from '../../../systems/salvage/model.ts'
import { WRECK_TYPES, Wreck } from '../../../systems/salvage/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { skillIndex, xpOf } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { AT_POI, Location, TRAVELLING } from '../../../systems/travel/state.ts'
import type { SmallWorld } from '../../small-world.ts'
import { counted } from '../achievement/scene.ts'
import { idOf, putAt, rowOf, stray, wilderness, wildWorld } from './scene.ts'

const ARMED = { shipClass: 'hornet', modules: ['blaster_i', 'blaster_i'] }

let small: SmallWorld
let world: World
let hunter: Eid
let ship: Eid
let poi: Eid
let system: Eid
let prey: Eid
beforeAll(async () => {
  small = await wildWorld()
  world = small.world
})
beforeEach(() => {
  ;({ poi, system } = wilderness(world))
  hunter = small.join(`Hunter ${small.players.length}`)
  ship = putAt(world, hunter, poi, ARMED)
  prey = stray(world, 'magnet_ox', poi)
  small.takeEmissions()
})

const hunt = (player: Eid, target: Eid) =>
  small.act(player, 'hunt', { target_id: idOf(world, target) })

/** Returns the types of the events sent to a player; battles of other tests may still go on. */
const typesSentTo = (player: Eid): string[] =>
  small
    .takeEmissions()
    .filter(({ to }) => to.includes(world.read(Player).seq[player]))
    .map(({ type }) => type)

/** Runs ticks until the player is in no battle. */
function fightToEnd(player: Eid): void {
  for (let tick = 0; tick < 100 && inBattle(world, player); tick++) small.ticks(1)
  expect(inBattle(world, player)).toBe(false)
}

const kindOfBattle = (hull: Eid): string =>
  BATTLE_KINDS[world.read(Battle).kind[world.read(Participant).battle[rowOf(world, hull)]]]

describe('hunt', () => {
  test('takes the name of a creature here, as attack and scan do', () => {
    const named = { target_id: 'magnet ox' }
    const stranger = small.join(`Stranger ${small.players.length}`)
    putAt(world, stranger, wilderness(world).poi, ARMED)
    expect(small.act(stranger, 'hunt', named)).toMatchObject({ code: 'invalid_target' })
    const result = { target: idOf(world, prey) }
    expect(small.act(hunter, 'hunt', named)).toMatchObject({ ok: true, result })
  })

  test('opens a separate battle between the hunter and the creature', () => {
    const mate = stray(world, 'magnet_ox', poi)
    const bystander = small.join(`Bystander ${small.players.length}`)
    putAt(world, bystander, poi)
    expect(hunt(hunter, prey)).toMatchObject({
      ok: true,
      result: {
        action: 'hunt',
        target: idOf(world, prey),
        target_name: 'Magnet Ox',
        species: 'magnet_ox',
        your_side: 1,
        your_zone: 'outer',
      },
    })
    expect(kindOfBattle(ship)).toBe('hunt')
    expect(battleIn(world, system)).toBe(0)
    expect(rowOf(world, mate)).toBe(0)
    expect(inBattle(world, bystander)).toBe(false)
    const battle = world.read(Participant).battle[rowOf(world, ship)]
    expect(participantsOf(world, battle).length).toBe(2)
    const [started] = small.takeEmissions().filter(({ type }) => type === 'battle_started')
    expect(started.payload).toMatchObject({
      participants: [
        { kind: 'player', is_npc: false },
        {
          kind: 'creature',
          is_npc: true,
          username: 'Magnet Ox',
          ship_class: 'magnet_ox',
          shield_pct: 0,
          hull_pct: 100,
        },
      ],
    })
  })

  test.each([
    [
      'escapes',
      'fled' as const,
      { reason: 'stalemate', winning_side: -1, message: 'The prey escaped.' },
    ],
    ['dies', 'destroyed' as const, { reason: 'victory', winning_side: 1 }],
  ])('ends when the prey %s', (_, fate, ending) => {
    expect(hunt(hunter, prey).ok).toBe(true)
    const row = rowOf(world, prey)
    world.write(Participant).fate[row] = FATES.indexOf(fate)
    world.write(Participant).killer[row] = fate === 'fled' ? 0 : rowOf(world, ship)
    const before = counted(world, hunter, 'creatures_hunted')
    small.takeEmissions()
    small.ticks(1)
    const number = world.read(Player).seq[hunter]
    const ended = small
      .takeEmissions()
      .filter(({ type, to }) => type === 'battle_ended' && to.includes(number))
    expect(ended.map(({ payload }) => payload)).toMatchObject([ending])
    const killed = fate === 'destroyed' ? 1 : 0
    expect(counted(world, hunter, 'creatures_hunted') - before).toBe(killed)
  })

  test('can be joined by other hunters, on the same side', () => {
    expect(hunt(hunter, prey).ok).toBe(true)
    const other = small.join(`Other ${small.players.length}`)
    const second = putAt(world, other, poi, ARMED)
    expect(hunt(other, prey)).toMatchObject({ ok: true, result: { your_side: 1 } })
    const { battle } = world.read(Participant)
    expect(battle[rowOf(world, second)]).toBe(battle[rowOf(world, ship)])
  })

  test('stays separate from a general battle in the same system', () => {
    const [first, second] = ['One', 'Two'].map((name) =>
      putAt(world, small.join(`${name} ${small.players.length}`), poi),
    )
    expect(aggress(world, first, second).ok).toBe(true)
    expect(hunt(hunter, prey).ok).toBe(true)
    expect(kindOfBattle(first)).toBe('general')
    expect(kindOfBattle(ship)).toBe('hunt')
  })

  test('without a weapon is allowed with a warning', () => {
    const other = small.join(`Other ${small.players.length}`)
    putAt(world, other, poi, { shipClass: 'messenger' })
    expect(hunt(other, prey)).toMatchObject({ ok: true, result: { warning: expect.any(String) } })
    expect(hunt(hunter, prey)).not.toHaveProperty('result.warning')
  })

  test('targets the creature again when repeated', () => {
    expect(hunt(hunter, prey).ok).toBe(true)
    world.write(Participant).target[rowOf(world, ship)] = 0
    expect(hunt(hunter, prey).ok).toBe(true)
    expect(world.read(Participant).target[rowOf(world, ship)]).toBe(rowOf(world, prey))
  })

  test('of an apex predator in a general battle joins that battle', () => {
    const apex = stray(world, 'quarry_wyrm', poi)
    const victim = small.join(`Victim ${small.players.length}`)
    expect(aggress(world, apex, putAt(world, victim, poi)).ok).toBe(true)
    expect(hunt(hunter, apex).ok).toBe(true)
    expect(kindOfBattle(ship)).toBe('general')
  })
})

describe('a hunt is refused', () => {
  test('invalid_target for a ship, a distant creature or an unknown id', () => {
    const other = small.join(`Other ${small.players.length}`)
    const hull = putAt(world, other, poi)
    const distant = stray(world, 'ore_hare', wilderness(world).poi)
    for (const target of [hull, distant]) {
      expect(hunt(hunter, target)).toMatchObject({ ok: false, code: 'invalid_target' })
    }
    expect(small.act(hunter, 'hunt', { target_id: 'nothing' })).toMatchObject({
      ok: false,
      code: 'invalid_target',
    })
    expect(inBattle(world, hunter)).toBe(false)
  })

  test('invalid_target for a second creature during a hunt', () => {
    const second = stray(world, 'ore_hare', poi)
    expect(hunt(hunter, prey).ok).toBe(true)
    expect(hunt(hunter, second)).toMatchObject({ ok: false, code: 'invalid_target' })
    expect(small.act(hunter, 'attack', { target_id: idOf(world, second) })).toMatchObject({
      code: 'invalid_target',
    })
    expect(rowOf(world, second)).toBe(0)
  })

  test('limit_reached if the tables have no room', () => {
    const room = Math.floor((rowsOf(Participant, world.maxEntities) * TABLE_FILL_MAX_PCT) / 100)
    const taken = []
    while (world.countOf(Battle) < rowsOf(Battle, world.maxEntities) && taken.length < room) {
      taken.push(world.take(Battle))
    }
    try {
      expect(aggress(world, ship, prey, { kind: 'hunt', side: 0 })).toMatchObject({
        code: 'limit_reached',
      })
    } finally {
      for (const battle of taken) world.release(Battle, battle)
    }
  })

  test('detained for a prisoner', () => {
    const prisoner = small.join(`Prisoner ${small.players.length}`)
    addBounty(world, prisoner, 0, 1_000_000)
    expect(collectBounty(world, prisoner, 0)).toBe('detained')
    expect(hunt(prisoner, prey)).toMatchObject({ ok: false, code: 'detained' })
  })

  test('in_transit for a hunter between places', () => {
    const location = world.read(Location)
    expect(small.act(hunter, 'travel', { target_poi: 'x' }).ok).toBe(false)
    expect(location.poi[ship]).toBe(poi)
    world.write(Location).state[ship] = TRAVELLING
    expect(hunt(hunter, prey)).toMatchObject({ ok: false, code: 'in_transit' })
    world.write(Location).state[ship] = AT_POI
  })
})

describe('the end of a hunt', () => {
  test('with a kill leaves a carcass with drops and trains xenobiology', () => {
    const level = world.write(PlayerSkills).level
    level[hunter * SKILLS_WIDTH + skillIndex('scanning')] = 2
    world.write(Ship).hull[prey] = 5
    expect(hunt(hunter, prey).ok).toBe(true)
    fightToEnd(hunter)
    expect(world.read(Ship).alive[prey] === 0 || !isCreature(world, prey)).toBe(true)
    expect(xpOf(world, hunter, 'xenobiology')).toBe(20)
    expect(counted(world, hunter, 'creatures_hunted')).toBe(1)
    const [carcass] = wrecksAt(world, poi)
    const { cargo, value, killerId, type, expireTick } = world.read(Wreck)
    expect(WRECK_TYPES[type[carcass]]).toBe('carcass')
    expect(expireTick[carcass]).toBeGreaterThan(world.tick)
    const drops = contentsOf(world, cargo[carcass])
    const table = CREATURES[creatureIndex('magnet_ox')].drops.flatMap(({ items }) => items)
    expect(drops.length).toBeGreaterThan(0)
    expect(value[carcass]).toBe(0)
    expect(world.texts.get(killerId[carcass])).not.toBe('')
    expect(table.length).toBeGreaterThan(0)
    const emissions = typesSentTo(hunter)
    expect(emissions).toContain('battle_ended')
    expect(emissions).not.toContain('battle_left')
    expect(emissions).not.toContain('pirate_destroyed')
    expect(emissions).not.toContain('player_kill')
  })

  test('doubles the drops for a hunter of level 100 in xenobiology', () => {
    const level = world.write(PlayerSkills).level
    level[hunter * SKILLS_WIDTH + skillIndex('xenobiology')] = 100
    world.write(Ship).hull[prey] = 5
    expect(hunt(hunter, prey).ok).toBe(true)
    fightToEnd(hunter)
    const [carcass] = wrecksAt(world, poi)
    const drops = contentsOf(world, world.read(Wreck).cargo[carcass])
    for (const { units } of drops) expect(units % 2).toBe(0)
  })

  test('with the loss of the hunter names the creature as the cause', () => {
    const apex = stray(world, 'veil_kraken', poi)
    const other = small.join(`Weak ${small.players.length}`)
    const hull = putAt(world, other, poi, ARMED)
    world.write(Ship).hull[hull] = 5
    expect(hunt(other, apex).ok).toBe(true)
    fightToEnd(other)
    expect(world.read(Player).ship[other]).not.toBe(hull)
    const [died] = small.takeEmissions().filter(({ type }) => type === 'player_died')
    expect(died.payload).toMatchObject({ cause: 'creature', killer_name: 'Veil Kraken' })
  })

  test('with an escape leaves the creature protected for a while and healing', () => {
    const hare = stray(world, 'ore_hare', poi)
    expect(hunt(hunter, hare).ok).toBe(true)
    const part = world.write(Participant)
    world.write(Ship).hull[hare] = 29
    part.taken[rowOf(world, hare)] = 31
    part.ring[rowOf(world, ship)] = 3
    part.orderTick[rowOf(world, ship)] = world.tick
    world.write(Ship).speed[ship] = 1
    part.speed[rowOf(world, ship)] = 1
    for (let i = 0; i < 100 && rowOf(world, hare) !== 0; i++) {
      const row = rowOf(world, ship)
      part.orderTick[row] = world.tick + 1
      small.ticks(1)
    }
    expect(isCreature(world, hare)).toBe(true)
    expect(rowOf(world, hare)).toBe(0)
    expect(hunt(hunter, hare)).toMatchObject({ ok: false, code: 'protected' })
    const before = world.read(Ship).hull[hare]
    small.ticks(3)
    expect(world.read(Ship).hull[hare]).toBe(Math.min(60, before + 3))
    small.ticks(60)
    expect(world.read(Ship).hull[hare]).toBe(60)
  })
})
