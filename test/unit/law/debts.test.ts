/** What a bounty leads to: payment at the dock, detention, what it refuses, and its end. */
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

const codeOf = (outcome: unknown): string | undefined => (outcome as Failure).code

/** Makes a debtor beside a base of the empire. */
async function debtor(credits: number, bounty: number): Promise<{ scene: Scene; one: number }> {
  const scene = await policed(2)
  const [one] = scene.players
  setCredits(scene.world, one, credits)
  addBounty(scene.world, one, LAW, bounty)
  besideBase(scene, one)
  return { scene, one }
}

async function jailed(bounty = 700): Promise<{ scene: Scene; one: number }> {
  const made = await debtor(100, bounty)
  expect(made.scene.small.act(made.one, 'dock').ok).toBe(true)
  expect(detainingEmpire(made.scene.world, made.one)).toBe(LAW)
  return made
}

describe('docking with a bounty', () => {
  test('takes it in full, clears the record and gives half of the reputation back', async () => {
    const { scene, one } = await debtor(2_000, 700)
    const { world, small } = scene
    loseReputation(world, one, LAW, 15)
    const before = standing(scene, one)
    const treasury = balanceOf(world, empireTreasury(world, LAW))
    expect(small.act(one, 'dock').ok).toBe(true)
    expect(owed(scene, one)).toBe(0)
    expect(creditsOf(world, one)).toBe(1_300)
    expect(balanceOf(world, empireTreasury(world, LAW))).toBe(treasury + 700)
    expect(standing(scene, one)).toBe(before + 7)
    expect(notices(scene, one)).toMatchObject([
      { kind: 'bounty_paid', amount: 700, bounty: 0, reputation_change: 7 },
    ])
  })

  test('gives back ten points at most', async () => {
    const { scene, one } = await debtor(2_000, 700)
    loseReputation(scene.world, one, LAW, 60)
    const before = standing(scene, one)
    scene.small.act(one, 'dock')
    expect(standing(scene, one)).toBe(before + 10)
  })

  test('at the base of another empire settles nothing', async () => {
    const { scene, one } = await debtor(2_000, 0)
    addBounty(scene.world, one, LAW + 1, 700)
    expect(scene.small.act(one, 'dock').ok).toBe(true)
    expect(creditsOf(scene.world, one)).toBe(2_000)
    expect(detainingEmpire(scene.world, one)).toBe(-1)
  })

  test('detains players who cannot pay all of it, and takes nothing', async () => {
    const { scene, one } = await jailed()
    expect(creditsOf(scene.world, one)).toBe(100)
    expect(owed(scene, one)).toBe(700)
    expect(notices(scene, one)).toMatchObject([
      { kind: 'detained', amount: 700, jailed_until_tick: scene.world.tick + 8_640 },
    ])
  })

  test('by itself settles it too: the command that docked is refused if it is one of J', async () => {
    const { scene, one } = await debtor(100, 700)
    const answer = scene.small.answer(one, 'buy', { item_id: 'fuel_cell', quantity: 1 })
    expect(codeOf(answer.outcome)).toBe('detained')
    expect(dockedBase(scene.world, one)).not.toBe(0)
  })
})

describe('pay_bounty', () => {
  test('clears all of it from anywhere, by either name of the empire', async () => {
    const { scene, one } = await debtor(2_000, 700)
    const { world, small } = scene
    loseReputation(world, one, LAW, 15)
    addBounty(world, one, LAW + 1, 300)
    const before = standing(scene, one)
    expect(small.act(one, 'pay_bounty', { empire: 'Solarian' })).toMatchObject({
      ok: true,
      result: { amount: 700, credits: 1_300, reputation: before + 7, reputation_change: 7 },
    })
    expect(owed(scene, one)).toBe(0)
    expect(dockedBase(world, one)).toBe(0)
    expect(bountyOf(world, one, LAW + 1)).toBe(300)
    const { id } = EMPIRES[LAW + 1]
    expect(small.act(one, 'pay_bounty', { empire_id: id }).ok).toBe(true)
    expect(creditsOf(world, one)).toBe(1_000)
    expect(balanceOf(world, empireTreasury(world, LAW + 1))).toBeGreaterThanOrEqual(300)
  })

  test('is all or nothing: no_credits, no_bounty, invalid_empire, invalid_payload', async () => {
    const { scene, one } = await debtor(699, 700)
    const code = (params: object) => codeOf(scene.small.act(one, 'pay_bounty', params))
    expect(code({ empire: 'solarian' })).toBe('no_credits')
    expect(creditsOf(scene.world, one)).toBe(699)
    expect(owed(scene, one)).toBe(700)
    expect(code({ empire: EMPIRES[LAW + 1].id })).toBe('no_bounty')
    expect(code({ empire: 'atlantis' })).toBe('invalid_empire')
    expect(scene.small.act(one, 'pay_bounty', {})).toMatchObject({
      code: 'invalid_payload',
      details: { fields: [{ field: 'empire' }] },
    })
  })

  test('says by how much standing really rose: it stops at its bound', async () => {
    const { scene, one } = await debtor(2_000, 700)
    loseReputation(scene.world, one, LAW, 15)
    scene.world.write(Player).reputation[one * EMPIRES_WIDTH + LAW] = 97
    expect(scene.small.act(one, 'pay_bounty', { empire: 'solarian' })).toMatchObject({
      result: { reputation: 100, reputation_change: 3 },
    })
  })
})

describe('detention', () => {
  test('refuses detained what moves, fights and trades', async () => {
    const { scene, one } = await jailed()
    // Nothing that is wrong besides is named first: no place of that name, a dry tank.
    scene.world.write(Ship).fuel[shipOf(scene.world, one)] = 0
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
      expect([command, codeOf(scene.small.act(one, command, params))]).toEqual([
        command,
        'detained',
      ])
    }
    expect(dockedBase(scene.world, one)).not.toBe(0)
  })

  test('of all commands of J none is without it', async () => {
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

  test('lets chat, storage and cancelling be', async () => {
    const { scene, one } = await jailed()
    const { small } = scene
    expect(small.ask(one, 'chat', { channel: 'local', content: 'Anyone?' }).ok).toBe(true)
    const stored = small.act(one, 'deposit_items', { item_id: 'fuel_cell', quantity: 1 })
    expect(codeOf(stored)).not.toBe('detained')
    const cancelled = small.act(one, 'cancel_order', { order_id: 'none' })
    expect(codeOf(cancelled)).toBe('order_not_found')
  })

  test('keeps devices from carrying the ship off', async () => {
    const { scene, one } = await jailed()
    const { world } = scene
    for (const [i, good] of GOODS.entries()) {
      const type = (good as ItemRow).effect?.type
      if (type !== 'warp' && type !== 'home_return') continue
      loadCargo(world, hullOf(world, one), namedContainer('produced'), i, 1)
      const outcome = scene.small.act(one, 'use_item', { item_id: good.id })
      expect([good.id, codeOf(outcome)]).toEqual([good.id, 'detained'])
    }
    expect(dockedBase(world, one)).not.toBe(0)
  })

  test('shows in the record of the player', async () => {
    const { scene, one } = await jailed()
    const status = scene.small.ask(one, 'get_status')
    expect(status).toMatchObject({
      ok: true,
      result: { player: { standings: { solarian: { outstanding_bounty: 700 } } } },
    })
    const shown = JSON.stringify(status)
    expect(shown).toContain('jailed_until')
  })

  test('ends when the debt is paid: by itself in the next tick', async () => {
    const { scene, one } = await jailed()
    const { world } = scene
    setCredits(world, one, 1_000)
    scene.takeEmissions()
    scene.small.ticks(1)
    expect(detainingEmpire(world, one)).toBe(-1)
    expect(creditsOf(world, one)).toBe(300)
    expect(notices(scene, one).map(({ kind }) => kind)).toEqual(['bounty_paid', 'released'])
    expect(scene.small.act(one, 'undock').ok).toBe(true)
  })

  test('ends with the next action where the money has just come', async () => {
    const { scene, one } = await jailed()
    setCredits(scene.world, one, 700)
    expect(scene.small.act(one, 'undock').ok).toBe(true)
    expect(creditsOf(scene.world, one)).toBe(0)
  })

  test('ends after a day; the debt stands, and docking again detains again', async () => {
    const { scene, one } = await jailed()
    const { world } = scene
    world.write(CriminalRecord).jailUntil[one] = world.tick + 1
    scene.takeEmissions()
    scene.small.ticks(1)
    expect(detainingEmpire(world, one)).toBe(-1)
    expect(owed(scene, one)).toBe(700)
    expect(notices(scene, one).map(({ kind }) => kind)).toEqual(['released'])
    expect(scene.small.act(one, 'undock').ok).toBe(true)
    expect(scene.small.act(one, 'dock').ok).toBe(true)
    expect(detainingEmpire(world, one)).toBe(LAW)
  })

  test('outlives a restart', async () => {
    const { scene, one } = await jailed()
    const again = await scene.small.reload()
    expect(detainingEmpire(again.world, one)).toBe(LAW)
    again.ticks(1)
    expect(codeOf(again.act(one, 'undock'))).toBe('detained')
    expect(again.hash()).not.toBe('')
  })

  test('a debt of another sort is reported as one', async () => {
    const { scene, one } = await debtor(0, 0)
    addDebt(scene.world, one, LAW, { credits: 90, why: 'A parcel was never delivered.' })
    scene.small.ticks(1)
    expect(owed(scene, one)).toBe(90)
  })
})

describe('standing', () => {
  test('tends to its baseline by a point a day, from both sides', async () => {
    const scene = await policed(2, 10)
    const { world } = scene
    const [one, two] = scene.players
    const { reputation } = world.write(Player)
    reputation[one * 8 + LAW] = 50
    reputation[two * 8 + LAW] = -50
    reputation[two * 8 + LAW + 1] = 11
    world.tick = 8_640 - 5
    scene.small.ticks(5)
    expect(standing(scene, one)).toBe(49)
    expect(standing(scene, two)).toBe(-49)
    expect(reputation[two * 8 + LAW + 1]).toBe(10)
  })

  test('a crime against one empire is none against another', async () => {
    const scene = await policed(2, 10)
    const [one, two] = scene.players
    const other = scene.world.read(Player).reputation[one * 8 + LAW + 1]
    attack(scene, one, two)
    expect(scene.world.read(Player).reputation[one * 8 + LAW + 1]).toBe(other)
  })
})
