/** Codes of freight and passengers. Sources: crafting.md section 14, travel.md (passengers). */
import { type ErrorEntry, e } from './error-entry.ts'

export const FREIGHT_ERRORS = {
  /* Freight */
  reward_required: e('Offer a base_reward of at least 1 credit.'),
  same_base: e('The package is there already; name another base as destination.'),
  package_not_found: e([
    'No package “<package_id>” of the shipper is here; name its place as source.',
    'No such package of the shipper is here; name its place as source.',
  ]),
  cost_exceeded: e([
    'It costs <total>, more than your max_total_cost of <most>; {shipping quote} itemizes it.',
    'It costs more than your max_total_cost; {shipping quote} shows what it comes to.',
  ]),
  invalid_recipient: e([
    'The recipient is not valid: <field> must be <expected>.',
    'The recipient is not valid; give the id of a player or faction.',
  ]),
  shipment_not_found: e([
    'There is no contract “<shipment_id>” for you; {shipping active} lists yours.',
    'There is no such contract for you; {shipping active} lists yours.',
  ]),
  already_accepted: e('Somebody carries it already; {shipping list} shows what is still open.'),
  not_eligible: e('This contract is meant for other carriers; {shipping list} shows yours.'),
  freight_debt: e([
    'Pay the <outstanding credit> you owe the shipping houses first: {shipping pay_debt}.',
    'Pay what you owe the shipping houses first: {shipping pay_debt}.',
  ]),
  tier_too_low: e([
    'It takes a carrier of the tier <required>, and yours is <tier>; {shipping profile} shows ' +
      'the way there.',
    'It takes a carrier of a higher tier; {shipping profile} shows the way there.',
  ]),
  liability_limit: e([
    'What you carry would be worth <exposure> and <liability> more, over the <limit> of your ' +
      'tier; deliver first.',
    'What you carry would be worth more than your tier allows; deliver first.',
  ]),
  package_not_aboard: e(
    'The package is not in the hold of the ship you fly; {withdraw_items} it from storage first.',
  ),
  not_cancellable: e([
    'Too late for that: the contract is <status>. {shipping get} shows where it stands.',
    'Too late for that; {shipping get} shows where the contract stands.',
  ]),
  no_debt: e('You owe the shipping houses nothing; there is nothing to pay.'),
  freight_locked: e([
    'A freight contract runs on the package “<package_id>”; deliver or return it first.',
    'A freight contract runs on this package; deliver or return it first.',
  ]),

  /* Passengers */
  no_passengers: e([
    'Nobody of that kind waits here for <destination>; {list_station_passengers} shows who does.',
    'Nobody of that kind is here; {list_station_passengers} shows who waits.',
  ]),
  passenger_not_found: e([
    'Nobody named “<name>” is aboard; {list_passengers} shows who is.',
    'Nobody of that name is aboard; {list_passengers} shows who is.',
  ]),
  passenger_expired: e('Their time is up: they leave at the next dock and cannot be moved.'),
  no_lounge: e(
    'Your faction has no transit lounge at this base; build one, or visit a base that has one.',
  ),
  lounge_full: e([
    'The lounge has no free seat of its <capacity>; take somebody out of it first.',
    'The lounge has no free seat; take somebody out of it first.',
  ]),
} as const satisfies Record<string, ErrorEntry>
