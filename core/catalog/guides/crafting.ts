/** The guide to recipes, benches, facilities and jobs. */
import type { GuideRow } from './guide-row.ts'

export const CRAFTING: GuideRow = {
  id: 'crafting',
  title: 'Crafting',
  description: 'Recipes, where they run, what they cost, and queues that work while you fly.',
  content: `# Crafting

## Recipes
{catalog} with type items and id, such as iron_ingot, shows under recipes what makes it; {catalog}
with type recipes pages through all, and search finds them by name or by what they make. A recipe
has inputs, outputs and crafting_time, ticks at speed x1. facility_only ones never run at a bench.

## Where it runs
  workshop   yours, at any base with crafting; speed 1 + 2 % a level of crafting (of refining for
             refining recipes); costs nothing; works only while you are docked there
  facility   of tier 1 to 4: x1, x3, x9, x27, whatever your skill; takes labor for each run, and a
             fee where it is not yours; works on while you are away
  recycler   takes things apart and gives back half of what went in
{craft} chooses by preset: fast (the default) ends first, cheap pays least, prefer_own rents only
where it must, workshop stays at the bench. facility_id names one yourself.

## Ordering
Inputs come from your storage at the base, never from the hold: {deposit_items} first.
{craft} with recipe_id, quantity and dry_run true says what it takes, where, and when it ends, and
orders nothing. Without dry_run the inputs, labor and fee of all runs are set aside at once.
quantity counts units of the first output; runs are rounded up. What is made lands in your storage;
{withdraw_items} loads it.
{craft} with action queue lists your jobs. {craft} with action cancel and job_id calls one off: what
its open runs hold comes back. There is a bound on work ordered ahead; job_limit_reached says how
many runs still fit.

## What it teaches
Each run at the bench trains crafting, or refining, by the value of what it makes; components train
engineering too. Facilities teach nothing: they pay.

## What pays
Compare before you order: {view_market} of the inputs, of the output, and the base_value of both.
The first things worth making sell where they are used, not where they are made. {find_item} knows
where you have seen a buyer; {get_news} who is short this week.

## Lines of your own
{facility} with action types lists what can be built, action build builds it for you, docked, out of
your credits and materials. Rent is due every 100 ticks. {facility} with action list shows what
stands here already and may be rented: try a line before you build one.

## A loop for a program
  {get_missions}, {view_market}: what is asked for here
  {craft} dry_run true for each candidate; keep the best of (price - inputs - fee) a tick
  {deposit_items}, {craft}; {craft} action queue until done; {withdraw_items}; {sell}`,
}
