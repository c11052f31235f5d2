/** Insurance policies and home bases. Source: ships.md sections 9 and 10. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, itemIndex, SHIP_CLASSES } from '../../../core/catalog/index.ts'
import type { Outcome } from '../../../core/errors.ts'
import { contentsOf, namedContainer } from '../../../core/goods.ts'
import { grant } from '../../../core/guard.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { statOf, walletOf } from '../../../systems/account/model.ts'
import { allied, Player } from '../../../systems/account/state.ts'
import { baseId, hasService } from '../../../systems/base/model.ts'
import { Base, type Service } from '../../../systems/base/state.ts'
import { buyInsurance } from '../../../systems/insurance/commands.ts'
import {
  payoutOf,
  policyOf,
  recentDeaths,
  tierMarketPct,
} from '../../../systems/insurance/model.ts'
import { endPolicy, payClaim, quoteShip, recordDeath } from '../../../systems/insurance/rules.ts'
import { Cover, Policy, Risk } from '../../../systems/insurance/state.ts'
import { rowsOfBatch } from '../../../systems/log/model.ts'
import { wrecksAt } from '../../../systems/salvage/model.ts'
import { Wreck } from '../../../systems/salvage/state.ts'
import { dropTow } from '../../../systems/salvage/tow-rules.ts'
import { loadCargo, rebuildValue } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockShip, placeInSpace } from '../../../systems/travel/rules.ts'
import { addGrant } from '../../contributions.ts'
import { hullOf, meeting, payloadsTo, putAt, type Scene } from '../combat/scene.ts'

const CLASS = SHIP_CLASSES.find(({ tier, faction }) => tier === 2 && faction === '')?.id ?? ''
const DAY = 8_640
/** Ticks of a policy: seven days. */
const TERM = 60_480
const ORE = itemIndex('iron_ore')
let scene: Scene
let ada: Eid
let ben: Eid

beforeEach(async () => {
  scene = await meeting(2)
  ;[ada, ben] = scene.players
})

const act = (player: Eid, command: string, params: object = {}) =>
  scene.small.act(player, command, params) as Outcome<Record<string, unknown>>
const credits = (player: Eid) => balanceOf(scene.world, walletOf(scene.world, player))

/** Docks a player at a base with a service, or without it. */
function dockAt(player: Eid, service: Service, has = true): Eid {
  const { world } = scene
  const { alive, pirateRepRequired } = world.read(Base)
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0 || pirateRepRequired[base] !== 0) continue
    if (hasService(world, base, service) !== has) continue
    dockShip(world, hullOf(world, player), base)
    return base
  }
  throw new Error(`no base has ${service}`)
}

/** Makes a player with credits and a ship of some worth, docked at an insurer. */
function customer(player = ada, modules: readonly string[] = ['autocannon_i', 'autocannon_i']) {
  const { world, poi } = scene
  const ship = putAt(world, player, poi, { shipClass: CLASS, modules })
  post(world, namedAccount('starting_grant'), walletOf(world, player), 100_000)
  const base = dockAt(player, 'insurance')
  return { ship, base }
}

/** Makes a customer who has bought a policy. */
function insured(player = ada) {
  const found = customer(player)
  expect(act(player, 'buy_insurance')).toMatchObject({ ok: true })
  return { ...found, policy: policyOf(scene.world, found.ship) }
}

/** Destroys the ship of one player by another; returns what the loser is sent. */
function loseShip(player: Eid, killer: Eid): Record<string, unknown> {
  const { world, small, poi } = scene
  placeInSpace(world, hullOf(world, player), poi)
  placeInSpace(world, hullOf(world, killer), poi)
  expect(act(killer, 'attack', { target_id: scene.id(player) })).toMatchObject({ ok: true })
  scene.takeEmissions()
  scene.doom(player, 'destroyed', killer)
  small.ticks(1)
  return payloadsTo(scene, scene.takeEmissions(), player, 'player_died')[0]
}

describe('get_insurance_quote', () => {
  test('shows premium, coverage and the factors of the risk', () => {
    const { small, world } = scene
    const { ship } = customer()
    const answer = small.ask(ada, 'get_insurance_quote')
    const found = quoteShip(world, ada, ship)
    expect(answer).toMatchObject({
      ok: true,
      result: {
        quote: {
          premium: found.premium,
          coverage: found.coverage,
          fitted_value: found.fittedValue,
          risk_score: found.riskPpm,
          refused: false,
        },
      },
    })
    const { quote } = (answer as { result: { quote: { factors: { name: string }[] } } }).result
    expect(quote.factors.map(({ name }) => name)).toContain('recent_deaths')
  })

  test('needs a base with an insurer: not_docked, no_service', () => {
    const { small } = scene
    expect(small.ask(ada, 'get_insurance_quote')).toMatchObject({ code: 'not_docked' })
    dockAt(ada, 'insurance', false)
    expect(small.ask(ada, 'get_insurance_quote')).toMatchObject({ code: 'no_service' })
  })

  test('refuses a ship that was issued for free', () => {
    const { small, world } = scene
    customer()
    world.write(Ship).issue[hullOf(world, ada)] = 1
    const answer = small.ask(ada, 'get_insurance_quote')
    expect(answer).toMatchObject({
      ok: true,
      result: {
        message: 'This ship cannot be insured: its hull was issued for free.',
        quote: { refused: true },
      },
    })
  })
})

describe('a starter', () => {
  test('is insured only for modules that were fitted later', () => {
    const { world, poi } = scene
    const starter = SHIP_CLASSES.find(({ starter_ship }) => starter_ship)
    if (!starter) throw new Error('no starter')
    const fitted = (modules: readonly string[]) => {
      const ship = putAt(world, ada, poi, { shipClass: starter.id, modules })
      return quoteShip(world, ada, ship)
    }
    expect(fitted(starter.default_modules)).toMatchObject({ fittedValue: 0, refused: true })
    const { base_value } = GOODS[itemIndex('scanner_i')]
    const added = [...starter.default_modules, 'scanner_i']
    expect(fitted(added).fittedValue).toBe(base_value)
    post(world, namedAccount('starting_grant'), walletOf(world, ada), 100_000)
    dockAt(ada, 'insurance')
    expect(act(ada, 'buy_insurance')).toMatchObject({ ok: true })
    const before = credits(ada)
    payClaim(world, { ship: hullOf(world, ada), cargoValue: 0, isCovered: true })
    expect(credits(ada) - before).toBe(Math.floor((base_value * 80) / 100))
  })
})

describe('buy_insurance', () => {
  test('takes the premium and binds a policy to the ship for seven days', () => {
    const { world } = scene
    const { ship, base } = customer()
    const { premium, coverage } = quoteShip(world, ada, ship)
    const before = credits(ada)
    const done = act(ada, 'buy_insurance')
    expect(done).toMatchObject({
      ok: true,
      result: { premium, coverage, remaining_credits: before - premium },
    })
    const policy = policyOf(world, ship)
    expect(world.read(Policy).expireTick[policy]).toBe(world.tick + TERM)
    expect(world.read(Policy).base[policy]).toBe(base)
    expect(statOf(world, ada, 'insurance_policies_bought')).toBe(1)
    const listed = scene.small.ask(ada, 'view_insurance')
    const policy_id = done.ok ? done.result.policy_id : ''
    expect(listed).toMatchObject({
      ok: true,
      result: { policies: [{ policy_id, coverage, premium, self_destruct_excluded: true }] },
    })
    expect(scene.small.ask(ada, 'claim_insurance')).toEqual(listed)
    const none = scene.small.ask(ben, 'view_insurance')
    expect(none).toMatchObject({ ok: true, result: { policies: [] } })
  })

  test('is refused: uninsurable, no_credits, limit_reached, already_insured, no_service', () => {
    const { world } = scene
    customer()
    const code = () => {
      const done = act(ada, 'buy_insurance')
      return done.ok ? 'ok' : done.code
    }
    world.write(Ship).issue[hullOf(world, ada)] = 1
    expect(code()).toBe('uninsurable')
    world.write(Ship).issue[hullOf(world, ada)] = 0
    const wallet = walletOf(world, ada)
    const balance = credits(ada)
    post(world, wallet, namedAccount('starting_grant'), balance)
    expect(code()).toBe('no_credits')
    post(world, namedAccount('starting_grant'), wallet, balance)
    const policies = world.stores.get(Policy.name)
    const high = policies?.high ?? 0
    if (policies) policies.high = policies.rowsMax
    const full = buyInsurance.kind === 'mutation' ? buyInsurance.run(world, ada, {}) : undefined
    expect(full).toMatchObject({ ok: false, code: 'limit_reached' })
    if (policies) policies.high = high
    expect(code()).toBe('ok')
    expect(code()).toBe('already_insured')
    dockAt(ada, 'insurance', false)
    expect(code()).toBe('no_service')
  })
})

describe('a policy', () => {
  test('expires after its term without a payout, also after a restart', async () => {
    const { world, small } = scene
    const { ship, policy } = insured()
    world.tick = world.read(Policy).expireTick[policy] - 2
    const twin = await small.reload()
    for (const instance of [small, twin]) instance.ticks(1)
    expect(policyOf(world, ship)).toBe(policy)
    for (const instance of [small, twin]) instance.ticks(1)
    expect(policyOf(world, ship)).toBe(0)
    expect(world.countOf(Policy)).toBe(0)
    expect(twin.hash()).toBe(small.hash())
  })

  test('pays once when the ship is destroyed, before the clone is paid for', () => {
    const { world, poi } = scene
    const { ship, policy } = insured()
    const cover = world.read(Policy).coverage[policy]
    loadCargo(world, ship, namedContainer('mined'), ORE, 20)
    const before = credits(ada)
    const fund = balanceOf(world, namedAccount('insurance'))
    const died = loseShip(ada, ben)
    const paid = died.insurance_payout as number
    expect(paid).toBeGreaterThan(0)
    expect(paid).toBeLessThanOrEqual(cover + Math.floor(cover / 5))
    expect(credits(ada)).toBe(before + paid - (died.clone_cost as number))
    expect(balanceOf(world, namedAccount('insurance'))).toBe(fund - paid)
    expect(world.countOf(Policy)).toBe(0)
    expect(world.read(Risk).claims[ada]).toBe(1)
    expect(statOf(world, ada, 'insurance_claims_made')).toBe(1)
    expect(statOf(world, ada, 'insurance_payouts_received')).toBe(paid)
    const [wreck] = wrecksAt(world, poi)
    expect(world.texts.get(world.read(Wreck).policyId[wreck])).not.toBe('')
    const [lost] = contentsOf(world, world.read(Wreck).cargo[wreck])
    expect(lost.units).toBeLessThan(20)
  })

  test('pays into the fee sink where the wallet is full, and says so', () => {
    const { world } = scene
    const { ship } = insured()
    const wallet = walletOf(world, ada)
    post(world, namedAccount('correction'), wallet, Number.MAX_SAFE_INTEGER - credits(ada))
    const accounts = ['insurance', 'fee_sink'] as const
    const before = accounts.map((name) => balanceOf(world, namedAccount(name)))
    expect(payClaim(world, { ship, cargoValue: 0, isCovered: true })).toBe(0)
    const [fund, sink] = accounts.map((name, i) => balanceOf(world, namedAccount(name)) - before[i])
    expect(sink).toBeGreaterThan(0)
    expect(fund).toBe(-sink)
    expect(credits(ada)).toBe(Number.MAX_SAFE_INTEGER)
    expect(world.read(Risk).claims[ada]).toBe(1)
    expect(statOf(world, ada, 'insurance_payouts_received')).toBe(0)
    expect(rowsOfBatch(world).at(-1)?.summary).toContain('wallet is full')
  })

  test('does not pay for modules that dropped into the wreck', () => {
    const { world } = scene
    const { ship, policy } = insured()
    const { coverage } = world.read(Policy)
    const bare = payoutOf(coverage[policy], rebuildValue(world, ship, []), 0)
    const whole = payoutOf(coverage[policy], quoteShip(world, ada, ship).fittedValue, 0)
    const died = loseShip(ada, ben)
    expect(died.insurance_payout).toBeGreaterThanOrEqual(bare)
    expect(died.insurance_payout).toBeLessThanOrEqual(whole)
  })

  test('pays nothing for a self-destruct out of battle, and ends', () => {
    const { world, small, poi } = scene
    const { ship } = insured()
    placeInSpace(world, ship, poi)
    scene.takeEmissions()
    expect(act(ada, 'self_destruct')).toMatchObject({ ok: true })
    const [died] = payloadsTo(scene, scene.takeEmissions(), ada, 'player_died')
    expect(died).toMatchObject({ insurance_payout: 0, cause: 'self_destruct' })
    expect(world.countOf(Policy)).toBe(0)
    small.ticks(1)
  })

  test('pays nothing for a loss to an ally', () => {
    insured()
    addGrant(
      scene.world,
      grant(allied, () => true),
    )
    const before = credits(ada)
    expect(loseShip(ada, ben)).toMatchObject({ cause: 'player', insurance_payout: 0 })
    expect(credits(ada)).toBeLessThanOrEqual(before)
    expect(scene.world.countOf(Policy)).toBe(0)
  })

  test('pays nothing for a loss that is not covered, and ends', () => {
    const { world } = scene
    const { ship } = insured()
    expect(payClaim(world, { ship, cargoValue: 0, isCovered: false })).toBe(0)
    expect(policyOf(world, ship)).toBe(0)
    expect(payClaim(world, { ship, cargoValue: 0, isCovered: true })).toBe(0)
  })

  test('ends without a payout by endPolicy, however often it is called', () => {
    const { world, small } = scene
    const { ship } = insured()
    const before = credits(ada)
    endPolicy(world, ship)
    endPolicy(world, ship)
    dropTow(world, ship)
    expect([policyOf(world, ship), credits(ada)]).toEqual([0, before])
    expect(world.read(Cover).policy[ship]).toBe(0)
    small.ticks(1)
  })
})

describe('the risk of a player', () => {
  test('counts deaths of the last seven days', () => {
    const { world } = scene
    const deathsAt = (day: number) => {
      world.tick = day * DAY + 5
      return recentDeaths(world, ada)
    }
    world.tick = 3 * DAY
    recordDeath(world, ada)
    recordDeath(world, ada)
    world.tick = 5 * DAY
    recordDeath(world, ada)
    expect([3, 5, 9, 10, 11, 12, 13].map(deathsAt)).toEqual([2, 3, 3, 1, 1, 0, 0])
    world.tick = 40 * DAY
    recordDeath(world, ada)
    expect([40, 46, 47].map(deathsAt)).toEqual([1, 1, 0])
  })

  test('follows the payouts of a tier from the next day on', () => {
    const { world } = scene
    expect(tierMarketPct(world, 2)).toBe(100)
    const { ship } = insured()
    expect(payClaim(world, { ship, cargoValue: 0, isCovered: true })).toBeGreaterThan(0)
    expect(tierMarketPct(world, 2)).toBe(100)
    world.tick += DAY
    expect(tierMarketPct(world, 2)).toBe(500)
    world.tick += 31 * DAY
    expect(tierMarketPct(world, 2)).toBe(100)
  })

  test('counts a destroyed ship as a kill of one player and a death of the other', () => {
    const { world } = scene
    loseShip(ada, ben)
    expect(world.read(Risk).playerKills[ben]).toBe(1)
    expect(recentDeaths(world, ada)).toBe(1)
  })
})

describe('set_home_base', () => {
  test('makes the base where the player is docked their home', () => {
    const { world } = scene
    const base = dockAt(ada, 'cloning')
    const id = baseId(world, base)
    const old = world.read(Player).homeBase[ada]
    const done = act(ada, 'set_home_base', { base_id: id })
    expect(done).toMatchObject({
      ok: true,
      result: { home_base: id, old_home_base: baseId(world, old) },
    })
    expect(world.read(Player).homeBase[ada]).toBe(base)
  })

  test('is refused for another base or without the service: wrong_station, no_cloning', () => {
    const { world } = scene
    const base = dockAt(ada, 'cloning', false)
    const home = baseId(world, world.read(Player).homeBase[ada])
    expect(act(ada, 'set_home_base', { base_id: home })).toMatchObject({ code: 'wrong_station' })
    const here = act(ada, 'set_home_base', { base_id: baseId(world, base) })
    expect(here).toMatchObject({ code: 'no_cloning' })
  })
})
