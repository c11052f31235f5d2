/** Boards, accepting, completing, abandoning and letting lapse. Source: missions.md 1-3, 10, 12. */
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
import { Mission } from '../../../systems/mission/state.ts'
import { activeShip, cargoUnits, unloadCargo } from '../../../systems/ship/model.ts'
import { xpOf } from '../../../systems/skill/model.ts'
import { incomeOf } from '../../../systems/tax/model.ts'
import { dockShip, undockShip } from '../../../systems/travel/rules.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { freighter } from '../package/stage.ts'
import { boards, creditsOf, fund, here, kindOf, load, room, seek, templateNamed } from './stage.ts'

let small: SmallWorld
let world: World
let one: Eid

beforeEach(async () => {
  small = await smallWorld()
  world = small.world
  one = small.join('Ada')
  freighter(world, one)
  small.takeEmissions()
})

type Answer = Outcome<Record<string, unknown>>
const act = (command: string, params: object = {}, player = one) =>
  small.act(player, command, params) as Answer
const ask = (command: string, params: object = {}, player = one) =>
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
  seek(small, one, template_id)
  return accept(template_id)
}
const only = () => missionsOf(world, one)[0]

describe('get_missions', () => {
  test('shows ten repeatable missions and the stories, the same to everybody', () => {
    const two = small.join('Ben')
    dockShip(world, activeShip(world, two), here(world, one))
    const mine = result(ask('get_missions')).missions as Record<string, unknown>[]
    expect(mine.filter(({ repeatable }) => repeatable)).toHaveLength(BOARD_REPEATABLE)
    expect(mine.some(({ template_id }) => template_id === 'new_pilot_1')).toBe(true)
    expect(mine.some(({ template_id }) => template_id === 'new_pilot_2')).toBe(false)
    const theirs = result(ask('get_missions', {}, two)).missions as Record<string, unknown>[]
    expect(theirs.map(({ mission_id }) => mission_id)).toEqual(mine.map((row) => row.mission_id))
    for (const offer of mine) {
      expect(offer.expires_in_ticks).toBeGreaterThan(0)
      expect(offer.warnings).not.toHaveLength(0)
      expect((offer.rewards as { credits: number }).credits).toBeGreaterThan(0)
    }
  })

  test('an epoch later the board and the ids of its offers are others', () => {
    const base = here(world, one)
    const before = boardOf(world, base)
    world.tick += 360
    const after = boardOf(world, base)
    const ids = new Set(before.map(({ id }) => id))
    expect(after.some(({ id }) => ids.has(id))).toBe(false)
    expect(after.map(({ template }) => template)).not.toEqual(
      before.map(({ template }) => template),
    )
  })

  test('every board is full, and every target can be reached', () => {
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

  test('no_missions_service where nobody offers any; not_docked in space', () => {
    world.write(Base).services[here(world, one)] &= ~serviceBit('missions')
    expect(code(ask('get_missions'))).toBe('no_missions_service')
    expect(code(act('accept_mission', { template_id: 'new_pilot_1' }))).toBe('no_missions_service')
    undockShip(world, activeShip(world, one))
    expect(code(ask('get_missions'))).toBe('not_docked')
  })
})

describe('accept_mission and decline_mission', () => {
  test('takes an offer by its id, counts it and shows it in the state', () => {
    const [offer] = offersTo(world, one, here(world, one)).filter(
      ({ template }) => template.template_id === 'new_pilot_1',
    )
    const done = result(act('accept_mission', { mission_id: offer.id }))
    expect(done).toMatchObject({ title: offer.template.title, template_id: 'new_pilot_1' })
    expect(statOf(world, one, 'missions_accepted')).toBe(1)
    const active = result(ask('get_active_missions'))
    expect(active).toMatchObject({ max_missions: 5, total_count: 1 })
    expect(result(ask('v2:game/get_active_missions')).missions).toMatchObject({
      active: [{ mission_id: done.mission_id, percent_complete: 0 }],
      max_missions: 5,
    })
  })

  test('decline_mission says what the giver says and changes nothing', () => {
    const before = stateHash(world)
    const said = result(ask('decline_mission', { template_id: 'new_pilot_1' }))
    expect(said.message).toBe(templateNamed('new_pilot_1').dialog.decline)
    expect(stateHash(world)).toBe(before)
    expect(code(ask('decline_mission', { template_id: 'none' }))).toBe('mission_not_found')
  })

  test('refusals: mission_not_found, already_active, invalid_payload', () => {
    expect(code(act('accept_mission', { template_id: 'new_pilot_3' }))).toBe('mission_not_found')
    expect(code(act('accept_mission'))).toBe('invalid_payload')
    accept('new_pilot_1')
    expect(code(act('accept_mission', { template_id: 'new_pilot_1' }))).toBe('already_active')
    expect(world.countOf(Mission)).toBe(1)
  })

  test('mission_limit at five', () => {
    const offers = offersTo(world, one, here(world, one))
    const easy = offers.filter(({ template }) => Object.keys(template.provided).length === 0)
    for (const offer of easy.slice(0, MISSIONS_MAX)) openMission(world, one, offer)
    expect(missionsOf(world, one)).toHaveLength(MISSIONS_MAX)
    const sixth = offers.find((offer) => !easy.slice(0, MISSIONS_MAX).includes(offer))
    expect(act('accept_mission', { mission_id: sixth?.id })).toMatchObject({
      code: 'mission_limit',
      details: { max: 5 },
    })
  })

  test('requirements_not_met names what is missing', () => {
    seek(small, one, 'black_tithe')
    expect(act('accept_mission', { template_id: 'black_tithe' })).toMatchObject({
      code: 'requirements_not_met',
      details: { missing: ['the skill weapons at level 10 (yours: 0)'] },
      message: expect.stringContaining('the skill weapons at level 10 (yours: 0)'),
    })
  })

  test('provided goods come aboard; no_cargo_space without room', () => {
    seek(small, one, 'relief_parcels')
    load(world, one, 'iron_ore', room(world, one, 'iron_ore'))
    expect(code(act('accept_mission', { template_id: 'relief_parcels' }))).toBe('no_cargo_space')
    unloadCargo(world, activeShip(world, one), namedContainer('supply'), itemIndex('iron_ore'), 20)
    const done = result(act('accept_mission', { template_id: 'relief_parcels' }))
    expect(done.replacement_cost).toBe(8 * 250)
    expect(cargoUnits(world, activeShip(world, one), itemIndex('relief_parcel'))).toBe(8)
  })
})

describe('complete_mission', () => {
  test('takes exactly the required goods and pays credits, standing, experience, once', () => {
    const mission_id = take('bread_before_shift')
    const base = here(world, one)
    load(world, one, 'bread', 30)
    load(world, one, 'vat_cheese', 18)
    const promised = world.read(Mission).credits[only()]
    const credits = creditsOf(world, one)
    const faucet = balanceOf(world, namedAccount('missions'))
    const empire = empireOfBase(world, base)
    const standing = empire < 0 ? 0 : reputationOf(world, one, empire)
    const xp = xpOf(world, one, 'trading')
    const done = result(act('complete_mission', { mission_id }))
    const paid = done.credits_earned as number
    expect(paid).toBe(promised)
    expect(paid).toBeGreaterThanOrEqual(1_500)
    expect(creditsOf(world, one)).toBe(credits + paid)
    expect(balanceOf(world, namedAccount('missions'))).toBe(faucet - paid)
    expect(incomeOf(world, one, 'mission')).toBe(paid)
    expect(cargoUnits(world, activeShip(world, one), itemIndex('bread'))).toBe(5)
    if (empire >= 0) {
      expect(reputationOf(world, one, empire)).toBe(standing + 1)
      expect(done.reputation_changes).toEqual({ [EMPIRES[empire].id]: 1 })
    }
    expect(done).not.toHaveProperty('credits_shortfall')
    expect(xpOf(world, one, 'trading')).toBe(xp + 30)
    expect(done.message).toBe(templateNamed('bread_before_shift').dialog.complete)
    expect(statOf(world, one, 'missions_completed')).toBe(1)
    expect(code(act('complete_mission', { mission_id }))).toBe('mission_not_found')
  })

  test('an offer is completed once an epoch, and is offered again in a later one', () => {
    const mission_id = take('bread_before_shift')
    const base = here(world, one)
    load(world, one, 'bread', 25)
    load(world, one, 'vat_cheese', 18)
    const epoch = epochOf(world.tick)
    result(act('complete_mission', { mission_id }))
    expect(epochOf(world.tick)).toBe(epoch)
    const shown = () =>
      offersTo(world, one, base).some(
        ({ template }) => template.template_id === 'bread_before_shift',
      )
    expect(shown()).toBe(false)
    expect(code(act('accept_mission', { template_id: 'bread_before_shift' }))).toBe(
      'mission_not_found',
    )
    seek(small, one, 'noodle_night')
    for (let i = 0; i < 400 && !shown(); i++) world.tick = (epochOf(world.tick) + 1) * 360
    expect(shown()).toBe(true)
  })

  test('insufficient_items and wrong_station for deliveries', () => {
    const mission_id = take('bread_before_shift')
    const before = creditsOf(world, one)
    expect(act('complete_mission', { mission_id })).toMatchObject({
      code: 'insufficient_items',
      details: { missing: [{ item_id: 'bread', need: 25, have: 0 }, { item_id: 'vat_cheese' }] },
    })
    load(world, one, 'bread', 25)
    load(world, one, 'vat_cheese', 18)
    const bread = () => {
      const open = small.ask(one, 'get_active_missions') as {
        result: { missions: { mission_id: string; objectives: object[] }[] }
      }
      return open.result.missions
        .filter((mission) => mission.mission_id === mission_id)
        .flatMap(({ objectives }) => objectives)
    }
    // A courier has delivered nothing before the goods are where they shall go.
    expect(bread()).toMatchObject([
      { current: 25, required: 25, completed: true, in_cargo: 25 },
      { completed: true },
    ])
    const other = boards(world).find((base) => base !== here(world, one)) ?? 0
    dockShip(world, activeShip(world, one), other)
    expect(bread()).toMatchObject([
      { current: 0, required: 25, completed: false, in_cargo: 25 },
      { completed: false },
    ])
    expect(code(act('complete_mission', { mission_id }))).toBe('wrong_station')
    expect(creditsOf(world, one)).toBe(before)
    expect(cargoUnits(world, activeShip(world, one), itemIndex('bread'))).toBe(25)
  })

  test('mission_incomplete names the objectives; progress is reported as mission_update', () => {
    const mission_id = take('new_pilot_1')
    const target = world.read(Mission).toBase[only() * OBJECTIVES_MAX]
    const refused = act('complete_mission', { mission_id })
    expect(refused).toMatchObject({ code: 'mission_incomplete' })
    small.takeEmissions()
    recordProgress(world, one, 'dock_base', { key: here(world, one) + 1_000 })
    small.ticks(1)
    expect(small.takeEmissions().filter(({ type }) => type === 'mission_update')).toHaveLength(0)
    recordProgress(world, one, 'dock_base', { key: target })
    small.ticks(1)
    const emissions = small.takeEmissions().filter(({ type }) => type === 'mission_update')
    expect(emissions).toMatchObject([{ payload: { mission_id, current: 1, required: 1 } }])
    expect(result(act('complete_mission', { mission_id })).chain_next).toBe('new_pilot_2')
  })

  test('a story is done once, and its next step is offered then', () => {
    const mission_id = take('new_pilot_1')
    recordProgress(world, one, 'dock_base', {
      key: world.read(Mission).toBase[only() * OBJECTIVES_MAX],
    })
    result(act('complete_mission', { mission_id }))
    const offered = offersTo(world, one, here(world, one)).map(
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

  test('a full wallet refuses: amount_too_large', () => {
    const mission_id = take('bread_before_shift')
    load(world, one, 'bread', 25)
    load(world, one, 'vat_cheese', 18)
    const rest = Number.MAX_SAFE_INTEGER - creditsOf(world, one)
    post(world, namedAccount('starting_grant'), walletOf(world, one), rest)
    expect(code(act('complete_mission', { mission_id }))).toBe('amount_too_large')
    expect(missionsOf(world, one)).toHaveLength(1)
  })

  test('provided goods are handed in at the target', () => {
    const mission_id = take('relief_parcels')
    const mission = only()
    dockShip(world, activeShip(world, one), world.read(Mission).toBase[mission * OBJECTIVES_MAX])
    const done = result(act('complete_mission', { mission_id }))
    expect(done.credits_earned).toBe(world.read(Mission).credits[mission])
    expect(cargoUnits(world, activeShip(world, one), itemIndex('relief_parcel'))).toBe(0)
  })
})

describe('abandon_mission and time', () => {
  test('gives bound goods back and charges what is missing; the rest is owed', () => {
    const mission_id = take('relief_parcels')
    const empire = empireOfBase(world, here(world, one))
    const parcel = itemIndex('relief_parcel')
    const ship = activeShip(world, one)
    unloadCargo(world, ship, namedContainer('destroyed'), parcel, 3)
    fund(world, one, 10_000)
    const before = creditsOf(world, one)
    expect(result(act('abandon_mission', { mission_id })).message).toContain('750')
    expect(creditsOf(world, one)).toBe(before - 750)
    expect(cargoUnits(world, ship, parcel)).toBe(0)
    expect(statOf(world, one, 'missions_abandoned')).toBe(1)
    expect(code(act('abandon_mission', { mission_id }))).toBe('mission_not_found')
    if (empire >= 0) expect(bountyOf(world, one, empire)).toBe(0)
  })

  test("a wallet with too little goes to zero, and the rest is owed to the base's empire", () => {
    seek(small, one, 'summons')
    const mission_id = accept('summons')
    const empire = empireOfBase(world, here(world, one))
    const ship = activeShip(world, one)
    unloadCargo(world, ship, namedContainer('destroyed'), itemIndex('court_summons'), 1)
    const wallet = walletOf(world, one)
    post(world, wallet, namedAccount('fee_sink'), creditsOf(world, one) - 50)
    result(act('abandon_mission', { mission_id }))
    expect(creditsOf(world, one)).toBe(0)
    expect(bountyOf(world, one, empire)).toBe(100)
  })

  test('completed in its last tick it is completed; a tick later it has lapsed', () => {
    for (const [ticks, expected] of [
      [0, 'ok'],
      [1, 'mission_expired'],
    ] as const) {
      const mission_id = take(ticks === 0 ? 'bread_before_shift' : 'noodle_night')
      load(world, one, 'bread', 25)
      load(world, one, 'vat_cheese', 18)
      load(world, one, 'noodles', 20)
      load(world, one, 'pickles', 30)
      world.tick = world.read(Mission).expireTick[only()] - 1
      small.ticks(ticks)
      expect(code(act('complete_mission', { mission_id }))).toBe(expected)
    }
    expect(world.countOf(Mission)).toBe(0)
  })

  test('a restore keeps everything: the same hash after the same commands', async () => {
    const mission_id = take('relief_parcels')
    accept('new_pilot_1')
    const target = world.read(Mission).toBase[only() * OBJECTIVES_MAX]
    const number = world.read(Player).seq[one]
    const other = await small.reload()
    for (const each of [small, other]) {
      const player = each.world.rowOf(Player, number)
      expect(missionsOf(each.world, player)).toHaveLength(2)
      dockShip(each.world, activeShip(each.world, player), target)
      expect(each.act(player, 'complete_mission', { mission_id })).toMatchObject({ ok: true })
      each.ticks(2)
    }
    expect(other.hash()).toBe(small.hash())
    const player = other.world.rowOf(Player, number)
    expect(missionsOf(other.world, player)).toHaveLength(1)
  })
})

test('every template can be read: its words are there', () => {
  expect(MISSIONS.length).toBeGreaterThanOrEqual(120)
  for (const { dialog, giver } of MISSIONS) {
    for (const said of [...Object.values(dialog), giver.name, giver.title]) {
      expect(said.length).toBeGreaterThan(2)
    }
  }
})
