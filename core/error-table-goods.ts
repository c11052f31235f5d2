/**
 * Codes of goods and money, missions, trades, wrecks, the exchange, crafting and packages. Sources:
 * market.md, missions.md, trade-storage.md, salvage.md, crafting.md.
 */
import { type ErrorEntry, e } from './error-entry.ts'

export const GOODS_ERRORS = {
  /* Goods and money */
  no_credits: e([
    'Insufficient credits: <need> needed, <have> in your wallet; {sell} something, or ask for ' +
      'less.',
    'Insufficient credits; {sell} something, or ask for less.',
  ]),
  no_cargo_space: e([
    'The hold has no room for that (cargo_full): <need> needed, room for <fits>, each of size ' +
      '<size>; {sell}, store or {jettison} something, or come with a larger hold.',
    'The cargo hold is full (cargo_full): <need> needed, room for <fits|free|have>; {sell}, ' +
      'store or {jettison} something.',
    'The cargo hold is full (cargo_full); {sell}, store or {jettison} something.',
  ]),
  ambiguous_target: e('Several things have that name; send the id of the one you mean.'),
  unknown_item: e([
    '“<item_id>” may be any of <matches or>; name one by its id.',
    'There is no item “<item_id>”; the {catalog} lists them all.',
    'There is no such item; the {catalog} lists them all.',
  ]),
  unknown_class: e([
    'There is no ship class “<ship_class>”; {catalog} with type ships lists them.',
    'There is no such ship class; {catalog} with type ships lists them.',
  ]),
  insufficient_items: e([
    'There is not enough: <missing>. {get_cargo} and {view_storage} list what you hold.',
    'You need <need> of <item_id> and hold <have>; {get_cargo} and {view_storage} list what you ' +
      'hold.',
    'You hold no <item_id>; {get_cargo} and {view_storage} list what you hold.',
    'You need <need> and hold <have>; {get_cargo} and {view_storage} list what you hold.',
    'You do not hold that many; {get_cargo} and {view_storage} list what you hold.',
  ]),
  missing_materials: e([
    'Materials are missing (available of needed): <missing>. Bring them ' +
      'into your storage here; {find_item} says where they are.',
    'Materials are missing; bring them into your storage here.',
  ]),
  missing_faction_materials: e([
    'The store of your faction here lacks materials (available of needed): <missing>. ' +
      '{faction_deposit_items} with {faction_deposit_items.target} faction puts them there, with ' +
      'source storage out of your own.',
    'The store of your faction here lacks materials for that; {faction_deposit_items} puts them ' +
      'there.',
  ]),
  quest_item: e([
    '<item_id> is bound to a mission; complete or abandon it.',
    'This item is bound to a mission; complete or abandon it.',
  ]),
  not_tradeable: e([
    '<item_id> cannot be traded; use it yourself, or store it.',
    'This item cannot be traded; use it yourself, or store it.',
  ]),
  hazard_not_supported: e([
    'Carrying <item_id> needs a handling module, which {inspect} of the item names; fit one.',
    'Carrying this needs a handling module, which {inspect} of the item names; fit one.',
  ]),
  issue_item: e('Issued equipment cannot be sold, given or moved; leave it where it is.'),
  amount_too_large: e([
    'The amount is larger than the <max> possible; ask for less.',
    'The amount is larger than any account holds; ask for less.',
  ]),
  limit_reached: e([
    'The limit of <max|limit> <of> is reached; end one if it is yours, or else wait or go elsewhere.',
    'This world has no room for more <full>; try again later.',
    'The limit of <max|limit> is reached; end or remove something first.',
    'This world has no room for more of that at the moment; try again later.',
  ]),
  too_long: e([
    'The text of <field> is too long: <length> of at most <max> <unit>; shorten it.',
    'The text is too long; shorten it.',
  ]),
  invalid_name: e([
    'This name breaks the rules: it has <min> to <max> characters; choose another.',
    'This name breaks the rules; choose another.',
  ]),
  no_storage_service: e('This base has no storage; try another base.'),
  storage_full: e([
    'The store is full: it holds <have> of at most <cap>; take something out, or use another base.',
    'The store has room for <room package> more; take something out, or use another base.',
    'The store is full; take something out, or use another base.',
  ]),
  wrong_station: e([
    'That belongs to another station: go to <base_id>.',
    'That belongs to another station; go there.',
  ]),
  trading_restricted: e([
    'You may not trade with others until tick <until_tick>; wait until then.',
    'You may not trade with others for now; wait.',
  ]),

  /* Missions */
  no_missions_service: e(
    'Nobody offers missions at this base; try another, {get_base} lists the services of a base.',
  ),
  mission_not_found: e([
    'There is no mission “<mission_id|template_id>” for you here; {get_missions} lists what ' +
      'there is.',
    'There is no such mission for you here; {get_missions} lists what there is.',
  ]),
  mission_limit: e([
    'You have <max mission>, as many as you may; complete or abandon one.',
    'You have as many missions as you may; complete or abandon one.',
  ]),
  already_active: e(
    'You are already on this mission; {get_active_missions} shows what is left to do.',
  ),
  requirements_not_met: e([
    'You do not meet what this mission requires: <missing>.',
    'You do not meet what this mission requires; {get_missions} says what that is.',
  ]),
  mission_incomplete: e([
    'Not all objectives are met: <missing>. {get_active_missions} shows how far you are.',
    'Not all objectives are met; {get_active_missions} shows how far you are.',
  ]),
  mission_expired: e(
    'This mission is over: its time ran out or it failed, {get_action_log} says which; ' +
      '{get_missions} lists others where you are docked.',
  ),
  not_completed: e([
    'You have never completed the mission “<template_id>”; {completed_missions} lists those you ' +
      'have.',
    'You have never completed this mission; {completed_missions} lists those you have.',
  ]),
  members_only: e(
    'This mission is for members of the faction that posted it; join it, or take another.',
  ),
  mission_in_progress: e(
    'Somebody is working on this mission; wait until they are done, or drop it.',
  ),
  distress_active: e(
    'Your distress signal is on the air already; wait for help, the signal ends on its own.',
  ),

  /* Player trades and gifts */
  empty_trade: e('A trade needs something on one side at least; offer or ask for something.'),
  trade_not_found: e([
    'There is no pending trade “<trade_id>”; {get_trades} lists yours.',
    'There is no such pending trade; {get_trades} lists yours.',
  ]),
  trade_expired: e('This offer has lapsed; ask for a new one.'),
  not_your_trade: e('This is not yours to answer; {get_trades} lists yours.'),
  location_changed: e('You are no longer at the same place; meet again, the offer still stands.'),
  offerer_insufficient_items: e(
    'The other player no longer has what they offered; the trade is cancelled.',
  ),
  offerer_insufficient_credits: e(
    'Insufficient credits: the other player can no longer pay; the trade is cancelled.',
  ),
  offerer_no_space: e('The hold of the other player is too full; the offer still stands.'),
  gift_invalid: e(
    'Give exactly one of item_id with quantity, credits, ship_id; leave the others out.',
  ),
  package_storage_full: e([
    'There is no room for <packages package> more there; open or take some out first.',
    'There is no room for more packages there; open or take some out first.',
  ]),
  wrong_empire: e([
    'An empire takes donations at its own bases only; {dock} at one of <empire_id>.',
    'An empire takes donations at its own bases only; {dock} at one of that empire.',
  ]),

  /* Wrecks */
  wreck_not_found: e([
    'There is no wreck “<wreck_id>” here; {get_wrecks} lists the available ones.',
    'There is no such wreck here; {get_wrecks} lists the available ones.',
  ]),
  wreck_id_required: e('Nothing is in tow; send the id of a wreck here, as {get_wrecks} lists it.'),
  item_not_found: e([
    'There is no <item_id> in the wreck; {get_wrecks} shows what it holds.',
    'There is no such item in the wreck; {get_wrecks} shows what it holds.',
  ]),
  module_not_found: e([
    'There is no module “<module_id>”: {get_cargo} lists those in the hold, {get_ship} those fitted, ' +
      '{find_item} says who sells one.',
    'There is no such module; ids are those of the list you took it from.',
  ]),
  already_towed: e('Another ship has that in tow; choose another wreck.'),
  already_towing: e(
    'You have something in tow already: {release_tow} lets a wreck go; a ship of your own, ' +
      '{deposit_items} with {deposit_items.item_id} its ship_id and quantity 1, docked.',
  ),
  not_towing: e('Nothing is in tow; {tow_wreck} takes a wreck in tow.'),
  wreck_empty: e('Nothing is left in it to loot; scrap, sell or leave it.'),
  no_tow_rig: e('Towing needs a tow rig; {install_mod} a tow_rig_basic or better, docked.'),
  too_large: e([
    'That is of scale <scale>, and your ship can tow up to scale <max_scale>; come with a ' +
      'larger ship.',
    'That is too large for your ship to tow; come with a larger ship.',
  ]),
  not_towable: e('Only the wrecks of ships can be towed; loot this one where it is.'),
  no_salvage_yard: e('This base has no salvage yard that takes wrecks; try another base.'),
  yard_broke: e([
    'The wreck is worth <need>, but the yard has only <have>, less than half; try another yard.',
    'The yard cannot pay even half of what this is worth; try another yard.',
  ]),

  /* Exchange */
  no_market: e('This base has no exchange; try another base.'),
  item_not_available: e([
    'Nobody sells <item_id> here at the moment; {view_market} lists what is sold.',
    'Nobody sells this here at the moment; {view_market} lists what is sold.',
  ]),
  no_buyers: e([
    'Nobody buys <item_id> here at the moment; {find_item} says where you have seen it traded, ' +
      '{create_sell_order} offers it here.',
    'Nobody buys this here at the moment; try again next tick, or elsewhere.',
  ]),
  contraband_restricted: e([
    '<item_id> is banned here; other empires may allow it.',
    'This item is banned here; other empires may allow it.',
  ]),
  price_too_high: e([
    'The price is higher than the <max credit> the exchange allows; ask for less.',
    'The price is higher than the exchange allows; ask for less.',
  ]),
  order_too_large: e([
    'The exchange allows at most <max_quantity unit> per order; order less at a time.',
    'The exchange allows at most <max_value credit> per order; order less at a time.',
    'The order is larger than the exchange allows; order less at a time.',
  ]),
  order_not_found: e([
    'There is no order “<order_id>” here; {view_orders} lists yours, {view_ship_buy_orders} yours ' +
      'for ships, {browse_ships} those of others for ships.',
    'There is no such order here; {view_orders} lists yours, {view_ship_buy_orders} yours for ' +
      'ships, {browse_ships} those of others for ships.',
  ]),
  not_your_order: e([
    'The order “<order_id>” is not yours; {view_orders} lists yours.',
    'That order is not yours; {view_orders} lists yours.',
  ]),
  listing_limit_reached: e([
    'No more orders can be listed here than <max>; cancel one first, {view_orders} lists yours.',
    'No more orders can be listed here; cancel one first, {view_orders} lists yours.',
  ]),
  stale_cursor: e([
    'The cursor <since> is outside the window at tick <current_tick>; {view_market} once without ' +
      '{view_market.since}.',
    'This cursor is outside the window; {view_market} once without {view_market.since}.',
  ]),

  /* Crafting and packages */
  no_crafting_service: e('This base has no workshop for you; try another base.'),
  unknown_recipe: e([
    'There is no recipe “<recipe_id>”; {catalog} lists them all.',
    'There is no such recipe; {catalog} lists them all.',
  ]),
  recipe_facility_only: e([
    'No workshop can do <recipe_id>; it needs a facility: name one by facility_id.',
    'No workshop can do this; it needs a facility: name one by facility_id.',
  ]),
  no_venue: e('Nothing open to you at this base runs that recipe; try another base.'),
  job_limit_reached: e([
    'At most <most> are possible (<of>); order less, or wait.',
    'That is more than a queue or a job may hold; order less, or wait.',
  ]),
  job_not_found: e([
    'There is no job “<job_id>” any more; {craft} without a recipe lists yours.',
    'There is no such job any more; {craft} without a recipe lists yours.',
  ]),
  not_your_job: e([
    'Somebody else ordered the job “<job_id>”; leave it to them.',
    'Somebody else ordered that job; leave it to them.',
  ]),
  no_recycler: e('No recycler here is open to you; try another base.'),
  not_recyclable: e([
    'What <recipe_id> makes cannot be taken apart; sell or keep it.',
    'What this recipe makes cannot be taken apart; sell or keep it.',
  ]),
  no_logistics: e('No logistics facility here is open to you; try another base.'),
  output_too_large: e([
    'A package holds goods of a total size of <most>, and these have <size>; make fewer, or ' +
      'split the order.',
    'A package holds goods of a total size of 100; make fewer, or split the order.',
  ]),
  package_nested: e('A package cannot go into another; take the goods out of it first.'),
  dry_run_bulk: e('A quote is for one job only; leave jobs out.'),
  package_mismatch: e([
    'The packages do not hold exactly what is needed: <need>.',
    'The packages do not hold exactly what is needed; put in exactly that.',
  ]),
  no_cargo_container: e([
    'Besides the goods, each package needs a cargo_container, <need> in all; {find_item} shows ' +
      'where to buy one.',
    'Besides the goods, each package needs a cargo_container; {find_item} shows where to buy one.',
  ]),
} as const satisfies Record<string, ErrorEntry>
