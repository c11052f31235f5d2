/** The orders that NPCs give in a battle. Source: combat.md sections 2, 10, 13. */
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
let pirateRow: Row
let enemies: readonly [Row, Row]
beforeAll(async () => {
  small = await pirateWorld()
  world = small.world
})
/** Lets two ships attack a pirate of the highest tier. */
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
  pirateRow = standing(world, pirate).row
  enemies = [standing(world, victim).row, standing(world, helper).row]
  arm(pirateRow, 4)
  for (const enemy of enemies) arm(enemy, 2)
})

function arm(participant: Row, reach: number): void {
  const part = world.write(Participant)
  part.guns[participant] = 1
  part.gunReach[participant * GUNS_MAX] = reach
}

const part = () => world.write(Participant)
const orderedStance = (): string => STANCES[part().orderStance[pirateRow] - 1]

describe('the focus of an NPC', () => {
  test('is the nearest armed enemy, then the weakest', () => {
    expect(chooseFocus(world, pirateRow)).toBe(enemies[0])
    world.write(Ship).hull[helper] -= 20
    expect(chooseFocus(world, pirateRow)).toBe(enemies[1])
    part().ring[enemies[0]] = 2
    expect(chooseFocus(world, pirateRow)).toBe(enemies[0])
    part().guns[enemies[0]] = 0
    expect(chooseFocus(world, pirateRow)).toBe(enemies[1])
  })

  test('is kept if it is an enemy and replaced if it is not', () => {
    part().target[pirateRow] = enemies[1]
    part().ring[enemies[0]] = 0
    giveOrders(world, pirateRow)
    expect(part().orderTarget[pirateRow]).toBe(0)
    part().target[pirateRow] = pirateRow
    giveOrders(world, pirateRow)
    expect(part().orderTarget[pirateRow]).toBe(enemies[0])
  })
})

describe('the orders of an NPC', () => {
  test('follow its course and keep the autopilot off', () => {
    giveOrders(world, pirateRow)
    expect([part().orderMove[pirateRow], orderedStance()]).toEqual([-1, 'brace'])
    expect(part().orderTick[pirateRow]).toBe(world.tick)
    part().ring[pirateRow] = 1
    giveOrders(world, pirateRow)
    expect([part().orderMove[pirateRow], orderedStance()]).toEqual([0, 'fire'])
  })

  test('are to flee after five ticks under fire that it cannot return', () => {
    part().hullHit[pirateRow] = 5
    for (let tick = 0; tick < 4; tick++) giveOrders(world, pirateRow)
    expect(orderedStance()).toBe('brace')
    giveOrders(world, pirateRow)
    expect(orderedStance()).toBe('flee')
    part().hullHit[pirateRow] = 0
    giveOrders(world, pirateRow)
    expect(orderedStance()).toBe('brace')
  })
})

describe('a crew with marines', () => {
  beforeEach(() => {
    world.write(Boarding).capable[pirateRow] = 1
    world.write(Ship).shield[victim] = 0
    for (const { item, units } of contentsOf(world, world.read(Ship).hold[victim])) {
      unloadCargo(world, victim, namedContainer('mined'), item, units)
    }
  })
  const loadVictim = () => loadCargo(world, victim, namedContainer('mined'), ORE, 5)

  test('boards a laden hull without a shield and then gives no other order', () => {
    loadVictim()
    giveOrders(world, pirateRow)
    expect(part().orderStance[pirateRow]).toBe(BOARD + 1)
    expect(world.read(Boarding).wanted[pirateRow]).toBe(enemies[0])
    expect(world.read(Boarding).marines[pirateRow]).toBe(world.read(Ship).marinesFit[pirate])
    part().stance[pirateRow] = BOARD
    part().orderStance[pirateRow] = 0
    giveOrders(world, pirateRow)
    expect([part().orderStance[pirateRow], part().orderMove[pirateRow]]).toEqual([0, 0])
    part().stance[pirateRow] = 0
    world.write(Boarding).wanted[pirateRow] = 0
  })

  test.each([
    ['has nothing aboard', () => {}],
    [
      'still has its shield',
      () => {
        loadVictim()
        world.write(Ship).shield[victim] = world.read(Ship).shieldMax[victim]
      },
    ],
  ] as const)('does not board a hull that %s', (_, arrange) => {
    arrange()
    giveOrders(world, pirateRow)
    expect(orderedStance()).toBe('brace')
  })

  test('flees with its loot', () => {
    loadCargo(world, pirate, namedContainer('mined'), ORE, 5)
    giveOrders(world, pirateRow)
    expect(orderedStance()).toBe('flee')
    unloadCargo(world, pirate, namedContainer('mined'), ORE, 5)
  })
})
