/** Boardings played by commands in whole ticks, to their end and over a restart. */
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
import { onSmallMap } from '../../small-world.ts'
import { hullOf, meeting, putAt, rowOf, type Scene } from '../combat/scene.ts'

onSmallMap()

let scene: Scene
let captor: Row
let victim: Row

/** Puts a ship full of marines next to a harmless one without a shield. */
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
const startBattle = () => {
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
  test('leads to a captured hull, with its phases shown by get_battle_status', () => {
    startBattle()
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

  test('shows latch_status to the boarder alone', () => {
    startBattle()
    const { world } = scene
    const latchStatus = (player: Row) =>
      (
        scene.small.ask(player, 'get_battle_status') as {
          result: { combat_state: { latch_status?: string } }
        }
      ).result.combat_state.latch_status
    expect(latchStatus(captor)).toBeUndefined()
    board()
    scene.small.ticks(1)
    const { ring } = world.write(Participant)
    const { shield, shieldMax } = world.write(Ship)
    const hull = hullOf(world, victim)
    shield[hull] = shieldMax[hull]
    expect(latchStatus(captor)).toBe('shields_holding')
    ring[rowOf(world, victim)] = 3
    expect(latchStatus(captor)).toBe('out_of_range')
    ring[rowOf(world, victim)] = 0
    shield[hull] = 0
    expect([latchStatus(captor), latchStatus(victim)]).toEqual(['accruing', undefined])
    for (let i = 0; i < 10 && phase() !== 'assault'; i++) scene.small.ticks(1)
    expect([phase(), latchStatus(captor)]).toEqual(['assault', undefined])
  })

  test('keeps both attached hulls from warping and the target from fleeing', () => {
    startBattle()
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

  test('ends the battle with the captures listed in battle_ended', () => {
    startBattle()
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

  test.each(['fled', 'self_destructed'] as const)('ends when the target has %s', (fate) => {
    startBattle()
    board()
    scene.small.ticks(2)
    scene.doom(victim, fate)
    scene.small.ticks(1)
    expect(phase()).toBeUndefined()
    expect(scene.world.countOf(Link)).toBe(0)
  })

  test('refuses the target the stance flee: boarding_locked', () => {
    startBattle()
    board()
    for (let i = 0; i < 10 && phase() !== 'assault'; i++) scene.small.ticks(1)
    expect(phase()).toBe('assault')
    expect(scene.small.ask(victim, 'battle', { action: 'stance', stance: 'flee' })).toMatchObject({
      ok: false,
      code: 'boarding_locked',
    })
  })

  test('is refused no_boarding_gear and no_marines', () => {
    startBattle()
    const boardAs = (player: Row, marines: number) =>
      scene.small.ask(player, 'battle', {
        action: 'stance',
        stance: 'board',
        marines,
        target_id: scene.id(player === captor ? victim : captor),
      })
    expect(boardAs(victim, 1)).toMatchObject({ ok: false, code: 'no_boarding_gear' })
    expect(boardAs(captor, 0)).toMatchObject({ ok: false, code: 'no_marines' })
  })
})

describe('a restart in the middle of a boarding', () => {
  test.each([1, 3, 4, 5, 6])('after %i ticks changes nothing', async (ticks) => {
    startBattle()
    scene.world.write(Ship).crewFit[hullOf(scene.world, victim)] = 4
    board()
    scene.small.ticks(ticks)
    const restored = await scene.small.reload()
    for (let i = 0; i < 8; i++) {
      scene.small.ticks(1)
      restored.ticks(1)
      expect(restored.hash()).toBe(scene.small.hash())
    }
  })
})

describe('an undefended hull', () => {
  const armed = { shipClass: 'reaver', modules: ['blaster_ii', 'marine_barracks'] }

  /** Shoots down the shield of a target and boards it; returns the payload of ship_captured. */
  function capture(
    duel: Scene,
    boarder: Row,
    target_id: string,
  ): Record<string, unknown> | undefined {
    const { small, world } = duel
    world.write(Ship).marinesFit[hullOf(world, boarder)] = 20
    expect(small.act(boarder, 'attack', { target_id })).toMatchObject({ ok: true })
    for (let i = 0; i < 60; i++) {
      const order = { action: 'stance', stance: 'board', target_id, marines: 20 }
      const status = small.ask(boarder, 'get_battle_status') as {
        result?: { participants: { player_id: string; shield_pct?: number }[] }
      }
      const target = status.result?.participants.find(
        ({ player_id }) => player_id !== duel.id(boarder),
      )
      if ((target?.shield_pct ?? 100) <= 10) small.ask(boarder, 'battle', order)
      small.ticks(1)
      const taken = small.takeEmissions().find(({ type }) => type === 'ship_captured')
      if (taken) return taken.payload as Record<string, unknown>
    }
    return undefined
  }

  test.each([1, 7, 42])(
    'is captured if it is an unarmed ship on autopilot, seed %i',
    async (seed) => {
      const duel = await meeting(2, seed)
      const [boarder, prey] = duel.players
      putAt(duel.world, boarder, duel.poi, armed)
      const hull = hullOf(duel.world, prey)
      const expected = { former_owner_id: duel.id(prey), captor_id: duel.id(boarder) }
      expect(capture(duel, boarder, duel.id(prey))).toMatchObject(expected)
      expect(duel.world.read(Ship).owner[hull]).toBe(0)
    },
  )

  test.each([1, 7, 42])('is captured if it is an armed prize, seed %i', async (seed) => {
    const duel = await meeting(2, seed)
    const { world, poi } = duel
    const [boarder, captor] = duel.players
    putAt(world, boarder, poi, armed)
    const ship = createShip(world, {
      owner: 0,
      shipClass: shipClassIndex('reaver'),
      modules: [itemIndex('beam_laser_ii')],
    })
    world.write(Ship).crewFit[ship] = 0
    const former = { id: 'former', name: 'Former Owner' }
    const prize = openPrize(world, { ship, poi, captor, home: 0, former })
    const taken = capture(duel, boarder, prizeId(world, prize))
    expect(taken).toMatchObject({ captor_id: duel.id(boarder) })
  })
})
