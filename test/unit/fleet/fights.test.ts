/** Fleetmates fight on one side. Source: combat.md sections 1, 14, 17. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { sideOf } from '../../../systems/arena/duels-commands.ts'
import { combatantOf, inBattle } from '../../../systems/combat/model.ts'
import { Participant } from '../../../systems/combat/state.ts'
import type { SmallWorld } from '../../small-world.ts'
import { arena, arenaWorld, dare, empireArena, matchOf, pilotAt } from '../arena/scene.ts'
import { form, gather, hullOf, quietPlace, refuses } from './scene.ts'

let template: SmallWorld
let small: SmallWorld
let quiet: Eid
let ada: Eid
let ben: Eid
let cleo: Eid
let dora: Eid

beforeAll(async () => {
  template = await arenaWorld()
  quiet = quietPlace(template)
  ;[ada, ben, cleo, dora] = [1, 2, 3, 4].map(() => pilotAt(template, quiet))
})
beforeEach(async () => {
  small = await template.reload()
})

const attack = (player: Eid, target: Eid) =>
  small.act(player, 'attack', { target_id: playerId(small.world, target) })
const sideIn = (player: Eid): number =>
  small.world.read(Participant).side[combatantOf(small.world, player)]

describe('attacks', () => {
  test('invalid_target: nobody attacks their own fleet', async () => {
    form(small, ada, ben)
    await refuses(
      small,
      ada,
      ['attack', { target_id: playerId(small.world, ben) }],
      'invalid_target',
    )
  })

  test('fleetmates join the attack of their leader, which interrupts their commands', () => {
    form(small, ada, ben)
    const answers = small.tick(
      { player: ada, command: 'attack', params: { target_id: playerId(small.world, cleo) } },
      { player: ben, command: 'survey_system' },
    )
    expect(answers.get(ada)?.ok).toBe(true)
    expect(answers.get(ben)).toMatchObject({ code: 'combat_interrupt' })
    expect(sideIn(ben)).toBe(sideIn(ada))
    expect(sideIn(cleo)).not.toBe(sideIn(ada))
    expect(inBattle(small.world, dora)).toBe(false)
  })

  test('fleetmates join an attacked member, but not a member who attacks without leading', () => {
    form(small, ada, ben)
    form(small, cleo, dora)
    expect(attack(ben, dora).ok).toBe(true)
    expect(inBattle(small.world, ada)).toBe(false)
    expect(sideIn(cleo)).toBe(sideIn(dora))
    expect(sideIn(ben)).not.toBe(sideIn(dora))
    expect(attack(ada, cleo).ok).toBe(true)
    expect(sideIn(ada)).toBe(sideIn(ben))
  })

  test('a fleetmate in another system stays out of the battle', () => {
    form(small, ada, ben)
    gather(small, empireArena(small.world), ben)
    expect(attack(ada, cleo).ok).toBe(true)
    expect(inBattle(small.world, ben)).toBe(false)
  })

  test('invalid_side: nobody engages against their own fleet', () => {
    form(small, ada, ben)
    gather(small, empireArena(small.world), ben)
    expect(attack(ada, cleo).ok).toBe(true)
    gather(small, quiet, ben)
    const side_id = sideIn(cleo)
    expect(small.ask(ben, 'battle', { action: 'engage', side_id })).toMatchObject({
      code: 'invalid_side',
    })
    expect(small.ask(ben, 'battle', { action: 'engage', side_id: sideIn(ada) }).ok).toBe(true)
  })
})

describe('arena sides', () => {
  test('fleetmates at the place join both sides, up to the size of a side', () => {
    gather(small, empireArena(small.world), ada, ben, cleo, dora)
    form(small, ada, ben)
    form(small, cleo, dora)
    expect(sideOf(small.world, ada, 1)).toEqual([hullOf(small, ada)])
    expect(sideOf(small.world, ada, 5)).toEqual([ada, ben].map((player) => hullOf(small, player)))
    const challenge_id = dare(small, ada, cleo, 5)
    expect(arena(small, cleo, 'accept', { challenge_id }).ok).toBe(true)
    for (const player of [ada, ben, cleo, dora]) expect(matchOf(small.world, player)).not.toBe(0)
    expect(sideIn(ben)).toBe(sideIn(ada))
    expect(sideIn(dora)).toBe(sideIn(cleo))
  })

  test('two members of one fleet fight each other without their fleetmates', () => {
    gather(small, empireArena(small.world), ada, ben, cleo)
    form(small, ada, ben, cleo)
    const challenge_id = dare(small, ada, ben, 5)
    expect(arena(small, ben, 'accept', { challenge_id }).ok).toBe(true)
    expect(matchOf(small.world, cleo)).toBe(0)
    expect(sideIn(ben)).not.toBe(sideIn(ada))
  })
})
