/** Codes of factions, fleets, diplomacy, intelligence, citizenship and what people say. */
import { type ErrorEntry, e } from './error-entry.ts'

export const SOCIETY_ERRORS = {
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
  no_commons: e('No commons of a faction works here; build one, or visit another station.'),
  room_not_found: e('There is no such room here; faction_rooms lists those open to you.'),
  no_admin_office: e('This needs an active administration office of the faction here.'),
  faction_no_credits: e('The treasury of the faction has not that many credits.'),
  bucket_not_allowed: e('Fuel goes to the bunker of the faction, not to a bucket.'),
  no_faction_missions: e('The faction has no mission service here.'),
  no_company_store: e('The faction has no company store here.'),
  no_faction_market: e('The faction has no market service here.'),
  bucket_not_found: e('There is no such bucket here; view_faction_storage lists those there are.'),

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
  note_not_found: e('There is no such note in your hands; get_notes lists those you hold.'),
  invalid_category: e('There is no such category; details name those there are.'),

  /* Citizenship */
  citizenship_closed: e('That empire takes no new citizens at the moment.'),
  already_citizen: e('You are a citizen of that empire already.'),
  already_pending: e('A petition of yours is before that empire; withdraw it, or wait.'),
  insufficient_balance: e('That empire asks its citizens for more credits than you would have.'),
  insufficient_reputation: e('That empire does not know enough good of you yet.'),
  no_pending: e('No petition of yours is before that empire.'),
  not_citizen: e('You are no citizen of that empire.'),

  /* Relations between factions */
  already_at_war: e('The two factions are at war already.'),
  war_cooldown: e('The two have just made peace; for a day neither declares war.'),
  not_at_war: e('The two factions are not at war.'),
  at_war: e('The two factions are at war; make peace first.'),
  already_allied: e('The two factions are allies already.'),
  already_enemy: e('Your faction calls that one an enemy already.'),
  already_proposed: e('Your faction has proposed that already; wait for the answer.'),
  no_proposal: e('That faction has proposed nothing of the kind; faction_info lists what waits.'),

  /* Fleets */
  not_in_fleet: e('You are in no fleet.'),
  already_in_fleet: e('Already in a fleet.'),
  not_leader: e('Only the leader of the fleet may do that.'),
  leader_must_disband: e('The leader cannot leave; disband the fleet instead.'),
  fleet_full: e('The fleet has no place left.'),
  fleet_moved: e('You and the leader are not at one place any more.'),
  no_invite: e('No invitation into a fleet waits for you.'),

  /* Intelligence */
  no_intel_facility: e('No intelligence desk of your faction works; faction_build makes one.'),
  no_trade_ledger: e('No price desk of your faction works; faction_build makes one.'),
  intel_level_too_low: e('That takes the second tier of the facility; facility upgrade makes it.'),
  intel_withheld: e('That faction keeps what it knows from its allies.'),
  no_sensor: e('No sensor of your faction works; faction_build makes one.'),
  out_of_range: e('That place is out of reach of every sensor of your faction.'),
  no_espionage_hq: e('Your faction has nobody listening at this base; faction_build changes that.'),
  espionage_cooldown: e('Your contacts lie low for a while; wait, then try again.'),
} as const satisfies Record<string, ErrorEntry>
