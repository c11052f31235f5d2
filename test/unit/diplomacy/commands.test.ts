/** War, peace, alliances and enemies of factions. Source: factions.md section 5. */
import { beforeEach, describe, expect, test } from 'vitest'
import { STRANGER_PUSHES_FROM_ONE_PER_MINUTE } from '../../../core/limits.ts'
import type { Row } from '../../../core/types.ts'
import { mayPush } from '../../../systems/chat/model.ts'
import { areFactionsAllied, areFactionsAtWar } from '../../../systems/diplomacy/model.ts'
import {
  addProposal,
  declareWar,
  makeAlliance,
  markEnemy,
} from '../../../systems/diplomacy/rules.ts'
import {
  DIPLOMACY_TEXT_CHARACTERS_MAX,
  FACTION_ALLIES_MAX,
  FACTION_ENEMIES_MAX,
  FACTION_PROPOSALS_OPEN_MAX,
  FACTION_WARS_DECLARED_MAX,
  PROPOSAL_TICKS,
  PROPOSALS,
  TRUCES,
  WAR_COOLDOWN_TICKS,
  WAR_NOTICE_TICKS,
} from '../../../systems/diplomacy/state.ts'
import { foundFaction } from '../../../systems/faction/member-rules.ts'
import { OFFICER } from '../../../systems/faction/role-model.ts'
import { Membership } from '../../../systems/faction/state.ts'
import { onSmallMap } from '../../small-world.ts'
import {
  type Court,
  court,
  does,
  idOf,
  info,
  refuses,
  refusesAll,
  takePayloads,
  towards,
} from './scene.ts'

onSmallMap()

let scene: Court

beforeEach(async () => {
  scene = await court()
})

/** Founds more factions, each with a leader of its own. */
function foundMore(count: number): Row[] {
  return Array.from({ length: count }, (_, i) => {
    const leader = scene.small.join(`Extra ${i}`)
    return foundFaction(scene.small.world, leader, `Extra Band ${i}`, `E${100 + i}`)
  })
}

const ACTIONS = [
  'declare_war',
  'propose_peace',
  'accept_peace',
  'propose_ally',
  'accept_ally',
  'remove_ally',
  'set_enemy',
  'remove_enemy',
]

describe('every action', () => {
  test.each(ACTIONS)('%s needs a diplomat, and another faction that exists', async (action) => {
    const { abe, ada, b, a, stranger } = scene
    await refusesAll(scene, [
      [stranger, [action, b], 'not_in_faction'],
      [abe, [action, b], 'no_permission'],
      [ada, [action, a], 'invalid_target'],
      [ada, [action, 'NONE'], 'faction_not_found'],
      [ada, [action, '__proto__'], 'faction_not_found'],
      [ada, [action, 'constructor'], 'faction_not_found'],
    ])
  })

  test('set_enemy is refused to officers, and accepts a tag in lower case', async () => {
    const { abe, ada, b, small } = scene
    small.world.write(Membership).role[abe] = OFFICER
    await refuses(scene, abe, ['set_enemy', b], 'no_permission')
    expect(small.act(ada, 'faction_set_enemy', { target_faction_id: ' bslt ' })).toMatchObject({
      ok: true,
      result: { target_name: 'Basalt Guild', target_faction_id: idOf(scene, b) },
    })
  })
})

describe('war', () => {
  test('is declared with a reason, announced to all members, and holds from the next tick', () => {
    const { ada, abe, ben, bea, cleo, a, b, small } = scene
    const reason = 'They mined the Long Belt bare, and laughed.'
    const done = does(scene, ada, 'declare_war', b, { reason })
    expect(done).toMatchObject({ target_name: 'Basalt Guild', reason })
    const { world } = small
    const law_from_tick = world.tick + WAR_NOTICE_TICKS
    const expected = { event: 'war_declared', actor: 'Ada', reason, law_from_tick }
    const [toAda, toAbe, toBen, toBea, toCleo] = takePayloads(scene, ada, abe, ben, bea, cleo)
    for (const own of [toAda, toAbe]) {
      expect(own).toMatchObject([{ ...expected, faction_tag: 'AMBR', other_faction_tag: 'BSLT' }])
    }
    for (const other of [toBen, toBea]) {
      expect(other).toMatchObject([{ ...expected, faction_tag: 'BSLT', other_faction_tag: 'AMBR' }])
    }
    expect(toCleo).toEqual([])
    expect(areFactionsAtWar(world, a, b)).toBe(false)
    small.ticks(1)
    expect(areFactionsAtWar(world, a, b) && areFactionsAtWar(world, b, a)).toBe(true)
    expect(info(scene, ben)).toMatchObject({
      wars: [
        {
          target_faction_tag: 'AMBR',
          declared_by: idOf(scene, a),
          our_kills: 0,
          their_kills: 0,
          law_from_tick,
          reason,
        },
      ],
    })
    expect(info(scene, ada, b)).toMatchObject({ at_war: true, is_ally: false })
    expect(info(scene, cleo, b)).toMatchObject({ at_war: false })
    expect(info(scene, cleo, b)).not.toHaveProperty('wars')
  })

  test('ends an alliance and open proposals', () => {
    const { ada, ben, a, b, small } = scene
    makeAlliance(small.world, { own: a, other: b })
    does(scene, ben, 'declare_war', a)
    small.ticks(1)
    expect(areFactionsAllied(small.world, a, b)).toBe(false)
    expect(info(scene, ada)).toMatchObject({ allies: [], alliance_proposals: [] })
    expect(small.world.records(PROPOSALS).size).toBe(0)
  })

  test('is refused: already_at_war, too_long, invalid_payload, limit_reached', async () => {
    const { ada, b, a, c, small } = scene
    const long = 'x'.repeat(DIPLOMACY_TEXT_CHARACTERS_MAX + 1)
    await refuses(scene, ada, ['declare_war', b, { reason: long }], 'too_long')
    await refuses(scene, ada, ['declare_war', b, { reason: 'a\u0000b' }], 'invalid_payload')
    does(scene, ada, 'declare_war', b)
    await refuses(scene, ada, ['declare_war', b], 'already_at_war')
    await refuses(scene, scene.ben, ['declare_war', a], 'already_at_war')
    for (const other of foundMore(FACTION_WARS_DECLARED_MAX - 1)) {
      declareWar(small.world, { own: a, other }, '')
    }
    await refuses(scene, ada, ['declare_war', c], 'limit_reached')
    expect(towards(scene, scene.cleo, 'declare_war', a)).toMatchObject({ ok: true })
  })
})

describe('peace', () => {
  test('is proposed to diplomats, accepted, and bars a new war for a day', async () => {
    const { ada, ben, abe, bea, a, b, small } = scene
    const { world } = small
    does(scene, ada, 'declare_war', b)
    small.takeEmissions()
    const terms = 'The belt is yours; the ice is ours.'
    expect(does(scene, ada, 'propose_peace', b, { terms })).toMatchObject({ terms })
    const [toAda, toBen, toAbe, toBea] = takePayloads(scene, ada, ben, abe, bea)
    expect(toAda).toMatchObject([{ event: 'peace_proposed', terms }])
    expect(toBen).toMatchObject([{ event: 'peace_proposed', terms, other_faction_tag: 'AMBR' }])
    expect([...toAbe, ...toBea]).toEqual([])
    expect(info(scene, ben)).toMatchObject({
      peace_proposals: [{ from_faction_id: idOf(scene, a), terms }],
    })
    await refuses(scene, ada, ['propose_peace', b], 'already_proposed')
    await refuses(scene, ada, ['accept_peace', b], 'no_proposal')
    does(scene, ben, 'accept_peace', a)
    expect(takePayloads(scene, abe, bea)).toMatchObject([
      [{ event: 'peace_made' }],
      [{ event: 'peace_made' }],
    ])
    expect(areFactionsAtWar(world, a, b)).toBe(true)
    small.ticks(1)
    expect(areFactionsAtWar(world, a, b)).toBe(false)
    expect(info(scene, ada)).toMatchObject({ wars: [], peace_proposals: [] })
    for (const [player, other] of [
      [ada, b],
      [ben, a],
    ]) {
      await refuses(scene, player, ['declare_war', other], 'war_cooldown')
    }
    world.tick += WAR_COOLDOWN_TICKS
    expect(towards(scene, ben, 'declare_war', a)).toMatchObject({ ok: true })
    expect(world.records(TRUCES).size).toBe(0)
  })

  test('is refused: not_at_war, too_long, limit_reached', async () => {
    const { ada, a, b, small } = scene
    await refuses(scene, ada, ['propose_peace', b], 'not_at_war')
    await refuses(scene, ada, ['accept_peace', b], 'no_proposal')
    does(scene, ada, 'declare_war', b)
    const long = 'x'.repeat(DIPLOMACY_TEXT_CHARACTERS_MAX + 1)
    await refuses(scene, ada, ['propose_peace', b, { terms: long }], 'too_long')
    await refuses(scene, ada, ['propose_peace', b, { terms: '\u202e' }], 'invalid_payload')
    for (const other of foundMore(FACTION_PROPOSALS_OPEN_MAX)) {
      addProposal(small.world, { own: a, other }, { kind: 'ally', terms: '' })
    }
    await refuses(scene, ada, ['propose_peace', b], 'limit_reached')
    await refuses(scene, ada, ['propose_ally', scene.c], 'limit_reached')
  })

  test('a proposal lapses after seven days', async () => {
    const { ada, ben, a, b, small } = scene
    does(scene, ada, 'propose_ally', b)
    small.world.tick += PROPOSAL_TICKS - 3
    small.ticks(2)
    expect(info(scene, ben)).toMatchObject({ alliance_proposals: [{ from_faction_tag: 'AMBR' }] })
    small.ticks(1)
    expect(info(scene, ben)).toMatchObject({ alliance_proposals: [] })
    await refuses(scene, ben, ['accept_ally', a], 'no_proposal')
  })
})

describe('alliances', () => {
  test('are proposed and accepted, which ends enmity', async () => {
    const { ada, ben, bea, cleo, a, b, small } = scene
    does(scene, ben, 'set_enemy', a)
    does(scene, ada, 'propose_ally', b)
    await refuses(scene, ada, ['propose_ally', b], 'already_proposed')
    await refuses(scene, ada, ['accept_ally', b], 'no_proposal')
    takePayloads(scene, bea)
    does(scene, ben, 'accept_ally', a)
    const [toBea, toCleo] = takePayloads(scene, bea, cleo)
    expect(toBea).toMatchObject([{ event: 'alliance_made', faction_tag: 'BSLT' }])
    expect(toCleo).toEqual([])
    expect(areFactionsAllied(small.world, a, b)).toBe(false)
    small.ticks(1)
    expect(areFactionsAllied(small.world, b, a)).toBe(true)
    expect(info(scene, ben)).toMatchObject({
      allies: [{ tag: 'AMBR', leader_username: 'Ada', member_count: 2, owned_bases: 0 }],
      enemies: [],
      alliance_proposals: [],
    })
    expect(info(scene, bea, a)).toMatchObject({ is_ally: true, is_enemy: false })
    await refuses(scene, ada, ['propose_ally', b], 'already_allied')
  })

  test('are accepted by proposing to a faction that has proposed', () => {
    const { ada, ben, abe, a, b, small } = scene
    does(scene, ada, 'propose_ally', b)
    takePayloads(scene, abe)
    expect(does(scene, ben, 'propose_ally', a)).toMatchObject({ target_name: 'Amber Line' })
    expect(takePayloads(scene, abe)[0]).toMatchObject([{ event: 'alliance_made' }])
    small.ticks(1)
    expect(areFactionsAllied(small.world, a, b)).toBe(true)
  })

  test('are refused: at_war, limit_reached', async () => {
    const { ada, ben, a, b, c, small } = scene
    does(scene, ben, 'declare_war', a)
    await refuses(scene, ada, ['propose_ally', b], 'at_war')
    await refuses(scene, ada, ['accept_ally', b], 'at_war')
    addProposal(small.world, { own: c, other: a }, { kind: 'ally', terms: '' })
    for (const other of foundMore(FACTION_ALLIES_MAX)) makeAlliance(small.world, { own: a, other })
    await refuses(scene, ada, ['accept_ally', c], 'limit_reached')
    await refuses(scene, ada, ['propose_ally', c], 'limit_reached')
  })

  test('are ended by either faction, once', () => {
    const { ada, ben, bea, a, b, small } = scene
    makeAlliance(small.world, { own: a, other: b })
    small.ticks(1)
    expect(does(scene, ben, 'remove_ally', a)).toMatchObject({ removed: true })
    expect(takePayloads(scene, bea)[0]).toMatchObject([{ event: 'alliance_ended' }])
    expect(areFactionsAllied(small.world, a, b)).toBe(true)
    small.ticks(1)
    expect(areFactionsAllied(small.world, a, b)).toBe(false)
    expect(does(scene, ada, 'remove_ally', b)).toMatchObject({ removed: false })
    expect(takePayloads(scene, ada, bea)).toEqual([[], []])
  })
})

describe('enemies', () => {
  test('are marked by one faction only, which ends an alliance', async () => {
    const { ada, ben, bea, a, b, small } = scene
    makeAlliance(small.world, { own: a, other: b })
    small.ticks(1)
    does(scene, ada, 'set_enemy', b)
    expect(takePayloads(scene, bea)[0]).toMatchObject([{ event: 'enemy_marked', actor: 'Ada' }])
    expect(info(scene, ada)).toMatchObject({ allies: [], enemies: [{ tag: 'BSLT' }] })
    expect(info(scene, ben)).toMatchObject({ allies: [], enemies: [] })
    expect(info(scene, ada, b)).toMatchObject({ is_enemy: true, is_ally: false })
    expect(info(scene, ben, a)).toMatchObject({ is_enemy: false })
    await refuses(scene, ada, ['set_enemy', b], 'already_enemy')
  })

  test('can be unmarked, which does not end a war', () => {
    const { ada, bea, b, a, small } = scene
    does(scene, ada, 'set_enemy', b)
    does(scene, ada, 'declare_war', b)
    takePayloads(scene, bea)
    expect(does(scene, ada, 'remove_enemy', b)).toMatchObject({ removed: true })
    expect(takePayloads(scene, bea)[0]).toMatchObject([{ event: 'enemy_cleared' }])
    expect(does(scene, ada, 'remove_enemy', b)).toMatchObject({ removed: false })
    small.ticks(1)
    expect(areFactionsAtWar(small.world, a, b)).toBe(true)
  })

  test('are limited in number: limit_reached', async () => {
    const { ada, a, b, small } = scene
    for (const other of foundMore(FACTION_ENEMIES_MAX)) markEnemy(small.world, { own: a, other })
    await refuses(scene, ada, ['set_enemy', b], 'limit_reached')
  })

  test('are not notified by a stranger who has used up the pushes of a minute', () => {
    const { ada, bea, b, small } = scene
    for (let i = 0; i < STRANGER_PUSHES_FROM_ONE_PER_MINUTE; i++) mayPush(small.world, bea, ada)
    does(scene, ada, 'set_enemy', b)
    const [toAda, toBea] = takePayloads(scene, ada, bea)
    expect([toAda.length, toBea.length]).toEqual([1, 0])
  })
})

describe('relations', () => {
  test('are the same in a restored world', async () => {
    const { ada, ben, cleo, a, b, c, small } = scene
    does(scene, ada, 'declare_war', b, { reason: 'Old debts.' })
    does(scene, ben, 'propose_peace', a, { terms: 'None.' })
    does(scene, cleo, 'propose_ally', a)
    does(scene, ada, 'accept_ally', c)
    does(scene, ben, 'set_enemy', c)
    const restored = await small.reload()
    expect(restored.hash()).toBe(small.hash())
    small.ticks(3)
    restored.ticks(3)
    expect(restored.hash()).toBe(small.hash())
    expect(restored.ask(ada, 'faction_info')).toEqual(small.ask(ada, 'faction_info'))
  })

  test('end with the faction', () => {
    const { ada, ben, cleo, a, b, c, small } = scene
    does(scene, cleo, 'declare_war', a)
    does(scene, cleo, 'propose_ally', b)
    does(scene, ben, 'set_enemy', c)
    expect(small.act(cleo, 'leave_faction')).toMatchObject({ ok: true })
    expect(info(scene, ada)).toMatchObject({ wars: [] })
    expect(info(scene, ben)).toMatchObject({ enemies: [], alliance_proposals: [] })
  })
})
