/** Bounties: payment, detention of those who cannot pay, and the end of detention. */
import { describe, expect, test } from 'vitest'
import { EMPIRES, GOODS, type ItemRow } from '../../../core/catalog/index.ts'
import type { Failure } from '../../../core/errors.ts'
import { namedContainer } from '../../../core/goods.ts'
import { balanceOf } from '../../../core/ledger.ts'
import { EMPIRES_WIDTH, Player } from '../../../systems/account/state.ts'
import { empireTreasury } from '../../../systems/base/model.ts'
import { bountyOf, detainingEmpire } from '../../../systems/law/model.ts'
import { addBounty, addDebt, loseReputation } from '../../../systems/law/rules.ts'
import { CriminalRecord } from '../../../systems/law/state.ts'
import { loadCargo } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockedBase, shipOf } from '../../../systems/travel/location-model.ts'
import { neighboursOf, poiId, poisOf, systemId } from '../../../systems/travel/model.ts'
import { onSmallMap } from '../../small-world.ts'
import {
  attack,
  besideBase,
  creditsOf,
  hullOf,
  LAW,
  notices,
  owed,
  policed,
  type Scene,
  setCredits,
  standing,
} from './scene.ts'

onSmallMap()

const codeOf = (outcome: unknown): string | undefined => (outcome as Failure).code

/** Makes a player with a bounty, in space at a base of the empire. */
async function debtor(credits: number, bounty: number): Promise<{ scene: Scene; player: number }> {
  const scene = await policed(2)
  const [player] = scene.players
  setCredits(scene.world, player, credits)
  addBounty(scene.world, player, LAW, bounty)
  besideBase(scene, player)
  return { scene, player }
}

/** Makes a player whom the empire detains because they cannot pay their bounty. */
async function jailed(bounty = 700): Promise<{ scene: Scene; player: number }> {
  const { scene, player } = await debtor(100, bounty)
  expect(scene.small.act(player, 'dock').ok).toBe(true)
  expect(detainingEmpire(scene.world, player)).toBe(LAW)
  return { scene, player }
}

describe('docking with a bounty', () => {
  test('pays it in full, clears the record and restores half of the reputation', async () => {
    const { scene, player } = await debtor(2_000, 700)
    const { world, small } = scene
    loseReputation(world, player, LAW, 15)
    const before = standing(scene, player)
    const treasury = balanceOf(world, empireTreasury(world, LAW))
    expect(small.act(player, 'dock').ok).toBe(true)
    expect(owed(scene, player)).toBe(0)
    expect(creditsOf(world, player)).toBe(1_300)
    expect(balanceOf(world, empireTreasury(world, LAW))).toBe(treasury + 700)
    expect(standing(scene, player)).toBe(before + 7)
    expect(notices(scene, player)).toMatchObject([
      { kind: 'bounty_paid', amount: 700, bounty: 0, reputation_change: 7 },
    ])
  })

  test('restores ten points of reputation at most', async () => {
    const { scene, player } = await debtor(2_000, 700)
    loseReputation(scene.world, player, LAW, 60)
    const before = standing(scene, player)
    scene.small.act(player, 'dock')
    expect(standing(scene, player)).toBe(before + 10)
  })

  test('at the base of another empire settles nothing', async () => {
    const { scene, player } = await debtor(2_000, 0)
    addBounty(scene.world, player, LAW + 1, 700)
    expect(scene.small.act(player, 'dock').ok).toBe(true)
    expect(creditsOf(scene.world, player)).toBe(2_000)
    expect(detainingEmpire(scene.world, player)).toBe(-1)
  })

  test('detains a player who cannot pay it in full, and takes nothing', async () => {
    const { scene, player } = await jailed()
    expect(creditsOf(scene.world, player)).toBe(100)
    expect(owed(scene, player)).toBe(700)
    expect(notices(scene, player)).toMatchObject([
      { kind: 'detained', amount: 700, jailed_until_tick: scene.world.tick + 8_640 },
    ])
  })

  test('detains after an auto-dock too, and refuses the command that docked', async () => {
    const { scene, player } = await debtor(100, 700)
    const answer = scene.small.answer(player, 'buy', { item_id: 'fuel_cell', quantity: 1 })
    expect(codeOf(answer.outcome)).toBe('detained')
    expect(dockedBase(scene.world, player)).not.toBe(0)
  })
})

describe('pay_bounty', () => {
  test('pays the whole bounty from anywhere, by name or id of the empire', async () => {
    const { scene, player } = await debtor(2_000, 700)
    const { world, small } = scene
    loseReputation(world, player, LAW, 15)
    addBounty(world, player, LAW + 1, 300)
    const before = standing(scene, player)
    expect(small.act(player, 'pay_bounty', { empire: 'Solarian' })).toMatchObject({
      ok: true,
      result: { amount: 700, credits: 1_300, reputation: before + 7, reputation_change: 7 },
    })
    expect(owed(scene, player)).toBe(0)
    expect(dockedBase(world, player)).toBe(0)
    expect(bountyOf(world, player, LAW + 1)).toBe(300)
    const { id } = EMPIRES[LAW + 1]
    expect(small.act(player, 'pay_bounty', { empire_id: id }).ok).toBe(true)
    expect(creditsOf(world, player)).toBe(1_000)
    expect(balanceOf(world, empireTreasury(world, LAW + 1))).toBeGreaterThanOrEqual(300)
  })

  test('is refused without enough credits, a bounty or a known empire', async () => {
    const { scene, player } = await debtor(699, 700)
    const code = (params: object) => codeOf(scene.small.act(player, 'pay_bounty', params))
    expect(code({ empire: 'solarian' })).toBe('no_credits')
    expect(creditsOf(scene.world, player)).toBe(699)
    expect(owed(scene, player)).toBe(700)
    expect(code({ empire: EMPIRES[LAW + 1].id })).toBe('no_bounty')
    expect(code({ empire: 'atlantis' })).toBe('invalid_empire')
    expect(scene.small.act(player, 'pay_bounty', {})).toMatchObject({
      code: 'invalid_payload',
      details: { fields: [{ field: 'empire' }] },
    })
  })

  test('reports the actual rise of reputation, which ends at its bound', async () => {
    const { scene, player } = await debtor(2_000, 700)
    loseReputation(scene.world, player, LAW, 15)
    scene.world.write(Player).reputation[player * EMPIRES_WIDTH + LAW] = 97
    expect(scene.small.act(player, 'pay_bounty', { empire: 'solarian' })).toMatchObject({
      result: { reputation: 100, reputation_change: 3 },
    })
  })
})

describe('detention', () => {
  test('refuses commands that move, fight and trade', async () => {
    const { scene, player } = await jailed()
    // Detention is reported before other errors, such as an unknown place or a dry tank.
    scene.world.write(Ship).fuel[shipOf(scene.world, player)] = 0
    const target_poi = poiId(scene.world, poisOf(scene.world, scene.system)[0])
    const target_system = systemId(scene.world, neighboursOf(scene.world, scene.system)[0].to)
    const refused: [string, object][] = [
      ['undock', {}],
      ['dock', {}],
      ['travel', { target_poi }],
      ['travel', { target_poi: 'anywhere' }],
      ['jump', { target_system }],
      ['jump', { target_system: 'anywhere' }],
      ['mine', {}],
      ['attack', { target_id: scene.id(scene.players[1]) }],
      ['buy', { item_id: 'fuel_cell', quantity: 1 }],
      ['sell', { item_id: 'fuel_cell', quantity: 1 }],
      ['create_buy_order', { item_id: 'fuel_cell', quantity: 1, price_each: 1 }],
      ['create_sell_order', { item_id: 'fuel_cell', quantity: 1, price_each: 1 }],
      ['modify_order', { order_id: 'none', new_price: 1 }],
    ]
    for (const [command, params] of refused) {
      expect([command, codeOf(scene.small.act(player, command, params))]).toEqual([
        command,
        'detained',
      ])
    }
    expect(dockedBase(scene.world, player)).not.toBe(0)
  })

  test('can be the answer of every command that is marked J in the specification', async () => {
    const { scene } = await jailed()
    const marked = [
      'travel',
      'jump',
      'dock',
      'undock',
      'mine',
      'survey_system',
      'attack',
      'hunt',
      'buy',
      'sell',
      'create_buy_order',
      'create_sell_order',
      'modify_order',
      'accept_mission',
      'sell_wreck',
      'buy_listed_ship',
      'commission_ship',
      'sell_ship',
    ]
    const open = marked.filter((name) => {
      const def = scene.small.registry.commands.get(name)
      if (!def || def.kind === 'session') return false
      return !def.needs.some(({ errors }) => errors.includes('detained'))
    })
    expect(open).toEqual([])
  })

  test('allows chat, storage and cancelling orders', async () => {
    const { scene, player } = await jailed()
    const { small } = scene
    expect(small.ask(player, 'chat', { channel: 'local', content: 'Anyone?' }).ok).toBe(true)
    const stored = small.act(player, 'deposit_items', { item_id: 'fuel_cell', quantity: 1 })
    expect(codeOf(stored)).not.toBe('detained')
    const cancelled = small.act(player, 'cancel_order', { order_id: 'none' })
    expect(codeOf(cancelled)).toBe('order_not_found')
  })

  test('refuses items that would warp the ship away', async () => {
    const { scene, player } = await jailed()
    const { world } = scene
    for (const [i, good] of GOODS.entries()) {
      const type = (good as ItemRow).effect?.type
      if (type !== 'warp' && type !== 'home_return') continue
      loadCargo(world, hullOf(world, player), namedContainer('produced'), i, 1)
      const outcome = scene.small.act(player, 'use_item', { item_id: good.id })
      expect([good.id, codeOf(outcome)]).toEqual([good.id, 'detained'])
    }
    expect(dockedBase(world, player)).not.toBe(0)
  })

  test('is shown by get_status', async () => {
    const { scene, player } = await jailed()
    const status = scene.small.ask(player, 'get_status')
    expect(status).toMatchObject({
      ok: true,
      result: { player: { standings: { solarian: { outstanding_bounty: 700 } } } },
    })
    const shown = JSON.stringify(status)
    expect(shown).toContain('jailed_until')
  })

  test('ends in the next tick once the player has the credits', async () => {
    const { scene, player } = await jailed()
    const { world } = scene
    setCredits(world, player, 1_000)
    scene.takeEmissions()
    scene.small.ticks(1)
    expect(detainingEmpire(world, player)).toBe(-1)
    expect(creditsOf(world, player)).toBe(300)
    expect(notices(scene, player).map(({ kind }) => kind)).toEqual(['bounty_paid', 'released'])
    expect(scene.small.act(player, 'undock').ok).toBe(true)
  })

  test('ends with the next command once the player has the credits', async () => {
    const { scene, player } = await jailed()
    setCredits(scene.world, player, 700)
    expect(scene.small.act(player, 'undock').ok).toBe(true)
    expect(creditsOf(scene.world, player)).toBe(0)
  })

  test('ends after a day, but the debt remains and the next docking detains again', async () => {
    const { scene, player } = await jailed()
    const { world } = scene
    world.write(CriminalRecord).jailUntil[player] = world.tick + 1
    scene.takeEmissions()
    scene.small.ticks(1)
    expect(detainingEmpire(world, player)).toBe(-1)
    expect(owed(scene, player)).toBe(700)
    expect(notices(scene, player).map(({ kind }) => kind)).toEqual(['released'])
    expect(scene.small.act(player, 'undock').ok).toBe(true)
    expect(scene.small.act(player, 'dock').ok).toBe(true)
    expect(detainingEmpire(world, player)).toBe(LAW)
  })

  test('survives a restart', async () => {
    const { scene, player } = await jailed()
    const restored = await scene.small.reload()
    expect(detainingEmpire(restored.world, player)).toBe(LAW)
    restored.ticks(1)
    scene.small.ticks(1)
    expect(restored.hash()).toBe(scene.small.hash())
    expect(codeOf(restored.act(player, 'undock'))).toBe('detained')
  })

  test('a debt for another reason is added to the bounty', async () => {
    const { scene, player } = await debtor(0, 0)
    addDebt(scene.world, player, LAW, { credits: 90, why: 'A parcel was never delivered.' })
    scene.small.ticks(1)
    expect(owed(scene, player)).toBe(90)
  })
})

describe('standing', () => {
  test('moves towards its baseline by a point a day', async () => {
    const scene = await policed(2, 10)
    const { world } = scene
    const [first, second] = scene.players
    const { reputation } = world.write(Player)
    reputation[first * EMPIRES_WIDTH + LAW] = 50
    reputation[second * EMPIRES_WIDTH + LAW] = -50
    reputation[second * EMPIRES_WIDTH + LAW + 1] = 11
    world.tick = 8_640 - 5
    scene.small.ticks(5)
    expect(standing(scene, first)).toBe(49)
    expect(standing(scene, second)).toBe(-49)
    expect(reputation[second * EMPIRES_WIDTH + LAW + 1]).toBe(10)
  })

  test('is not affected by a crime against another empire', async () => {
    const scene = await policed(2, 10)
    const [first, second] = scene.players
    const { reputation } = scene.world.read(Player)
    const before = reputation[first * EMPIRES_WIDTH + LAW + 1]
    attack(scene, first, second)
    expect(reputation[first * EMPIRES_WIDTH + LAW + 1]).toBe(before)
  })
})
