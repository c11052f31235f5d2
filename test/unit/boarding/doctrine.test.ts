/** Which pirates capture a hull and which plunder it, recaptured prizes, the last crew member. */
import { beforeEach, describe, expect, test } from 'vitest'
import { PIRATES } from '../../../core/catalog/index.ts'
import { playerId } from '../../../systems/account/model.ts'
import { baseId } from '../../../systems/base/model.ts'
import { BASE_KINDS, Base } from '../../../systems/base/state.ts'
import { Boarding, Link } from '../../../systems/boarding/state.ts'
import { leaveBattle } from '../../../systems/combat/battles-rules.ts'
import { PIRATE } from '../../../systems/npc/model.ts'
import { addNpc } from '../../../systems/npc/rules.ts'
import { isLeaderless, peopleOf } from '../../../systems/personnel/model.ts'
import { prizeId, prizeOf } from '../../../systems/prize/model.ts'
import { setClaimant, setStatus } from '../../../systems/prize/rules.ts'
import { PRIZE_STATUS, Prize } from '../../../systems/prize/state.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { Location } from '../../../systems/travel/state.ts'
import { type Stage, stages } from './stage.ts'

const freshStage = await stages()
let scene: Stage

beforeEach(async () => {
  scene = await freshStage()
})

const pilot = (index: number) => scene.players[index]

/** Makes a pirate of the doctrine capture, one round before it wins a hull. */
function aboutToCapture(owner: number) {
  const { world } = scene.small
  const entered = scene.enter({ side: 1, marines: 6 })
  const ship = scene.shipOf(entered)
  leaveBattle(world, entered, 'battle_ended')
  const type = PIRATES.findIndex(({ doctrine }) => doctrine === 'capture')
  addNpc(world, ship, { kind: PIRATE, type, system: world.read(Location).system[ship] })
  const attacker = scene.rejoin(ship, 1)
  const target = scene.enter({ side: 2, crew: 0, player: owner })
  const hull = scene.shipOf(target)
  scene.board(attacker, target, 6)
  scene.round()
  world.write(Link).progress[scene.linkOf(attacker)] = 99
  return { attacker, target, hull }
}

describe('pirates who capture hulls', () => {
  test('send a captured hull to a pirate base', () => {
    const { attacker, hull } = aboutToCapture(pilot(1))
    const { world } = scene.small
    const pirate = shipId(world, scene.shipOf(attacker))
    expect(scene.round().at(-1)).toMatchObject({ event: 'ended', outcome: 'captured' })
    const prize = prizeOf(world, hull)
    expect(scene.takePayloads('ship_captured')).toMatchObject([
      {
        captor_id: pirate,
        captor_kind: 'pirate',
        former_owner_id: playerId(world, pilot(1)),
        prize_id: prizeId(world, prize),
      },
    ])
    const { captor, claimant, destination, status } = world.read(Prize)
    expect([captor[prize], claimant[prize]]).toEqual([0, 0])
    expect(PRIZE_STATUS[status[prize]]).toBe('recovering')
    expect(BASE_KINDS[world.read(Base).kind[destination[prize]]]).toBe('pirate')
    expect(world.read(Location).poi[hull]).toBe(scene.poi)
  })

  test('are those of the doctrine capture; those of the doctrine plunder do not', () => {
    const { world } = scene.small
    for (const [type, row] of PIRATES.entries()) {
      const attacker = scene.enter({ side: 1, marines: 2 })
      const ship = scene.shipOf(attacker)
      leaveBattle(world, attacker, 'battle_ended')
      addNpc(world, ship, { kind: PIRATE, type, system: world.read(Location).system[ship] })
      const rejoined = scene.rejoin(ship, 1)
      expect(world.read(Boarding).plunders[rejoined], row.role).toBe(
        row.doctrine === 'plunder' ? 1 : 0,
      )
    }
  })
})

describe('a claimed prize that is boarded', () => {
  test('is recaptured from its claimant, who is notified', () => {
    const { attacker, hull } = aboutToCapture(pilot(1))
    const { world } = scene.small
    scene.round()
    const prize = prizeOf(world, hull)
    const base = world.read(Prize).destination[prize]
    leaveBattle(world, attacker, 'battle_ended')
    setStatus(world, prize, 'held')
    setClaimant(world, prize, pilot(0))
    const boarder = scene.enter({ side: 1, marines: 6, player: pilot(2) })
    const row = scene.rejoin(hull, 2)
    expect(scene.board(boarder, row, 6)).toBeUndefined()
    scene.round()
    world.write(Link).progress[scene.linkOf(boarder)] = 99
    expect(scene.round().at(-1)).toMatchObject({ event: 'ended', outcome: 'captured' })
    expect(scene.takePayloads('prize_update')).toMatchObject([
      { status: 'recaptured', destination_base_id: baseId(world, base) },
    ])
    expect(scene.takePayloads('ship_captured')).toMatchObject([
      {
        captor_id: playerId(world, pilot(2)),
        captor_kind: 'player',
        former_owner_id: playerId(world, pilot(0)),
      },
    ])
    const taken = prizeOf(world, hull)
    expect(world.read(Prize).captor[taken]).toBe(pilot(2))
  })
})

describe('the last crew member', () => {
  test('is injured, not killed, by boarders who plunder the hull', () => {
    const attacker = scene.enter({ side: 1, marines: 20 })
    const target = scene.enter({ side: 2, crew: 1, player: pilot(1) })
    const { world } = scene.small
    const hull = scene.shipOf(target)
    scene.board(attacker, target, 20)
    expect(scene.untilEnd()).toBe('plundered')
    expect(peopleOf(world, hull)).toMatchObject({ fitCrew: 0, injuredCrew: 1 })
    leaveBattle(world, target, 'fled')
    expect(isLeaderless(world, hull)).toBe(true)
    expect(world.read(Ship).owner[hull]).toBe(pilot(1))
  })
})
