/** What is outside the ring does not reach in. Source: combat.md section 14. */
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
import { deployed, shipOf, show, type Yard, yard } from '../drone/scene.ts'

let at: Yard
let world: World
beforeAll(async () => {
  at = await yard({ lawless: true })
  world = at.world
})

describe('a ship in a match', () => {
  test('gets nothing from drones, is seen by its rival alone, and is not thrown elsewhere', () => {
    const courier = deployed(at, 'mining', 'TRANSFER')
    const mender = deployed(at, 'repair', 'REPAIR "owner"')
    const iron = itemIndex('iron_ore')
    stow(world, courier, namedContainer('supply'), { item: iron, units: 5 })
    const [own, rival] = [shipOf(world, at.owner), shipOf(world, at.other)]
    const watcher = at.small.join('Watcher')
    beginMatch(world, at.belt, [[own], [rival]])
    expect(seePlayer(world, at.other, at.owner)).toBe('full')
    expect(seePlayer(world, watcher, at.owner)).toBe('nothing')
    expect(isAbsentFor(world, 0, at.owner)).toBe(false)
    const scan = (by: Eid, of: Eid) =>
      at.small.act(by, 'scan', { target_id: playerId(world, of) }) as { code?: string }
    placeInSpace(world, shipOf(world, watcher), at.belt)
    expect(scan(watcher, at.owner).code).toBe('invalid_target')
    expect(scan(at.owner, watcher).code).toBe('invalid_target')
    expect(scan(at.other, at.owner).code).toBeUndefined()
    expect(planWarp(world, at.owner)).toMatchObject({ code: 'in_combat' })
    expect(planReturn(world, at.owner)).toMatchObject({ code: 'in_combat' })
    expect(attackRefusal(world, world.read(Drone).body[mender], own)).toMatchObject({
      code: 'invalid_target',
    })
    world.write(Ship).hull[own] -= 10
    const hull = world.read(Ship).hull[own]
    at.small.ticks(1)
    expect(show(at, courier).cargo_used).toBe(5)
    expect(world.read(Ship).hull[own]).toBeLessThanOrEqual(hull)
  })
})
