/** How each version of the interface writes the commands that sentences name. */
import { describe, expect, it } from 'vitest'
import { createRegistry } from '../../../core/registry.ts'
import { say } from '../../../core/say.ts'
import { namesOf } from '../../../net/names.ts'
import { DOMAINS } from '../../../systems/registry.ts'

const names = namesOf(createRegistry(DOMAINS))

describe('names', () => {
  it.each([
    [say`{withdraw_items}`, 'withdraw_items', 'game_storage/withdraw'],
    [say`{view_storage}`, 'view_storage', 'game_storage/view'],
    [say`{get_skills}`, 'get_skills', 'game/get_skills'],
    [say`{catalog}`, 'catalog', 'game_catalog'],
    [say`{facility repair}`, 'facility repair', 'game_facility/repair'],
    [say`{station set_name}`, 'station set_name', 'game_facility/station_set_name'],
    [say`{shipping pay_debt}`, 'shipping pay_debt', 'game_shipping/pay_debt'],
    [say`{battle stance}`, 'battle stance', 'game_battle/stance'],
    [say`{fleet}`, 'fleet', 'game_fleet'],
    [say`{buy.item_id}`, 'item_id', 'id'],
    [say`{get_faction_tax_estimate}`, 'get_faction_tax_estimate', 'game_faction/tax_estimate'],
  ])('%s is written with the name of each version', (marked, v1, v2) => {
    expect([names.text(1, marked), names.text(2, marked)]).toEqual([v1, v2])
  })
  it('leaves ordinary words and unknown names alone', () => {
    expect(names.text(2, 'dock first; view_storage')).toBe('dock first; view_storage')
    expect(names.text(2, say`{no_such_thing}`)).toBe('no_such_thing')
    expect(names.isKnown('no_such_thing')).toBe(false)
    expect(names.isKnown('facility no_such')).toBe(false)
    expect(names.isKnown('buy.nothing')).toBe(false)
  })
  it('replaces the names in all texts of a nested value', () => {
    const given = { a: [say`{dock}`, 1, null], b: { c: say`{buy}` }, d: undefined }
    expect(names.value(2, given)).toEqual({ a: ['game/dock', 1, null], b: { c: 'game/buy' } })
  })
})
