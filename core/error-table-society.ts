/** Codes of factions, fleets, diplomacy, intelligence, citizenship and what people say. */
import { type ErrorEntry, e } from './error-entry.ts'

/** Ends a sentence about what a faction lacks with how to build it. */
const buildOne = (type: string): string =>
  `{facility faction_build} with {facility.facility_type} ${type} builds one.`

export const SOCIETY_ERRORS = {
  /* Factions */
  not_in_faction: e('You are in no faction; {create_faction} or {join_faction} first.'),
  no_permission: e([
    'Your role lacks the permission <required>; ask somebody whose role has it, {faction_info} ' +
      'lists the roles.',
    'Your role does not allow that; ask somebody whose role does, {faction_info} lists the roles.',
  ]),
  no_faction_storage: e(
    `The faction has no storage here that works; ${buildOne('faction_shelf')} {facility ` +
      'faction_list} says when one that is being built will be finished.',
  ),
  faction_not_found: e([
    'There is no faction “<faction_id|faction|target_faction_id>”; {faction_list} lists them all.',
    'There is no such faction; {faction_list} lists them all.',
  ]),
  already_in_faction: e('You are in a faction already; {leave_faction} leaves it.'),
  no_bounty: e([
    'The empire <empire_id> has no bounty on you; {get_tax_estimate} lists those that have.',
    'That empire has no bounty on you; {get_tax_estimate} lists those that have.',
  ]),
  name_taken: e([
    'The name “<name>” is taken, or was until lately; choose another.',
    'This name is taken, or was until lately; choose another.',
  ]),
  tag_taken: e([
    'The tag “<tag>” is taken, or was until lately; choose another.',
    'This tag is taken, or was until lately; choose another.',
  ]),
  already_member: e('This player is a member already; there is nothing to do.'),
  already_invited: e(
    'This player has an open invitation already; wait for the answer, or ' +
      '{faction_withdraw_invite}.',
  ),
  member_cap: e([
    'The faction has <cap member>, as many as it may; recruitment offices raise that.',
    'The faction has as many members as it may; recruitment offices raise that.',
  ]),
  invite_not_found: e([
    'Your faction has no open invitation for “<player_id>”: it was answered, withdrawn or ran ' +
      'out; {faction_invite} sends another.',
    'There is no invitation of the faction “<faction_id>”; {faction_get_invites} lists yours.',
    'There is no such invitation; {faction_get_invites} lists yours.',
  ]),
  leader_must_transfer: e(
    'You lead the faction: {faction_promote} another member to leader, then you can leave.',
  ),
  not_a_member: e([
    '“<player_id>” is not a member of your faction; {faction_info} lists the members.',
    'This player is not a member of your faction; {faction_info} lists the members.',
  ]),
  cannot_kick_leader: e('The leader cannot be removed; only the leader can hand over and leave.'),
  insufficient_rank: e([
    'Your rank is not above the role <role>; somebody of a higher role can do it.',
    'Your rank is not above that; somebody of a higher role can do it.',
  ]),
  role_not_found: e([
    'There is no role “<role_id>”; {faction_info} lists the available ones.',
    'There is no such role; {faction_info} lists the available ones.',
  ]),
  default_role: e([
    'The role <role_id> is a default role and cannot be changed; create one of your own.',
    'Default roles cannot be changed; create one of your own.',
  ]),
  invalid_priority: e('The priority of a role is 2 to 99; send a number in that range.'),
  no_commons: e(`No faction commons is active here; ${buildOne('faction_commons')}`),
  room_not_found: e([
    'There is no room “<room_id>” here; {faction_rooms} lists those open to you.',
    'There is no such room here; {faction_rooms} lists those open to you.',
  ]),
  no_admin_office: e(
    `This needs an active administration office of the faction here; ${buildOne('faction_admin')}`,
  ),
  faction_no_credits: e([
    'Insufficient credits in the treasury of the faction: <need> needed, <have> there; fill it ' +
      'with {faction_deposit_credits}, or spend less.',
    'Insufficient credits in the treasury of the faction; fill it with ' +
      '{faction_deposit_credits}, or spend less.',
  ]),
  bucket_not_allowed: e(
    'Fuel goes to the bunker of the faction, not to a bucket; leave bucket out.',
  ),
  no_faction_missions: e(
    `The faction has no mission service here; ${buildOne('faction_mission_board')}`,
  ),
  no_company_store: e(`The faction has no company store here; ${buildOne('company_store')}`),
  no_faction_market: e(
    `The faction has no market service here; ${buildOne('faction_market_desk')}`,
  ),
  bucket_not_found: e([
    'There is no bucket “<bucket>” here; {view_faction_storage} lists the available ones.',
    'There is no such bucket here; {view_faction_storage} lists the available ones.',
  ]),

  /* Social */
  invalid_channel: e([
    'There is no channel “<channel>” for this; choose <channels or>.',
    'There is no such channel; {help} with the name of the command lists them.',
  ]),
  channel_read_only: e([
    'Nobody can write to the channel <channel>; write to another.',
    'Nobody can write to this channel; write to another.',
  ]),
  invalid_color: e([
    '“<value>” is not a colour for <field>: a colour is #RRGGBB, six hexadecimal digits after #.',
    'A colour is #RRGGBB: six hexadecimal digits after #.',
  ]),
  invalid_tag: e('This tag breaks the rules; choose four characters, each A to Z or 0 to 9.'),
  unknown_channel: e([
    'There is no notification channel “<channel>”; choose <channels or>.',
    'There is no such notification channel; {get_notification_settings} lists them.',
  ]),
  invalid_index: e([
    'There is no entry <index> among <total_count>, the newest of which is entry 0; ' +
      '{captains_log_list} lists them.',
    'There is no entry at this index; {captains_log_list} lists the entries.',
  ]),
  thread_not_found: e([
    'There is no thread “<thread_id>”; {forum_list} lists the available ones.',
    'There is no such thread; {forum_list} lists the available ones.',
  ]),
  reply_not_found: e([
    'There is no reply “<reply_id>”; {forum_get_thread} lists those of a thread.',
    'There is no such reply; {forum_get_thread} lists those of a thread.',
  ]),
  thread_locked: e(
    'The thread is closed; nobody can reply to it. {forum_create_thread} opens one of your own.',
  ),
  not_author: e('Only its author may do that; leave it to them.'),
  already_upvoted: e('You have voted for that already; there is nothing to do.'),
  note_not_found: e([
    'There is no note “<note_id>” in your hands; {get_notes} lists those you hold.',
    'There is no such note in your hands; {get_notes} lists those you hold.',
  ]),
  invalid_category: e([
    'There is no category “<category>”; choose <categories or>.',
    'There is no such category; {help} with the name of the command lists them.',
  ]),

  /* Citizenship */
  citizenship_closed: e([
    'The empire <empire_id> takes no new citizens at the moment; ask another, or come back later.',
    'That empire takes no new citizens at the moment; ask another, or come back later.',
  ]),
  already_citizen: e([
    'You are a citizen of <empire_id> already; there is nothing to do.',
    'You are a citizen of that empire already; there is nothing to do.',
  ]),
  already_pending: e([
    'Your petition to <empire_id> is pending already; {citizenship withdraw} it, or wait.',
    'Your petition to that empire is pending already; {citizenship withdraw} it, or wait.',
  ]),
  insufficient_balance: e([
    'That empire asks its citizens for <need credit>, and you would have <have>; earn more first.',
    'That empire asks its citizens for more credits than you would have; earn more first.',
  ]),
  insufficient_reputation: e([
    'That empire asks for a standing of <need>, and yours is <have>; do missions and trade there.',
    'Your standing with that empire is too low; do missions and trade there.',
  ]),
  no_pending: e([
    'You have no petition pending with <empire_id>; {citizenship apply} sends one.',
    'You have no petition pending with that empire; {citizenship apply} sends one.',
  ]),
  not_citizen: e([
    'You are not a citizen of <empire_id>; {citizenship list} shows where you are one.',
    'You are not a citizen of that empire; {citizenship list} shows where you are one.',
  ]),

  /* Relations between factions */
  already_at_war: e('The two factions are at war already; there is nothing to do.'),
  war_cooldown: e([
    'The two factions have just made peace; neither can declare war for <wait_ticks tick>. Wait.',
    'The two factions have just made peace; neither can declare war for a day. Wait.',
  ]),
  not_at_war: e('The two factions are not at war; there is nothing to do.'),
  at_war: e('The two factions are at war; make peace first.'),
  already_allied: e('The two factions are allies already; there is nothing to do.'),
  already_enemy: e('Your faction calls that one an enemy already; there is nothing to do.'),
  already_proposed: e('Your faction has proposed that already; wait for the answer.'),
  no_proposal: e('That faction has proposed no such thing; {faction_info} lists open proposals.'),

  /* Fleets */
  not_in_fleet: e('You are in no fleet; {fleet create} one, or accept an invitation.'),
  already_in_fleet: e('You are already in a fleet; {fleet leave} it first.'),
  not_leader: e('Only the leader of the fleet may do that; ask them.'),
  leader_must_disband: e('The leader cannot leave; {fleet disband} the fleet instead.'),
  fleet_full: e([
    'The fleet is full with <max> members; wait until somebody leaves, or create another.',
    'The fleet is full; wait until somebody leaves, or create another.',
  ]),
  fleet_moved: e('You and the leader are no longer at the same place; fly there, then try again.'),
  not_same_faction: e(
    'Passengers and their pilot must be in the same faction; ride with somebody of yours.',
  ),
  not_riding: e('You are not riding in another ship; there is nothing to do.'),
  no_invite: e('You have no invitation to a fleet; ask a leader for one.'),

  /* Intelligence */
  no_intel_facility: e(
    `Your faction has no active intelligence desk; ${buildOne('faction_intel_desk')}`,
  ),
  no_trade_ledger: e(`Your faction has no active price desk; ${buildOne('faction_price_desk')}`),
  intel_level_too_low: e([
    'That takes a facility of the second tier, and yours is of tier <level>; {facility ' +
      'upgrade} raises it.',
    'That takes a facility of the second tier; {facility upgrade} raises yours.',
  ]),
  intel_withheld: e(
    'That faction shares no intel with its allies; ask its leaders to share it with yours.',
  ),
  no_sensor: e(`Your faction has no active sensor; ${buildOne('faction_sensor_mast')}`),
  out_of_range: e([
    'The place <poi_id> is out of reach of every sensor of your faction; build one nearer, or ' +
      'fly there.',
    'That place is out of reach of every sensor of your faction; build one nearer, or fly there.',
  ]),
  no_espionage_hq: e(
    `Your faction has no listening room at this base; ${buildOne('faction_espionage_cell')}`,
  ),
  espionage_cooldown: e([
    'Your contacts lie low for <ticks tick> more; wait, then try again.',
    'Your contacts lie low for a while; wait, then try again.',
  ]),
} as const satisfies Record<string, ErrorEntry>
