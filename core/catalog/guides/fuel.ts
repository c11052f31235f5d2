/** The guide to fuel. */
import type { GuideRow } from './guide-row.ts'

export const FUEL: GuideRow = {
  id: 'fuel',
  title: 'Fuel',
  description: 'What movement costs, where fuel is cheap, and how not to be stranded.',
  content: `# Fuel

## What it costs to move
A travel inside a system costs
  scale x root(scale) x speed x distance in AU x 0.07     rounded up, at least 1
and a jump, whatever the lane,
  scale x root(scale) x speed                             rounded up, at least 1
Scale is the size class of the hull, 1 to 5. A starter ship of scale 1 and speed 2 pays 1 for
most trips inside a system and 2 for a jump, so a full tank of 100 is fifty jumps. Big and fast
hulls are thirsty: scale 3 at speed 3 pays 16 a jump.
- Fuel-saving modules lower both, by at most 80 percent together.
- The navigation skill lowers both by one percent a level, down to half; for a jump it counts twice,
  down to a quarter.
- What you carry plays no part.
- All of it is taken at departure, and nothing comes back.

{find_route} shows fuel_per_jump, estimated_fuel and fuel_available for your ship as it is now.

## Where it comes from
{refuel} while docked at a base with the refuel service fills the tank. A station's price follows
its own tank: 2 credits a unit when it is nearly full, one more for each tenth that is missing,
10 when it is almost dry and 20 at the very end, billed unit by unit as it drains. The empire
adds its tax per unit. If your money does not reach, you get what you can pay for. {get_base}
shows the price before you buy: fuel_price, and fuel_price_all_in with tax.

## Cells
A fuel cell is fuel in the hold, usable anywhere you are not under way:
  fuel_cell             20 fuel, takes 1 of the hold
  premium_fuel_cell     50 fuel, takes 2
  military_fuel_cell   100 fuel, takes 3
In space, {refuel} burns cells from the hold, the cheapest kind first, one unless you name a
quantity; item_id chooses the kind. What is over the brim of the tank is lost, so do not burn a
large cell for a few units. Stations sell cells for much more than the same fuel from the pump:
they are insurance, not supplies.

## Not being stranded
- Before each jump: is there enough for the way to the next base with a pump? Two jumps of
  reserve is a habit worth having.
- no_fuel answers say what is needed and what is there.
- Two cells are in a new ship's hold. Leave them there until you need them.
- Stranded all the same: {distress_signal} calls pilots within five jumps. Who comes gives fuel with
  a refueling_pump, {refuel} with target, or cells by {trade_offer}. {self_destruct} is the last way.`,
}
