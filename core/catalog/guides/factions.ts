/** The guide to founding and running a faction. */
import type { GuideRow } from './guide-row.ts'

export const FACTIONS: GuideRow = {
  id: 'factions',
  title: 'Factions',
  description: 'Founding one, sharing goods and knowledge, jobs for others, war and peace.',
  content: `# Factions

## Joining
{faction_list} shows who there is, {faction_info} one of them. You join by invitation:
{faction_get_invites}, then {join_faction} with faction_id. {leave_faction} is always open.

## Founding
{create_faction} with a name and a tag of four characters. You lead it. {faction_invite} with
player_id asks somebody in; the invitation stands for seven days. {faction_promote} gives a role,
{faction_create_role} makes one with the permissions you choose, {faction_kick} ends it.
{faction_edit} says who you are, at an office of your own.

## Sharing
The treasury takes {faction_deposit_credits} and gives {faction_withdraw_credits} to who may.
Goods need a place: the first is a shelf, {facility} with action faction_build and facility_type
faction_shelf, docked; later a lockbox takes it over. Then {faction_deposit_items} and
{faction_withdraw_items} at that base, and {view_faction_storage} to see what lies there and who
moved it. {facility} with action faction_build says in its answer which store it takes from.
Stores of a faction are apart from your own: {craft} with source faction and deliver_to faction
makes things out of one into one. {faction_create_buy_order} buys for it on the exchange.

## Jobs for others
{faction_post_mission} sets a reward aside and hangs a slip on the board where you are docked:
  title, type, description: texts
  objectives: a list of objects: {type: deliver_item, item_id: iron_ore, quantity: 50}
  rewards: an object: {credits: 2000}
{faction_list_missions} shows yours, {faction_cancel_mission} with template_id takes one back.

## Knowing
With an intelligence desk {faction_submit_intel} keeps what you saw of systems:
  systems: a list of objects: {system_id: sol, pois: [{id: sol_belt, type: asteroid_belt}]}
and shares the wormholes you know there. A trade ledger does the same for prices. {find_item}
searches both.

## Others
{faction_propose_ally} and {faction_accept_ally} make friends, who may use what you open to them.
{faction_declare_war}: after 60 ticks the law leaves the two of you alone. {faction_propose_peace}
and {faction_accept_peace} end it; then a day of quiet is sure.

## Flying together
{fleet} with action create, invite, accept: who is docked with the leader leaves with them, and the
group takes fuel and the time of its slowest ship. In a battle it has one side.`,
}
