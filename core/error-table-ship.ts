/**
 * Codes of ships: fitting, hangar, insurance, shipyards, people aboard, prizes, drones, the arena.
 * Sources: ships.md, salvage.md, combat.md, drones.md.
 */
import { type ErrorEntry, e } from './error-entry.ts'

const OTHER_SHIP = 'come with another ship; {arena challenges} has the rules.'

export const SHIP_ERRORS = {
  /* Fitting and the hangar */
  ship_not_found: e([
    'There is no ship “<ship_id|target>” of yours; {list_ships} lists them.',
    'There is no such ship of yours; {list_ships} lists them.',
  ]),
  active_ship: e('You fly that ship now; {switch_ship} to another first.'),
  not_stored_here: e([
    'The ship “<ship_id>” is not stored here; {list_ships} says where yours are.',
    'That ship is not stored here; {list_ships} says where yours are.',
  ]),
  skill_too_low: e([
    'Your skill <skill> is <have|level>, and <need|required> is needed. What trains it: ' +
      '<trained_by>',
    'Your skill <skill> is <have|level>, and <need|required> is needed; {get_skills} shows ' +
      'your skills, which rise with use.',
    'A skill is too low for this; {get_skills} shows your skills, which rise with use.',
  ]),
  no_slot: e([
    'No <slot> slot is free (<used> of <slots> in use); {uninstall_mod} frees one.',
    'No slot of that kind is free; {uninstall_mod} frees one.',
  ]),
  cpu_exceeded: e([
    'The CPU of the ship cannot run that: <need> of <capacity>; fit a coprocessor or take ' +
      'something off.',
    'The CPU of the ship cannot run that; fit a coprocessor or take something off.',
  ]),
  power_exceeded: e([
    'The reactor cannot power that: <need> of <capacity>; fit a larger one or take something off.',
    'The reactor cannot power that; fit a larger one or take something off.',
  ]),
  cargo_capacity_exceeded: e([
    'The hold would be too small for what is in it: <need> of <capacity>; store something first.',
    'The hold would be too small for what is in it; store something first.',
  ]),
  ambiguous_module: e([
    'Several modules “<module_id>” are fitted; name one by its id: <module_ids or>.',
    'Several of that type are fitted; name one by its id, as {get_ship} lists it.',
  ]),
  not_damaged: e('Modules do not wear out; there is nothing to repair.'),
  already_current: e('The ship has the newest loadout of its class; there is nothing to refit.'),
  last_ship: e('That is the only ship you have; get another first.'),
  ship_occupied: e('That ship carries passengers or ships, or is carried itself; unload it first.'),
  ship_limit: e([
    'You own as many ships as a player may, <max>; sell or scrap one first.',
    'You own as many ships as a player may; sell or scrap one first.',
  ]),
  no_faction_garage: e(
    'The faction has no garage here that takes ships; build the facility, or visit a station ' +
      'that has one.',
  ),
  garage_full: e([
    'The garage of the faction is full, <used> of <capacity>; take a ship out first.',
    'The garage of the faction is full; take a ship out first.',
  ]),

  /* Insurance and home */
  uninsurable: e('Nobody insures this ship at present; {get_insurance_quote} says why.'),
  already_insured: e('This ship is insured already; {view_insurance} shows until when.'),
  no_cloning: e(
    'This base has no cloning service and cannot be a home; choose another, {get_base} lists ' +
      'services.',
  ),

  /* Shipyards and ships for sale */
  no_shipyard: e('This base has no shipyard; try another base.'),
  already_listed: e('That ship is on the exchange; {cancel_ship_listing} takes it off.'),
  commission_blocked: e([
    'This yard does not build that for you: <blockers>.',
    'This yard does not build that for you; {commission_quote} names every blocker.',
  ]),
  commission_not_found: e([
    'There is no commission “<commission_id>” of yours; {commission_status} lists them.',
    'There is no such commission of yours; {commission_status} lists them.',
  ]),
  not_sourcing: e(
    'This commission has all its materials; wait for the yard, {commission_status} shows how ' +
      'far it is.',
  ),
  not_needed: e([
    'This commission needs no more <item_id>; {commission_status} lists what it still needs.',
    'This commission needs no more of that; {commission_status} lists what it still needs.',
  ]),
  own_order: e('That order is your own; {cancel_ship_buy_order} withdraws it.'),
  class_mismatch: e([
    'The order is for a ship of the class <class_id>; choose such a ship, or another order.',
    'The order is for a ship of another class; choose such a ship, or another order.',
  ]),
  duplicate_order: e([
    'You have the order “<order_id>” for this class here; cancel it to change the price.',
    'You have an order for this class here; cancel it to change the price.',
  ]),
  listing_available: e([
    'A ship of this class is for sale here at <price credit>, listing “<listing_id>”; buy it.',
    'A ship of this class is for sale here at that price or less; buy it.',
  ]),
  already_licensed: e('The faction may build that already; there is nothing to buy.'),

  /* Personnel and prizes */
  pool_empty: e('Nobody is left to hire here; wait until the pool refills, or try another base.'),
  no_berths: e([
    'There is room for <crew_capacity> crew and <marine_capacity> marines; that would be <crew> ' +
      'and <marines>. Ask for fewer.',
    'There are <berths berth> aboard, <taken> of them taken; ask for fewer.',
    'There is no room aboard for that many; ask for fewer.',
  ]),
  insufficient_personnel: e([
    'That takes <need>, and <have> can be spared; the last fit member of a crew stays aboard.',
    'Not that many can be spared; the last fit member of a crew stays aboard.',
  ]),
  not_allied: e(
    'You share neither a fleet nor a faction nor an alliance with them; join them first.',
  ),
  nothing_to_treat: e('Nobody aboard is injured; there is nothing to treat.'),
  prize_not_found: e([
    'There is no prize “<prize_id>”: one that is home is a ship of yours, see {list_ships}. ' +
      '{get_nearby} lists those at your place, {get_status} your own on their way.',
    'There is no such prize; {get_nearby} lists those at your place, {get_status} your own on ' +
      'their way.',
  ]),
  not_at_prize: e('The prize is at another place; go there first.'),
  claim_reserved: e([
    'Only its captor may claim this prize until tick <until_tick>; claim another, or come back.',
    'Only its captor may claim this prize for now; claim another, or come back later.',
  ]),
  prize_moving: e('The prize is moving; wait until it stops.'),
  not_owner: e('That is not yours; leave it to its owner.'),
  invalid_base: e([
    'The base “<base_id|destination_base_id>” does not admit you, or no lanes lead there; name ' +
      'another.',
    'That base does not admit you, or no lanes lead there; name another.',
  ]),
  no_supplies: e([
    'Treatment in the field uses up <item_id>; there is none aboard: buy some, or be treated at ' +
      'a base.',
    'Treatment in the field uses up medical supplies; there are none aboard: buy some, or be ' +
      'treated at a base.',
  ]),

  /* Drones */
  drone_not_found: e([
    'You have no drone “<drone_id>”; {get_drones} lists yours.',
    'You have no such drone; {get_drones} lists yours.',
  ]),
  not_a_drone: e([
    '<item_id> is not a drone; {catalog} with type items lists the drones.',
    'That item is not a drone; {catalog} with type items lists the drones.',
  ]),
  no_drone_bay: e(
    'No drone bay is fitted to your ship; {install_mod} one such as a light_drone_bay, docked.',
  ),
  bay_full: e([
    'The bays hold <capacity drone>, and you have <drones> already, including those that are out.',
    'The bays have no room for another drone; those that are out count too.',
  ]),
  drone_deployed: e('The drone is out; {recall_drone} first.'),
  already_deployed: e('The drone is out already; let its script work, or {recall_drone}.'),
  not_deployed: e('The drone is in its bay; {deploy_drone} launches it.'),
  drone_traveling: e('The drone is on its way between two places; wait until it has arrived.'),
  drone_not_here: e([
    'The drone is in a bay of your ship “<ship_id>”; {switch_ship} to that one first.',
    'The drone is not where your ship is; fly to it, {get_drones} says where it is.',
  ]),
  bandwidth_exceeded: e([
    'The drone needs a bandwidth of <need>, and the bays have <have> left; recall another first.',
    'The bays have too little bandwidth left for this drone; recall another first.',
  ]),
  nothing_to_deploy: e('There is no drone in your bays; {load_drone} puts one in.'),
  drone_damaged: e([
    'Only a whole drone can be taken out of its bay, and its hull is <hull> of <max_hull>; wait ' +
      'until it is whole.',
    'Only a whole drone can be taken out of its bay; wait until it is whole.',
  ]),
  drones_in_bay: e([
    'The <drones drone> aboard need this bay; unload them first.',
    'Drones need this bay; unload them first.',
  ]),
  script_error: e([
    'The script has an error (<kind>) in line <line>, column <column>; correct it, until then ' +
      'the old script is kept.',
    'The script has an error; correct it, until then the old script is kept.',
  ]),

  /* Arena */
  not_at_arena: e([
    'This needs the arena at <poi_id>; {arena challenges} lists where each is fought.',
    'This needs an arena; {arena challenges} lists where each is fought.',
  ]),
  challenge_not_found: e([
    'There is no challenge “<challenge_id>” open to you; {arena challenges} lists the available ones.',
    'There is no such challenge open to you; {arena challenges} lists the available ones.',
  ]),
  challenge_locked: e([
    'This challenge opens when <requires> have been won; win those first.',
    'This challenge opens when those it requires have been won; {arena challenges} names them.',
  ]),
  already_in_match: e('You are in a match already; finish it first.'),
  rule_hull_tier: e([
    `The <hull> of <pilot> is of too high a tier, over <max>; ${OTHER_SHIP}`,
    `A hull of a side is of too high a tier for this challenge; ${OTHER_SHIP}`,
  ]),
  rule_hull_scale: e([
    `The <hull> of <pilot> is too large, over scale <max>; ${OTHER_SHIP}`,
    `A hull of a side is too large for this challenge; ${OTHER_SHIP}`,
  ]),
  rule_max_speed: e([
    `The <hull> of <pilot> is too fast, over <max> AU a tick; ${OTHER_SHIP}`,
    `A ship of a side is too fast for this challenge; ${OTHER_SHIP}`,
  ]),
  rule_max_weapons: e([
    'The <hull> of <pilot> carries more than <max weapon>; {uninstall_mod} some, docked.',
    'A ship of a side carries too many weapons for this challenge; {uninstall_mod} some, docked.',
  ]),
  rule_damage_type: e([
    'Only weapons of <type> damage are allowed; {uninstall_mod} the others of <pilot>, docked.',
    'A ship of a side carries a weapon this challenge does not allow; {uninstall_mod} it, docked.',
  ]),
  rule_no_ammo_weapons: e([
    'No weapons that need ammunition are allowed; {uninstall_mod} those of <pilot>, docked.',
    'No weapons that need ammunition are allowed; {uninstall_mod} them, docked.',
  ]),
  rule_no_drones: e([
    'No drone bays are allowed; {uninstall_mod} those of <pilot>, docked.',
    'No drone bays are allowed; {uninstall_mod} them, docked.',
  ]),
  rule_no_boosters: e([
    'No boosters may be at work, and <pilot> has some; wait until they have worn off.',
    'No boosters may be at work; wait until they have worn off.',
  ]),
  rule_no_shield_modules: e([
    'No shield modules are allowed; {uninstall_mod} those of <pilot>, docked.',
    'No shield modules are allowed; {uninstall_mod} them, docked.',
  ]),
  rule_no_repair: e([
    'No repair modules are allowed; {uninstall_mod} those of <pilot>, docked.',
    'No repair modules are allowed; {uninstall_mod} them, docked.',
  ]),
  rule_no_tackle: e([
    'No disruptors, scramblers or webifiers are allowed; {uninstall_mod} those of <pilot>, docked.',
    'No disruptors, scramblers or webifiers are allowed; {uninstall_mod} them, docked.',
  ]),
  rule_empty_hold: e([
    'Holds must be empty, and that of <pilot> is not; store the cargo at a dock.',
    'Holds must be empty; store the cargo at a dock.',
  ]),
  rule_side_size: e([
    'At most <max ship> may fight on a side here; come with fewer.',
    'The side is too large for this challenge; come with fewer ships.',
  ]),
} as const satisfies Record<string, ErrorEntry>
