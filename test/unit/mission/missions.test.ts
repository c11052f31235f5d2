/** Mission boards, accepting, completing, abandoning, expiry. Source: missions.md 1-3, 10, 12. */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  BOARD_REPEATABLE,
  EMPIRES,
  itemIndex,
  MISSIONS,
  OBJECTIVES_MAX,
} from '../../../core/catalog/index.ts'
import type { Outcome } from '../../../core/errors.ts'
import { namedContainer } from '../../../core/goods.ts'
import { stateHash } from '../../../core/hash.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import { MISSIONS_MAX } from '../../../core/limits.ts'
import type { Eid, World } from '../../../core/types.ts'
import { reputationOf, statOf, walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { empireOfBase, serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { bountyOf } from '../../../systems/law/model.ts'
import { epochOf, missionsOf } from '../../../systems/mission/model.ts'
import { boardOf, offersTo } from '../../../systems/mission/offers-model.ts'
import { openMission, recordProgress } from '../../../systems/mission/rules.ts'
import { EPOCH_TICKS, Mission } from '../../../systems/mission/state.ts'
import { activeShip, cargoUnits, unloadCargo } from '../../../systems/ship/model.ts'
import { xpOf } from '../../../systems/skill/model.ts'
import { incomeOf } from '../../../systems/tax/model.ts'
import { dockShip, undockShip } from '../../../systems/travel/rules.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { freighter } from '../package/stage.ts'
import { boards, creditsOf, fund, here, kindOf, load, room, seek, templateNamed } from './stage.ts'

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
const act = (command: string, params: object = {}, player = ada) =>
  small.act(player, command, params) as Answer
const ask = (command: string, params: object = {}, player = ada) =>
  small.ask(player, command, params) as Answer
const result = (answer: Answer): Record<string, unknown> => {
  if (!answer.ok) throw new Error(`${answer.code} ${JSON.stringify(answer)}`)
  return answer.result
}
const code = (answer: Answer): string => (answer.ok ? 'ok' : answer.code)
const accept = (template_id: string) =>
  result(act('accept_mission', { template_id })).mission_id as string
/** Docks at a board that shows the template, and takes it. */
const take = (template_id: string): string => {
  seek(small, ada, template_id)
  return accept(template_id)
}
const onlyMission = () => missionsOf(world, ada)[0]

describe('get_missions', () => {
  test('shows the same ten repeatable missions and stories to every player', () => {
    const ben = small.join('Ben')
    dockShip(world, activeShip(world, ben), here(world, ada))
    const mine = result(ask('get_missions')).missions as Record<string, unknown>[]
    expect(mine.filter(({ repeatable }) => repeatable)).toHaveLength(BOARD_REPEATABLE)
    expect(mine.some(({ template_id }) => template_id === 'new_pilot_1')).toBe(true)
    expect(mine.some(({ template_id }) => template_id === 'new_pilot_2')).toBe(false)
    const theirs = result(ask('get_missions', {}, ben)).missions as Record<string, unknown>[]
    expect(theirs.map(({ mission_id }) => mission_id)).toEqual(mine.map((row) => row.mission_id))
    for (const offer of mine) {
      expect(offer.expires_in_ticks).toBeGreaterThan(0)
      expect(offer.warnings).not.toHaveLength(0)
      expect((offer.rewards as { credits: number }).credits).toBeGreaterThan(0)
    }
  })

  test('shows another board with new ids in the next epoch', () => {
    const base = here(world, ada)
    const before = boardOf(world, base)
    world.tick += EPOCH_TICKS
    const after = boardOf(world, base)
    const ids = new Set(before.map(({ id }) => id))
    expect(after.some(({ id }) => ids.has(id))).toBe(false)
    expect(after.map(({ template }) => template)).not.toEqual(
      before.map(({ template }) => template),
    )
  })

  test('shows full boards with targets within reach', () => {
    for (const base of boards(world)) {
      const board = boardOf(world, base)
      const drawn = board.filter(({ template: { repeatable, season } }) => repeatable && !season)
      expect([kindOf(world, base), drawn.length]).toEqual([kindOf(world, base), 14])
      for (const { jumps, credits } of board) {
        expect(jumps).toBeLessThan(100)
        expect(credits).toBeLessThanOrEqual(40_000)
      }
    }
  })

  test('is refused with no_missions_service or, in space, with not_docked', () => {
    world.write(Base).services[here(world, ada)] &= ~serviceBit('missions')
    expect(code(ask('get_missions'))).toBe('no_missions_service')
    expect(code(act('accept_mission', { template_id: 'new_pilot_1' }))).toBe('no_missions_service')
    undockShip(world, activeShip(world, ada))
    expect(code(ask('get_missions'))).toBe('not_docked')
  })
})

describe('accept_mission and decline_mission', () => {
  test('accept_mission takes an offer by its id and lists it as active', () => {
    const [offer] = offersTo(world, ada, here(world, ada)).filter(
      ({ template }) => template.template_id === 'new_pilot_1',
    )
    const done = result(act('accept_mission', { mission_id: offer.id }))
    expect(done).toMatchObject({ title: offer.template.title, template_id: 'new_pilot_1' })
    expect(statOf(world, ada, 'missions_accepted')).toBe(1)
    const active = result(ask('get_active_missions'))
    expect(active).toMatchObject({ max_missions: 5, total_count: 1 })
    expect(result(ask('v2:game/get_active_missions')).missions).toMatchObject({
      active: [{ mission_id: done.mission_id, percent_complete: 0 }],
      max_missions: 5,
    })
  })

  test('decline_mission returns the words of the giver and changes nothing', () => {
    const before = stateHash(world)
    const declined = result(ask('decline_mission', { template_id: 'new_pilot_1' }))
    expect(declined.message).toBe(templateNamed('new_pilot_1').dialog.decline)
    expect(stateHash(world)).toBe(before)
    expect(code(ask('decline_mission', { template_id: 'none' }))).toBe('mission_not_found')
  })

  test('accept_mission refuses unknown, active and unnamed missions', () => {
    expect(code(act('accept_mission', { template_id: 'new_pilot_3' }))).toBe('mission_not_found')
    expect(code(act('accept_mission'))).toBe('invalid_payload')
    accept('new_pilot_1')
    expect(code(act('accept_mission', { template_id: 'new_pilot_1' }))).toBe('already_active')
    expect(world.countOf(Mission)).toBe(1)
  })

  test('accept_mission refuses a sixth mission (mission_limit)', () => {
    const offers = offersTo(world, ada, here(world, ada))
    const easy = offers.filter(({ template }) => Object.keys(template.provided).length === 0)
    for (const offer of easy.slice(0, MISSIONS_MAX)) openMission(world, ada, offer)
    expect(missionsOf(world, ada)).toHaveLength(MISSIONS_MAX)
    const sixth = offers.find((offer) => !easy.slice(0, MISSIONS_MAX).includes(offer))
    expect(act('accept_mission', { mission_id: sixth?.id })).toMatchObject({
      code: 'mission_limit',
      details: { max: 5 },
    })
  })

  test('accept_mission names the requirements that are not met', () => {
    seek(small, ada, 'black_tithe')
    expect(act('accept_mission', { template_id: 'black_tithe' })).toMatchObject({
      code: 'requirements_not_met',
      details: { missing: ['the skill weapons at level 10 (yours: 0)'] },
      message: expect.stringContaining('the skill weapons at level 10 (yours: 0)'),
    })
  })

  test('accept_mission loads the provided goods if there is room', () => {
    seek(small, ada, 'relief_parcels')
    load(world, ada, 'iron_ore', room(world, ada, 'iron_ore'))
    expect(code(act('accept_mission', { template_id: 'relief_parcels' }))).toBe('no_cargo_space')
    unloadCargo(world, activeShip(world, ada), namedContainer('supply'), itemIndex('iron_ore'), 20)
    const done = result(act('accept_mission', { template_id: 'relief_parcels' }))
    expect(done.replacement_cost).toBe(8 * 250)
    expect(cargoUnits(world, activeShip(world, ada), itemIndex('relief_parcel'))).toBe(8)
  })
})

describe('complete_mission', () => {
  test('takes exactly the required goods and pays the reward once', () => {
    const mission_id = take('bread_before_shift')
    const base = here(world, ada)
    load(world, ada, 'bread', 30)
    load(world, ada, 'vat_cheese', 18)
    const promised = world.read(Mission).credits[onlyMission()]
    const credits = creditsOf(world, ada)
    const faucet = balanceOf(world, namedAccount('missions'))
    const empire = empireOfBase(world, base)
    const standing = empire < 0 ? 0 : reputationOf(world, ada, empire)
    const xp = xpOf(world, ada, 'trading')
    const done = result(act('complete_mission', { mission_id }))
    const paid = done.credits_earned as number
    expect(paid).toBe(promised)
    expect(paid).toBeGreaterThanOrEqual(1_500)
    expect(creditsOf(world, ada)).toBe(credits + paid)
    expect(balanceOf(world, namedAccount('missions'))).toBe(faucet - paid)
    expect(incomeOf(world, ada, 'mission')).toBe(paid)
    expect(cargoUnits(world, activeShip(world, ada), itemIndex('bread'))).toBe(5)
    if (empire >= 0) {
      expect(reputationOf(world, ada, empire)).toBe(standing + 1)
      expect(done.reputation_changes).toEqual({ [EMPIRES[empire].id]: 1 })
    }
    expect(done).not.toHaveProperty('credits_shortfall')
    expect(xpOf(world, ada, 'trading')).toBe(xp + 30)
    expect(done.message).toBe(templateNamed('bread_before_shift').dialog.complete)
    expect(statOf(world, ada, 'missions_completed')).toBe(1)
    expect(code(act('complete_mission', { mission_id }))).toBe('mission_not_found')
  })

  test('removes the offer until a later epoch', () => {
    const mission_id = take('bread_before_shift')
    const base = here(world, ada)
    load(world, ada, 'bread', 25)
    load(world, ada, 'vat_cheese', 18)
    const epoch = epochOf(world.tick)
    result(act('complete_mission', { mission_id }))
    expect(epochOf(world.tick)).toBe(epoch)
    const shown = () =>
      offersTo(world, ada, base).some(
        ({ template }) => template.template_id === 'bread_before_shift',
      )
    expect(shown()).toBe(false)
    expect(code(act('accept_mission', { template_id: 'bread_before_shift' }))).toBe(
      'mission_not_found',
    )
    seek(small, ada, 'noodle_night')
    for (let i = 0; i < 400 && !shown(); i++) world.tick = (epochOf(world.tick) + 1) * EPOCH_TICKS
    expect(shown()).toBe(true)
  })

  test('refuses a delivery with insufficient_items or wrong_station', () => {
    const mission_id = take('bread_before_shift')
    const before = creditsOf(world, ada)
    expect(act('complete_mission', { mission_id })).toMatchObject({
      code: 'insufficient_items',
      details: { missing: [{ item_id: 'bread', need: 25, have: 0 }, { item_id: 'vat_cheese' }] },
    })
    load(world, ada, 'bread', 25)
    load(world, ada, 'vat_cheese', 18)
    const objectivesShown = () => {
      const open = small.ask(ada, 'get_active_missions') as {
        result: { missions: { mission_id: string; objectives: object[] }[] }
      }
      return open.result.missions
        .filter((mission) => mission.mission_id === mission_id)
        .flatMap(({ objectives }) => objectives)
    }
    // Goods aboard count as delivered only at the base of the delivery.
    expect(objectivesShown()).toMatchObject([
      { current: 25, required: 25, completed: true, in_cargo: 25 },
      { completed: true },
    ])
    const other = boards(world).find((base) => base !== here(world, ada)) ?? 0
    dockShip(world, activeShip(world, ada), other)
    expect(objectivesShown()).toMatchObject([
      { current: 0, required: 25, completed: false, in_cargo: 25 },
      { completed: false },
    ])
    expect(code(act('complete_mission', { mission_id }))).toBe('wrong_station')
    expect(creditsOf(world, ada)).toBe(before)
    expect(cargoUnits(world, activeShip(world, ada), itemIndex('bread'))).toBe(25)
  })

  test('is refused with mission_incomplete until mission_update reports progress', () => {
    const mission_id = take('new_pilot_1')
    const target = world.read(Mission).toBase[onlyMission() * OBJECTIVES_MAX]
    const refused = act('complete_mission', { mission_id })
    expect(refused).toMatchObject({ code: 'mission_incomplete' })
    small.takeEmissions()
    recordProgress(world, ada, 'dock_base', { key: here(world, ada) + 1_000 })
    small.ticks(1)
    expect(small.takeEmissions().filter(({ type }) => type === 'mission_update')).toHaveLength(0)
    recordProgress(world, ada, 'dock_base', { key: target })
    small.ticks(1)
    const emissions = small.takeEmissions().filter(({ type }) => type === 'mission_update')
    expect(emissions).toMatchObject([{ payload: { mission_id, current: 1, required: 1 } }])
    expect(result(act('complete_mission', { mission_id })).chain_next).toBe('new_pilot_2')
  })

  test('completes a story once and opens its next step', () => {
    const mission_id = take('new_pilot_1')
    recordProgress(world, ada, 'dock_base', {
      key: world.read(Mission).toBase[onlyMission() * OBJECTIVES_MAX],
    })
    result(act('complete_mission', { mission_id }))
    const offered = offersTo(world, ada, here(world, ada)).map(
      ({ template }) => template.template_id,
    )
    expect(offered).toContain('new_pilot_2')
    expect(offered).not.toContain('new_pilot_1')
    const done = result(ask('completed_missions'))
    expect(done).toMatchObject({ total_count: 1, missions: [{ template_id: 'new_pilot_1' }] })
    const story = result(ask('view_completed_mission', { template_id: 'new_pilot_1' }))
    expect(story.dialog).toEqual(templateNamed('new_pilot_1').dialog)
    expect(code(ask('view_completed_mission', { template_id: 'new_pilot_2' }))).toBe(
      'not_completed',
    )
  })

  test('is refused with amount_too_large for a full wallet', () => {
    const mission_id = take('bread_before_shift')
    load(world, ada, 'bread', 25)
    load(world, ada, 'vat_cheese', 18)
    const rest = Number.MAX_SAFE_INTEGER - creditsOf(world, ada)
    post(world, namedAccount('starting_grant'), walletOf(world, ada), rest)
    expect(code(act('complete_mission', { mission_id }))).toBe('amount_too_large')
    expect(missionsOf(world, ada)).toHaveLength(1)
  })

  test('takes the provided goods at the target', () => {
    const mission_id = take('relief_parcels')
    const mission = onlyMission()
    dockShip(world, activeShip(world, ada), world.read(Mission).toBase[mission * OBJECTIVES_MAX])
    const done = result(act('complete_mission', { mission_id }))
    expect(done.credits_earned).toBe(world.read(Mission).credits[mission])
    expect(cargoUnits(world, activeShip(world, ada), itemIndex('relief_parcel'))).toBe(0)
  })
})

describe('the end of a mission', () => {
  test('by abandon_mission takes bound goods back and charges the missing ones', () => {
    const mission_id = take('relief_parcels')
    const empire = empireOfBase(world, here(world, ada))
    const parcel = itemIndex('relief_parcel')
    const ship = activeShip(world, ada)
    unloadCargo(world, ship, namedContainer('destroyed'), parcel, 3)
    fund(world, ada, 10_000)
    const before = creditsOf(world, ada)
    expect(result(act('abandon_mission', { mission_id })).message).toContain('750')
    expect(creditsOf(world, ada)).toBe(before - 750)
    expect(cargoUnits(world, ship, parcel)).toBe(0)
    expect(statOf(world, ada, 'missions_abandoned')).toBe(1)
    expect(code(act('abandon_mission', { mission_id }))).toBe('mission_not_found')
    if (empire >= 0) expect(bountyOf(world, ada, empire)).toBe(0)
  })

  test('by abandon_mission puts a bounty on a player who cannot pay in full', () => {
    seek(small, ada, 'summons')
    const mission_id = accept('summons')
    const empire = empireOfBase(world, here(world, ada))
    const ship = activeShip(world, ada)
    unloadCargo(world, ship, namedContainer('destroyed'), itemIndex('court_summons'), 1)
    const wallet = walletOf(world, ada)
    post(world, wallet, namedAccount('fee_sink'), creditsOf(world, ada) - 50)
    result(act('abandon_mission', { mission_id }))
    expect(creditsOf(world, ada)).toBe(0)
    expect(bountyOf(world, ada, empire)).toBe(100)
  })

  test('comes after the last tick in which it can be completed', () => {
    for (const [ticks, expected] of [
      [0, 'ok'],
      [1, 'mission_expired'],
    ] as const) {
      const mission_id = take(ticks === 0 ? 'bread_before_shift' : 'noodle_night')
      load(world, ada, 'bread', 25)
      load(world, ada, 'vat_cheese', 18)
      load(world, ada, 'noodles', 20)
      load(world, ada, 'pickles', 30)
      world.tick = world.read(Mission).expireTick[onlyMission()] - 1
      small.ticks(ticks)
      expect(code(act('complete_mission', { mission_id }))).toBe(expected)
    }
    expect(world.countOf(Mission)).toBe(0)
  })

  test('is the same after a restore', async () => {
    const mission_id = take('relief_parcels')
    accept('new_pilot_1')
    const target = world.read(Mission).toBase[onlyMission() * OBJECTIVES_MAX]
    const number = world.read(Player).seq[ada]
    const restored = await small.reload()
    for (const copy of [small, restored]) {
      const player = copy.world.rowOf(Player, number)
      expect(missionsOf(copy.world, player)).toHaveLength(2)
      dockShip(copy.world, activeShip(copy.world, player), target)
      expect(copy.act(player, 'complete_mission', { mission_id })).toMatchObject({ ok: true })
      copy.ticks(2)
    }
    expect(restored.hash()).toBe(small.hash())
    const player = restored.world.rowOf(Player, number)
    expect(missionsOf(restored.world, player)).toHaveLength(1)
  })
})

test('every template has a text for each line of dialog', () => {
  expect(MISSIONS.length).toBeGreaterThanOrEqual(120)
  for (const { dialog, giver } of MISSIONS) {
    for (const text of [...Object.values(dialog), giver.name, giver.title]) {
      expect(text.length).toBeGreaterThan(2)
    }
  }
})
