/** Commissions: quotes, ways to pay, materials, delivery and refusals. ships.md 7, 10. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { contentsOf, namedContainer, unitsIn } from '../../../core/goods.ts'
import { namedAccount, post } from '../../../core/ledger.ts'
import { SHIPS_PER_PLAYER_MAX } from '../../../core/limits.ts'
import { statOf, walletOf } from '../../../systems/account/model.ts'
import { baseId, serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { activeShip, loadCargo, modulesOf, shipById, shipsOf } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import {
  buildTicks,
  commissionsAt,
  commissionsOf,
  escrowBalance,
  marginOf,
} from '../../../systems/shipyard/model.ts'
import {
  COMMISSIONS_PER_PLAYER_MAX,
  COMMISSIONS_PER_YARD_MAX,
  Commission,
} from '../../../systems/shipyard/state.ts'
import { undockShip } from '../../../systems/travel/rules.ts'
import { Location } from '../../../systems/travel/state.ts'
import {
  answerOf,
  BILL,
  CLASS,
  CLASS_INDEX,
  classRow,
  commissioning,
  freshScene,
  give,
  giveBill,
  goTo,
  hasYard,
  LABOR,
  otherBase,
  park,
  payloadsTo,
  refused,
  result,
  type Scene,
  stored,
  untilBegun,
  wallet,
} from './scene.ts'

let scene: Scene
beforeEach(async () => {
  scene = await freshScene()
})

const { commission, commissionProvided, cost, salesTaxOn, offerBill } = commissioning(() => scene)

describe('commission_quote', () => {
  test('adds up materials, labour, the margin of the yard and sales tax', () => {
    const quote = answerOf(scene, scene.player, 'commission_quote', { ship_class: CLASS })
    const margin = marginOf(cost(), LABOR)
    const sum = cost() + LABOR + margin
    expect(quote).toMatchObject({
      ship_class: CLASS,
      material_cost: cost(),
      labor_cost: LABOR,
      yard_margin: margin,
      sales_tax: salesTaxOn(sum),
      credits_only_total: sum + salesTaxOn(sum),
      provide_materials_total: LABOR + marginOf(0, LABOR),
      can_commission: true,
      can_afford_credits_only: true,
      can_afford_provide_materials: false,
      blockers: [],
      build_time: buildTicks(scene.small.world, scene.base, CLASS_INDEX),
      shipyard_tier_here: scene.small.world.read(Base).shipyardTier[scene.base],
      shipyard_tier_required: 1,
    })
    expect(quote.build_materials).toHaveLength(BILL.length)
  })

  test('charges no modules for a bare hull and no materials that the player has', () => {
    const whole = answerOf(scene, scene.player, 'commission_quote', { ship_class: CLASS })
    const bare = answerOf(scene, scene.player, 'commission_quote', {
      ship_class: CLASS,
      bare_hull: true,
    })
    expect(bare.material_cost).toBeLessThan(whole.material_cost as number)
    giveBill(scene, scene.player)
    const rest = answerOf(scene, scene.player, 'commission_quote', {
      ship_class: CLASS,
      source_missing_materials: true,
    })
    expect(rest).toMatchObject({ material_cost: 0, can_afford_provide_materials: true })
  })

  test('names every blocker: wrong_empire, shipyard_tier, piloting, reputation, credits', () => {
    const { small, player } = scene
    const foreign = answerOf(scene, player, 'commission_quote', { ship_class: 'the_unsaid' })
    expect(foreign).toMatchObject({ can_commission: false })
    expect(foreign.blockers).toEqual(
      expect.arrayContaining(['wrong_empire', 'piloting', 'reputation', 'materials', 'credits']),
    )
    small.world.write(Base).shipyardTier[scene.base] = 1
    const large = answerOf(scene, player, 'commission_quote', { ship_class: 'provender' })
    expect(large.blockers).toEqual(['shipyard_tier', 'piloting'])
  })

  test('is refused for unknown classes, without a yard and while undocked', () => {
    const { small, player, base } = scene
    const code = (params: object) => {
      const outcome = small.ask(player, 'commission_quote', params)
      return outcome.ok ? 'ok' : outcome.code
    }
    expect(code({ ship_class: 'no such' })).toBe('unknown_class')
    expect(code({ ship_class: 'clause' })).toBe('unknown_class')
    goTo(
      scene,
      player,
      otherBase(scene, (row) => !hasYard(scene, row)),
    )
    expect(code({ ship_class: CLASS })).toBe('no_shipyard')
    goTo(scene, player, base)
    undockShip(small.world, activeShip(small.world, player))
    expect(code({ ship_class: CLASS })).toBe('not_docked')
  })
})

describe('commission_ship', () => {
  test('builds at once from provided materials and delivers when the time is over', () => {
    const { small, player, base } = scene
    const before = wallet(scene, player)
    const answer = commissionProvided()
    const price = LABOR + marginOf(0, LABOR)
    expect(answer).toMatchObject({ status: 'building', credits_paid: price, material_cost: 0 })
    expect(wallet(scene, player)).toBe(before - price)
    expect(stored(scene, player, 'hull_frame')).toBe(0)
    const ticks = buildTicks(small.world, base, CLASS_INDEX)
    small.takeEmissions()
    small.ticks(ticks - 1)
    expect(payloadsTo(scene, player, 'ship_commission_complete')).toEqual([])
    expect(commissionsOf(small.world, player)).toHaveLength(1)
    small.ticks(1)
    const [notice] = payloadsTo(scene, player, 'ship_commission_complete')
    expect(notice).toMatchObject({
      commission_id: answer.commission_id,
      ship_class: CLASS,
      ship_name: classRow(CLASS).name,
      base_id: baseId(small.world, base),
      tick: small.world.tick,
    })
    const ship = shipById(small.world, String(notice.ship_id))
    expect(small.world.read(Ship).owner[ship]).toBe(player)
    expect(small.world.read(Location).base[ship]).toBe(base)
    expect(modulesOf(small.world, ship)).toHaveLength(classRow(CLASS).default_modules.length)
    expect(commissionsAt(small.world, base)).toEqual([])
    expect(escrowBalance(small.world, base)).toBe(0)
    expect(statOf(small.world, player, 'ships_commissioned')).toBe(1)
    const sunk = namedContainer('shipyards')
    expect(unitsIn(small.world, sunk, itemIndex('hull_frame'))).toBe(4)
  })

  test('takes materials from the hold first, then from storage', () => {
    const { small, player } = scene
    giveBill(scene, player)
    const ship = activeShip(small.world, player)
    loadCargo(small.world, ship, namedContainer('supply'), itemIndex('hull_frame'), 3)
    commission({ provide_materials: true })
    expect(contentsOf(small.world, small.world.read(Ship).hold[ship])).not.toContainEqual(
      expect.objectContaining({ item: itemIndex('hull_frame') }),
    )
    expect(stored(scene, player, 'hull_frame')).toBe(3)
  })

  test('builds a bare hull without modules', () => {
    const { small, player, base } = scene
    giveBill(scene, player, true)
    commission({ provide_materials: true, bare_hull: true })
    small.ticks(buildTicks(small.world, base, CLASS_INDEX))
    const [ship] = shipsOf(small.world, player)
    expect(modulesOf(small.world, ship)).toEqual([])
  })

  test('paid in credits waits until the yard has bought materials, and returns the rest', () => {
    const { small, player, base } = scene
    const before = wallet(scene, player)
    const answer = commission()
    expect(answer.status).toBe('sourcing')
    expect(escrowBalance(small.world, base)).toBe(answer.credits_paid)
    offerBill(1)
    const seller = wallet(scene, scene.other)
    const row = untilBegun(scene)
    const { spent, earmark, tax } = small.world.read(Commission)
    expect(answerOf(scene, player, 'commission_status')).toMatchObject({
      count: 1,
      commissions: [{ status: 'building', earmarked_credits: 0 }],
    })
    expect([earmark[row], tax[row]]).toEqual([0, 0])
    expect(wallet(scene, scene.other)).toBeGreaterThan(seller)
    const charged = spent[row] + LABOR + (answer.yard_margin as number)
    expect(wallet(scene, player)).toBe(before - charged - salesTaxOn(charged))
  })

  test('with source_missing_materials charges only for missing materials', () => {
    giveBill(scene, scene.player)
    const answer = commission({ source_missing_materials: true })
    expect(answer).toMatchObject({ material_cost: 0, status: 'building' })
  })

  test('never pays more than four times the base value', () => {
    const { small, player } = scene
    offerBill(5)
    commission({ bare_hull: true })
    small.ticks(101)
    const row = commissionsOf(small.world, player)[0]
    const status = answerOf(scene, player, 'commission_status') as unknown as {
      commissions: { status: string; materials_gathered: Record<string, number> }[]
    }
    expect(status.commissions[0].status).toBe('sourcing')
    expect(status.commissions[0].materials_gathered.hull_frame).toBe(0)
    expect(small.world.read(Commission).earmark[row]).toBeGreaterThan(0)
  })

  test('buys no materials that its owner sells', () => {
    const { small, player } = scene
    commission()
    give(scene, player, 'hull_frame', 4)
    result(scene, player, 'create_sell_order', {
      item_id: 'hull_frame',
      quantity: 4,
      price_each: 1,
    })
    small.ticks(101)
    const gathered = answerOf(scene, player, 'commission_status') as unknown as {
      commissions: { materials_gathered: Record<string, number> }[]
    }
    expect(gathered.commissions[0].materials_gathered.hull_frame).toBe(0)
  })

  test('refuses flags that exclude each other as invalid_payload', () => {
    const flags = { provide_materials: true, source_missing_materials: true }
    const answer = refused(scene, scene.player, 'commission_ship', { ship_class: CLASS, ...flags })
    expect(answer.code).toBe('invalid_payload')
    const funded = { fund_from_faction: true, provide_materials: true }
    expect(
      refused(scene, scene.player, 'commission_ship', { ship_class: CLASS, ...funded }).code,
    ).toBe('invalid_payload')
  })

  test('is refused for unknown or blocked classes, without materials or credits', () => {
    const { small, player } = scene
    const code = (params: object) => refused(scene, player, 'commission_ship', params)
    expect(code({ ship_class: 'no such' }).code).toBe('unknown_class')
    const blocked = code({ ship_class: 'the_unsaid' })
    expect(blocked.code).toBe('commission_blocked')
    expect(blocked.details.blockers).toContain('wrong_empire')
    const missing = code({ ship_class: CLASS, provide_materials: true })
    expect(missing.code).toBe('missing_materials')
    expect(missing.details.missing).toHaveLength(BILL.length)
    post(
      small.world,
      walletOf(small.world, player),
      namedAccount('fee_sink'),
      wallet(scene, player),
    )
    expect(code({ ship_class: CLASS }).code).toBe('no_credits')
  })

  test('missing_materials: a yard without an exchange cannot buy materials', () => {
    const { small, player, base } = scene
    small.world.write(Base).services[base] &= ~serviceBit('market')
    expect(refused(scene, player, 'commission_ship', { ship_class: CLASS }).code).toBe(
      'missing_materials',
    )
    expect(answerOf(scene, player, 'commission_quote', { ship_class: CLASS })).toMatchObject({
      credits_only_available: false,
      blockers: ['materials'],
    })
  })

  test('no_shipyard: a base without a yard builds nothing', () => {
    goTo(
      scene,
      scene.player,
      otherBase(scene, (row) => !hasYard(scene, row)),
    )
    expect(refused(scene, scene.player, 'commission_ship', { ship_class: CLASS }).code).toBe(
      'no_shipyard',
    )
  })

  test('is funded by a faction only at a station of its own', () => {
    const { small, player } = scene
    const params = { ship_class: CLASS, fund_from_faction: true }
    expect(refused(scene, player, 'commission_ship', params).code).toBe('not_in_faction')
    const founded = small.act(player, 'create_faction', { name: 'Hull Union', tag: 'HULL' })
    expect(founded).toMatchObject({ ok: true })
    expect(refused(scene, player, 'commission_ship', params)).toMatchObject({
      code: 'no_permission',
      details: { required: 'own_station' },
    })
  })

  test('is refused beyond the limits of commissions and of ships of a player', () => {
    const { small, player, base } = scene
    for (let i = 0; i < COMMISSIONS_PER_PLAYER_MAX; i++) commission({ bare_hull: true })
    expect(refused(scene, player, 'commission_ship', { ship_class: CLASS })).toMatchObject({
      code: 'limit_reached',
      details: { max: COMMISSIONS_PER_PLAYER_MAX },
    })
    expect(COMMISSIONS_PER_YARD_MAX).toBe(200)
    expect(commissionsAt(small.world, base)).toHaveLength(COMMISSIONS_PER_PLAYER_MAX)
    const owned = shipsOf(small.world, scene.other).length
    for (let i = owned; i < SHIPS_PER_PLAYER_MAX; i++) park(scene, scene.other)
    expect(refused(scene, scene.other, 'commission_ship', { ship_class: CLASS }).code).toBe(
      'ship_limit',
    )
  })
})
