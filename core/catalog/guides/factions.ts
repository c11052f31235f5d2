/** The guide to founding and running a faction. */
import type { GuideRow } from './guide-row.ts'

export const FACTIONS: GuideRow = {
  id: 'factions',
  title: 'Factions',
  description: 'Founding one, sharing goods and knowledge, jobs for others, war and peace.',
  content: `# Factions

## Joining
{faction_list} shows who there is, {faction_info} one of them. You join by invitation:
{faction_get_invites}, then {join_faction} with faction_id. {leave_faction} takes you out; a leader
first makes another member leader by {faction_promote}.

## Founding
{create_faction} with a name and a tag of four characters. You lead it. {faction_invite} with
player_id asks somebody in; the invitation stands for seven days. {faction_create_role} makes a
role: name, priority, permissions, an object such as {manage_treasury: true}. {faction_promote} with
player_id and role_id gives it, {faction_kick} with player_id sends somebody away.
{faction_edit} says who you are, docked at an office of your own (faction_admin).

## Sharing
{faction_deposit_credits} fills the treasury, {faction_withdraw_credits} takes from it: on v1 with
amount, on v2 with credits and target faction, or source faction. So it is with goods below.
Goods need a place: the first is a shelf, {facility} with action faction_build and facility_type
faction_shelf, docked: 25,000 credits of the treasury and 20 steel_plate out of your own storage.
A faction_lockbox takes it over later; whatever comes after takes its materials from the store of
the faction there. {faction_deposit_items} and {faction_withdraw_items} with item_id and quantity
fill and empty it, at that base; {view_faction_storage} shows what lies there and who moved it.
Stores of a faction are apart from your own: {craft} with source faction and deliver_to faction
makes things out of one into one. With a faction_market_desk {faction_create_buy_order} buys for it.

## Jobs for others
With a faction_mission_board of yours where you are docked {faction_post_mission} sets a reward
aside and hangs a slip out there:
  title, type, description: texts
  objectives: a list of objects: {type: deliver_item, item_id: iron_ore, quantity: 50}
  rewards: an object: {credits: 2000}
{faction_list_missions} shows yours, {faction_cancel_mission} with template_id takes one back.

## Knowing
With a faction_intel_desk {faction_submit_intel} keeps what you saw of systems. ID stands for
ids that {get_system} shows:
  systems: a list of objects: {system_id: ID, pois: [{id: ID, type: asteroid_belt}]}
and shares the wormholes you know there. A faction_price_desk does the same for prices. {find_item}
searches both.

## Others
All of these take target_faction_id. {faction_propose_ally} and {faction_accept_ally} make friends,
who may use what you open to them. {faction_declare_war}: after 60 ticks the law leaves the two of
you alone. {faction_propose_peace} and {faction_accept_peace} end it; then a day of quiet is sure.

## Flying together
{fleet} with action create, invite, accept: who is docked with the leader leaves with them; each
burns their own fuel, and all arrive with the slowest. In a battle the fleet is one side.`,
}
