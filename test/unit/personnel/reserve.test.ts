/** Personnel reserves of factions. Source: newer.md section 5. */
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
import { onSmallMap } from '../../small-world.ts'
import { addService } from '../faction/scene.ts'
import { type Ward, wards } from './scene.ts'

onSmallMap()

const openWard = await wards()
let ward: Ward
let faction: Row
beforeEach(async () => {
  ward = await openWard()
  faction = foundFaction(ward.world, ward.pilot, 'Ready Hands', 'HAND')
  addMember(ward.world, ward.friend, faction)
  addService(ward.world, faction, ward.base, 'faction_storage')
  post(ward.world, namedAccount('missions'), treasuryOf(ward.world, faction), 10_000)
})
const act = (action: string, params: object = {}, command = 'faction_personnel') =>
  ward.act(command, { action, ...params })
const here = () => reserveOf(ward.world, faction, ward.base)
const funds = () => balanceOf(ward.world, treasuryOf(ward.world, faction))

describe('faction_personnel', () => {
  test('hires people out of the treasury, and shows the reserve to all members', () => {
    const before = ward.pools()
    expect(act('recruit', { fit_crew: 4, fit_marines: 2 })).toMatchObject({
      ok: true,
      result: { cost: 340, reserve: { fit_crew: 4, fit_marines: 2, injured_crew: 0 } },
    })
    expect(funds()).toBe(10_000 - 340)
    expect(ward.pools()).toMatchObject({ crew: before.crew - 4, marines: before.marines - 2 })
    const shown = { reserve: { fit_crew: 4 }, crew_room: FACTION_RESERVE_PEOPLE_MAX - 4 }
    expect(ward.small.ask(ward.pilot, 'faction_personnel')).toMatchObject({ result: shown })
    expect(ward.small.ask(ward.friend, 'faction_personnel')).toMatchObject({ result: shown })
    const def = ward.small.registry.commands.get('faction_personnel')
    expect(def?.v2).toMatchObject({ tool: 'game_ship', rename: { action: 'personnel_action' } })
  })

  test('takes people from the ship of any member, and gives them to a ship', () => {
    ward.man(ward.friendShip, { fitCrew: 3, injuredCrew: 1 })
    const bring = { action: 'deposit', fit_crew: 2, injured_crew: 1 }
    expect(ward.small.act(ward.friend, 'faction_personnel', bring)).toMatchObject({ ok: true })
    expect(here()).toEqual({ ...NO_PEOPLE, fitCrew: 2, injuredCrew: 1 })
    ward.man(ward.ship, { fitCrew: 1 })
    expect(act('withdraw', { fit_crew: 1 })).toMatchObject({
      result: { personnel: { fit_crew: 2 }, reserve: { fit_crew: 1, injured_crew: 1 } },
    })
  })

  test('is refused with the code of the reason, and nobody moves', () => {
    const code = (action: string, params: object) => (act(action, params) as { code?: string }).code
    expect(code('withdraw', { fit_crew: 1 })).toBe('insufficient_personnel')
    expect(code('deposit', {})).toBe('invalid_payload')
    expect(code('recruit', { injured_crew: 1 })).toBe('invalid_payload')
    ward.man(ward.ship, { fitCrew: 1 })
    expect(code('deposit', { fit_crew: 1 })).toBe('insufficient_personnel')
    ward.setPool('crew', 1)
    expect(code('recruit', { fit_crew: 2 })).toBe('pool_empty')
    ward.setPool('crew', 10)
    post(ward.world, treasuryOf(ward.world, faction), namedAccount('fee_sink'), funds() - 24)
    expect(code('recruit', { fit_crew: 1 })).toBe('faction_no_credits')
    changeReserve(ward.world, faction, ward.base, { fitCrew: FACTION_RESERVE_PEOPLE_MAX })
    expect(code('recruit', { fit_crew: 1 })).toBe('no_berths')
    const take = { action: 'withdraw', fit_crew: 1 }
    expect(ward.small.act(ward.friend, 'faction_personnel', take)).toMatchObject({
      code: 'no_permission',
    })
    expect(here()).toEqual({ ...NO_PEOPLE, fitCrew: FACTION_RESERVE_PEOPLE_MAX })
  })

  test('needs a faction with a store at the base', () => {
    const other = ward.small.join('Nobody Yet')
    expect(ward.small.ask(other, 'faction_personnel')).toMatchObject({ code: 'not_in_faction' })
    const lone = foundFaction(ward.world, other, 'No Roof', 'ROOF')
    expect(lone).toBeGreaterThan(0)
    expect(ward.small.ask(other, 'faction_personnel')).toMatchObject({ code: 'no_faction_storage' })
  })
})

describe('the reserve', () => {
  test('is treated with medical supplies from the store of the faction', () => {
    changeReserve(ward.world, faction, ward.base, { injuredCrew: 5, injuredMarines: 2 })
    const place = { faction, base: ward.base, bucket: 0 }
    const supplies = itemIndex('medical_supplies')
    const treat = (params: object) => ward.act('treat_personnel', params)
    expect(treat({ reserve: true })).toMatchObject({ code: 'no_supplies' })
    moveItems(ward.world, namedContainer('supply'), openStore(ward.world, place), supplies, 2)
    expect(treat({ provider: 'faction', reserve: true, crew: 4 })).toMatchObject({
      ok: true,
      result: { crew: 4, supplies_used: 1, reserve: { fit_crew: 4, injured_crew: 1 } },
    })
    expect(treat({ provider: 'reserve' })).toMatchObject({ result: { supplies_used: 1 } })
    expect(here()).toEqual({ ...NO_PEOPLE, fitCrew: 5, fitMarines: 2 })
    expect(storeContainer(ward.world, place)).toBe(0)
    expect(treat({ reserve: true })).toMatchObject({ code: 'nothing_to_treat' })
  })

  test('is the same in a restored world, and ends with its faction', async () => {
    changeReserve(ward.world, faction, ward.base, { fitMarines: 3 })
    const twin = await ward.small.reload()
    expect(reserveOf(twin.world, faction, ward.base)).toEqual({ ...NO_PEOPLE, fitMarines: 3 })
    removeMember(ward.world, ward.friend)
    disband(ward.world, faction, ward.pilot)
    expect(ward.world.records(RESERVES).size).toBe(0)
  })
})
