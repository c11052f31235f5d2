/**
 * Every error code once: the sentence a player reads and the HTTP status. A refusal is a value made
 * by `fail`; its details say what is needed and what to do next. Sources: interface document
 * (Errors), travel.md section 0 and the glossaries of the sheets.
 */
export interface ErrorEntry {
  readonly status: number
  readonly message: string
}

const e = (message: string, status = 400): ErrorEntry => ({ message, status })

export const ERRORS = {
  /* Sessions and framing */
  not_authenticated: e('Log in or register first.', 401),
  session_required: e('Send the header X-Session-Id; POST …/session makes a session.', 401),
  session_invalid: e('This session is unknown or has expired. Make a new one and log in.', 401),
  already_authenticated: e('This connection is logged in already. Log out first.'),
  invalid_payload: e('The payload is malformed; see details for the fields.'),
  invalid_request_id: e('request_id must be a text of at most 128 characters.'),
  invalid_json: e('Send exactly one JSON object per message.'),
  payload_too_large: e('The message is larger than this connection may send.', 413),
  unknown_command: e('There is no such command; get_commands lists them all.', 404),
  unknown_tool: e('There is no such tool; get_commands lists them all.', 404),
  missing_action: e('Name an action of this tool; action "help" lists them.'),
  invalid_action: e('This tool has no such action; action "help" lists them.', 404),
  method_not_allowed: e('Use POST here.', 405),
  not_available_on_websocket: e('Events are pushed on a WebSocket; there is no queue to read.'),
  rate_limited: e('Too many requests. Wait, then try again.', 429),
  ip_timed_out: e('This address is in a time-out after too many refused attempts.', 429),
  unauthorized: e('A valid bearer token is needed.', 401),
  forbidden: e('This player belongs to another account.', 403),
  internal_error: e('The server failed at this request. It was logged.', 500),
  restarting: e('The server is restarting. Connect again in a moment.', 503),
  persist_timeout: e('The archive does not answer at the moment. Try again shortly.', 503),

  /* Accounts */
  invalid_username: e('This name breaks the rules for user names.'),
  username_taken: e('This name is taken.'),
  invalid_credentials: e('Unknown name or wrong password.'),
  invalid_empire: e('Choose solarian, voidborn, crimson, nebula or outerrim.'),
  registration_code_required: e('A registration code is needed; your account page shows it.'),
  invalid_registration_code: e('This registration code is unknown or was replaced.'),
  already_claimed: e('This player is linked to an account already.'),
  invalid_token: e('This token is unknown, used or expired.'),
  access_denied: e('Access is denied here.'),
  expired_token: e('This link has lapsed; start a new one.'),

  /* Mutations */
  action_pending: e('An action is pending; it resolves with the next tick.'),
  in_transit: e('The ship is under way; wait until it arrives.'),
  combat_interrupt: e('A battle interrupted the pending action; it was dropped.'),
  in_combat: e('Not possible during a battle.'),
  detained: e('You are detained.'),
  incapacitated: e('No fit crew aboard.'),
  no_ship: e('You fly no ship of your own at the moment.'),
  in_fleet: e('The fleet leader moves the fleet.'),

  /* Places */
  docked: e('Undock first.'),
  not_docked: e('Dock at a base first.'),
  already_docked: e('The ship is docked already.'),
  no_base: e('There is no base at this place; get_system lists those here.'),
  station_under_attack: e('The station is under attack and admits nobody.'),
  invalid_poi: e('There is no such place; get_system lists those here.'),
  invalid_system: e('There is no such system; search_systems finds them by name.'),
  wrong_system: e('That place lies in another system; jump there first.'),
  already_there: e('The ship is there already.'),
  not_connected: e('No lane leads there from here; find_route plots one.'),
  no_pathfinder_drive: e('Flying by bearing needs a pathfinder drive.'),
  invalid_bearing: e('A bearing is a number of degrees.'),
  no_deep_core_access: e('This place needs deep-core access equipment.'),
  piloting_required: e('Your piloting skill is too low for this.'),
  invalid_target: e('There is no such target here.'),
  target_cloaked: e('The target is cloaked.'),
  station_not_found: e('There is no such station.'),
  player_not_found: e('There is no such player.'),
  not_found: e('Nothing by that id is visible to you.'),
  service_restricted: e('This service is not open to you here.'),
  no_service: e('This base does not offer that service; get_base lists those it has.'),

  /* Fuel and repair */
  no_fuel: e('Not enough fuel; refuel at a base, or burn a cell from the hold.'),
  tank_full: e('The tank is full.'),
  station_fuel_empty: e('The station has no fuel and there is no cell aboard.'),
  no_fuel_cells: e('No such fuel cell aboard; refuel at a base that has the service.'),
  no_pump: e('Giving fuel to others needs a refuelling pump.'),
  invalid_item: e('That item is no fuel cell; catalog lists the kinds there are.'),
  target_no_space: e('The other ship has no room.'),
  hull_full: e('The hull is whole.'),
  no_repair_kits: e('No fitting repair kit aboard; buy one, or dock where hulls are mended.'),
  no_repair_arm: e('Repairing others needs a repair arm.'),

  /* Battles */
  protected: e('This ship may not be attacked here and now.'),
  target_wrecked: e('The station is wrecked already; nothing there can be hurt.'),
  not_in_battle: e('You are in no battle.'),
  battle_not_found: e('There is no battle with this id, or its log is older than 30 days.'),
  no_battle: e('There is no battle here; attack opens one.'),
  already_in_battle: e('You are in this battle already.'),
  invalid_side: e('There is no such side to join; get_battle_status lists those there are.'),
  invalid_stance: e('Choose fire, evade, brace, flee or board.'),
  invalid_weapon: e('This is no weapon fitted to your ship.'),
  no_ammo: e('There is no such ammunition in the hold.'),
  wrong_ammo: e('This weapon does not take that.'),
  no_ammo_needed: e('This weapon needs no ammunition.'),
  magazine_full: e('The magazine is full of that already.'),

  /* Consumables */
  not_usable: e('That has no use of its own here and now.'),
  use_refuel: e('Fuel cells are burned by refuel.'),
  nothing_to_restore: e('Nothing is missing that this restores.'),

  /* Mining */
  not_at_asteroid: e('Nothing can be mined here; travel to a belt, a cloud or an ice field.'),
  no_mining_equipment: e('No fitted module can extract anything; fit one that suits this place.'),
  no_resources: e('Nothing here suits the fitted modules; try a place of another kind.'),
  depleted: e('Everything you could mine here is exhausted for now; try another place.'),
  deposit_too_sparse: e('What is left is too sparse for a rig of this power; try elsewhere.'),

  /* Goods and money */
  no_credits: e('Not enough credits; sell something, or ask for less.'),
  no_cargo_space: e('Not enough room in the hold; sell, store or jettison something.'),
  unknown_item: e('There is no such item; the catalog lists them all.'),
  unknown_class: e('There is no such ship class.'),
  insufficient_items: e('You do not hold that many; get_cargo and view_storage list them.'),
  no_missions_service: e('Nobody offers missions at this base.'),
  mission_not_found: e('There is no such mission for you here; get_missions lists what there is.'),
  mission_limit: e('You have as many missions as you may; complete or abandon one.'),
  already_active: e('You are at this mission already.'),
  requirements_not_met: e('You do not meet what this mission requires; see details.'),
  mission_incomplete: e('Not all objectives are met; see details for those that are not.'),
  mission_expired: e('The time for this mission has run out.'),
  not_completed: e('You have never completed this mission.'),
  quest_item: e('This item is bound to a mission.'),
  not_tradeable: e('This item cannot be traded.'),
  hazard_not_supported: e('Carrying this needs a handling module.'),
  issue_item: e('Issued equipment cannot be sold, given or moved.'),
  amount_too_large: e('The amount is larger than any account holds.'),
  limit_reached: e('A limit is reached.'),
  too_long: e('The text is too long.'),
  invalid_name: e('This name breaks the rules.'),
  no_storage_service: e('This base has no storage; another base may.'),
  storage_full: e('The store is full.'),
  wrong_station: e('That belongs to another station.'),
  trading_restricted: e('You may not trade with others for now.'),
  not_in_faction: e('You are in no faction.'),
  no_permission: e('Your role does not allow that.'),
  no_faction_storage: e('The faction has no storage here.'),
  ship_not_found: e('There is no such ship of yours.'),
  active_ship: e('You fly that ship now.'),
  not_stored_here: e('That ship is not stored here; list_ships says where yours are.'),
  skill_too_low: e('A skill is too low for this; get_skills shows yours.'),

  /* Player trades and gifts */
  empty_trade: e('A trade needs something on one side at least.'),
  trade_not_found: e('There is no such pending trade; get_trades lists yours.'),
  trade_expired: e('This offer has lapsed; ask for a new one.'),
  not_your_trade: e('This is not yours to answer; get_trades lists yours.'),
  location_changed: e('You are not at the same place any more; the offer still stands.'),
  offerer_insufficient_items: e('The other no longer has what was offered; the trade is off.'),
  offerer_insufficient_credits: e('The other can no longer pay this; the trade is off.'),
  offerer_no_space: e('The hold of the other cannot take this; the offer still stands.'),
  gift_invalid: e('Give exactly one of item_id with quantity, credits, ship_id.'),
  package_storage_full: e('No room for more packages there; open or take some out first.'),
  no_faction_garage: e('The faction has no garage here that takes ships.'),
  garage_full: e('The garage of the faction is full.'),
  wrong_empire: e('An empire takes donations at its own bases only.'),

  /* Wrecks */
  wreck_not_found: e('There is no such wreck here; get_wrecks lists those there are.'),
  wreck_id_required: e('Nothing is in tow: name a wreck; get_wrecks lists those here.'),
  item_not_found: e('There is no such item in the wreck; get_wrecks shows what is.'),
  module_not_found: e('There is no such module; ids are those of the list you took it from.'),
  already_towed: e('Another ship has that in tow.'),
  already_towing: e('The line is in use; release_tow lets go of what is on it.'),
  not_towing: e('Nothing is in tow; tow_wreck takes a wreck on the line.'),
  wreck_empty: e('Nothing is left in it to loot.'),
  no_tow_rig: e('Towing needs a fitted tow rig.'),
  too_large: e('That is of a larger scale than your ship and cannot be towed by it.'),
  not_towable: e('Only the wrecks of ships can be towed.'),
  cloaked: e('Not possible while cloaked.'),
  no_salvage_yard: e('This base has no salvage yard that takes wrecks; another base may.'),
  yard_broke: e('The yard cannot pay even half of what this is worth; try another.'),

  /* Insurance and home */
  uninsurable: e('Nobody insures this ship at present; get_insurance_quote says why.'),
  already_insured: e('This ship is insured already; view_insurance shows until when.'),
  no_cloning: e('This base has no cloning service and cannot be a home.'),

  /* Fitting and the hangar */
  no_slot: e('No slot of that kind is free; uninstall_mod frees one.'),
  cpu_exceeded: e(
    'The CPU of the ship does not bear that; fit a coprocessor or take something off.',
  ),
  power_exceeded: e('The reactor does not bear that; fit a larger one or take something off.'),
  cargo_capacity_exceeded: e(
    'The hold would be too small for what is in it; store something first.',
  ),
  ambiguous_module: e('Several of that type are fitted; name one by its id, as get_ship lists it.'),
  not_damaged: e('Modules do not wear; there is nothing to repair.'),
  already_current: e('The ship has the newest loadout of its class.'),
  no_shipyard: e('This base has no shipyard; another base may.'),
  already_listed: e('That ship is on the exchange; take it off first.'),
  last_ship: e('It is the only ship you have.'),
  ship_occupied: e('That ship carries passengers or ships, or is carried itself.'),

  /* Exchange */
  no_market: e('This base has no exchange; another base may.'),
  item_not_available: e('Nobody sells this here at the moment; view_market lists what is.'),
  no_buyers: e('Nobody buys this here at the moment; try again next tick, or elsewhere.'),
  contraband_restricted: e('This item is banned here; other empires may allow it.'),
  price_too_high: e('The price is higher than the exchange allows.'),
  order_too_large: e('The order is larger than the exchange allows.'),
  order_not_found: e('There is no such order here; view_orders lists yours.'),
  not_your_order: e('That order is not yours; view_orders lists yours.'),
  listing_limit_reached: e('No more orders can be listed here.'),
  stale_cursor: e('This cursor is outside the window; read the whole market once.'),

  /* Shipyards and ships for sale */
  commission_blocked: e('This yard does not build that for you; details name every blocker.'),
  commission_not_found: e('There is no such commission of yours; commission_status lists them.'),
  not_sourcing: e('This commission has all its materials.'),
  not_needed: e('This commission needs no more of that; commission_status lists what it does.'),
  own_order: e('That order is your own; cancel_ship_buy_order withdraws it.'),
  class_mismatch: e('The order is for a ship of another class.'),
  duplicate_order: e('You have an order for this class here; cancel it to change the price.'),
  listing_available: e('A ship of this class is for sale here at that price or less; buy it.'),
  already_licensed: e('The faction may build that already.'),

  /* Boarding */
  no_boarding_gear: e('Boarding needs boarding gear: clamps, or a hull made for it.'),
  no_marines: e('No fit marines aboard to send.'),
  boarding_locked: e('Boarders hold the ship: it can neither flee nor warp nor cloak.'),

  /* Personnel and prizes */
  pool_empty: e('Nobody is left to be had here; the pool of a base refills in time.'),
  no_berths: e('There is no room aboard for that many.'),
  insufficient_personnel: e('There are not that many; the last fit of a crew stays aboard.'),
  not_allied: e('You are neither in one fleet nor in one faction, nor in allied ones.'),
  nothing_to_treat: e('Nobody aboard is injured.'),
  prize_not_found: e('There is no such prize; get_nearby lists those at your place.'),
  not_at_prize: e('The prize is at another place; go there first.'),
  claim_reserved: e(
    'Its captor alone may claim this prize until his time is over: claim another, or come back.',
  ),
  prize_moving: e('The prize is under way; stop it when it rests, or wait.'),
  not_owner: e('That is not yours.'),
  invalid_base: e('That base does not admit you, or no lanes lead there.'),
  ship_limit: e('You own as many ships as a player may.'),
  no_supplies: e('Treatment in the field uses up medical supplies; there are none aboard.'),

  /* Factions */
  faction_not_found: e('There is no such faction; faction_list lists them all.'),
  already_in_faction: e('You are in a faction already; leave_faction leaves it.'),
  name_taken: e('This name is taken, or was until lately; choose another.'),
  tag_taken: e('This tag is taken, or was until lately; choose another.'),
  already_member: e('This player is a member already.'),
  already_invited: e('This player has an open invitation already.'),
  member_cap: e('The faction has as many members as it may; recruitment offices raise that.'),
  invite_not_found: e('There is no such invitation; faction_get_invites lists yours.'),
  leader_must_transfer: e('Promote another member to leader first; then you can leave.'),
  not_a_member: e('This player is no member of your faction.'),
  cannot_kick_leader: e('Nobody can throw the leader out.'),
  insufficient_rank: e('Your rank is not above that; somebody of a higher role can do it.'),
  role_not_found: e('There is no such role; faction_info lists those there are.'),
  default_role: e('The roles a faction begins with stay as they are.'),
  invalid_priority: e('The priority of a role is 2 to 99.'),
  no_admin_office: e('This needs an active administration office of the faction here.'),
  faction_no_credits: e('The treasury of the faction has not that many credits.'),
  bucket_not_allowed: e('Fuel goes to the bunker of the faction, not to a bucket.'),
  no_company_store: e('The faction has no company store here.'),
  no_faction_market: e('The faction has no market service here.'),
  bucket_not_found: e('There is no such bucket here; view_faction_storage lists those there are.'),

  /* Sensing */
  no_scanner: e('No scanner is fitted; scanners of any grade will do.'),
  no_survey_scanner: e('No survey scanner is fitted.'),
  no_cloak: e('No cloaking device is fitted.'),
  already_cloaked: e('The cloak is so already.'),

  /* Drones */
  drone_not_found: e('You have no such drone; get_drones lists yours.'),
  not_a_drone: e('That item is no drone.'),
  no_drone_bay: e('No drone bay is fitted to your ship.'),
  bay_full: e('The bays have no room for another drone; those that are out count too.'),
  drone_deployed: e('The drone is out; recall it first.'),
  already_deployed: e('The drone is out already.'),
  not_deployed: e('The drone is in its bay.'),
  drone_traveling: e('The drone is on its way between two places; wait until it has arrived.'),
  drone_not_here: e('The drone is not where your ship is.'),
  bandwidth_exceeded: e('The bays have too little bandwidth left for this drone.'),
  nothing_to_deploy: e('There is no drone in your bays.'),
  drone_damaged: e('Only a whole drone can be taken out of its bay.'),
  drones_in_bay: e('Drones need this bay; unload them first.'),
  script_error: e('The script has an error; details say where. The old one is kept.'),

  /* Facilities */
  facility_not_found: e('There is no such facility here; facility list shows those there are.'),
  unknown_facility_type: e('There is no such type of facility; facility types lists them.'),
  facility_busy: e('The facility is being worked on, or at work.'),
  facility_damaged: e('The facility is damaged; facility repair mends it.'),
  facility_offline: e('The facility does not work at the moment.'),
  facility_private: e('The facility is not open to you.'),
  no_life_support: e('The station makes too little air for that.'),
  no_quarters: e('Quarters come first: facility personal_build.'),
  requires_service: e('The station lacks a service that this needs.'),
  upgrade_only: e('That is built on top of another tier; see upgrades.'),
  already_exists: e('There is one of these already.'),
  already_max: e('This is the highest tier.'),
  build_not_allowed: e('This may not be built here, or not by you.'),
  cannot_dismantle: e('This stays: all else here depends on it.'),
  bucket_not_empty: e('The bucket still holds something.'),
  arrears_due: e('Rent is owed for it; pay that first.'),
  listing_not_found: e('There is no such offer; browse_ships and browse_for_sale list them.'),
  own_listing: e('That offer is your own.'),
  invalid_price: e('This is no price that can be asked.'),
  not_a_ranch: e('That is no ranch.'),
  missing_materials: e('Materials are missing; details say which.'),
  package_mismatch: e('What is in the packages is not exactly what is needed.'),
  no_cargo_container: e('A cargo container for each package is needed.'),

  /* Arena */
  not_at_arena: e('This needs an arena; challenges lists where each is fought.'),
  challenge_not_found: e('There is no such challenge open to you.'),
  challenge_locked: e('This challenge opens when those it requires have been won.'),
  already_in_match: e('You are in a match already.'),
  rule_hull_tier: e('A hull of a side is of too high a tier for this challenge.'),
  rule_hull_scale: e('A hull of a side is too large for this challenge.'),
  rule_max_speed: e('A ship of a side is too fast for this challenge.'),
  rule_max_weapons: e('A ship of a side carries too many weapons for this challenge.'),
  rule_damage_type: e('A ship of a side carries a weapon this challenge does not allow.'),
  rule_no_ammo_weapons: e('This challenge allows no weapons that need ammunition.'),
  rule_no_drones: e('This challenge allows no drone bays.'),
  rule_no_boosters: e('This challenge allows no boosters at work.'),
  rule_no_shield_modules: e('This challenge allows no shield modules.'),
  rule_no_repair: e('This challenge allows no repair modules.'),
  rule_no_tackle: e('This challenge allows no disruptors, scramblers or webifiers.'),
  rule_empty_hold: e('This challenge asks for empty holds.'),
  rule_side_size: e('The side is too large for this challenge.'),

  /* Social */
  invalid_channel: e('There is no such channel.'),
  channel_read_only: e('Nobody can write to this channel.'),
  invalid_color: e('A colour is #RRGGBB.'),
  invalid_tag: e('This tag breaks the rules.'),
  unknown_channel: e('There is no such notification channel.'),
  invalid_index: e('There is no entry at this index.'),
  thread_not_found: e('There is no such thread; forum_list lists those there are.'),
  reply_not_found: e('There is no such reply; forum_get_thread lists those of a thread.'),
  thread_locked: e('The thread is closed; nobody can reply to it.'),
  not_author: e('Only who wrote it may do that.'),
  already_upvoted: e('You have voted for that already.'),
  invalid_category: e('There is no such category; details name those there are.'),

  /* Crafting */
  no_crafting_service: e('This base has no workshop for you; another base may.'),
  unknown_recipe: e('There is no such recipe; catalog lists them all.'),
  recipe_facility_only: e('No workshop can do this; it needs a facility.'),
  no_venue: e('Nothing open to you at this base runs that recipe; another base may.'),
  job_limit_reached: e('That is more than a queue or a job may hold; order less, or wait.'),
  job_not_found: e('There is no such job any more; craft queue lists yours.'),
  not_your_job: e('Somebody else ordered that job.'),
  no_recycler: e('No recycler here is open to you; another base may have one.'),
  not_recyclable: e('What this recipe makes cannot be taken apart.'),
  no_logistics: e('No logistics facility here is open to you; another base may have one.'),
  output_too_large: e('A package holds goods of a size of 100 in all.'),
  package_nested: e('A package cannot go into another.'),
  dry_run_bulk: e('A quote is for one job: ask without jobs.'),

  /* Discovery */
  topic_not_found: e('There is no such topic; help without a topic lists all.'),
  guide_not_found: e('There is no such guide; get_guide without a name lists all.'),
  version_not_found: e('There is no such version.'),
  invalid_type: e('Choose ships, skills, recipes, items, facilities or achievements.'),
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

export type Details = Record<string, unknown>

export interface Failure {
  readonly ok: false
  readonly code: ErrorCode
  readonly message: string
  readonly details?: Details
}

export interface Success<R> {
  readonly ok: true
  readonly result: R
}

export type Outcome<R> = Success<R> | Failure

export const ok = <R>(result: R): Success<R> => ({ ok: true, result })

/** A refusal. `message` replaces the table's sentence where the case can say more. */
export function fail(code: ErrorCode, details?: Details, message?: string): Failure {
  const said = message ?? ERRORS[code].message
  return details ? { ok: false, code, message: said, details } : { ok: false, code, message: said }
}
