/** Codes of facilities, stations and outposts. Sources: crafting.md sections 7-13. */
import { type ErrorEntry, e } from './error-entry.ts'

export const FACILITY_ERRORS = {
  facility_not_found: e([
    'There is no facility “<facility_id>” here; {facility list} shows the available ones.',
    'There is no such facility here; {facility list} shows the available ones.',
  ]),
  unknown_facility_type: e([
    'There is no type of facility “<facility_type>”; {facility types} lists them.',
    'There is no such type of facility; {facility types} lists them.',
  ]),
  facility_busy: e([
    'The facility is busy or under construction until tick <complete_tick>; wait until it is done.',
    'The facility is busy or under construction; wait until it is done.',
  ]),
  facility_damaged: e('The facility is damaged; {facility repair} mends it.'),
  facility_offline: e(
    'The facility does not work at the moment; use another, or wait until it works again.',
  ),
  facility_private: e([
    'The facility “<facility_id>” is not open to you; ask its owner, or use another.',
    'The facility is not open to you; ask its owner, or use another.',
  ]),
  no_life_support: e([
    'The station has life support for <supply>, and <demand> would be needed; {facility ' +
      'faction_build} an air_plant first, or upgrade one.',
    'The station has too little life support for that; {facility faction_build} an air_plant ' +
      'first, or upgrade one.',
  ]),
  no_quarters: e('You need quarters at this base first; {facility personal_build} builds them.'),
  requires_service: e([
    'The station lacks the service <service>, which this needs; build that first.',
    'The station lacks a service that this needs; {facility types} names it.',
  ]),
  upgrade_only: e([
    'That is an upgrade of <upgrades_from>; {facility upgrade} turns one into it.',
    'That is not an upgrade of this one; the next tier is <next>.',
    'That is an upgrade of another tier; {facility upgrades} lists what leads to what.',
  ]),
  already_exists: e([
    'You have <have> of these, and may have <max>; use or upgrade what you have.',
    'There is one of these already; use or upgrade that one.',
  ]),
  already_max: e('This is the highest tier; there is nothing left to upgrade.'),
  build_not_allowed: e([
    'This may not be built here, or not by you: <reason>. {facility types} says who may build ' +
      'what, and where.',
    'This may not be built here, or not by you; {facility types} says who may build what, and ' +
      'where.',
  ]),
  not_lawless: e([
    'Stations and outposts are founded where no empire rules and no police flies (here: ' +
      '<police_level>); fly to a lawless system.',
    'Stations and outposts are founded where no empire rules and no police flies; fly to a ' +
      'lawless system.',
  ]),
  base_exists: e('Something is built at this place already; go to another one.'),
  system_occupied: e('This system has a station, and may have only one; choose another system.'),
  missing_core: e([
    'Founding it takes <item_id>, and there is none in your hold; get one first.',
    'An item that founding it takes is not in your hold; {get_base_cost} names it.',
  ]),
  not_an_outpost: e('Only an outpost can be taken down this way, and this is not one; leave it.'),
  storage_not_empty: e('Goods, fuel or ships are still stored here; clear them out first.'),
  not_your_base: e('This base is not your faction’s; {dock} at one that is.'),
  invalid_service: e([
    'There is no service “<service>” to open or close; there are <services>.',
    'There is no such service to open or close; choose another.',
  ]),
  outpost_unsupported: e([
    'An outpost has no setting <action>, since it serves members only; leave that as it is.',
    'An outpost has no such setting, since it serves members only; leave that as it is.',
  ]),
  outpost_builtin: e('An outpost needs this; leave the setting as it is.'),
  faction_owns_bases: e([
    'Your faction still owns <bases base> and cannot end: {faction_invite} somebody and ' +
      '{faction_promote} them to leader, then leave; {dismantle_outpost} takes outposts down.',
    'Your faction owns bases and cannot end: {faction_invite} somebody and {faction_promote} ' +
      'them to leader, then leave; {dismantle_outpost} takes outposts down.',
  ]),
  cannot_dismantle: e('This cannot be dismantled; everything else here depends on it.'),
  bucket_not_empty: e('The bucket still holds something; take everything out first.'),
  arrears_due: e([
    'Rent of <owed credit> is owed for it. It is taken with the next rent, within 100 ticks, as ' +
      'soon as its owner’s wallet, or for a faction its treasury, holds enough.',
    'Rent is owed for it. It is taken with the next rent, within 100 ticks, as soon as its ' +
      'owner’s wallet, or for a faction its treasury, holds enough.',
  ]),
  listing_not_found: e([
    'There is no offer “<listing_id>”; {browse_ships} and {facility browse_for_sale} list them, each ' +
      'with its listing_id.',
    'There is no such offer; {browse_ships} and {facility browse_for_sale} list them.',
  ]),
  own_listing: e('That offer is your own; {facility cancel_listing} withdraws it.'),
  invalid_price: e([
    'This price is not allowed; send one of <min> to <max> credits.',
    'This price is not allowed; send one of at least 1 credit.',
  ]),
  not_a_ranch: e('That is not a ranch; {facility list} shows which are.'),
} as const satisfies Record<string, ErrorEntry>
