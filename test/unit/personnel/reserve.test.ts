/** Reserves of factions: hiring, bringing, taking, treating, their end. newer.md section 5. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Row } from '../../../core/types.ts'
import {
  addMember,
  disband,
  foundFaction,
  removeMember,
} from '../../../systems/faction/member-rules.ts'
import { treasuryOf } from '../../../systems/faction/model.ts'
import { openStore, storeContainer } from '../../../systems/faction/store-model.ts'
import { NO_PEOPLE, reserveOf } from '../../../systems/personnel/model.ts'
import { changeReserve } from '../../../systems/personnel/rules.ts'
import { FACTION_RESERVE_PEOPLE_MAX, RESERVES } from '../../../systems/personnel/state.ts'
import { addService } from '../faction/scene.ts'
import { type Ward, wards } from './scene.ts'

const openWard = await wards()
let w: Ward
let faction: Row
beforeEach(async () => {
  w = await openWard()
  faction = foundFaction(w.world, w.pilot, 'Ready Hands', 'HAND')
  addMember(w.world, w.friend, faction)
  addService(w.world, faction, w.base, 'faction_storage')
  post(w.world, namedAccount('missions'), treasuryOf(w.world, faction), 10_000)
})
const act = (action: string, params: object = {}, command = 'faction_personnel') =>
  w.act(command, { action, ...params })
const here = () => reserveOf(w.world, faction, w.base)
const funds = () => balanceOf(w.world, treasuryOf(w.world, faction))

describe('faction_personnel', () => {
  test('hires out of the treasury and shows who is there, on both versions', () => {
    const before = w.pools()
    expect(act('recruit', { fit_crew: 4, fit_marines: 2 })).toMatchObject({
      ok: true,
      result: { cost: 340, reserve: { fit_crew: 4, fit_marines: 2, injured_crew: 0 } },
    })
    expect(funds()).toBe(10_000 - 340)
    expect(w.pools()).toMatchObject({ crew: before.crew - 4, marines: before.marines - 2 })
    const shown = { reserve: { fit_crew: 4 }, crew_room: FACTION_RESERVE_PEOPLE_MAX - 4 }
    expect(w.small.ask(w.pilot, 'faction_personnel')).toMatchObject({ result: shown })
    expect(w.small.ask(w.friend, 'faction_personnel')).toMatchObject({ result: shown })
    const def = w.small.registry.commands.get('faction_personnel')
    expect(def?.v2).toMatchObject({ tool: 'game_ship', rename: { action: 'personnel_action' } })
  })

  test('takes people of a ship, of any member, and gives them to one', () => {
    w.man(w.friendShip, { fitCrew: 3, injuredCrew: 1 })
    const bring = { action: 'deposit', fit_crew: 2, injured_crew: 1 }
    expect(w.small.act(w.friend, 'faction_personnel', bring)).toMatchObject({ ok: true })
    expect(here()).toEqual({ ...NO_PEOPLE, fitCrew: 2, injuredCrew: 1 })
    w.man(w.ship, { fitCrew: 1 })
    expect(act('withdraw', { fit_crew: 1 })).toMatchObject({
      result: { personnel: { fit_crew: 2 }, reserve: { fit_crew: 1, injured_crew: 1 } },
    })
  })

  test('is refused, and nobody moves', () => {
    const code = (action: string, params: object) => (act(action, params) as { code?: string }).code
    expect(code('withdraw', { fit_crew: 1 })).toBe('insufficient_personnel')
    expect(code('deposit', {})).toBe('invalid_payload')
    expect(code('recruit', { injured_crew: 1 })).toBe('invalid_payload')
    w.man(w.ship, { fitCrew: 1 })
    expect(code('deposit', { fit_crew: 1 })).toBe('insufficient_personnel')
    w.setPool('crew', 1)
    expect(code('recruit', { fit_crew: 2 })).toBe('pool_empty')
    w.setPool('crew', 10)
    post(w.world, treasuryOf(w.world, faction), namedAccount('fee_sink'), funds() - 24)
    expect(code('recruit', { fit_crew: 1 })).toBe('faction_no_credits')
    changeReserve(w.world, faction, w.base, { fitCrew: FACTION_RESERVE_PEOPLE_MAX })
    expect(code('recruit', { fit_crew: 1 })).toBe('no_berths')
    const take = { action: 'withdraw', fit_crew: 1 }
    expect(w.small.act(w.friend, 'faction_personnel', take)).toMatchObject({
      code: 'no_permission',
    })
    expect(here()).toEqual({ ...NO_PEOPLE, fitCrew: FACTION_RESERVE_PEOPLE_MAX })
  })

  test('needs a faction, and a store of it here', () => {
    const other = w.small.join('Nobody Yet')
    expect(w.small.ask(other, 'faction_personnel')).toMatchObject({ code: 'not_in_faction' })
    const lone = foundFaction(w.world, other, 'No Roof', 'ROOF')
    expect(lone).toBeGreaterThan(0)
    expect(w.small.ask(other, 'faction_personnel')).toMatchObject({ code: 'no_faction_storage' })
  })
})

describe('the reserve', () => {
  test('is treated with supplies of the store, by who looks after the treasury', () => {
    changeReserve(w.world, faction, w.base, { injuredCrew: 5, injuredMarines: 2 })
    const place = { faction, base: w.base, bucket: 0 }
    const supplies = itemIndex('medical_supplies')
    const treat = (params: object) => w.act('treat_personnel', params)
    expect(treat({ reserve: true })).toMatchObject({ code: 'no_supplies' })
    moveItems(w.world, namedContainer('supply'), openStore(w.world, place), supplies, 2)
    expect(treat({ provider: 'faction', reserve: true, crew: 4 })).toMatchObject({
      ok: true,
      result: { crew: 4, supplies_used: 1, reserve: { fit_crew: 4, injured_crew: 1 } },
    })
    expect(treat({ provider: 'reserve' })).toMatchObject({ result: { supplies_used: 1 } })
    expect(here()).toEqual({ ...NO_PEOPLE, fitCrew: 5, fitMarines: 2 })
    expect(storeContainer(w.world, place)).toBe(0)
    expect(treat({ reserve: true })).toMatchObject({ code: 'nothing_to_treat' })
  })

  test('is kept over a restore, and ends with its faction', async () => {
    changeReserve(w.world, faction, w.base, { fitMarines: 3 })
    const twin = await w.small.reload()
    expect(reserveOf(twin.world, faction, w.base)).toEqual({ ...NO_PEOPLE, fitMarines: 3 })
    removeMember(w.world, w.friend)
    disband(w.world, faction, w.pilot)
    expect(w.world.records(RESERVES).size).toBe(0)
  })
})
