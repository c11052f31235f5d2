/** Error codes of freight: part of the table of all codes. Source: crafting.md section 14. */
import { type ErrorEntry, e } from './error-entry.ts'

export const FREIGHT_ERRORS = {
  reward_required: e('Offer a base_reward of at least 1 credit.'),
  same_base: e('The package is there already; name another base as destination.'),
  package_not_found: e('No such package of the shipper is here; name its place as source.'),
  cost_exceeded: e('It costs more than your max_total_cost; quote shows what it comes to.'),
  invalid_recipient: e('Nobody by that id can be named here; give the id of a player or faction.'),
  shipment_not_found: e('There is no such contract for you; shipping active lists yours.'),
  already_accepted: e('Somebody carries it already; shipping list shows what is still open.'),
  not_eligible: e('This contract is meant for other carriers; shipping list shows yours.'),
  freight_debt: e('Pay what you owe the shipping houses first: shipping pay_debt.'),
  tier_too_low: e('It takes a carrier of a higher tier; shipping profile shows the way there.'),
  liability_limit: e('What you carry would be worth more than your tier allows; deliver first.'),
  package_not_aboard: e('The package is not in the hold of the ship you fly; load it first.'),
  not_cancellable: e('Too late for that; shipping get shows where the contract stands.'),
  no_debt: e('You owe the shipping houses nothing.'),
  freight_locked: e('A freight contract runs on this package; deliver or return it first.'),
} as const satisfies Record<string, ErrorEntry>
