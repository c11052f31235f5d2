/** Effects of war and alliance in space: law, battles, kills. Source: factions.md section 5. */
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
import { skillIndex, xpOf } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { attack, dronesIn, hullOf, owed, policed, rowOf, type Scene } from '../law/scene.ts'

onSmallMap()

let scene: Scene
let ada: Eid
let ben: Eid
let third: Eid
let fourth: Eid
let a: Row
let b: Row

/** Makes a player an old member of a faction, where 0 is the faction they are already in. */
function settle(player: Eid, faction: Row): void {
  if (faction !== 0) addMember(scene.world, player, faction)
  scene.world.write(Membership).joinedTick[player] = scene.world.tick - 200
}

beforeEach(async () => {
  scene = await policed(4, 100)
  ;[ada, ben, third, fourth] = scene.players
  const { world } = scene
  world.tick += 1_000
  a = foundFaction(world, ada, 'Amber Line', 'AMBR')
  b = foundFaction(world, ben, 'Basalt Guild', 'BSLT')
  for (const player of [ada, ben]) settle(player, 0)
  scene.small.ticks(1)
})

/** Makes a war whose notice is over. */
function startWar(): void {
  declareWar(scene.world, { own: a, other: b }, '')
  scene.world.tick += WAR_NOTICE_TICKS
  for (const player of [ada, ben]) scene.world.write(Membership).joinedTick[player] -= 60
  scene.small.ticks(1)
}

const lawful = (player: Eid, other: Eid): boolean => isActOfWar(scene.world, player, other)
const sideIn = (player: Eid): number =>
  scene.world.read(Participant).side[rowOf(scene.world, player)]

describe('the law', () => {
  test('applies until the notice of a war is over', () => {
    declareWar(scene.world, { own: a, other: b }, '')
    scene.world.tick += WAR_NOTICE_TICKS - 2
    scene.small.ticks(1)
    expect(lawful(ada, ben)).toBe(false)
    expect(attack(scene, ada, ben).ok).toBe(true)
    expect(lawful(ada, ben)).toBe(true)
    // The attack ran in the first tick in which the war permits it.
    expect(owed(scene, ada)).toBe(0)
  })

  test('punishes an attack in the last tick of the notice', () => {
    declareWar(scene.world, { own: a, other: b }, '')
    scene.world.tick += WAR_NOTICE_TICKS - 3
    scene.small.ticks(1)
    attack(scene, ada, ben)
    expect(owed(scene, ada)).toBe(500)
  })

  test('permits attacks between factions at war, and sends no police', () => {
    startWar()
    attack(scene, ben, ada)
    scene.small.ticks(2)
    expect([owed(scene, ada), owed(scene, ben)]).toEqual([0, 0])
    expect(dronesIn(scene)).toEqual([])
    attack(scene, ada, third)
    expect(owed(scene, ada)).toBe(500)
  })

  test('judges an attack in the tick of a peace by the war', () => {
    startWar()
    const { small, world } = scene
    addProposal(world, { own: b, other: a }, { kind: 'peace', terms: '' })
    settle(third, a)
    small.tick(
      { player: third, command: 'attack', params: { target_id: scene.id(ben) } },
      {
        player: ada,
        command: 'faction_accept_peace',
        params: { target_faction_id: factionIdOf(world, b) },
      },
    )
    expect(owed(scene, third)).toBe(0)
    expect(lawful(third, ben)).toBe(true)
    small.ticks(1)
    expect(lawful(third, ben)).toBe(false)
  })

  test('extends a war to a new member after 60 ticks', () => {
    startWar()
    const { world } = scene
    addMember(world, third, a)
    world.write(Membership).joinedTick[third] = world.tick + 1 - WAR_MEMBER_TICKS
    expect(lawful(third, ben) || lawful(ben, third)).toBe(false)
    world.tick++
    expect(lawful(third, ben) && lawful(ben, third)).toBe(true)
    expect(lawful(third, ada)).toBe(false)
  })

  test('keeps a player who leaves in the wars of the faction for 30 ticks', () => {
    settle(third, a)
    startWar()
    const { world, small } = scene
    removeMember(world, third)
    addMember(world, third, foundFaction(world, fourth, 'Cinder Fleet', 'CNDR'))
    const until = world.tick + WAR_LEAVER_TICKS
    expect(lawful(third, ben) && lawful(ben, third)).toBe(true)
    world.tick = until - 1
    small.ticks(1)
    expect(lawful(ben, third)).toBe(true)
    small.ticks(1)
    expect(lawful(ben, third) || lawful(third, ben)).toBe(false)
    expect(world.records(OLD_WARS).size).toBe(0)
  })

  test('ends the wars of former members on peace, and towards a faction they join', () => {
    settle(third, a)
    settle(fourth, a)
    startWar()
    const { world, small } = scene
    removeMember(world, third)
    removeMember(world, fourth)
    addMember(world, fourth, b)
    expect(lawful(ben, third)).toBe(true)
    expect(lawful(ben, fourth) || lawful(fourth, ben)).toBe(false)
    makePeace(world, { own: a, other: b })
    small.ticks(1)
    expect(lawful(ben, third)).toBe(false)
  })

  test('keeps the last member of a disbanded faction in its wars', () => {
    startWar()
    const { world } = scene
    disband(world, b, ben)
    expect(lawful(ada, ben) && lawful(ben, ada)).toBe(true)
    world.tick += WAR_LEAVER_TICKS + 1
    expect(lawful(ada, ben)).toBe(false)
  })
})

describe('kills', () => {
  test('count for the faction of the killer during a war', () => {
    const { small, world } = scene
    startWar()
    attack(scene, ada, ben)
    scene.doom(ben, 'destroyed', ada)
    small.ticks(1)
    expect(small.ask(ada, 'faction_info')).toMatchObject({
      result: { wars: [{ our_kills: 1, their_kills: 0 }] },
    })
    expect(small.ask(ben, 'faction_info')).toMatchObject({
      result: { wars: [{ our_kills: 0, their_kills: 1 }] },
    })
    expect(owed(scene, ada)).toBe(0)
    expect(currentPact(world, 1, 2)?.war).toMatchObject({ fromKills: 1, toKills: 0 })
  })

  test('in a war teach no piracy', () => {
    const { small, world } = scene
    startWar()
    const weapons = ada * SKILLS_WIDTH + skillIndex('weapons')
    world.write(PlayerSkills).level[weapons] = 5
    attack(scene, ada, ben)
    scene.doom(ben, 'destroyed', ada)
    small.ticks(1)
    expect(xpOf(world, ada, 'piracy')).toBe(0)
  })
})

describe('battles', () => {
  test('draw in allies and members of the victim, not those of the attacker', () => {
    const { world } = scene
    settle(third, a)
    const c = foundFaction(world, fourth, 'Cinder Fleet', 'CNDR')
    makeAlliance(world, { own: a, other: c })
    scene.small.ticks(1)
    expect(areAllied(world, third, fourth) && areAllied(world, ada, fourth)).toBe(true)
    attack(scene, ben, ada)
    expect([sideIn(third), sideIn(fourth)]).toEqual([sideIn(ada), sideIn(ada)])
    expect(sideIn(ben)).not.toBe(sideIn(ada))
  })

  test('draw in no allies of both sides, and no members of the attacker', () => {
    const { world, small } = scene
    const c = foundFaction(world, fourth, 'Cinder Fleet', 'CNDR')
    makeAlliance(world, { own: a, other: c })
    makeAlliance(world, { own: b, other: c })
    settle(third, b)
    small.ticks(1)
    attack(scene, ben, ada)
    expect(rowOf(world, fourth)).toBe(0)
    expect(rowOf(world, third)).toBe(0)
  })

  test('do not draw in an ally of the same tick', () => {
    const { world, small } = scene
    const c = foundFaction(world, fourth, 'Cinder Fleet', 'CNDR')
    settle(fourth, 0)
    addProposal(world, { own: a, other: c }, { kind: 'ally', terms: '' })
    small.tick(
      { player: ben, command: 'attack', params: { target_id: scene.id(ada) } },
      {
        player: fourth,
        command: 'faction_accept_ally',
        params: { target_faction_id: factionIdOf(world, a) },
      },
    )
    expect(currentPact(world, 1, 3)).toBeDefined()
    expect(rowOf(world, fourth)).toBe(0)
  })

  test('keep a member from leaving their faction: in_combat', () => {
    attack(scene, ben, ada)
    expect(scene.small.act(ada, 'leave_faction')).toMatchObject({ code: 'in_combat' })
  })
})

test('the insurance risk of a ship is higher in war', () => {
  const { world } = scene
  expect(riskInputs(world, ada, hullOf(world, ada)).war).toBe(0)
  startWar()
  expect(riskInputs(world, ada, hullOf(world, ada)).war).toBe(1)
})
