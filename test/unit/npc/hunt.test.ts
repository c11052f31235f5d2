/** Hunting pirates: by command, to the end. Source: combat.md section 13. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PIRATES } from '../../../core/catalog/index.ts'
import { contentsOf } from '../../../core/goods.ts'
import { balanceOf } from '../../../core/ledger.ts'
import type { Eid, World } from '../../../core/world.ts'
import { statOf, walletOf } from '../../../systems/account/rules.ts'
import { FATES, Participant } from '../../../systems/combat/columns.ts'
import { Npc } from '../../../systems/npc/columns.ts'
import { npcName, npcsOf } from '../../../systems/npc/rules.ts'
import { Wreck } from '../../../systems/salvage/columns.ts'
import { wreckId, wrecksAt } from '../../../systems/salvage/rules.ts'
import { Ship } from '../../../systems/ship/columns.ts'
import { activeShip, shipId } from '../../../systems/ship/rules.ts'
import { poiId, systemName } from '../../../systems/travel/rules.ts'
import type { SmallWorld } from '../../small-world.ts'
import { freshSystem, leaveOnly, piratesIn, pirateWorld, putAt, standing } from './scene.ts'

let small: SmallWorld
let world: World
let hunter: Eid
let system: Eid
let scout: Eid
let haunt: Eid
beforeAll(async () => {
  small = await pirateWorld()
  world = small.world
})
beforeEach(() => {
  hunter = small.join(`Hunter ${small.players.length}`)
  system = freshSystem(small, 0)
  scout = piratesIn(world, system, 'T1')[0]
  haunt = leaveOnly(world, system, [scout])
  putAt(world, hunter, haunt)
  small.told()
})

const pirateHere = (): string => {
  const outcome = small.ask(hunter, 'get_nearby')
  const { pirates } = (outcome as { result: { pirates: { pirate_id: string }[] } }).result
  return pirates[0].pirate_id
}

describe('a pirate', () => {
  test('that get_nearby shows can be attacked by its id', () => {
    const name = npcName(world, scout)
    const outcome = small.act(hunter, 'attack', { target_id: pirateHere() })
    expect(outcome).toMatchObject({
      ok: true,
      result: { kind: 'npc', target: shipId(world, scout), target_name: name, your_side: 1 },
    })
    expect(small.ask(hunter, 'get_battle_status')).toMatchObject({
      ok: true,
      result: {
        participants: expect.arrayContaining([expect.objectContaining({ username: name })]),
      },
    })
  })

  test('that is destroyed leaves a wreck with its loot and pays its killer, who is told', () => {
    small.act(hunter, 'attack', { target_id: pirateHere() })
    const [id, name] = [shipId(world, scout), npcName(world, scout)]
    const before = balanceOf(world, walletOf(world, hunter))
    const part = world.write(Participant)
    part.fate[standing(world, scout).row] = FATES.indexOf('destroyed')
    part.killer[standing(world, scout).row] = standing(world, activeShip(world, hunter)).row
    small.told()
    small.ticks(1)
    expect(balanceOf(world, walletOf(world, hunter)) - before).toBe(150)
    expect(statOf(world, hunter, 'pirates_destroyed')).toBe(1)
    const [wreck] = wrecksAt(world, haunt)
    const loot = contentsOf(world, world.read(Wreck).cargo[wreck])
    expect(loot.length).toBe(PIRATES[0].loot.length)
    const [told] = small.told().filter(({ type }) => type === 'pirate_destroyed')
    expect(told.payload).toMatchObject({
      pirate_id: id,
      pirate_name: name,
      pirate_role: 'scout',
      credits_earned: 150,
      combat_xp: 20,
      wreck_id: wreckId(world, wreck),
      wreck_has_cargo: true,
      wreck_has_modules: false,
      wreck_poi_id: poiId(world, haunt),
      wreck_system_name: systemName(world, system),
    })
    expect(npcsOf(world, system)).toEqual([])
    expect(world.read(Ship).alive[scout]).toBe(0)
    small.ticks(60)
    expect(npcsOf(world, system).map((npc) => world.read(Npc).type[npc])).toEqual([0])
  })
})
