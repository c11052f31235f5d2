/** The command use_item: kits, cells, boosters, and devices that move a ship. */
import { describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import type { Failure } from '../../../core/errors.ts'
import { namedContainer } from '../../../core/goods.ts'
import type { Eid } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { Boarding } from '../../../systems/boarding/state.ts'
import { battleIn, inBattle } from '../../../systems/combat/model.ts'
import { Participant, ShipCombat } from '../../../systems/combat/state.ts'
import { buffOf, buffsOf } from '../../../systems/consumable/model.ts'
import { Buff } from '../../../systems/consumable/state.ts'
import { cargoUnits, loadCargo } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockedBase, systemOf } from '../../../systems/travel/location-model.ts'
import { neighboursOf, poiId } from '../../../systems/travel/model.ts'
import { Location } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { hullOf, meeting, open, payloadsTo, putAt, rowOf, type Scene } from '../combat/scene.ts'

onSmallMap()

const codeOf = (outcome: unknown): string | undefined => (outcome as Failure).code
const resultOf = (outcome: unknown) => (outcome as { result: Record<string, unknown> }).result

function give({ world }: Scene, player: Eid, item: string, units: number): void {
  loadCargo(world, hullOf(world, player), namedContainer('supply'), itemIndex(item), units)
}

/** Makes a scene whose first player is in space with a roomy hull and units of an item. */
async function stockedScene(item: string, units: number, players = 1): Promise<Scene> {
  const scene = await meeting(players)
  const [pilot] = scene.players
  putAt(scene.world, pilot, scene.poi, { shipClass: 'reaver', modules: ['blaster_i'] })
  give(scene, pilot, item, units)
  return scene
}

const use = (scene: Scene, item_id: string, quantity?: number) =>
  scene.small.act(scene.players[0], 'use_item', { item_id, ...(quantity ? { quantity } : {}) })

describe('use_item', () => {
  test('uses no more kits than the missing hull takes', async () => {
    const scene = await stockedScene('hull_patch', 5)
    const { world } = scene
    const ship = hullOf(world, scene.players[0])
    world.write(Ship).hull[ship] -= 20
    expect(resultOf(use(scene, 'hull_patch', 4))).toMatchObject({
      action: 'use_item',
      effect_type: 'hull',
      item_id: 'hull_patch',
      quantity_used: 2,
      quantity_remaining: 3,
      hull_restored: 20,
      max_hull: world.read(Ship).hullMax[ship],
    })
    expect(codeOf(use(scene, 'hull_patch'))).toBe('nothing_to_restore')
    expect(cargoUnits(world, ship, itemIndex('hull_patch'))).toBe(3)
  })

  test('restores shields with cells', async () => {
    const scene = await stockedScene('shield_cell', 2)
    const ship = hullOf(scene.world, scene.players[0])
    scene.world.write(Ship).shield[ship] = 0
    expect(resultOf(use(scene, 'shield_cell'))).toMatchObject({
      effect_type: 'shield',
      shield_restored: 40,
    })
  })

  test('refuses unknown_item, not_usable, use_refuel, insufficient_items', async () => {
    const scene = await stockedScene('iron_ore', 1)
    expect(codeOf(use(scene, 'no_such_thing'))).toBe('unknown_item')
    expect(codeOf(use(scene, 'iron_ore'))).toBe('not_usable')
    expect(codeOf(use(scene, 'blaster_i'))).toBe('not_usable')
    expect(codeOf(use(scene, 'fuel_cell'))).toBe('use_refuel')
    expect(codeOf(use(scene, 'hull_patch'))).toBe('insufficient_items')
  })

  test('is refused during a flight: in_transit', async () => {
    const scene = await stockedScene('hull_patch', 1)
    const { world, small } = scene
    const [pilot] = scene.players
    const other = open(world, scene.system).find((poi) => poi !== scene.poi) ?? 0
    small.tick({ player: pilot, command: 'travel', params: { target_poi: poiId(world, other) } })
    expect(codeOf(use(scene, 'hull_patch'))).toBe('in_transit')
  })
})

describe('a booster', () => {
  test('uses one unit at a time, for a span that a second use extends', async () => {
    const scene = await stockedScene('gunners_stim', 3)
    const { world, small } = scene
    const [pilot] = scene.players
    const ship = hullOf(world, pilot)
    const done = resultOf(use(scene, 'gunners_stim', 3))
    expect(done).toMatchObject({ effect_type: 'buff', stat: 'damage', amount: 10, duration: 120 })
    expect(done).toMatchObject({ quantity_used: 1, expires_at: world.tick + 120 })
    expect(done.active_buffs).toHaveLength(1)
    small.ticks(5)
    use(scene, 'gunners_stim')
    expect(buffsOf(world, ship)).toHaveLength(1)
    expect(buffOf(world, ship, 'damage')).toBe(10)
    const shown = resultOf(small.ask(pilot, 'get_ship')) as { ship: { active_buffs: unknown[] } }
    const expiry = { expires_at: world.tick + 120, ticks_left: 120 }
    expect(shown.ship.active_buffs).toEqual([
      { item_id: 'gunners_stim', stat: 'damage', amount: 10, ...expiry },
    ])
    small.ticks(120)
    expect(buffsOf(world, ship)).toHaveLength(1)
    small.ticks(1)
    expect(buffsOf(world, ship)).toHaveLength(0)
    expect(world.countOf(Buff)).toBe(0)
  })

  test('adds to other boosters of its stat, at once if in a battle', async () => {
    const scene = await stockedScene('gunners_stim', 1, 2)
    const { world, small } = scene
    const [pilot, foe] = scene.players
    give(scene, pilot, 'breach_serum', 1)
    give(scene, pilot, 'targeting_primer', 1)
    small.act(pilot, 'attack', { target_id: scene.id(foe) })
    const row = rowOf(world, pilot)
    const accuracy = world.read(Participant).accuracyPct[row]
    for (const item of ['gunners_stim', 'breach_serum', 'targeting_primer']) use(scene, item)
    expect(world.read(Participant).offensePct[row]).toBe(30)
    expect(world.read(Participant).accuracyPct[row]).toBe(accuracy + 8)
    small.ticks(60)
    if (inBattle(world, pilot)) expect(world.read(Participant).offensePct[row]).toBe(10)
  })

  test('raises the speed and the scanner of the ship while it works', async () => {
    const scene = await stockedScene('overdrive_flask', 1)
    const { world } = scene
    give(scene, scene.players[0], 'scanner_booster', 1)
    const ship = hullOf(world, scene.players[0])
    const { baseSpeed, scanPower } = world.read(Ship)
    const before = [baseSpeed[ship], scanPower[ship]]
    use(scene, 'overdrive_flask')
    use(scene, 'scanner_booster')
    expect(baseSpeed[ship]).toBe(Math.min(8, Math.trunc((before[0] * 130) / 100)))
    expect(scanPower[ship]).toBeGreaterThanOrEqual(before[1] + 10)
    scene.small.ticks(181)
    expect([baseSpeed[ship], scanPower[ship]]).toEqual(before)
  })

  test('is the same in a restored world, and ends with its ship', async () => {
    const scene = await stockedScene('gunners_stim', 1)
    const { world, small } = scene
    use(scene, 'gunners_stim')
    const restored = await small.reload()
    for (const instance of [small, restored]) instance.ticks(3)
    expect(restored.hash()).toBe(small.hash())
    small.act(scene.players[0], 'self_destruct')
    expect(world.countOf(Buff)).toBe(0)
  })
})

describe('an emergency warp', () => {
  test('moves the ship to a neighbouring system and out of its battle', async () => {
    const scene = await stockedScene('emergency_warp_charge', 1, 2)
    const { world, small } = scene
    const [pilot, foe] = scene.players
    small.act(foe, 'attack', { target_id: scene.id(pilot) })
    scene.takeEmissions()
    const done = resultOf(use(scene, 'emergency_warp_charge'))
    const to = systemOf(world, pilot)
    expect(neighboursOf(world, scene.system).map((lane) => lane.to)).toContain(to)
    expect(done).toMatchObject({ effect_type: 'warp', origin_poi: poiId(world, scene.poi) })
    const left = payloadsTo(scene, scene.takeEmissions(), foe, 'battle_left')
    expect(left).toMatchObject([{ player_id: scene.id(pilot), reason: 'emergency_warp' }])
    expect(inBattle(world, pilot)).toBe(false)
    expect(battleIn(world, scene.system)).toBe(0)
  })

  test('is refused boarding_locked while boarders hold the ship', async () => {
    const scene = await stockedScene('emergency_warp_charge', 1, 2)
    const { world, small } = scene
    const [pilot, foe] = scene.players
    small.act(foe, 'attack', { target_id: scene.id(pilot) })
    const row = rowOf(world, pilot)
    world.write(Boarding).locked[row] = 1
    const def = small.registry.commands.get('use_item')
    const run = def?.kind === 'mutation' ? def.run : undefined
    const refused = run?.(world, pilot, { item_id: 'emergency_warp_charge' })
    world.write(Boarding).locked[row] = 0
    expect(refused).toMatchObject({ code: 'boarding_locked' })
  })

  test('ends the flight that the battle interrupted', async () => {
    const scene = await stockedScene('emergency_warp_charge', 1, 2)
    const { world, small } = scene
    const [pilot, foe] = scene.players
    const other = open(world, scene.system).find((poi) => poi !== scene.poi) ?? 0
    const travel = { target_poi: poiId(world, other) }
    small.tick({ player: pilot, command: 'travel', params: travel })
    small.act(foe, 'attack', { target_id: scene.id(pilot) })
    expect(use(scene, 'emergency_warp_charge').ok).toBe(true)
    expect(systemOf(world, pilot)).not.toBe(scene.system)
    small.ticks(30)
    expect(world.read(Location).poi[hullOf(world, pilot)]).not.toBe(other)
  })
})

describe('a homeward beacon', () => {
  test('docks the ship at the home base', async () => {
    const scene = await stockedScene('homeward_beacon', 1)
    const { world } = scene
    const [pilot] = scene.players
    expect(resultOf(use(scene, 'homeward_beacon'))).toMatchObject({ effect_type: 'home_return' })
    expect(dockedBase(world, pilot)).toBe(world.read(Player).homeBase[pilot])
  })

  test('is refused in_combat as an aggressor, and already_docked at home', async () => {
    const scene = await stockedScene('homeward_beacon', 2)
    const { world } = scene
    const [pilot] = scene.players
    world.write(ShipCombat).aggressiveUntil[hullOf(world, pilot)] = world.tick + 9
    expect(codeOf(use(scene, 'homeward_beacon'))).toBe('in_combat')
    world.write(ShipCombat).aggressiveUntil[hullOf(world, pilot)] = 0
    expect(use(scene, 'homeward_beacon').ok).toBe(true)
    expect(codeOf(use(scene, 'homeward_beacon'))).toBe('already_docked')
  })
})
