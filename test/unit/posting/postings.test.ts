/** Missions that factions post, from escrow to delivery. Source: factions.md 7. */
import { beforeAll, describe, expect, test } from 'vitest'
import { itemIndex, OBJECTIVES_MAX } from '../../../core/catalog/index.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import { HOUR_TICKS } from '../../../core/time.ts'
import type { World } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseId, serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { addMember, removeMember } from '../../../systems/faction/member-rules.ts'
import { treasuryOf } from '../../../systems/faction/model.ts'
import { Faction as FactionColumns } from '../../../systems/faction/state.ts'
import { missionsOf } from '../../../systems/mission/model.ts'
import { offersTo } from '../../../systems/mission/offers-model.ts'
import { openMission, recordProgress } from '../../../systems/mission/rules.ts'
import { Mission } from '../../../systems/mission/state.ts'
import { postingById } from '../../../systems/posting/model.ts'
import { activeShip, cargoUnits } from '../../../systems/ship/model.ts'
import { incomeOf } from '../../../systems/tax/model.ts'
import { systemId } from '../../../systems/travel/model.ts'
import { dockShip, undockShip } from '../../../systems/travel/rules.ts'
import { StarSystem } from '../../../systems/travel/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { boards, creditsOf, load } from '../mission/stage.ts'
import {
  type Company,
  company,
  ORDER,
  postMission,
  refusesRun,
  result,
  storeUnits,
  takeFactionEvents,
  treasury,
} from './scene.ts'

onSmallMap()

let small: SmallWorld
let world: World
let base: number
beforeAll(async () => {
  small = await smallWorld({ maxEntities: 4_000 })
  world = small.world
  base = boards(world)[0]
})

const newCompany = (level = 1): Company => company(small, base, level)
const take = (player: number, template_id: string): string =>
  result(small.act(player, 'accept_mission', { template_id })).mission_id as string
const code = (outcome: unknown): string => (outcome as { code?: string }).code ?? 'ok'
const shown = (player: number): Record<string, unknown>[] =>
  result(small.ask(player, 'get_missions')).missions as Record<string, unknown>[]

describe('faction_post_mission', () => {
  test('sets the reward aside and lists the posting', () => {
    const { faction, leader } = newCompany()
    const done = result(small.act(leader, 'faction_post_mission', ORDER))
    expect(done).toMatchObject({
      status: 'posted',
      title: ORDER.title,
      escrowed: { credits: 1_000, items: { steel_plate: 5 } },
    })
    expect([treasury(world, faction), storeUnits(world, faction, base, 'steel_plate')]).toEqual([
      49_000, 95,
    ])
    expect(result(small.ask(leader, 'faction_list_missions'))).toMatchObject({
      count: 1,
      max_posted: 3,
      missions: [
        {
          template_id: done.template_id,
          title: ORDER.title,
          type: 'delivery',
          active_instances: 0,
          difficulty: 1,
          reward_credits: 1_000,
          posted_by: world.texts.get(world.read(Player).username[leader]),
        },
      ],
    })
  })

  test('shows the posting to members only, unless it is open to all', () => {
    const { leader, recruit, stranger, faction } = newCompany()
    const closed = postMission(small, leader)
    const open = postMission(small, leader, { triggers: ['open_to_all'], title: 'For anybody' })
    const ids = (player: number) => shown(player).map(({ template_id }) => template_id)
    expect(ids(recruit)).toEqual(expect.arrayContaining([closed, open]))
    expect(ids(stranger)).toContain(open)
    expect(ids(stranger)).not.toContain(closed)
    const [offer] = shown(recruit).filter(({ template_id }) => template_id === closed)
    expect(offer).toMatchObject({
      mission_id: closed,
      title: ORDER.title,
      description: ORDER.description,
      faction_name: world.texts.get(factionNameOf(faction)),
      rewards: { credits: 1_000, items: { steel_plate: 5 } },
      expires_in_ticks: 72 * HOUR_TICKS - 1,
      objectives: [
        { type: 'deliver_item', item_id: 'bread', quantity: 4, description: 'Bring bread.' },
      ],
    })
    expect(code(small.act(stranger, 'accept_mission', { template_id: closed }))).toBe(
      'members_only',
    )
    const declined = result(small.ask(recruit, 'decline_mission', { template_id: closed }))
    expect(declined).toMatchObject({ template_id: closed, title: ORDER.title })
  })

  test('works at a base without missions of its own', () => {
    const quiet = boards(world)[2]
    const { leader, recruit, stranger } = company(small, quiet)
    postMission(small, leader)
    const services = world.write(Base).services
    services[quiet] &= ~serviceBit('missions')
    expect(shown(recruit)).toHaveLength(1)
    expect(code(small.ask(stranger, 'get_missions'))).toBe('no_missions_service')
    expect(code(small.act(stranger, 'accept_mission', { template_id: 'x' }))).toBe(
      'no_missions_service',
    )
    services[quiet] |= serviceBit('missions')
  })

  test('requires a faction and the permission', () => {
    const { recruit, stranger } = newCompany()
    expect(code(small.act(recruit, 'faction_post_mission', ORDER))).toBe('no_permission')
    expect(code(small.act(stranger, 'faction_post_mission', ORDER))).toBe('not_in_faction')
  })

  test('docks automatically and reports it', () => {
    const { leader } = newCompany()
    undockShip(world, activeShip(world, leader))
    const answer = small.answer(leader, 'faction_post_mission', ORDER)
    expect(answer).toMatchObject({ autoDocked: true, outcome: { ok: true } })
  })

  test('allows 3, 10 or 25 postings by the level of the service', () => {
    for (const [level, max] of [
      [1, 3],
      [2, 10],
      [3, 25],
    ]) {
      const { leader } = newCompany(level)
      const cheap = { ...ORDER, rewards: { credits: 1 } }
      for (let i = 0; i < max; i++) postMission(small, leader, cheap)
      refusesRun(small, leader, ['faction_post_mission', cheap], {
        code: 'limit_reached',
        details: { max, posted: max },
      })
    }
  })

  test('changes nothing when it is refused', () => {
    const { leader } = newCompany()
    const refuses = (overrides: object, refusal: object | string) =>
      refusesRun(small, leader, ['faction_post_mission', { ...ORDER, ...overrides }], refusal)
    refuses({ rewards: { credits: 50_001 } }, 'faction_no_credits')
    refuses({ rewards: { items: { steel_plate: 101 } } }, 'insufficient_items')
    refuses({ rewards: { items: { circuit_board: 1 } } }, 'insufficient_items')
    refuses({ rewards: { skill_xp: { mining: 1 } } }, 'invalid_payload')
    refuses({ rewards: { items: JSON.parse('{"__proto__":1}') } }, 'unknown_item')
    refuses({ rewards: { items: { constructor: 1 } } }, 'unknown_item')
    refuses({ rewards: { items: { relief_parcel: 1 } } }, 'quest_item')
    refuses({ title: 'x'.repeat(101) }, 'too_long')
    refuses({ title: '  ' }, 'invalid_payload')
    refuses({ title: 'two\nlines' }, 'invalid_payload')
    refuses({ giver_name: 'two\tcells' }, 'invalid_payload')
    refuses({ description: 'x'.repeat(2_001) }, 'too_long')
    refuses({ objectives: [] }, 'invalid_payload')
    const visit = { type: 'visit_system', system_id: systemId(world, 1) }
    refuses({ objectives: Array(11).fill(visit) }, 'invalid_payload')
    refuses({ objectives: [{ type: 'visit_system', system_id: 'nowhere' }] }, 'invalid_payload')
    refuses({ objectives: [{ type: 'visit_system' }] }, 'invalid_payload')
    const fault = { details: { fields: [{ field: 'objectives[0].target_id' }] } }
    refuses({ objectives: [{ type: 'visit_system', target_id: 'nowhere' }] }, fault)
    refuses({ objectives: [{ type: 'dig_hole' }] }, 'invalid_payload')
    refuses({ objectives: [{ type: 'kill_pirate', quantity: 1_001 }] }, 'invalid_payload')
    const bread = { type: 'deliver_item', item_id: 'bread' }
    refuses({ objectives: [{ type: 'deliver_item' }] }, 'invalid_payload')
    refuses({ objectives: [{ ...bread, item_id: 'moonbeam' }] }, 'unknown_item')
    refuses({ objectives: [{ ...bread, target_id: 'nowhere' }] }, 'invalid_payload')
    refuses({ objectives: [bread, bread] }, 'invalid_payload')
    const other = baseId(world, boards(world)[1])
    const noodles = { type: 'deliver_item', item_id: 'noodles', target_base_id: other }
    refuses({ objectives: [bread, noodles] }, 'invalid_payload')
    dockShip(world, activeShip(world, leader), boards(world)[1])
    refuses({}, 'no_faction_missions')
    expect(code(small.ask(leader, 'faction_list_missions'))).toBe('no_faction_missions')
  })
})

const factionNameOf = (faction: number): number => world.read(FactionColumns).name[faction]

describe('a posting', () => {
  test('delivers to the store, pays from escrow and closes', () => {
    const { faction, leader, recruit } = newCompany()
    const template_id = postMission(small, leader)
    small.takeEmissions()
    const mission_id = take(recruit, template_id)
    expect(takeFactionEvents(small, 'mission_accepted')).toHaveLength(1)
    expect(shown(leader).some((row) => row.template_id === template_id)).toBe(false)
    expect(code(small.act(recruit, 'accept_mission', { template_id }))).toBe('already_active')
    expect(code(small.act(leader, 'accept_mission', { template_id }))).toBe('mission_not_found')
    expect(result(small.ask(leader, 'faction_list_missions')).missions).toMatchObject([
      { active_instances: 1 },
    ])
    expect(code(small.act(recruit, 'complete_mission', { mission_id }))).toBe('insufficient_items')
    load(world, recruit, 'bread', 6)
    const faucet = balanceOf(world, namedAccount('missions'))
    const before = creditsOf(world, recruit)
    small.takeEmissions()
    const done = result(small.act(recruit, 'complete_mission', { mission_id }))
    expect(done).toMatchObject({
      mission_id,
      credits_earned: 1_000,
      items_received: { steel_plate: 5 },
      title: ORDER.title,
    })
    expect(takeFactionEvents(small, 'mission_completed')).toMatchObject([{ credits: 1_000 }])
    expect(creditsOf(world, recruit) - before).toBe(1_000)
    expect(incomeOf(world, recruit, 'mission')).toBe(1_000)
    expect(balanceOf(world, namedAccount('missions'))).toBe(faucet)
    expect(storeUnits(world, faction, base, 'bread')).toBe(4)
    expect(cargoUnits(world, activeShip(world, recruit), itemIndex('bread'))).toBe(2)
    expect(cargoUnits(world, activeShip(world, recruit), itemIndex('steel_plate'))).toBe(5)
    expect(postingById(world, template_id)).toBe(0)
    expect(code(small.act(recruit, 'complete_mission', { mission_id }))).toBe('mission_not_found')
  })

  test('delivers to the store at its target base and nowhere else', () => {
    const { faction, leader, recruit } = newCompany()
    const target = boards(world)[1]
    const objectives = [{ ...ORDER.objectives[0], target_id: baseId(world, target) }]
    const mission_id = take(recruit, postMission(small, leader, { objectives }))
    load(world, recruit, 'bread', 4)
    expect(code(small.act(recruit, 'complete_mission', { mission_id }))).toBe('wrong_station')
    dockShip(world, activeShip(world, recruit), target)
    result(small.act(recruit, 'complete_mission', { mission_id }))
    expect(storeUnits(world, faction, target, 'bread')).toBe(4)
    expect(storeUnits(world, faction, base, 'bread')).toBe(0)
  })

  test('counts each of ten objectives separately', () => {
    const { leader, recruit } = newCompany()
    const hunts = ['T1', 'T2', 'T3', 'boss'].map((pirate_tier) => ({
      type: 'kill_pirate',
      quantity: 2,
      pirate_tier,
    }))
    const systems = [1, 2, 3, 4, 5, 6].map((row) => systemId(world, row))
    const visits = systems.map((system_id) => ({ type: 'visit_system', system_id }))
    const template_id = postMission(small, leader, {
      objectives: [...hunts, ...visits],
      rewards: { items: { steel_plate: 100 } },
    })
    const mission_id = take(recruit, template_id)
    for (const key of ['T1', 'T2', 'T3', 'boss']) {
      recordProgress(world, recruit, 'kill_pirate', { key, units: 2 })
    }
    const refused = small.act(recruit, 'complete_mission', { mission_id })
    expect(refused).toMatchObject({ code: 'mission_incomplete' })
    expect((refused as { details?: { missing: string[] } }).details?.missing).toHaveLength(6)
    for (const key of [1, 2, 3, 4, 5, 6]) recordProgress(world, recruit, 'visit_system', { key })
    const [row] = missionsOf(world, recruit)
    expect(world.read(Mission).progress[row * OBJECTIVES_MAX + 9]).toBe(1)
    expect(result(small.act(recruit, 'complete_mission', { mission_id }))).toMatchObject({
      credits_earned: 0,
      items_received: { steel_plate: 100 },
    })
    expect(world.read(StarSystem).alive[1]).toBe(1)
  })

  test('counts towards the limit of five missions', () => {
    const { leader, recruit } = newCompany()
    const found = boards(world).flatMap((board) => offersTo(world, recruit, board))
    const offers = new Map(found.map((offer) => [offer.template.template_id, offer]))
    const light = [...offers.values()].filter(
      ({ template }) => Object.keys(template.provided).length === 0,
    )
    for (const offer of light.slice(0, 5)) openMission(world, recruit, offer)
    const template_id = postMission(small, leader)
    refusesRun(small, recruit, ['accept_mission', { template_id }], 'mission_limit')
  })

  test('is open again after it is abandoned, but not to that player', () => {
    const { leader, recruit } = newCompany()
    const template_id = postMission(small, leader)
    const mission_id = take(recruit, template_id)
    result(small.act(recruit, 'abandon_mission', { mission_id }))
    expect(shown(recruit).some((row) => row.template_id === template_id)).toBe(false)
    expect(code(small.act(recruit, 'accept_mission', { template_id }))).toBe('mission_not_found')
    expect(take(leader, template_id)).not.toBe('')
  })

  test('is refused with amount_too_large for a full wallet', () => {
    const { leader, recruit } = newCompany()
    const template_id = postMission(small, leader, { rewards: { credits: 9 }, objectives: HUNT })
    const mission_id = take(recruit, template_id)
    recordProgress(world, recruit, 'kill_pirate', { key: 'T1' })
    const wallet = walletOf(world, recruit)
    const rest = Number.MAX_SAFE_INTEGER - creditsOf(world, recruit)
    post(world, namedAccount('construction'), wallet, rest)
    refusesRun(small, recruit, ['complete_mission', { mission_id }], 'amount_too_large')
    post(world, wallet, namedAccount('construction'), rest)
  })
})

const HUNT = [{ type: 'kill_pirate' }]

describe('the end of a posting', () => {
  test('by faction_cancel_mission returns the reward', () => {
    const { faction, leader, recruit } = newCompany()
    const template_id = postMission(small, leader)
    expect(code(small.act(recruit, 'faction_cancel_mission', { template_id }))).toBe(
      'no_permission',
    )
    undockShip(world, activeShip(world, leader))
    expect(result(small.act(leader, 'faction_cancel_mission', { template_id }))).toMatchObject({
      status: 'cancelled',
    })
    expect([treasury(world, faction), storeUnits(world, faction, base, 'steel_plate')]).toEqual([
      50_000, 100,
    ])
    refusesRun(small, leader, ['faction_cancel_mission', { template_id }], 'mission_not_found')
  })

  test('by faction_cancel_mission is refused to others, in progress and without room', () => {
    const { faction, leader, recruit } = newCompany()
    const other = newCompany()
    const template_id = postMission(small, leader)
    const cancel = ['faction_cancel_mission', { template_id }] as const
    refusesRun(small, other.leader, cancel, 'mission_not_found')
    const rest = Number.MAX_SAFE_INTEGER - treasury(world, faction)
    const [grant, funds] = [namedAccount('construction'), treasuryOf(world, faction)]
    post(world, grant, funds, rest)
    refusesRun(small, leader, cancel, 'amount_too_large')
    post(world, funds, grant, rest)
    take(recruit, template_id)
    refusesRun(small, leader, cancel, 'mission_in_progress')
  })

  test('comes with the end of its faction, whose last member gets the reward', () => {
    const { faction, leader, recruit, stranger } = newCompany()
    const template_id = postMission(small, leader, { triggers: ['open_to_all'] })
    postMission(small, leader, { objectives: HUNT })
    const mission_id = take(stranger, template_id)
    removeMember(world, recruit)
    const before = creditsOf(world, leader)
    result(small.act(leader, 'leave_faction'))
    expect(world.read(FactionColumns).alive[faction]).toBe(0)
    expect(creditsOf(world, leader) - before).toBe(50_000)
    expect(missionsOf(world, stranger)).toHaveLength(0)
    expect(postingById(world, template_id)).toBe(0)
    expect(small.act(stranger, 'complete_mission', { mission_id })).toMatchObject({
      ok: false,
      code: 'mission_expired',
    })
  })

  test('is the same after a restore', async () => {
    const { leader, recruit, stranger } = newCompany()
    const open = postMission(small, leader, { triggers: ['open_to_all'] })
    const other = postMission(small, leader, { objectives: HUNT })
    const mission_id = take(stranger, open)
    load(world, stranger, 'bread', 4)
    const [number, hand] = [stranger, recruit].map((row) => world.read(Player).seq[row])
    const restored = await small.reload()
    expect(restored.hash()).toBe(small.hash())
    for (const copy of [small, restored]) {
      const player = copy.world.rowOf(Player, number)
      expect(copy.act(player, 'complete_mission', { mission_id })).toMatchObject({ ok: true })
      const member = copy.world.rowOf(Player, hand)
      expect(copy.act(member, 'accept_mission', { template_id: other })).toMatchObject({ ok: true })
      copy.ticks(1)
    }
    expect(restored.hash()).toBe(small.hash())
  })
})

test('a later member can accept postings for members', () => {
  const { faction, leader, stranger } = newCompany()
  const template_id = postMission(small, leader)
  addMember(world, stranger, faction)
  expect(take(stranger, template_id)).not.toBe('')
})
