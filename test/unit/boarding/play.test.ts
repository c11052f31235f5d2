/** A boarding as players play it: by commands, in whole ticks, to the end; and over a restart. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex, shipClassIndex } from '../../../core/catalog/index.ts'
import type { Row } from '../../../core/types.ts'
import { Boarding, LINK_PHASES, Link } from '../../../systems/boarding/state.ts'
import { Participant } from '../../../systems/combat/state.ts'
import { planWarp } from '../../../systems/consumable/commands.ts'
import { prizeId } from '../../../systems/prize/model.ts'
import { openPrize } from '../../../systems/prize/rules.ts'
import { createShip, recompute } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { hullOf, meeting, putAt, rowOf, type Scene } from '../combat/scene.ts'

let scene: Scene
let captor: Row
let victim: Row

/** One ship full of marines beside a harmless one whose shield is down. */
beforeEach(async () => {
  scene = await meeting(3)
  const { world, poi, players } = scene
  ;[captor, victim] = players
  putAt(world, captor, poi, { shipClass: 'reaver', modules: ['marine_barracks'] })
  const ships = world.write(Ship)
  ships.marinesFit[hullOf(world, captor)] = 23
  ships.crewFit[hullOf(world, victim)] = 3
  ships.shield[hullOf(world, victim)] = 0
  recompute(world, hullOf(world, victim))
})

const order = (params: object) => scene.small.ask(captor, 'battle', params)
const meet = () => {
  expect(scene.small.act(captor, 'attack', { target_id: scene.id(victim) })).toMatchObject({
    ok: true,
  })
  const { ring } = scene.world.write(Participant)
  for (const player of [captor, victim]) ring[rowOf(scene.world, player)] = 0
  scene.world.write(Ship).shield[hullOf(scene.world, victim)] = 0
}
const board = () =>
  order({ action: 'stance', stance: 'board', target_id: scene.id(victim), marines: 20 })
const phase = () => {
  const link = scene.world.read(Boarding).link[rowOf(scene.world, captor)]
  return link === 0 ? undefined : LINK_PHASES[scene.world.read(Link).phase[link]]
}

describe('a boarding by command', () => {
  test('runs from the order to the prize, and everybody sees how it goes', () => {
    meet()
    expect(board()).toMatchObject({ ok: true })
    const hull = hullOf(scene.world, victim)
    const seen = new Set<string>()
    let captured: Readonly<Record<string, unknown>> | undefined
    for (let i = 0; i < 30 && !captured; i++) {
      scene.small.ticks(1)
      const status = scene.small.ask(victim, 'get_battle_status') as {
        result?: { boarding: { phase: string; attacker_id: string }[] }
      }
      for (const entry of status.result?.boarding ?? []) {
        expect(entry.attacker_id).toBe(scene.id(captor))
        seen.add(entry.phase)
      }
      for (const { type, payload } of scene.takeEmissions()) {
        if (type === 'ship_captured') captured = payload as Record<string, unknown>
      }
    }
    expect(captured).toMatchObject({
      captor_id: scene.id(captor),
      former_owner_id: scene.id(victim),
    })
    expect([...seen]).toEqual(['closing', 'assault'])
    expect(hullOf(scene.world, victim)).not.toBe(hull)
    expect(scene.world.read(Ship).owner[hull]).toBe(0)
  })

  test('says to the boarder alone what latching on waits for: latch_status', () => {
    meet()
    const { world } = scene
    const latch = (player: Row) =>
      (
        scene.small.ask(player, 'get_battle_status') as {
          result: { combat_state: { latch_status?: string } }
        }
      ).result.combat_state.latch_status
    expect(latch(captor)).toBeUndefined()
    board()
    scene.small.ticks(1)
    const { ring } = world.write(Participant)
    const { shield, shieldMax } = world.write(Ship)
    const hull = hullOf(world, victim)
    shield[hull] = shieldMax[hull]
    expect(latch(captor)).toBe('shields_holding')
    ring[rowOf(world, victim)] = 1
    expect(latch(captor)).toBe('out_of_range')
    ring[rowOf(world, victim)] = 0
    shield[hull] = 0
    expect([latch(captor), latch(victim)]).toEqual(['accruing', undefined])
    for (let i = 0; i < 10 && phase() !== 'assault'; i++) scene.small.ticks(1)
    expect([phase(), latch(captor)]).toEqual(['assault', undefined])
  })

  test('while attached lets neither hull warp away, nor count ticks of flight', () => {
    meet()
    board()
    for (let i = 0; i < 10 && phase() !== 'assault'; i++) scene.small.ticks(1)
    for (const player of [captor, victim]) {
      expect(planWarp(scene.world, player)).toMatchObject({ code: 'boarding_locked' })
    }
    const { result } = scene.small.ask(victim, 'get_battle_status') as {
      result: { combat_state: object }
    }
    expect(result.combat_state).toMatchObject({ can_escape: false })
    expect(result.combat_state).not.toHaveProperty('flee_required')
  })

  test('ends the battle with its captures listed: battle_ended', () => {
    meet()
    board()
    const ended = []
    for (let i = 0; i < 40 && ended.length === 0; i++) {
      scene.small.ticks(1)
      ended.push(...scene.takeEmissions().filter(({ type }) => type === 'battle_ended'))
    }
    expect(ended[0].payload).toMatchObject({
      reason: 'victory',
      ships_destroyed: 0,
      ships_captured: 1,
      captures: [{ captor_id: scene.id(captor), ship_class: expect.any(String) }],
    })
  })

  test.each(['fled', 'self_destructed'] as const)('is over when the target is: %s', (fate) => {
    meet()
    board()
    scene.small.ticks(2)
    scene.doom(victim, fate)
    scene.small.ticks(1)
    expect(phase()).toBeUndefined()
    expect(scene.world.countOf(Link)).toBe(0)
  })

  test('holds the target: it is refused boarding_locked when it would flee', () => {
    meet()
    board()
    for (let i = 0; i < 10 && phase() !== 'assault'; i++) scene.small.ticks(1)
    expect(phase()).toBe('assault')
    expect(scene.small.ask(victim, 'battle', { action: 'stance', stance: 'flee' })).toMatchObject({
      ok: false,
      code: 'boarding_locked',
    })
  })

  test('is refused no_boarding_gear and no_marines', () => {
    meet()
    const by = (player: Row, marines: number) =>
      scene.small.ask(player, 'battle', {
        action: 'stance',
        stance: 'board',
        marines,
        target_id: scene.id(player === captor ? victim : captor),
      })
    expect(by(victim, 1)).toMatchObject({ ok: false, code: 'no_boarding_gear' })
    expect(by(captor, 0)).toMatchObject({ ok: false, code: 'no_marines' })
  })
})

describe('a restart in the middle of a boarding', () => {
  test.each([1, 3, 4, 5, 6])('after %i ticks changes nothing of it', async (ticks) => {
    meet()
    scene.world.write(Ship).crewFit[hullOf(scene.world, victim)] = 4
    board()
    scene.small.ticks(ticks)
    const other = await scene.small.reload()
    for (let i = 0; i < 8; i++) {
      scene.small.ticks(1)
      other.ticks(1)
      expect(other.hash()).toBe(scene.small.hash())
    }
  })
})

describe('a hull nobody defends', () => {
  const armed = { shipClass: 'reaver', modules: ['blaster_ii', 'marine_barracks'] }

  /** Shoots the shield of a target down, boards it, and waits for the hull. */
  function take(at: Scene, boarder: Row, target_id: string): Record<string, unknown> | undefined {
    const { small, world } = at
    world.write(Ship).marinesFit[hullOf(world, boarder)] = 20
    expect(small.act(boarder, 'attack', { target_id })).toMatchObject({ ok: true })
    for (let i = 0; i < 60; i++) {
      const order = { action: 'stance', stance: 'board', target_id, marines: 20 }
      const status = small.ask(boarder, 'get_battle_status') as {
        result?: { participants: { player_id: string; shield_pct?: number }[] }
      }
      const target = status.result?.participants.find(
        ({ player_id }) => player_id !== at.id(boarder),
      )
      if ((target?.shield_pct ?? 100) <= 10) small.ask(boarder, 'battle', order)
      small.ticks(1)
      const taken = small.takeEmissions().find(({ type }) => type === 'ship_captured')
      if (taken) return taken.payload as Record<string, unknown>
    }
    return undefined
  }

  test.each([1, 7, 42])(
    'is caught and boarded: an unarmed ship by autopilot, seed %i',
    async (seed) => {
      const at = await meeting(2, seed)
      const [boarder, lamb] = at.players
      putAt(at.world, boarder, at.poi, armed)
      const hull = hullOf(at.world, lamb)
      const known = { former_owner_id: at.id(lamb), captor_id: at.id(boarder) }
      expect(take(at, boarder, at.id(lamb))).toMatchObject(known)
      expect(at.world.read(Ship).owner[hull]).toBe(0)
    },
  )

  test.each([1, 7, 42])('is caught and boarded: a prize with its guns, seed %i', async (seed) => {
    const at = await meeting(2, seed)
    const { world, poi } = at
    const [boarder, captor] = at.players
    putAt(world, boarder, poi, armed)
    const ship = createShip(world, {
      owner: 0,
      shipClass: shipClassIndex('reaver'),
      modules: [itemIndex('beam_laser_ii')],
    })
    world.write(Ship).crewFit[ship] = 0
    const former = { id: 'former', name: 'Former Owner' }
    const prize = openPrize(world, { ship, poi, captor, home: 0, former })
    const taken = take(at, boarder, prizeId(world, prize))
    expect(taken).toMatchObject({ captor_id: at.id(boarder) })
  })
})
