/** get_battle_status, alerts for players outside a battle, and what anonymity hides. */
import { describe, expect, test } from 'vitest'
import type { Failure } from '../../../core/errors.ts'
import type { Eid } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { Participant } from '../../../systems/combat/state.ts'
import { PIRATE } from '../../../systems/npc/model.ts'
import { addNpc } from '../../../systems/npc/rules.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { neighboursOf, systemId } from '../../../systems/travel/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Location, StarSystem } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { hullOf, meeting, payloadsTo, putAt, rowOf, type Scene } from './scene.ts'

onSmallMap()

interface Status {
  battle_id: string
  is_participant: boolean
  participants: Record<string, unknown>[]
  sides: { side_id: number; player_count: number }[]
  combat_state?: Record<string, unknown>
  tick_duration: number
}

const statusOf = (scene: Scene, player: Eid): Status =>
  (scene.small.ask(player, 'get_battle_status') as unknown as { result: Status }).result

async function duel(players: number): Promise<Scene> {
  const scene = await meeting(players)
  const [one, two] = scene.players
  scene.small.act(one, 'attack', { target_id: scene.id(two) })
  scene.takeEmissions()
  return scene
}

describe('get_battle_status', () => {
  test('is refused not_in_battle without a battle', async () => {
    const scene = await meeting(1)
    const refused = scene.small.ask(scene.players[0], 'get_battle_status') as Failure
    expect(refused.code).toBe('not_in_battle')
  })

  test("shows all participants, and the state of the player's own ship", async () => {
    const scene = await duel(2)
    const [one, two] = scene.players
    const shown = statusOf(scene, one)
    expect(shown).toMatchObject({ is_participant: true, tick_duration: 1 })
    expect(shown.sides).toEqual([
      { side_id: 1, player_count: 1 },
      { side_id: 2, player_count: 1 },
    ])
    const [mine, other] = shown.participants
    expect(mine).toMatchObject({ player_id: scene.id(one), zone: 'mid', auto_pilot: true })
    expect(mine.target_id).toBe(scene.id(two))
    expect(other).toMatchObject({ zone_distance: 4, hull_pct: 100, kind: 'player', is_npc: false })
    expect(shown.combat_state).toMatchObject({
      can_escape: true,
      em_disrupted: false,
      flee_counter: 0,
      effective_speed: scene.world.read(Participant).speed[rowOf(scene.world, one)],
    })
  })

  test('reports webs, EM disruption and the speed penalty', async () => {
    const scene = await duel(2)
    const [one] = scene.players
    const row = rowOf(scene.world, one)
    expect(statusOf(scene, one).combat_state).toMatchObject({ webbed: false, speed_penalty_pct: 0 })
    expect(statusOf(scene, one).combat_state).not.toHaveProperty('web_strength_pct')
    const part = scene.world.write(Participant)
    part.speed[row] = 5
    part.effectiveSpeed[row] = 2
    part.webbedPct[row] = 40
    part.emTicks[row] = 3
    expect(statusOf(scene, one).combat_state).toMatchObject({
      webbed: true,
      web_strength_pct: 40,
      em_disrupted: true,
      disruption_ticks: 3,
      effective_speed: 2,
      speed_penalty_pct: 60,
    })
  })

  test('shows an outsider in the system the battle without combat_state', async () => {
    const scene = await duel(3)
    const shown = statusOf(scene, scene.players[2])
    expect(shown.is_participant).toBe(false)
    expect(shown.combat_state).toBeUndefined()
    expect(shown.participants).toHaveLength(2)
  })

  test('hides the name, id and ship name of anonymous players', async () => {
    const scene = await duel(3)
    const { world } = scene
    const [, two, three] = scene.players
    world.write(Player).anonymous[two] = 1
    world.setText(Ship, 'name', hullOf(world, two), 'Wolf in the Fold')
    scene.small.ticks(1)
    const shown = JSON.stringify([
      statusOf(scene, three),
      scene.takeEmissions().map(({ payload }) => payload),
    ])
    expect(shown).not.toContain('Tester 2')
    expect(shown).not.toContain(scene.id(two))
    expect(shown).not.toContain('Wolf in the Fold')
  })
})

describe('a player outside a battle', () => {
  test('is warned when a battle starts, at most every 6 ticks', async () => {
    const scene = await meeting(3)
    const [one, two, three] = scene.players
    const warnings: number[] = []
    for (let i = 0; i < 4; i++) {
      expect(scene.small.act(one, 'attack', { target_id: scene.id(two) }).ok).toBe(true)
      scene.doom(two, 'knocked_out')
      scene.small.ticks(1)
      if (payloadsTo(scene, scene.takeEmissions(), three, 'battle_alert').length > 0)
        warnings.push(i)
    }
    expect(warnings).toEqual([0, 3])
  })

  test('is warned once on arrival by jump', async () => {
    const scene = await duel(3)
    const { world, small } = scene
    const [, , three] = scene.players
    const [lane] = neighboursOf(world, scene.system)
    const params = { target_system: systemId(world, scene.system) }
    placeInSpace(world, hullOf(world, three), world.read(StarSystem).entryPoi[lane.to])
    world.write(Ship).fuel[hullOf(world, three)] = world.read(Ship).fuelMax[hullOf(world, three)]
    expect(small.act(three, 'jump', params).ok).toBe(true)
    const emissions = scene.takeEmissions()
    const [warned] = payloadsTo(scene, emissions, three, 'battle_alert')
    expect(warned).toMatchObject({ system_id: systemId(world, scene.system) })
    expect(String(warned.message)).toContain('battle')
    expect(world.read(Location).system[hullOf(world, three)]).toBe(scene.system)
  })
})

describe('an attack by ship id', () => {
  test('names the attacked pirate and warns of the missing weapon', async () => {
    const scene = await meeting(1)
    const { world, small } = scene
    const [one] = scene.players
    const shipClass = world.read(Ship).class[hullOf(world, one)]
    const ship = createShip(world, { owner: 0, shipClass, modules: [] })
    placeInSpace(world, ship, scene.poi)
    addNpc(world, ship, { kind: PIRATE, type: 0, system: scene.system })
    const outcome = small.act(one, 'attack', { target_id: shipId(world, ship) })
    expect(outcome).toMatchObject({
      ok: true,
      result: { kind: 'npc', target: shipId(world, ship), target_type: 'pirate' },
    })
    expect((outcome as { result: { warning?: string } }).result.warning).toContain('weapon')
  })

  test('is refused invalid_target for the ship of a player', async () => {
    const scene = await meeting(2)
    const { world, small } = scene
    const [one, two] = scene.players
    putAt(world, two, scene.poi)
    const id = shipId(world, hullOf(world, two))
    const refused = small.act(one, 'attack', { target_id: id }) as Failure
    expect(refused.code).toBe('invalid_target')
  })
})
