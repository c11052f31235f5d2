/** Crimes: what counts as one, who is charged, how often, and what it costs. */
import { describe, expect, test } from 'vitest'
import { BOUNTY_CREDITS_MAX } from '../../../core/limits.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseId } from '../../../systems/base/model.ts'
import { scheduleEngagement } from '../../../systems/combat/battles-rules.ts'
import { battleIn } from '../../../systems/combat/model.ts'
import { Participant } from '../../../systems/combat/state.ts'
import { chargeAttack, chargeKill } from '../../../systems/law/crimes-rules.ts'
import {
  ALONE,
  bountyOf,
  isJustified,
  jurisdictionOf,
  prizeVictim,
  stationVictim,
} from '../../../systems/law/model.ts'
import { addBounty, changeReputation } from '../../../systems/law/rules.ts'
import { makePirate } from '../../../systems/npc/spawn-systems.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { baseIn } from '../combat/scene.ts'
import {
  attack,
  dronesIn,
  hullOf,
  LAW,
  meeting,
  notices,
  offencesOf,
  owed,
  policed,
  rowOf,
  standing,
} from './scene.ts'

onSmallMap()

describe('a crime', () => {
  test('an attack on a player costs a bounty and reputation, with a notice', async () => {
    const scene = await policed(2, 10)
    const [one, two] = scene.players
    const before = standing(scene, one)
    expect(attack(scene, one, two).ok).toBe(true)
    expect(owed(scene, one)).toBe(500)
    expect(standing(scene, one)).toBe(before - 5)
    expect(notices(scene, one)).toMatchObject([
      { kind: 'crime', empire_id: 'solarian', amount: 500, bounty: 500, reputation_change: -5 },
    ])
    expect(owed(scene, two)).toBe(0)
  })

  test('an attack is charged once for each victim and battle', async () => {
    const scene = await policed(3, 10)
    const [one, two, three] = scene.players
    attack(scene, one, two)
    attack(scene, one, two)
    expect(owed(scene, one)).toBe(500)
    attack(scene, one, three)
    expect(owed(scene, one)).toBe(1_000)
    attack(scene, one, two)
    expect(owed(scene, one)).toBe(1_000)
    expect(offencesOf(scene.world, one)).toHaveLength(2)
  })

  test('nothing is a crime in lawless space', async () => {
    const scene = await meeting(2)
    const [one, two] = scene.players
    expect(jurisdictionOf(scene.world, scene.system)).toBe(-1)
    expect(attack(scene, one, two).ok).toBe(true)
    expect(owed(scene, one)).toBe(0)
    expect(offencesOf(scene.world, one)).toEqual([])
  })

  test('an attack on a pirate is no crime', async () => {
    const scene = await policed(1, 10)
    const { world, system, poi } = scene
    const [one] = scene.players
    const ship = world.read(Npc).ship[makePirate(world, system, 0)]
    placeInSpace(world, ship, poi)
    expect(scene.small.act(one, 'attack', { target_id: shipId(world, ship) }).ok).toBe(true)
    expect(owed(scene, one)).toBe(0)
  })

  test('two players who attack each other in one tick both commit a crime', async () => {
    const scene = await policed(2, 10)
    const [one, two] = scene.players
    scene.small.tick(
      { player: one, command: 'attack', params: { target_id: scene.id(two) } },
      { player: two, command: 'attack', params: { target_id: scene.id(one) } },
    )
    expect([owed(scene, one), owed(scene, two)]).toEqual([500, 500])
  })

  test('a victim who strikes back in a later tick commits no crime', async () => {
    const scene = await policed(2, 10)
    const { world } = scene
    const [one, two] = scene.players
    attack(scene, one, two)
    expect(attack(scene, two, one).ok).toBe(true)
    expect(owed(scene, two)).toBe(0)
    scene.small.ticks(1)
    expect(isJustified(world, two, one, ALONE)).toBe(true)
    expect(isJustified(world, one, two, ALONE)).toBe(false)
  })

  test('a third player may join the side of the victim, but not attack the aggressor', async () => {
    const scene = await policed(4, 10)
    const { world } = scene
    const [one, two, three, four] = scene.players
    attack(scene, one, two)
    attack(scene, three, one)
    expect(owed(scene, three)).toBe(500)
    const { side } = world.read(Participant)
    const params = { action: 'engage', side_id: side[rowOf(world, two)] }
    expect(scene.small.ask(four, 'battle', params).ok).toBe(true)
    scene.small.ticks(1)
    expect(rowOf(world, four)).not.toBe(0)
    expect(side[rowOf(world, four)]).toBe(side[rowOf(world, two)])
    // The third player has attacked the first, so only the first is an aggressor to this side.
    expect(owed(scene, four)).toBe(0)
  })

  test('joining the side of the aggressor is an attack on every player of the other side', async () => {
    const scene = await policed(3, 10)
    const { world } = scene
    const [one, two, three] = scene.players
    attack(scene, one, two)
    const { side } = world.read(Participant)
    const params = { action: 'engage', side_id: side[rowOf(world, one)] }
    expect(scene.small.ask(three, 'battle', params).ok).toBe(true)
    scene.small.ticks(1)
    expect(owed(scene, three)).toBe(500)
  })

  test('a kill is charged on top of the attack, once', async () => {
    const scene = await policed(2, 10)
    const [one, two] = scene.players
    const before = standing(scene, one)
    attack(scene, one, two)
    scene.doom(two, 'destroyed', one)
    scene.small.ticks(1)
    expect(owed(scene, one)).toBe(2_500)
    expect(standing(scene, one)).toBe(before - 15)
  })

  test('a player who destroys their attacker owes nothing', async () => {
    const scene = await policed(2, 10)
    const [one, two] = scene.players
    attack(scene, one, two)
    scene.doom(one, 'destroyed', two)
    scene.small.ticks(1)
    expect(owed(scene, two)).toBe(0)
  })

  test('an attack on police is a crime', async () => {
    const scene = await policed(2, 100)
    const { world } = scene
    const [one, two] = scene.players
    attack(scene, one, two)
    const [drone] = dronesIn(scene)
    expect(scene.small.act(two, 'attack', { target_id: shipId(world, drone) }).ok).toBe(true)
    expect(owed(scene, two)).toBe(500)
  })

  test('a station costs three times the reputation that a player or a prize costs', async () => {
    const scene = await policed(2, 10)
    const { world, system } = scene
    const [one, two] = scene.players
    const [before, otherBefore] = [standing(scene, one), standing(scene, two)]
    const station = stationVictim(world, baseIn(world, system))
    const crime = { offender: one, victim: station, system, battleSide: ALONE }
    expect(chargeAttack(world, crime, 0)).toBe(true)
    expect(standing(scene, one)).toBe(before - 15)
    expect(chargeKill(world, crime, 0)).toBe(true)
    expect(standing(scene, one)).toBe(before - 45)
    expect(owed(scene, one)).toBe(2_500)
    const prize = prizeVictim(world, hullOf(world, one), one)
    expect(chargeAttack(world, { ...crime, victim: prize }, 0)).toBe(false)
    expect(chargeAttack(world, { ...crime, offender: two, victim: prize }, 0)).toBe(true)
    expect(standing(scene, two)).toBe(otherBefore - 5)
  })

  test('an attack on the station of an empire by command is a crime', async () => {
    const scene = await policed(1, 10)
    const { world, system } = scene
    const [one] = scene.players
    const before = standing(scene, one)
    const station = baseId(world, baseIn(world, system))
    expect(scene.small.act(one, 'attack', { target_id: station }).ok).toBe(true)
    expect(owed(scene, one)).toBe(500)
    expect(standing(scene, one)).toBe(before - 15)
  })

  test('bounty and reputation stay within their bounds', async () => {
    const scene = await policed(1)
    const [one] = scene.players
    expect(addBounty(scene.world, one, LAW, BOUNTY_CREDITS_MAX - 1)).toBe(BOUNTY_CREDITS_MAX - 1)
    expect(addBounty(scene.world, one, LAW, 500)).toBe(1)
    expect(bountyOf(scene.world, one, LAW)).toBe(BOUNTY_CREDITS_MAX)
    changeReputation(scene.world, one, LAW, -250)
    expect(standing(scene, one)).toBe(-100)
    changeReputation(scene.world, one, LAW, 250)
    expect(standing(scene, one)).toBe(100)
  })

  test('a victim may strike back while the battle lasts and for 30 ticks after', async () => {
    const scene = await policed(2, 10)
    const { world } = scene
    const [one, two] = scene.players
    attack(scene, one, two)
    scene.doom(one, 'fled')
    scene.small.ticks(1)
    expect(battleIn(world, scene.system)).toBe(0)
    world.write(Player).cloaked[one] = 1
    scene.small.ticks(27)
    expect(isJustified(world, two, one, ALONE)).toBe(true)
    scene.small.ticks(4)
    expect(isJustified(world, two, one, ALONE)).toBe(false)
    expect(offencesOf(world, one)).toEqual([])
  })

  test('an order to join a side that does not exist is no crime', async () => {
    const scene = await policed(3, 10)
    const { world, system } = scene
    const [one, two, three] = scene.players
    attack(scene, one, two)
    scheduleEngagement(world, hullOf(world, three), battleIn(world, system), 9)
    scene.small.ticks(1)
    expect(owed(scene, three)).toBe(0)
  })
})
