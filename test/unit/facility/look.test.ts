/** The queries of `facility`, on v1 and v2. Source: crafting.md section 7. */
import { beforeAll, describe, expect, it } from 'vitest'
import { FACILITIES } from '../../../core/catalog/index.ts'
import { commandKey } from '../../../core/command.ts'
import { LIST_ROWS_MAX } from '../../../core/limits.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { renderText } from '../../../net/render.ts'
import { FACILITY_ACTIONS, facilityCommands } from '../../../systems/facility/commands.ts'
import { facilityId, shownType } from '../../../systems/facility/model.ts'
import { Facility, PUBLIC } from '../../../systems/facility/state.ts'
import { shipOf } from '../../../systems/travel/location-model.ts'
import { undockShip } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { company, type Scene, scene, shared, standing, teach } from './scene.ts'

onSmallMap()

let s: Scene
let works: Row
beforeAll(async () => {
  s = await scene()
  works = standing(s, 'smelter', s.owner)
})

type Answer = { ok: boolean; code?: string; result: Record<string, unknown> }
const ask = (player: Eid, action: string, params: object = {}): Answer =>
  s.small.ask(player, 'facility', { action, ...params }) as never as Answer
const v2 = (player: Eid, action: string, params: object = {}): Answer =>
  s.small.ask(player, `v2:game_facility/${action}`, params) as never as Answer

describe('facility types', () => {
  it('lists categories, then pages, then one type in full', () => {
    const { owner } = s
    const all = ask(owner, 'types').result
    expect(all).toMatchObject({ kind: 'discovery', total: FACILITIES.length })
    const page = ask(owner, 'types', { category: 'production', level: 1, per_page: 900 }).result
    expect(page).toMatchObject({ kind: 'list', page: 1, per_page: LIST_ROWS_MAX })
    const types = page.types as { category: string; level: number; buildable: boolean }[]
    expect(types.length).toBeGreaterThan(0)
    for (const type of types) {
      expect(type).toMatchObject({ category: 'production', level: 1, buildable: true })
    }
    expect(ask(owner, 'types', { name: 'MELTER' }).result).toMatchObject({ total: 1 })
    expect(v2(owner, 'types', { facility_type: 'smelter' }).result).toMatchObject({
      kind: 'detail',
      type_id: 'smelter',
      upgrades_to: 'foundry',
      rent_per_cycle: 20,
      requires_service_type: 'crafting',
      hint: expect.stringMatching(
        / builds it\. It needs corporation_management 1\. .*refining lists/,
      ),
    })
    expect(ask(owner, 'types', { facility_type: 'x' }).code).toBe('unknown_facility_type')
  })
})

describe('facility help', () => {
  it('names every action with its parameters', () => {
    const { result } = ask(s.owner, 'help')
    const { actions, help } = result as { actions: { action: string }[]; help: string }
    expect(actions.map(({ action }) => action)).toEqual(FACILITY_ACTIONS.map(({ name }) => name))
    for (const { name } of FACILITY_ACTIONS) expect(help).toMatch(new RegExp(`^${name}\\(`, 'm'))
    expect(renderText(facilityCommands[0], result)).toBe(help)
  })

  it('names only actions that have an address on v2', () => {
    const keys = [...s.small.registry.commands.values()].map(commandKey)
    for (const { name, v2: address = name } of FACILITY_ACTIONS) {
      expect(keys).toContain(`v2:game_facility/${address}`)
    }
  })
})

describe('facility list, owned, upgrades', () => {
  it('list shows facilities with owners, power, life support and rent', () => {
    const { owner, other, small } = s
    const mine = ask(owner, 'list').result
    const facility_id = facilityId(small.world, works)
    expect(mine.player_facilities).toMatchObject([
      { facility_id, type: 'smelter', rent_per_cycle: 20, production: { public: false } },
    ])
    expect((mine.station_facilities as unknown[]).length).toBeGreaterThan(0)
    expect(mine.power).toMatchObject({ efficiency: 1 })
    expect(mine.player_rent).toMatchObject({ total_rent_per_cycle: 20, est_rent_per_day: 1728 })
    expect(ask(other, 'list').result).toMatchObject({ player_facilities: [] })
  })

  it('list shows outsiders what is public, and facilities of factions in disguise', async () => {
    const stage = await scene()
    const { small, owner, other } = stage
    const faction = company(stage, owner)
    const cell = shared(stage, 'faction_espionage_cell', faction)
    const [shut, open] = [standing(stage, 'smelter', owner), standing(stage, 'smelter', owner)]
    small.world.write(Facility).access[open] = PUBLIC
    const { public_facilities, faction_facilities } = (
      small.ask(other, 'facility', { action: 'list' }) as never as Answer
    ).result as Record<string, { facility_id: string; type: string; rent_per_cycle?: number }[]>
    const seen = new Map(public_facilities.map((row) => [row.facility_id, row]))
    expect(seen.has(facilityId(small.world, shut))).toBe(false)
    expect(seen.get(facilityId(small.world, open))).toMatchObject({ type: 'smelter' })
    const sign = seen.get(facilityId(small.world, cell))
    expect(sign).toMatchObject({ type: shownType(small.world, cell, 0).id })
    expect(sign?.type).not.toBe('faction_espionage_cell')
    expect(sign?.rent_per_cycle).toBeUndefined()
    expect(public_facilities.map(({ type }) => type)).toContain('faction_lockbox')
    expect(faction_facilities).toEqual([])
  })

  it('owned works anywhere, while list requires a dock', () => {
    const { owner, small } = s
    expect(v2(owner, 'owned').result).toMatchObject({
      facilities: [{ type: 'smelter', rent_per_cycle: 20, missed_rent_cycles: 0 }],
      rent: { facilities: 1, grace_cycles: 260 },
    })
    const wanderer = small.join('Wanderer')
    undockShip(small.world, shipOf(small.world, wanderer))
    for (const action of ['list', 'upgrades', 'browse_for_sale', 'faction_list']) {
      expect(ask(wanderer, action).code).toBe('not_docked')
      expect(v2(wanderer, action).code).toBe('not_docked')
    }
    expect(ask(wanderer, 'owned').ok).toBe(true)
  })

  it('upgrades names the next tier and its requirements', () => {
    const { owner, small } = s
    expect(ask(owner, 'upgrades').result).toMatchObject({
      upgrades: [{ your_facility_type: 'smelter', upgrade_to: { type_id: 'foundry', level: 2 } }],
      locked_upgrades: [],
    })
    teach(small, owner, 'corporation_management', 1)
    expect(ask(owner, 'upgrades').result).toMatchObject({
      upgrades: [],
      locked_upgrades: [{ requires: 'corporation_management 2' }],
    })
    teach(small, owner, 'corporation_management', 5)
  })

  it('faction_list and faction_owned are for members', () => {
    const { owner, other } = s
    expect(ask(owner, 'faction_owned').code).toBe('not_in_faction')
    expect(ask(owner, 'faction_list').code).toBe('not_in_faction')
    const faction = company(s, owner, [other])
    shared(s, 'faction_admin', faction)
    expect(ask(other, 'faction_list').result).toMatchObject({
      faction_facilities: [
        { faction_service: 'faction_storage', status: 'online', capacity: 100_000 },
        { faction_service: 'faction_admin' },
      ],
      faction_storage: { rooms: 0 },
    })
    const all = ask(other, 'faction_owned').result
    expect(all).toMatchObject({ facilities: [{}, {}], faction_rent: { facilities: 2 } })
    const { total_rent_per_cycle, arrears_owed, grace_cycles } = all
    expect(all.faction_rent).toMatchObject({ total_rent_per_cycle, arrears_owed, grace_cycles })
    expect(ask(other, 'faction_list').result.faction_rent).toEqual(all.faction_rent)
    expect(ask(owner, 'upgrades').result).toMatchObject({
      faction_upgrades: [{ upgrade_to: { type_id: 'faction_strongroom' } }],
    })
  })
})
