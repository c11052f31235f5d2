/** Licences of factions to build ship classes. Source: crafting.md section 8. */
import { beforeEach, describe, expect, test } from 'vitest'
import { EMPIRES } from '../../../core/catalog/index.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import { empireTreasury } from '../../../systems/base/model.ts'
import { factionOf, treasuryOf } from '../../../systems/faction/model.ts'
import { licensesOf } from '../../../systems/shipyard/model.ts'
import { LICENSES } from '../../../systems/shipyard/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { CLASS, freshScene, refused, result, type Scene } from './scene.ts'

onSmallMap()

let scene: Scene
beforeEach(async () => {
  scene = await freshScene()
})

/** Founds a faction with these credits in its treasury. */
function foundFaction(credits: number): number {
  const { small, player } = scene
  result(scene, player, 'create_faction', { name: 'Hull Union', tag: 'HULL' })
  const faction = factionOf(small.world, player)
  const treasury = treasuryOf(small.world, faction)
  post(small.world, namedAccount('starting_grant'), treasury, credits)
  return faction
}

describe('buy_ship_license', () => {
  test('pays the empire from the treasury, once for each class', () => {
    const { small, player } = scene
    const faction = foundFaction(6_500_000)
    const empire = EMPIRES.findIndex(({ id }) => id === 'solarian')
    const before = balanceOf(small.world, empireTreasury(small.world, empire))
    expect(result(scene, player, 'buy_ship_license', { ship_class: CLASS })).toMatchObject({
      cost_paid: 1_000_000,
      empire: 'solarian',
      royalty_percent: 10,
      faction_credits_left: 5_500_000,
    })
    expect(balanceOf(small.world, empireTreasury(small.world, empire))).toBe(before + 1_000_000)
    expect(licensesOf(small.world, faction)).toEqual([CLASS])
    const answer = result(scene, player, 'buy_ship_license', { ship_class: 'provender' })
    expect(answer.cost_paid).toBe(5_000_000)
    expect(refused(scene, player, 'buy_ship_license', { ship_class: CLASS }).code).toBe(
      'already_licensed',
    )
    expect(balanceOf(small.world, treasuryOf(small.world, faction))).toBe(500_000)
  })

  test('limit_reached: a full table refuses licences, which end with their faction', () => {
    const { small, player } = scene
    foundFaction(6_500_000)
    const records = small.world.records(LICENSES)
    result(scene, player, 'buy_ship_license', { ship_class: CLASS })
    expect(records.size).toBe(1)
    result(scene, player, 'leave_faction')
    expect(records.size).toBe(0)
    for (let i = 0; i < LICENSES.rowsMax; i++) records.set(`no faction ${i}`, [])
    result(scene, player, 'create_faction', { name: 'Keel Union', tag: 'KEEL' })
    const treasury = treasuryOf(small.world, factionOf(small.world, player))
    post(small.world, namedAccount('starting_grant'), treasury, 1_000_000)
    expect(refused(scene, player, 'buy_ship_license', { ship_class: CLASS }).code).toBe(
      'limit_reached',
    )
  })

  test('is refused for unknown classes, without credits and for classes open to all', () => {
    const { player } = scene
    foundFaction(999_999)
    const code = (ship_class: string) =>
      refused(scene, player, 'buy_ship_license', { ship_class }).code
    expect(code('no such')).toBe('unknown_class')
    expect(code('clause')).toBe('unknown_class')
    expect(code('cutpurse')).toBe('unknown_class')
    expect(code(CLASS)).toBe('faction_no_credits')
    expect(code('tugboat')).toBe('already_licensed')
  })

  test('is refused without a faction or the permission to manage its treasury', () => {
    const { small, player, other } = scene
    expect(refused(scene, player, 'buy_ship_license', { ship_class: CLASS }).code).toBe(
      'not_in_faction',
    )
    foundFaction(5_000_000)
    result(scene, player, 'faction_invite', { player_id: 'Seller' })
    const invites = small.ask(other, 'faction_get_invites') as unknown as {
      result: { invites: { faction_id: string }[] }
    }
    const { faction_id } = invites.result.invites[0]
    result(scene, other, 'join_faction', { faction_id })
    expect(refused(scene, other, 'buy_ship_license', { ship_class: CLASS }).code).toBe(
      'no_permission',
    )
  })
})
