/** A match is closed to drones, watchers, scans and warps. Source: combat.md section 14. */
import { beforeAll, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import type { Eid, World } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { beginMatch } from '../../../systems/arena/matches-systems.ts'
import { attackRefusal } from '../../../systems/combat/engage-model.ts'
import { planReturn, planWarp } from '../../../systems/consumable/commands.ts'
import { stow } from '../../../systems/drone/actions-systems.ts'
import { Drone } from '../../../systems/drone/state.ts'
import { isAbsentFor, seePlayer } from '../../../systems/sensing/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { deployed, shipOf, show, type Yard, yard } from '../drone/scene.ts'

onSmallMap()

let scene: Yard
let world: World
beforeAll(async () => {
  scene = await yard({ lawless: true })
  world = scene.world
})

describe('a ship in a match', () => {
  test('is reached by its rival alone, not by drones, watchers, scans or warps', () => {
    const courier = deployed(scene, 'mining', 'TRANSFER')
    const mender = deployed(scene, 'repair', 'REPAIR "owner"')
    const iron = itemIndex('iron_ore')
    stow(world, courier, namedContainer('supply'), { item: iron, units: 5 })
    const [own, rival] = [shipOf(world, scene.owner), shipOf(world, scene.other)]
    const watcher = scene.small.join('Watcher')
    beginMatch(world, scene.belt, [[own], [rival]])
    expect(seePlayer(world, scene.other, scene.owner)).toBe('full')
    expect(seePlayer(world, watcher, scene.owner)).toBe('nothing')
    expect(isAbsentFor(world, 0, scene.owner)).toBe(false)
    const scan = (scanner: Eid, target: Eid) =>
      scene.small.act(scanner, 'scan', { target_id: playerId(world, target) }) as { code?: string }
    placeInSpace(world, shipOf(world, watcher), scene.belt)
    expect(scan(watcher, scene.owner).code).toBe('invalid_target')
    expect(scan(scene.owner, watcher).code).toBe('invalid_target')
    expect(scan(scene.other, scene.owner).code).toBeUndefined()
    expect(planWarp(world, scene.owner)).toMatchObject({ code: 'in_combat' })
    expect(planReturn(world, scene.owner)).toMatchObject({ code: 'in_combat' })
    expect(attackRefusal(world, world.read(Drone).body[mender], own)).toMatchObject({
      code: 'invalid_target',
    })
    world.write(Ship).hull[own] -= 10
    const hull = world.read(Ship).hull[own]
    scene.small.ticks(1)
    expect(show(scene, courier).cargo_used).toBe(5)
    expect(world.read(Ship).hull[own]).toBeLessThanOrEqual(hull)
  })
})
