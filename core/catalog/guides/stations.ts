/** The guide to facilities, outposts and stations. */
import type { GuideRow } from './guide-row.ts'

export const STATIONS: GuideRow = {
  id: 'stations',
  title: 'Facilities and stations',
  description: 'Quarters, works, rents, outposts, and a station of your own.',
  content: `# Facilities and stations

## What stands here
Docked, {facility list}: every facility of the base, its power, air and your rent.
{facility types} pages through what can be built; with facility_type it shows one in full: credits,
materials, build time, what it draws, and who builds it.

## Your own
{facility personal_build} with facility_type crew_quarters: a room, and what other personal things
need first. {facility build} with facility_type builds a works: out of your credits, materials from
your storage, then the hold; {catalog} with type recipes and its category, such as refining, lists
what it makes. corporation_management must be at its tier. Rooms of your own need none of it and
train it: 10 XP a room, and 1 each 100 ticks; 60 are level 1.
Rent is due every 100 ticks at bases of empires. Who does not pay is warned, and loses it after a
long grace; {facility owned} sums up what all of them cost you.
  {facility upgrade}  facility_id and, as facility_type, its next tier: see {facility upgrades}
  {facility set_access}  access public lets others rent; {facility set_output_price} for how much
  {facility list_for_sale}, {facility browse_for_sale}, {facility buy_listing}  trade in them
  {facility dismantle}  all its materials come back in packages, a cargo_container of yours for each

## For a faction
{facility faction_build} builds for the faction from its treasury and its store at the base: a
faction_shelf or faction_lockbox first, out of your own storage, then desks, boards, a garage.
From then on only the store counts: {faction_deposit_items} with target faction fills it.

## Outposts
{build_outpost} with a name, in a system without empire and police, an outpost_kit in the hold and
100,000 credits: a store and a fuel bunker for members, no rent, no upkeep. Eight a faction.
{dismantle_outpost} packs it up again when it is empty.

## Stations
{get_base_cost} says what it takes and whether here is a place for it: a station_core in the hold,
5,000,000 credits, a system without empire, police and station. {catalog} with type items and id
station_core shows what makes one. {build_base} with a name founds it.
Build in this order, with {facility faction_build}: faction_lockbox, solar_wing, air_plant, then
services such as locker_hall, fuel_dock, market_hall. Services draw labor and goods each cycle out
of the store; what lacks them goes dark. The fuel tank starts empty: once
{station set_auto_buy_fuel} lets the treasury pay for it, pilots sell it fuel, and jobs of mill_fuel
fill it.
{station info} shows how it is set; {station set_public}, {station set_service_access},
{station set_market_fee}, {station set_refuel_price}, {station allow_player}, {station ban} set it.

## Defending it
Stations fight back with their own guns, and members are notified of each hit. Damage is repaired,
all of it within a day. A wrecked one keeps its market and storage open, all else is shut for a
day; then it is whole again. Watch {get_base}: hull, shield, wrecked, and the condition of services.

## A first works
  a good that sells here for more than its inputs ({view_market}, {craft} dry_run true)
  rent the line of somebody else first: {craft} with facility_id
  {facility build} once it pays more than its rent; payback takes days, not hours`,
}
