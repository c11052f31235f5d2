/** The guide to facilities, outposts and stations. */
import type { GuideRow } from './guide-row.ts'

export const STATIONS: GuideRow = {
  id: 'stations',
  title: 'Facilities and stations',
  description: 'Quarters, works, rents, outposts, and a station of your own.',
  content: `# Facilities and stations

## What stands here
Docked, {facility} with action list: every facility of the base, its power, air and your rent.
{facility} action types pages through what can be built; with facility_type it shows one in full:
credits, materials, build time, what it draws.

## Your own
{facility} action personal_build with facility_type crew_quarters: a room, and what other personal
things need first. {facility} action build with facility_type builds a works: out of your credits,
materials from your storage, then the hold. corporation_management must be at its tier.
Rent is due every 100 ticks at bases of empires. Who does not pay is warned, and loses it after a
long grace; {facility} action owned sums up what all of them cost you.
  action upgrade      facility_id and, as facility_type, its next tier, as action upgrades shows
  action set_access   access public lets others rent it; action set_output_price says for how much
  action list_for_sale, browse_for_sale, buy_listing   trade in them
  action dismantle    all its materials come back in packages, a cargo_container of yours for each

## For a faction
{facility} action faction_build builds for the faction from its treasury and its store at the base:
faction_shelf or faction_lockbox first, then desks, boards, garage.

## Outposts
{build_outpost} with a name, in a system without empire and police, an outpost_kit in the hold and
100,000 credits: a store and a fuel bunker for members, no rent, no upkeep. Eight a faction.
{dismantle_outpost} packs it up again when it is empty.

## Stations
{get_base_cost} says what it takes and whether here is a place for it: a station_core in the hold,
5,000,000 credits, a system without empire, police and station. {build_base} with a name founds it.
Build in this order: faction_lockbox, power, air, then services. Services draw labor and goods each
cycle; what lacks them goes dark.
{station} administers it: action info, set_public, set_service_access, set_market_fee,
set_refuel_price, allow_player, ban, and more; action help lists them with examples.

## Defending it
Stations fight back with their own guns, and members are notified of each hit. Damage is repaired,
all of it within a day. A wrecked one keeps its market and storage open, all else is shut for a
day; then it is whole again. Watch {get_base}: hull, shield, wrecked, and the condition of services.

## A first works
  a good that sells here for more than its inputs ({view_market}, {craft} dry_run true)
  rent the line of somebody else first: {craft} with facility_id
  {facility} action build once it pays more than its rent; payback takes days, not hours`,
}
