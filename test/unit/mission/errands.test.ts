/** Limits and speed bonus of errands, and the sources and daily limit of rewards. */
import { beforeEach, describe, expect, test } from 'vitest'
import { OBJECTIVES_MAX } from '../../../core/catalog/index.ts'
import type { Outcome } from '../../../core/errors.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import { DAY_TICKS } from '../../../core/time.ts'
import type { Eid, World } from '../../../core/types.ts'
import { Player, POPULATION } from '../../../systems/account/state.ts'
import { empireOfBase, empireTreasury } from '../../../systems/base/model.ts'
import { errandsTaken, isErrand } from '../../../systems/mission/errand-model.ts'
import { creditsLeft, epochOf, missionsOf } from '../../../systems/mission/model.ts'
import { boardOf, offersTo } from '../../../systems/mission/offers-model.ts'
import { hasteBonus } from '../../../systems/mission/pay-model.ts'
import { openMission } from '../../../systems/mission/rules.ts'
import {
  EPOCH_TICKS,
  ERRANDS_TAKEN,
  MISSION_RECORDS,
  Mission,
} from '../../../systems/mission/state.ts'
import { survey } from '../../../systems/mission/systems.ts'
import { activeShip } from '../../../systems/ship/model.ts'
import { skillIndex } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { freighter } from '../package/stage.ts'
import { boards, here, load, seek, templateNamed } from './stage.ts'

let small: SmallWorld
let world: World
let ada: Eid

beforeEach(async () => {
  small = await smallWorld()
  world = small.world
  ada = small.join('Ada')
  freighter(world, ada)
  small.takeEmissions()
})

type Answer = Outcome<Record<string, unknown>>
const act = (command: string, params: object = {}) => small.act(ada, command, params) as Answer
const result = (answer: Answer): Record<string, unknown> => {
  if (!answer.ok) throw new Error(`${answer.code} ${JSON.stringify(answer)}`)
  return answer.result
}
const onlyMission = () => missionsOf(world, ada)[0]

describe('errands', () => {
  /** Returns an errand of a base whose difficulty meets the condition. */
  const errandFrom = (base: Eid, isSuitable: (difficulty: number) => boolean) => {
    const offer = boardOf(world, base).find(
      ({ template }) => template.type === 'courier' && isSuitable(template.difficulty),
    )
    if (!offer) throw new Error('no errand')
    return offer
  }

  test('are limited to three for each player, base and epoch', () => {
    const base = boards(world).find(
      (row) => boardOf(world, row).filter(({ template }) => isErrand(template)).length > 3,
    )
    dockShip(world, activeShip(world, ada), base ?? 0)
    const offers = offersTo(world, ada, here(world, ada)).filter(({ template }) =>
      isErrand(template),
    )
    for (const offer of offers.slice(0, 3)) openMission(world, ada, offer)
    expect(act('accept_mission', { mission_id: offers[3].id })).toMatchObject({
      code: 'mission_limit',
      details: { max: 3 },
      message: expect.stringContaining('accept others elsewhere'),
    })
    world.tick = (epochOf(world.tick) + 1) * EPOCH_TICKS
    expect(errandsTaken(world, ada, here(world, ada))).toBe(0)
  })

  test('go to as many pilots as demand allows', () => {
    const base = boards(world).find((row) =>
      boardOf(world, row).some(({ template }) => isErrand(template)),
    )
    dockShip(world, activeShip(world, ada), base ?? 0)
    const other = small.join('Bea')
    const errands = (player: Eid) =>
      offersTo(world, player, base ?? 0).filter(({ template }) => isErrand(template))
    const [offer] = errands(ada)
    const seen = errands(other).length
    openMission(world, ada, offer)
    expect(errands(other)).toHaveLength(seen - 1)
    world.records(POPULATION).set('active', 100)
    expect(errands(other)).toHaveLength(seen)
    openMission(world, small.join('Cid'), offer)
    expect(errands(other)).toHaveLength(seen - 1)
    world.tick = (epochOf(world.tick) + 1) * EPOCH_TICKS
    survey.run?.(world)
    expect(world.records(ERRANDS_TAKEN).size).toBe(0)
  })

  test('pay a bonus of up to half for speed, which falls to zero at the deadline', () => {
    const base = boards(world).find((row) =>
      boardOf(world, row).some(
        ({ template }) => template.type === 'courier' && template.difficulty >= 4,
      ),
    )
    const offer = errandFrom(base ?? 0, (difficulty) => difficulty >= 4)
    const mission = openMission(world, ada, offer)
    const { credits, acceptedTick, expireTick } = world.read(Mission)
    const after = (ticks: number) => {
      world.tick = acceptedTick[mission] + ticks
      return hasteBonus(world, mission)
    }
    const bonusMax = Math.floor(credits[mission] / 2)
    const quickTicks = 20 + 12 * offer.jumps
    const allTicks = expireTick[mission] - acceptedTick[mission]
    expect(after(0)).toBe(bonusMax)
    expect(after(quickTicks)).toBe(bonusMax)
    expect(after((quickTicks + allTicks) / 2)).toBe(Math.floor(bonusMax / 2))
    expect(after(allTicks)).toBe(0)
    const plain = openMission(world, ada, {
      ...offer,
      template: templateNamed('letters_by_hand'),
    })
    expect(hasteBonus(world, plain)).toBe(0)
  })
})

test('rewards come from an empire treasury down to a million, then from the faucet', () => {
  seek(small, ada, 'summons')
  const { mission_id } = result(act('accept_mission', { template_id: 'summons' }))
  const empire = empireOfBase(world, here(world, ada))
  const treasury = empireTreasury(world, empire)
  post(world, namedAccount('starting_grant'), treasury, 1_000_100 - balanceOf(world, treasury))
  const faucet = balanceOf(world, namedAccount('missions'))
  const target = world.read(Mission).toBase[onlyMission() * OBJECTIVES_MAX]
  dockShip(world, activeShip(world, ada), target)
  const { credits_earned } = result(act('complete_mission', { mission_id }))
  expect(balanceOf(world, treasury)).toBe(1_000_000)
  expect(balanceOf(world, namedAccount('missions'))).toBe(faucet - (credits_earned as number) + 100)
})

test('a reward is cut to what is left of the daily limit of the player', () => {
  seek(small, ada, 'bread_before_shift')
  const { mission_id } = result(act('accept_mission', { template_id: 'bread_before_shift' }))
  load(world, ada, 'bread', 25)
  load(world, ada, 'vat_cheese', 18)
  const day = Math.floor(world.tick / DAY_TICKS)
  const record = { done: {}, epoch: 0, offers: [], day, paid: 299_900, lapsed: [] }
  world.records(MISSION_RECORDS).set(String(world.read(Player).seq[ada]), record)
  expect(creditsLeft(world, ada)).toBe(100)
  const promised = world.read(Mission).credits[onlyMission()]
  expect(result(act('complete_mission', { mission_id }))).toMatchObject({
    credits_earned: 100,
    credits_promised: promised,
    credits_shortfall: promised - 100,
  })
  expect(creditsLeft(world, ada)).toBe(0)
  world.tick += DAY_TICKS
  expect(creditsLeft(world, ada)).toBe(300_000)
  world.write(PlayerSkills).level[ada * SKILLS_WIDTH + skillIndex('piloting')] = 20
  expect(creditsLeft(world, ada)).toBe(1_200_000)
})
