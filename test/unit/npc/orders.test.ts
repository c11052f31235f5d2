/** The orders NPCs give in a battle. Source: combat.md sections 2, 10, 13. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { contentsOf, namedContainer } from '../../../core/goods.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { Boarding } from '../../../systems/boarding/state.ts'
import { aggress } from '../../../systems/combat/engage-rules.ts'
import { GUNS_MAX, Participant, STANCES } from '../../../systems/combat/state.ts'
import { lurkPlacesOf } from '../../../systems/npc/model.ts'
import { chooseFocus, giveOrders } from '../../../systems/npc/tactics-systems.ts'
import { loadCargo, unloadCargo } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import type { SmallWorld } from '../../small-world.ts'
import { freshSystem, leaveOnly, piratesIn, pirateWorld, putAt, standing } from './scene.ts'

const ORE = itemIndex('iron_ore')
const BOARD = STANCES.indexOf('board')

let small: SmallWorld
let world: World
let victim: Eid
let helper: Eid
let pirate: Eid
let row: Row
let enemies: readonly [Row, Row]
beforeAll(async () => {
  small = await pirateWorld()
  world = small.world
})
/** A pirate of the highest tier, attacked by two ships. */
beforeEach(() => {
  const system = freshSystem(small, 0)
  const [enforcer] = piratesIn(world, system, 'T3')
  pirate = enforcer
  leaveOnly(world, system, [pirate])
  const [first, second] = [1, 2].map(() => {
    const player = small.join(`Pilot ${small.players.length}`)
    return putAt(world, player, lurkPlacesOf(world, system)[0])
  })
  victim = first
  helper = second
  for (const ship of [victim, helper]) expect(aggress(world, ship, pirate).ok).toBe(true)
  row = standing(world, pirate).row
  enemies = [standing(world, victim).row, standing(world, helper).row]
  arm(row, 4)
  for (const enemy of enemies) arm(enemy, 2)
})

function arm(participant: Row, reach: number): void {
  const part = world.write(Participant)
  part.guns[participant] = 1
  part.gunReach[participant * GUNS_MAX] = reach
}

const part = () => world.write(Participant)
const stanceAsked = (): string => STANCES[part().orderStance[row] - 1]

describe('the focus of an NPC', () => {
  test('is the nearest, then the weakest, and armed before unarmed', () => {
    expect(chooseFocus(world, row)).toBe(enemies[0])
    world.write(Ship).hull[helper] -= 20
    expect(chooseFocus(world, row)).toBe(enemies[1])
    part().ring[enemies[0]] = 2
    expect(chooseFocus(world, row)).toBe(enemies[0])
    part().guns[enemies[0]] = 0
    expect(chooseFocus(world, row)).toBe(enemies[1])
  })

  test('is kept while it fights, and never a friend', () => {
    part().target[row] = enemies[1]
    part().ring[enemies[0]] = 0
    giveOrders(world, row)
    expect(part().orderTarget[row]).toBe(0)
    part().target[row] = row
    giveOrders(world, row)
    expect(part().orderTarget[row]).toBe(enemies[0])
  })
})

describe('the orders of an NPC', () => {
  test('are those of its course, and no autopilot steers it', () => {
    giveOrders(world, row)
    expect([part().orderMove[row], stanceAsked()]).toEqual([-1, 'brace'])
    expect(part().orderTick[row]).toBe(world.tick)
    part().ring[row] = 1
    giveOrders(world, row)
    expect([part().orderMove[row], stanceAsked()]).toEqual([0, 'fire'])
  })

  test('are to flee after five ticks under fire that it cannot return', () => {
    part().hullHit[row] = 5
    for (let tick = 0; tick < 4; tick++) giveOrders(world, row)
    expect(stanceAsked()).toBe('brace')
    giveOrders(world, row)
    expect(stanceAsked()).toBe('flee')
    part().hullHit[row] = 0
    giveOrders(world, row)
    expect(stanceAsked()).toBe('brace')
  })
})

describe('a crew with marines', () => {
  beforeEach(() => {
    world.write(Boarding).capable[row] = 1
    world.write(Ship).shield[victim] = 0
    for (const { item, units } of contentsOf(world, world.read(Ship).hold[victim])) {
      unloadCargo(world, victim, namedContainer('mined'), item, units)
    }
  })
  const open = () => loadCargo(world, victim, namedContainer('mined'), ORE, 5)

  test('boards a hull without shield that carries something, and sees it through', () => {
    open()
    giveOrders(world, row)
    expect(part().orderStance[row]).toBe(BOARD + 1)
    expect(world.read(Boarding).wanted[row]).toBe(enemies[0])
    expect(world.read(Boarding).marines[row]).toBe(world.read(Ship).marinesFit[pirate])
    part().stance[row] = BOARD
    part().orderStance[row] = 0
    giveOrders(world, row)
    expect([part().orderStance[row], part().orderMove[row]]).toEqual([0, 0])
    part().stance[row] = 0
    world.write(Boarding).wanted[row] = 0
  })

  test.each([
    ['has nothing aboard', () => {}],
    [
      'still has its shield',
      () => {
        open()
        world.write(Ship).shield[victim] = world.read(Ship).shieldMax[victim]
      },
    ],
  ] as const)('fires at one that %s', (_, arrange) => {
    arrange()
    giveOrders(world, row)
    expect(stanceAsked()).toBe('brace')
  })

  test('makes off with its loot', () => {
    loadCargo(world, pirate, namedContainer('mined'), ORE, 5)
    giveOrders(world, row)
    expect(stanceAsked()).toBe('flee')
    unloadCargo(world, pirate, namedContainer('mined'), ORE, 5)
  })
})
