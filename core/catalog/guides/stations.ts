/** The guide to facilities, outposts and stations. */
import type { GuideRow } from './guide-row.ts'

export const STATIONS: GuideRow = {
  id: 'stations',
  title: 'Facilities and stations',
  description: 'Quarters, works, rents, outposts, and a station of your own.',
  content: `# Facilities and stations

## What stands here
{facility} with action list, docked: every facility of the base, its power, air and your rent.
{facility} action types pages through what can be built; with facility_type it tells one in full:
credits, materials, build time, what it draws.

## Your own
{facility} action personal_build with facility_type quarters_cabin: a room, and what other personal
things need first. {facility} action build with facility_type builds a works: out of your credits,
materials from your storage, then the hold. corporation_management must be at its tier.
Rent is due every 100 ticks at bases of empires. Who does not pay is warned, and loses it after a
long grace; {facility} action owned sums up what all of them cost you.
  action upgrade      the next tier; it works on meanwhile
  action set_access   public lets others rent it, action set_output_price says for how much
  action list_for_sale, browse_for_sale, buy_listing   trade in them
  action dismantle    all its materials come back, in packages

## For a faction
action faction_build builds for the faction from its treasury and its store at the base; faction
services (desk, ledger, garage, reserve) need a faction store there first.

## Outposts
{build_outpost} with a name, in a system without empire and police, an outpost kit in the hold:
a store and a fuel bunker for members, no rent, no upkeep. Eight a faction. {dismantle_outpost}
packs it up again when it is empty.

## Stations
{get_base_cost} says what it takes and whether here is a place for it: a station core, 5,000,000
credits, a system without empire, police and station. {build_base} founds it. Build in this order:
faction store, power, air, then services. Services draw labor and goods each cycle; what lacks them
goes dark.
{station} administers it: action info, set_public, set_service_access, set_market_fee,
set_refuel_price, allow_player, ban, and more; action help lists them with examples.

## Defending it
Stations fight back with their own guns, and friends of the owner may come. Below half their hull
services fail; a wrecked one is repaired out of its stock, or with {service_prize} and goods. Watch
{get_base}: condition tells all.

## A first works
  a good that sells here for more than its inputs ({view_market}, {craft} dry_run true)
  rent the line of somebody else first: {craft} with facility_id
  {facility} action build once it pays more than its rent; payback takes days, not hours`,
}
