/**
 * Codes of places and flight, fuel and repair, battles, consumables, mining and sensing. Sources:
 * travel.md section 0, combat.md, mining.md, newer.md section 2 (texts that clients match).
 */
import { type ErrorEntry, e } from './error-entry.ts'

export const PLACE_ERRORS = {
  /* Places */
  docked: e('The ship is docked; {undock} first.'),
  not_docked: e(
    'The ship is not docked; {travel} to a base, as {get_system} lists them, and {dock} there first.',
  ),
  already_docked: e('The ship is docked already; stay, or {undock} to leave.'),
  no_base: e('There is no base at this place; {get_system} lists those of the system.'),
  station_under_attack: e(
    'The station is under attack and admits nobody; wait for the end, or dock elsewhere.',
  ),
  invalid_poi: e([
    'There is no place “<poi_id|target_poi>” in this system; {get_system} lists those here, and ' +
      '{jump} leads to other systems.',
    'There is no such place; {get_system} lists those here.',
  ]),
  invalid_system: e([
    'There is no system “<system_id|target_system>”; {search_systems} finds systems by name, ' +
      '{find_route} the way to a place or a base.',
    'There is no such system; {search_systems} finds them by name.',
  ]),
  wrong_system: e([
    'That place lies in the system <system_id>; {jump} there first.',
    'That place lies in another system; {jump} there first.',
  ]),
  already_there: e('You are already in that place; no flight is needed.'),
  not_connected: e([
    'No lane leads to <system_id> from here; {find_route} plots a route, one {jump} at a time.',
    'No lane leads there from here; {find_route} plots a route, one {jump} at a time.',
  ]),
  no_pathfinder_drive: e(
    'Flying by bearing needs a pathfinder drive; fit one, or {jump} to a neighbouring system.',
  ),
  invalid_bearing: e('A bearing is a number of degrees, sent as text: 90, or 12.5.'),
  no_deep_core_access: e('This place needs deep-core access equipment; fit such a module first.'),
  piloting_required: e([
    'Your piloting skill is <have|level>, and <need> is needed for this; fly more: skills grow ' +
      'with use.',
    'This takes a piloting skill of <need>; fly more: skills grow with use.',
    'Your piloting skill is too low for this; fly more: skills grow with use.',
  ]),
  invalid_target: e([
    '“<target_id|target>” is not a target for this; {get_nearby} lists who is here: send a name or ' +
      'an id.',
    'There is no such target here; {get_nearby} lists who is.',
  ]),
  target_cloaked: e('The target is cloaked; {scan} without a target sweeps for it.'),
  station_not_found: e([
    'There is no station “<destination>”; send the base they want to go to, as ' +
      '{list_station_passengers} lists it.',
    'There is no station “<station_id|base_id|destination_base_id>”; {get_map} and {get_system} ' +
      'name them.',
    'There is no such station; {get_map} and {get_system} name them.',
  ]),
  player_not_found: e([
    'There is no player “<player_id|player|target_id>”; check the id or name.',
    'There is no such player; check the id or name.',
  ]),
  not_found: e([
    'Nothing of type <type> that you can see has the id “<id>”; check it.',
    'Nothing with the id “<id>” is visible to you; check it.',
    'There is no base “<base_id>” that you can see; check the id.',
    'There is no package “<package_id>” that you can see; check the id.',
    'There is no player “<username>”; check the name.',
    'Nothing with that id is visible to you; check it.',
  ]),
  service_restricted: e([
    'The service <service> is open to <access> only at this base; use another base; {get_base} ' +
      'says who may use each service.',
    'This service is not open to you here; use another base; {get_base} says who may use each ' +
      'service.',
  ]),
  no_service: e([
    'This base has no service <service>; {get_base} lists those it has.',
    'This base does not offer that service; {get_base} lists those it has.',
  ]),

  /* Fuel and repair */
  no_fuel: e([
    'Not enough fuel: <need> needed, <have> in the tank; {refuel} at a base, or burn a cell ' +
      'from the hold. Stranded, {distress_signal} calls for help.',
    'Not enough fuel; {refuel} at a base, or burn a cell from the hold.',
  ]),
  tank_full: e('The tank is full; no fuel is needed.'),
  station_fuel_empty: e(
    'The station has no fuel and there is no cell aboard; buy fuel cells, or {refuel} at ' +
      'another base.',
  ),
  no_fuel_cells: e(
    'No such fuel cell aboard; {refuel} at a base that has the service, or call for help with ' +
      '{distress_signal}.',
  ),
  no_pump: e(
    'Giving fuel to others needs a refueling_pump; {install_mod} one, or hand over fuel cells ' +
      'with {trade_offer}.',
  ),
  invalid_item: e([
    '<item_id> is not a fuel cell; {catalog} lists the kinds there are.',
    'That item is not a fuel cell; {catalog} lists the kinds there are.',
  ]),
  target_no_space: e('The other ship has no room; give less, or to another ship.'),
  hull_full: e('The hull is undamaged; no repair is needed.'),
  no_repair_kits: e('No fitting repair kit aboard; buy one, or dock where hulls are mended.'),
  no_repair_arm: e('Repairing others needs a repair arm; {install_mod} one, docked.'),

  /* Battles */
  protected: e('This ship may not be attacked here at the moment; leave it alone.'),
  target_wrecked: e('The station is wrecked already and cannot be hurt; choose another target.'),
  not_in_battle: e('You are in no battle; {attack} begins one.'),
  battle_not_found: e([
    'There is no battle “<battle_id>”, or its log is older than 30 days; {get_battle_status} ' +
      'gives ids.',
    'There is no battle with this id, or its log is older than 30 days; check the id.',
  ]),
  no_battle: e('There is no battle here; {attack} opens one.'),
  already_in_battle: e('You are in this battle already; give orders with {battle}.'),
  invalid_side: e([
    'There is no side “<side_id>” to join; {get_battle_status} lists the available ones.',
    'There is no such side to join; {get_battle_status} lists the available ones.',
  ]),
  invalid_stance: e('Choose the stance fire, evade, brace, flee or board.'),
  invalid_weapon: e([
    '“<weapon_instance_id>” is not a weapon fitted to your ship; {get_ship} lists them with their ' +
      'ids.',
    'This is not a weapon fitted to your ship; {get_ship} lists them with their ids.',
  ]),
  no_ammo: e([
    'There is no <item_id> in the hold; buy some; {get_cargo} lists what you have.',
    'There is no ammunition of type <ammo_type> in the hold; buy some; {get_cargo} lists what ' +
      'you have.',
    'There is no such ammunition in the hold; buy some; {get_cargo} lists what you have.',
  ]),
  wrong_ammo: e([
    'This weapon takes ammunition of type <ammo_type>, not that; {inspect} names what fits.',
    'This weapon does not take that; {inspect} it to see what fits.',
  ]),
  no_ammo_needed: e('This weapon needs no ammunition; there is nothing to load.'),
  magazine_full: e('The magazine is full of that already; there is nothing to load.'),

  /* Boarding */
  no_boarding_gear: e(
    'Boarding needs gear: {install_mod} boarding_clamps, docked, or fly a hull made for it.',
  ),
  no_marines: e([
    'Set {battle stance.marines} to the number of marines to send; <fit_marines> fit ones are aboard.',
    'No fit marines are aboard to send; {recruit_personnel} hires some, docked at a base with the ' +
      'service personnel.',
  ]),
  boarding_locked: e(
    'Boarders hold the ship: it can neither flee nor warp nor cloak; repel them first.',
  ),

  /* Consumables */
  not_usable: e([
    '<item_id> cannot be used on its own here; {inspect} says what it is for.',
    'That cannot be used on its own here; {inspect} says what it is for.',
  ]),
  use_refuel: e([
    '<item_id> is burned by {refuel}, with its id as {refuel.item_id}.',
    'Fuel cells are burned by {refuel}; send it with {refuel.item_id}.',
  ]),
  nothing_to_restore: e('This would restore nothing at the moment; keep it for later.'),

  /* Mining */
  not_at_asteroid: e(
    'Nothing can be mined here: there is no minable deposit; {travel} to a belt, a cloud or an ' +
      'ice field.',
  ),
  no_mining_equipment: e([
    'No fitted module can extract anything here: this place takes <required or>; fit one.',
    'No fitted module can extract anything; fit one that suits this place.',
  ]),
  no_resources: e([
    'There are no resources here for what is fitted (<fitted>): this place takes <required or>. ' +
      'Try a place of another kind.',
    'There are no resources here that suit the fitted modules; try a place of another kind.',
  ]),
  depleted: e([
    'The share of <resource_id> here was depleted by others this tick; {mine} again, or try ' +
      'another place.',
    'Everything you could mine here is depleted for now; try another place.',
  ]),
  deposit_too_sparse: e([
    'What is left is too sparse for a rig of power <your_power>: it takes <needed_stock>, and ' +
      '<remaining> is left; {travel} elsewhere, or fit a weaker rig.',
    'What is left is too sparse for a rig of this power; {travel} elsewhere, or fit a weaker one.',
  ]),

  /* Sensing */
  no_scanner: e('No scanner is fitted; {install_mod} one of any grade, such as a scanner_i.'),
  no_cloak: e('No cloaking device is fitted; {install_mod} one, docked.'),
  already_cloaked: e('The cloak is in that state already; there is nothing to do.'),
  cloaked: e('Not possible while cloaked; {cloak} with enable false first.'),

  /* Discovery */
  topic_not_found: e([
    'Nothing is known of “<topic|query>”; {help} without a topic lists all.',
    'There is no such topic; {help} without a topic lists all.',
  ]),
  guide_not_found: e([
    'There is no guide “<guide>”; there are <guides>.',
    'There is no such guide; {get_guide} without a name lists all.',
  ]),
  version_not_found: e([
    'There is no version “<id>”; {get_version} without an id lists them.',
    'There is no such version; {get_version} without an id lists them.',
  ]),
  invalid_type: e('Choose the type ships, skills, recipes, items, facilities or achievements.'),
} as const satisfies Record<string, ErrorEntry>
