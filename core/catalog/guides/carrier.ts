/** The guide to passengers and freight. */
import type { GuideRow } from './guide-row.ts'

export const CARRIER: GuideRow = {
  id: 'carrier',
  title: 'Passengers and freight',
  description: 'Berths, fares, surges, sealed packages, and the standing of a carrier.',
  content: `# Passengers and freight

## Passengers
Berths come with the hull: {catalog} with type ships shows economy, business and first class. A
starter has none; carriers of tier 1 have a few, larger ones more, first class from tier 2.
{list_station_passengers}, docked: who waits, where to, and what they would pay. The fare grows
with jumps and class, and with surge, the percentage a base pays above or below the usual. Each
passenger that anybody boards takes surge down at once, so ten ports pay better than one.
{load_passenger} with destination takes aboard as many for that base as you have berths for; their
fare is set aside from what its citizens have. {list_passengers} shows deadlines and free berths.
Docking at the destination delivers by itself and pays; a bonus is left for being early. A wrong
stop strands who gets off: no fare, and a little standing lost. {unload_passenger} with name puts
somebody off, into a ship beside you, or into the lounge of your faction.

## Freight
A package is a sealed box of goods: {craft} with recipe_id and items, docked where a packing_room
or better stands, as at large stations. recipe_id is pack_package, items a list of objects, such
as {item_id: iron_ore, quantity: 20}, label a text. It takes one cargo_container. source says
which store the goods come from: storage, cargo, or faction. {view_storage} then shows the package;
its item_id is its package_id. However little is in it, it takes 100 of the hold: more than a
starter has.
{shipping} is the market for carrying them. As a shipper:
  action quote   package_id, destination_base_id, base_reward: what it costs, what is at risk
  action post    the same, for good: reward and fee are set aside
  action cancel  shipment_id, while nobody has taken it; reward back, fee lost
As a carrier, docked where it lies:
  action list    what you may take from here; sort by reward or distance
  action accept  shipment_id; the package goes to your storage, the clock starts
  {withdraw_items} with item_id the id of the package and quantity 1; fly there; {dock}
  action deliver shipment_id, with the package in the hold
  action return  shipment_id, where you took it: before the deadline it costs you nothing
Early pays the speed bonus, late costs; past recovery it is a default, a debt ({shipping} action
pay_debt) and a step down. action profile shows your tier: beginners may carry up to 5,000 credits
of goods, and each delivery earns trust. Opening a seal is a breach.

## Together
A full round carries both: passengers in the berths, parcels and freight in the hold, couriers from
{get_missions} on top. Plan it by {find_route}; buy fuel where it is cheap.

## A loop for a program
  docked: deliver, {list_station_passengers}, {shipping} action list, {get_missions}
          take what shares a destination; most credits a jump first
  fly it; at the dock everything pays at once; start again`,
}
