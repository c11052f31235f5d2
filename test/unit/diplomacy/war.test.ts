/** What war and alliance do in space: law, battles, kills. Source: factions.md section 5. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Eid, Row } from '../../../core/types.ts'
import { areAllied } from '../../../systems/account/model.ts'
import { Participant } from '../../../systems/combat/state.ts'
import { currentPact, isActOfWar } from '../../../systems/diplomacy/model.ts'
import {
  addProposal,
  declareWar,
  makeAlliance,
  makePeace,
} from '../../../systems/diplomacy/rules.ts'
import {
  OLD_WARS,
  WAR_LEAVER_TICKS,
  WAR_MEMBER_TICKS,
  WAR_NOTICE_TICKS,
} from '../../../systems/diplomacy/state.ts'
import {
  addMember,
  disband,
  foundFaction,
  removeMember,
} from '../../../systems/faction/member-rules.ts'
import { factionIdOf } from '../../../systems/faction/model.ts'
import { Membership } from '../../../systems/faction/state.ts'
import { riskInputs } from '../../../systems/insurance/rules.ts'
import { attack, dronesIn, hullOf, owed, policed, rowOf, type Scene } from '../law/scene.ts'

let scene: Scene
let one: Eid
let two: Eid
let three: Eid
let four: Eid
let a: Row
let b: Row

/** Puts a player into a faction long ago. */
function settle(player: Eid, faction: Row): void {
  if (faction !== 0) addMember(scene.world, player, faction)
  scene.world.write(Membership).joinedTick[player] = scene.world.tick - 200
}

beforeEach(async () => {
  scene = await policed(4, 100)
  ;[one, two, three, four] = scene.players
  const { world } = scene
  world.tick += 1_000
  a = foundFaction(world, one, 'Amber Line', 'AMBR')
  b = foundFaction(world, two, 'Basalt Guild', 'BSLT')
  for (const player of [one, two]) settle(player, 0)
  scene.small.ticks(1)
})

/** Makes a war whose notice is over. */
function war(): void {
  declareWar(scene.world, { own: a, other: b }, '')
  scene.world.tick += WAR_NOTICE_TICKS
  for (const player of [one, two]) scene.world.write(Membership).joinedTick[player] -= 60
  scene.small.ticks(1)
}

const lawful = (player: Eid, other: Eid): boolean => isActOfWar(scene.world, player, other)
const sideIn = (player: Eid): number =>
  scene.world.read(Participant).side[rowOf(scene.world, player)]

describe('the law', () => {
  test('holds until the notice of a war is over', () => {
    declareWar(scene.world, { own: a, other: b }, '')
    scene.world.tick += WAR_NOTICE_TICKS - 2
    scene.small.ticks(1)
    expect(lawful(one, two)).toBe(false)
    expect(attack(scene, one, two).ok).toBe(true)
    expect(lawful(one, two)).toBe(true)
    // The attack ran in the first tick in which the law looks away.
    expect(owed(scene, one)).toBe(0)
  })

  test('an attack in the last tick of the notice is a crime', () => {
    declareWar(scene.world, { own: a, other: b }, '')
    scene.world.tick += WAR_NOTICE_TICKS - 3
    scene.small.ticks(1)
    attack(scene, one, two)
    expect(owed(scene, one)).toBe(500)
  })

  test('then no attack between the two is a crime, and no police come', () => {
    war()
    attack(scene, two, one)
    scene.small.ticks(2)
    expect([owed(scene, one), owed(scene, two)]).toEqual([0, 0])
    expect(dronesIn(scene)).toEqual([])
    attack(scene, one, three)
    expect(owed(scene, one)).toBe(500)
  })

  test('peace of a tick holds from the next: an attack beside it is judged by the war', () => {
    war()
    const { small, world } = scene
    addProposal(world, { own: b, other: a }, { kind: 'peace', terms: '' })
    settle(three, a)
    small.tick(
      { player: three, command: 'attack', params: { target_id: scene.id(two) } },
      {
        player: one,
        command: 'faction_accept_peace',
        params: { target_faction_id: factionIdOf(world, b) },
      },
    )
    expect(owed(scene, three)).toBe(0)
    expect(lawful(three, two)).toBe(true)
    small.ticks(1)
    expect(lawful(three, two)).toBe(false)
  })

  test('a new member counts after 60 ticks', () => {
    war()
    const { world } = scene
    addMember(world, three, a)
    world.write(Membership).joinedTick[three] = world.tick + 1 - WAR_MEMBER_TICKS
    expect(lawful(three, two) || lawful(two, three)).toBe(false)
    world.tick++
    expect(lawful(three, two) && lawful(two, three)).toBe(true)
    expect(lawful(three, one)).toBe(false)
  })

  test('a player who leaves keeps the wars of the faction for 30 ticks, wherever they go', () => {
    settle(three, a)
    war()
    const { world, small } = scene
    removeMember(world, three)
    addMember(world, three, foundFaction(world, four, 'Cinder Fleet', 'CNDR'))
    const until = world.tick + WAR_LEAVER_TICKS
    expect(lawful(three, two) && lawful(two, three)).toBe(true)
    world.tick = until - 1
    small.ticks(1)
    expect(lawful(two, three)).toBe(true)
    small.ticks(1)
    expect(lawful(two, three) || lawful(three, two)).toBe(false)
    expect(world.records(OLD_WARS).size).toBe(0)
  })

  test('but not after a peace, nor against those they have joined', () => {
    settle(three, a)
    settle(four, a)
    war()
    const { world, small } = scene
    removeMember(world, three)
    removeMember(world, four)
    addMember(world, four, b)
    expect(lawful(two, three)).toBe(true)
    expect(lawful(two, four) || lawful(four, two)).toBe(false)
    makePeace(world, { own: a, other: b })
    small.ticks(1)
    expect(lawful(two, three)).toBe(false)
  })

  test('the last of a faction keeps its wars too', () => {
    war()
    const { world } = scene
    disband(world, b, two)
    expect(lawful(one, two) && lawful(two, one)).toBe(true)
    world.tick += WAR_LEAVER_TICKS + 1
    expect(lawful(one, two)).toBe(false)
  })
})

describe('kills', () => {
  test('count for the side whose member made them, while there is war', () => {
    const { small, world } = scene
    war()
    attack(scene, one, two)
    scene.doom(two, 'destroyed', one)
    small.ticks(1)
    expect(small.ask(one, 'faction_info')).toMatchObject({
      result: { wars: [{ our_kills: 1, their_kills: 0 }] },
    })
    expect(small.ask(two, 'faction_info')).toMatchObject({
      result: { wars: [{ our_kills: 0, their_kills: 1 }] },
    })
    expect(owed(scene, one)).toBe(0)
    expect(currentPact(world, 1, 2)?.war).toMatchObject({ fromKills: 1, toKills: 0 })
  })
})

describe('battles', () => {
  test('draw in allies and members of the victim, not those of the attacker', () => {
    const { world } = scene
    settle(three, a)
    const c = foundFaction(world, four, 'Cinder Fleet', 'CNDR')
    makeAlliance(world, { own: a, other: c })
    scene.small.ticks(1)
    expect(areAllied(world, three, four) && areAllied(world, one, four)).toBe(true)
    attack(scene, two, one)
    expect([sideIn(three), sideIn(four)]).toEqual([sideIn(one), sideIn(one)])
    expect(sideIn(two)).not.toBe(sideIn(one))
  })

  test('leave out allies of both sides; a lone attacker stays alone', () => {
    const { world, small } = scene
    const c = foundFaction(world, four, 'Cinder Fleet', 'CNDR')
    makeAlliance(world, { own: a, other: c })
    makeAlliance(world, { own: b, other: c })
    settle(three, b)
    small.ticks(1)
    attack(scene, two, one)
    expect(rowOf(world, four)).toBe(0)
    expect(rowOf(world, three)).toBe(0)
  })

  test('an alliance of this tick calls nobody yet', () => {
    const { world, small } = scene
    const c = foundFaction(world, four, 'Cinder Fleet', 'CNDR')
    settle(four, 0)
    addProposal(world, { own: a, other: c }, { kind: 'ally', terms: '' })
    small.tick(
      { player: two, command: 'attack', params: { target_id: scene.id(one) } },
      {
        player: four,
        command: 'faction_accept_ally',
        params: { target_faction_id: factionIdOf(world, a) },
      },
    )
    expect(currentPact(world, 1, 3)).toBeDefined()
    expect(rowOf(world, four)).toBe(0)
  })

  test('hold a member until they are over: in_combat', () => {
    attack(scene, two, one)
    expect(scene.small.act(one, 'leave_faction')).toMatchObject({ code: 'in_combat' })
  })
})

test('a premium is higher in war', () => {
  const { world } = scene
  expect(riskInputs(world, one, hullOf(world, one)).war).toBe(0)
  war()
  expect(riskInputs(world, one, hullOf(world, one)).war).toBe(1)
})
