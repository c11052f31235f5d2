/** Behaviour of creatures in battle, and attacks by apex predators. Source: combat.md 13. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NATURES } from '../../../core/catalog/creature-row.ts'
import { CREATURES } from '../../../core/catalog/index.ts'
import type { Eid, World } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { Boarding } from '../../../systems/boarding/state.ts'
import { aggress } from '../../../systems/combat/engage-rules.ts'
import { inBattle } from '../../../systems/combat/model.ts'
import { Participant, ShipCombat } from '../../../systems/combat/state.ts'
import { behaviourOf, type Situation } from '../../../systems/creature/behaviour-systems.ts'
import { creatureIn } from '../../../systems/creature/model.ts'
import { Creature } from '../../../systems/creature/state.ts'
import { lieInWait } from '../../../systems/creature/systems.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Location } from '../../../systems/travel/state.ts'
import type { SmallWorld } from '../../small-world.ts'
import { empty, putAt, rowOf, stray, wilderness, wildWorld } from './scene.ts'

const HUNT = { kind: 'hunt', side: 0 } as const
const CALM: Situation = {
  hullPct: 100,
  isBlooded: false,
  reach: 2,
  ring: 3,
  enemyRing: 3,
  canBolt: true,
}

describe('the behaviour of a creature by its nature', () => {
  test('is never flight before the first exchange', () => {
    for (const nature of Object.keys(NATURES) as (keyof typeof NATURES)[]) {
      expect(behaviourOf(nature, { ...CALM, hullPct: 1 }).stance).not.toBe('flee')
    }
  })

  test('is flight below a share of hull after an exchange', () => {
    const hurt = { ...CALM, isBlooded: true }
    for (const nature of ['skittish', 'wary'] as const) {
      expect(behaviourOf(nature, { ...hurt, hullPct: 50 }).stance).toBe('fire')
      expect(behaviourOf(nature, { ...hurt, hullPct: 49 }).stance).toBe('flee')
      expect(behaviourOf(nature, { ...hurt, hullPct: 49, canBolt: false }).stance).toBe('fire')
    }
    expect(behaviourOf('armored', { ...hurt, hullPct: 29 }).stance).toBe('flee')
    expect(behaviourOf('stubborn', { ...hurt, hullPct: 19 }).stance).toBe('flee')
    expect(behaviourOf('relentless', { ...hurt, hullPct: 1 }).stance).toBe('fire')
  })

  test('is to close in to its reach, bracing on the way if armored', () => {
    expect(behaviourOf('stubborn', CALM)).toEqual({ stance: 'fire', move: -1 })
    expect(behaviourOf('armored', CALM)).toEqual({ stance: 'brace', move: -1 })
    expect(behaviourOf('stubborn', { ...CALM, ring: 1, enemyRing: 1 })).toEqual({
      stance: 'fire',
      move: 0,
    })
    expect(behaviourOf('armored', { ...CALM, reach: -1 })).toEqual({ stance: 'brace', move: -1 })
    expect(behaviourOf('skittish', { ...CALM, reach: -1, ring: 2 })).toEqual({
      stance: 'fire',
      move: 0,
    })
  })
})

let small: SmallWorld
let world: World
let poi: Eid
let pilot: Eid
beforeAll(async () => {
  small = await wildWorld()
  world = small.world
})
beforeEach(() => {
  poi = wilderness(world).poi
  pilot = small.join(`Pilot ${small.players.length}`)
})

describe('a creature in a battle', () => {
  test('targets the nearest enemy and keeps that target', () => {
    const ship = putAt(world, pilot, poi)
    const other = putAt(world, small.join(`Other ${small.players.length}`), poi)
    const ox = stray(world, 'magnet_ox', poi)
    for (const hull of [ship, other]) expect(aggress(world, hull, ox, HUNT).ok).toBe(true)
    world.write(Participant).ring[rowOf(world, other)] = 1
    small.ticks(1)
    const part = world.read(Participant)
    expect(part.target[rowOf(world, ox)]).toBe(rowOf(world, other))
    world.write(Participant).ring[rowOf(world, ship)] = 0
    small.ticks(1)
    expect(part.target[rowOf(world, ox)]).toBe(rowOf(world, other))
  })

  test('has no shield, no crew and the armour of its kind', () => {
    const ox = stray(world, 'magnet_ox', poi)
    const { shieldMax, hullMax, armor, crewFit, crewEffPct, cargoCap } = world.read(Ship)
    expect([shieldMax[ox], hullMax[ox], armor[ox]]).toEqual([0, 140, 3])
    expect([crewFit[ox], crewEffPct[ox], cargoCap[ox]]).toEqual([0, 100, 0])
  })

  test('cannot be boarded', () => {
    const ox = stray(world, 'magnet_ox', poi)
    const ship = putAt(world, pilot, poi)
    expect(aggress(world, ship, ox, HUNT).ok).toBe(true)
    // With gear and marines, only the target can be the reason for the refusal.
    world.write(Boarding).capable[rowOf(world, ship)] = 1
    world.write(Ship).marinesFit[ship] = 1
    const status = small.ask(pilot, 'get_battle_status') as {
      result: { participants: { player_id: string; kind: string }[] }
    }
    const beast = status.result.participants.find(({ kind }) => kind === 'creature')
    expect(
      small.ask(pilot, 'battle', {
        action: 'stance',
        stance: 'board',
        target_id: beast?.player_id,
        marines: 1,
      }),
    ).toMatchObject({ ok: false, code: 'invalid_target' })
    world.write(Ship).marinesFit[ship] = 0
  })
})

describe('an apex predator', () => {
  test('attacks a ship at its place within 40 ticks', () => {
    const apex = stray(world, 'veil_kraken', poi)
    const ship = putAt(world, pilot, poi)
    for (let i = 0; i < 40 && !inBattle(world, pilot); i++) small.ticks(1)
    expect(inBattle(world, pilot)).toBe(true)
    expect(rowOf(world, apex)).not.toBe(0)
    expect(rowOf(world, ship)).not.toBe(0)
  })

  test('strikes in about one tick of four', () => {
    const pack = Array.from({ length: 200 }, () =>
      creatureIn(world, stray(world, 'noon_dragon', poi)),
    )
    putAt(world, pilot, poi)
    lieInWait(world)
    const { prey } = world.write(Creature)
    const striking = pack.filter((creature) => prey[creature] !== 0)
    expect(striking.length).toBeGreaterThan(30)
    expect(striking.length).toBeLessThan(70)
    for (const creature of pack) prey[creature] = 0
    empty(world, world.read(Location).system[world.read(Player).ship[pilot]])
  })

  test('ignores players who are cloaked or under grace', () => {
    const apex = stray(world, 'noon_dragon', poi)
    const ship = putAt(world, pilot, poi)
    world.write(Player).cloaked[pilot] = 1
    small.ticks(20)
    expect(rowOf(world, apex)).toBe(0)
    world.write(Player).cloaked[pilot] = 0
    world.write(ShipCombat).graceUntil[ship] = world.tick + 20
    small.ticks(20)
    expect(rowOf(world, apex)).toBe(0)
    for (let i = 0; i < 40 && !inBattle(world, pilot); i++) small.ticks(1)
    expect(inBattle(world, pilot)).toBe(true)
  })

  test('gives up prey that leaves before the attack', () => {
    const { other } = wilderness(world)
    const apex = stray(world, 'noon_dragon', poi)
    const ship = putAt(world, pilot, poi)
    const creature = creatureIn(world, apex)
    for (let i = 0; i < 60 && world.read(Creature).prey[creature] === 0; i++) small.ticks(1)
    expect(world.read(Creature).prey[creature]).toBe(world.read(Ship).seq[ship])
    placeInSpace(world, ship, other)
    small.ticks(1)
    expect(world.read(Creature).prey[creature]).toBe(0)
    expect(inBattle(world, pilot)).toBe(false)
  })

  test('is the only kind of creature that starts a fight', () => {
    const peaceful = CREATURES.filter(({ role }) => role !== 'apex')
    const beasts = peaceful.map(({ id }) => stray(world, id, poi))
    putAt(world, pilot, poi)
    small.ticks(60)
    for (const beast of beasts) expect(rowOf(world, beast)).toBe(0)
  })

  test('decides the same after a restart', async () => {
    stray(world, 'veil_kraken', poi)
    putAt(world, pilot, poi)
    small.ticks(1)
    const restored = await small.reload()
    for (let tick = 0; tick < 12; tick++) {
      small.ticks(1)
      restored.ticks(1)
      expect(restored.hash()).toBe(small.hash())
    }
  })

  test('never flees when it is relentless', () => {
    for (let hullPct = 0; hullPct <= 100; hullPct++) {
      const { stance } = behaviourOf('relentless', { ...CALM, isBlooded: true, hullPct })
      expect(stance).not.toBe('flee')
    }
  })
})
