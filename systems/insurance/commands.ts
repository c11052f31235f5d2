/** Insuring the active ship, and setting a home base. Source: ships.md sections 9, 10. */
import { mutation, query } from '../../core/command.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { balanceOf, namedAccount } from '../../core/ledger.ts'
import { bools, NO_PARAMS, obj, opt, ref, str, strings } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import { baseId, baseName, hasService } from '../base/model.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { activeShip, shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { dockedBase, poiOf } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { Poi } from '../travel/state.ts'
import { policiesOf, policyId, policyOf } from './model.ts'
import { openPolicy, quoteShip, type ShipQuote } from './rules.ts'
import { boughtSchema, policiesSchema, quoteSchema } from './schemas.ts'
import { Policy } from './state.ts'
import { expiryOf, renderFactors, renderPolicy, renderQuote } from './views.ts'

const shared = { category: 'salvage' } as const

/* Quotes and policies */

const insurerRefusal = (view: WorldView, player: Eid): Failure<'no_service'> | undefined =>
  hasService(view, dockedBase(view, player), 'insurance') ? undefined : fail('no_service')

/** Returns why no policy is sold for a ship. */
function refusalReason(view: WorldView, ship: Eid, { coverage, premium }: ShipQuote): string {
  if (coverage === 0)
    return 'This ship cannot be insured: hull and fittings were issued for free, and are worth nothing.'
  if (view.read(Ship).issue[ship] === 1)
    return 'This ship cannot be insured: its hull was issued for free.'
  if (premium >= coverage)
    return `This ship cannot be insured at present: the premium, ${counted(premium, 'credit')}, would be no less than the payout, ${counted(coverage, 'credit')}.`
  return 'This ship cannot be insured at present: by the factors below, the risk is too high.'
}

export const getInsuranceQuote = query({
  ...shared,
  name: 'get_insurance_quote',
  v2: { tool: 'game_salvage', action: 'quote' },
  summary: 'Show what a policy for your active ship would cost now, and why.',
  params: NO_PARAMS,
  result: quoteSchema,
  needs: [DOCKED],
  errors: ['no_service'],
  run(view, player) {
    const refused = insurerRefusal(view, player)
    if (refused) return refused
    const ship = activeShip(view, player)
    const quote = quoteShip(view, player, ship)
    const { premium, coverage } = quote
    const message = quote.refused
      ? refusalReason(view, ship, quote)
      : `A premium of ${counted(premium, 'credit')} insures your ship for up to ${counted(coverage, 'credit')}.`
    const notice =
      policyOf(view, ship) === 0
        ? {}
        : { notice: 'This ship is insured already and cannot have a second policy.' }
    return ok({ message, ...notice, quote: renderQuote(quote) })
  },
})

function insuranceRefusal(view: WorldView, player: Eid, ship: Eid, quote: ShipQuote) {
  if (policyOf(view, ship) !== 0) return fail('already_insured')
  const { premium, coverage, riskPpm, refused } = quote
  if (refused) return fail('uninsurable', { premium, coverage, risk_score: riskPpm })
  const have = balanceOf(view, walletOf(view, player))
  if (have < premium) return fail('no_credits', { need: premium, have })
  return isNearlyFull(view, Policy) ? fail('limit_reached') : undefined
}

export const buyInsurance = mutation({
  ...shared,
  name: 'buy_insurance',
  v2: { tool: 'game_salvage', action: 'insure' },
  summary: 'Insure your active ship for seven days; its loss is paid once, without a claim.',
  order: 'plain',
  params: NO_PARAMS,
  result: boughtSchema,
  needs: [DOCKED],
  changes: ['player'],
  errors: ['no_service', 'already_insured', 'uninsurable', 'no_credits', 'limit_reached'],
  run(world, player) {
    const refused = insurerRefusal(world, player)
    if (refused) return refused
    const ship = activeShip(world, player)
    const quote = quoteShip(world, player, ship)
    return insuranceRefusal(world, player, ship, quote) ?? ok(buy(world, player, ship, quote))
  },
})

function buy(world: World, player: Eid, ship: Eid, quote: ShipQuote) {
  const { premium, coverage } = quote
  const policy = openPolicy(world, ship, dockedBase(world, player), quote)
  const wallet = walletOf(world, player)
  const id = policyId(world, policy)
  const message = `Insured ${shipName(world, ship)} for up to ${counted(coverage, 'credit')}.`
  const insurer = namedAccount('insurance')
  const details = { policy_id: id }
  creditMove(world, player, wallet, insurer, premium, 'ship', 'insurance.bought', message, details)
  addStat(world, player, 'insurance_policies_bought', 1)
  addStat(world, player, 'credits_spent', premium)
  return {
    policy_id: id,
    coverage,
    premium,
    expires_at: expiryOf(world, policy),
    remaining_credits: balanceOf(world, wallet),
    risk_score: quote.riskPpm,
    factors: renderFactors(quote.inputs),
    message,
  }
}

const listPolicies = {
  ...shared,
  params: NO_PARAMS,
  result: policiesSchema,
  needs: [],
  errors: [],
  run(view: WorldView, player: Eid) {
    const policies = policiesOf(view, player).map((row) => renderPolicy(view, row))
    const message =
      policies.length === 0
        ? 'None of your ships is insured.'
        : 'A loss is paid automatically: there is nothing to claim.'
    return ok({ message, policies })
  },
} as const

export const viewInsurance = query({
  ...listPolicies,
  name: 'view_insurance',
  v2: { tool: 'game_salvage', action: 'policies' },
  summary: 'List your active insurance policies.',
})

export const claimInsurance = query({
  ...listPolicies,
  name: 'claim_insurance',
  v2Name: 'game_salvage/policies',
  summary: 'List your active insurance policies; payouts need no claim.',
})

/* Home base */

/** Refuses a home other than the base where the player is, whether there is such a base or not. */
const elsewhereRefusal = (view: WorldView, here: Eid, base_id: string): Failure<'wrong_station'> =>
  fail(
    'wrong_station',
    { base_id },
    `Only the base where you are docked can be your home; here that is ${baseId(view, here)}.`,
  )

export const setHomeBase = mutation({
  ...shared,
  name: 'set_home_base',
  v2: { tool: 'game_salvage', action: 'set_home', rename: { base_id: 'id' } },
  summary: 'Make the base where you are docked your home: you respawn there after a death.',
  order: 'plain',
  params: obj({
    base_id: ref('base', str('Id of the base you are docked at.', { min: 1, example: 'base' })),
  }),
  result: obj({
    ...strings('home_base', 'message'),
    ...opt({ ...strings('old_home_base'), ...bools('auto_docked', 'auto_undocked') }),
  }),
  needs: [DOCKED],
  changes: ['player'],
  errors: ['wrong_station', 'no_cloning'],
  judge(view, player, { base_id }) {
    const here = view.read(Poi).base[poiOf(view, player)]
    // Without a base here, auto-docking refuses instead.
    const isElsewhere = here !== 0 && base_id !== baseId(view, here)
    return isElsewhere ? elsewhereRefusal(view, here, base_id) : undefined
  },
  run(world, player, { base_id }) {
    const base = dockedBase(world, player)
    if (base_id !== baseId(world, base)) return elsewhereRefusal(world, base, base_id)
    if (!hasService(world, base, 'cloning')) return fail('no_cloning')
    const { homeBase } = world.write(Player)
    const old = homeBase[player]
    homeBase[player] = base
    const message = `${baseName(world, base)} is your home now.`
    logAction(world, player, 'ship', 'home_base', message, { base_id })
    return ok({
      home_base: base_id,
      ...(old === 0 ? {} : { old_home_base: baseId(world, old) }),
      message,
    })
  },
})
