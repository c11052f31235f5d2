/** battle_damage: who is sent a volley, and its content. */
import { expect, test } from 'vitest'
import { shipClassIndex } from '../../../core/catalog/index.ts'
import { joinBattle } from '../../../systems/combat/battles-rules.ts'
import { battleIn } from '../../../systems/combat/model.ts'
import { Participant, ShipCombat } from '../../../systems/combat/state.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { hullOf, meeting, payloadsTo, putAt, rowOf, type Scene } from './scene.ts'

onSmallMap()

/** Makes a battle in which the first player shoots at the second; the third is an unarmed enemy. */
async function shooting(): Promise<Scene> {
  const scene = await meeting(3)
  const { world, small } = scene
  const [one, two, three] = scene.players
  putAt(world, one, scene.poi, { shipClass: 'reaver', modules: ['blaster_i', 'blaster_i'] })
  small.act(three, 'attack', { target_id: scene.id(one) })
  small.act(one, 'attack', { target_id: scene.id(two) })
  for (const player of scene.players) world.write(Participant).ring[rowOf(world, player)] = 0
  return scene
}

/** Runs ticks until a volley is sent; returns the emissions of that tick. */
function tickUntilVolley(scene: Scene) {
  for (let i = 0; i < 20; i++) {
    scene.small.ticks(1)
    const emissions = scene.takeEmissions()
    if (emissions.some(({ type }) => type === 'battle_damage')) return emissions
  }
  throw new Error('nobody fires')
}

test('a volley in a small battle is sent to every participant, hit or miss', async () => {
  const scene = await shooting()
  const [one, two] = scene.players
  scene.takeEmissions()
  const emissions = tickUntilVolley(scene)
  for (const player of scene.players) {
    const [hit] = payloadsTo(scene, emissions, player, 'battle_damage')
    expect(hit).toMatchObject({
      attacker_id: scene.id(one),
      attacker_name: 'Tester 1',
      target_id: scene.id(two),
      target_name: 'Tester 2',
      tick: scene.world.tick,
      damage_type: 'energy',
      weapons_fired: ['Blaster I', 'Blaster I'],
    })
    expect(Number(hit.shield_hit) + Number(hit.hull_hit)).toBe(hit.total_damage)
    expect(hit.hit_success).toBe(Number(hit.total_damage) > 0)
  }
  const flagged = scene.world.read(ShipCombat).aggressiveUntil[hullOf(scene.world, two)]
  if (payloadsTo(scene, emissions, two, 'battle_damage')[0].hit_success) {
    expect(flagged).toBe(scene.world.tick + 30)
  }
})

test('a volley in a large battle is sent to its attacker and its target only', async () => {
  const scene = await shooting()
  const { world } = scene
  const [one, two, three] = scene.players
  const battle = battleIn(world, scene.system)
  const side = world.read(Participant).side[rowOf(world, three)]
  // Thirty ships more make the battle a large one.
  for (let i = 0; i < 30; i++) {
    const hull = { owner: 0, shipClass: shipClassIndex('hornet'), modules: [] }
    const ship = createShip(world, hull)
    placeInSpace(world, ship, scene.poi)
    joinBattle(world, battle, ship, side)
  }
  scene.takeEmissions()
  const emissions = tickUntilVolley(scene)
  expect(payloadsTo(scene, emissions, one, 'battle_damage')).toHaveLength(1)
  expect(payloadsTo(scene, emissions, two, 'battle_damage')).toHaveLength(1)
  expect(payloadsTo(scene, emissions, three, 'battle_damage')).toHaveLength(0)
  expect(payloadsTo(scene, emissions, three, 'battle_update')).toHaveLength(1)
})

test('damage taken is added to the statistics when the pilot leaves the battle', async () => {
  const scene = await shooting()
  const { world, small } = scene
  const [one, two] = scene.players
  tickUntilVolley(scene)
  const taken = world.read(Participant).taken[rowOf(world, two)]
  scene.doom(two, 'fled')
  small.ticks(1)
  const status = small.ask(two, 'get_status') as unknown as {
    result: { player: { stats: { damage_taken: number } } }
  }
  expect(status.result.player.stats.damage_taken).toBeGreaterThanOrEqual(taken)
  expect(rowOf(world, one)).not.toBe(0)
})
