/** The guide to trading with station exchanges. */
import type { GuideRow } from './guide-row.ts'

export const TRADER: GuideRow = {
  id: 'trader',
  title: 'Trading',
  description:
    'How station exchanges price goods, what fees and taxes cost, and what makes a run pay.',
  content: `# Trading

## The exchange
Each base with the market service has a book per item: asks from the cheapest up, bids from the
dearest down. Best price first; at one price, who was there first.
  {view_market}                          best prices of everything traded here
  {view_market} with item_id             the full depth of one item
  {estimate_purchase}                    what a quantity would really cost, tax included
  {buy}, {sell}                        take what is offered now, level by level
All four want you docked; {buy} and {sell} dock you if a base is where you are. What {buy} cannot
put into the hold goes to your locker there, if the base has storage. What cannot be filled is
reported as unfilled, and with auto_list it is put up as an order of yours instead.

## Where prices come from
Beside players, the station's manager trades. It wants to hold a certain stock of each item and
moves its price with what it has: near one and a half times the usual value with empty shelves,
about the usual value at its target, down to two fifths of it when it holds twice what it wants.
It buys some percent below and sells some percent above that; the gap is narrower at capitals.
- It offers only a slice of its stock at a time, in three steps. Large orders walk up the book.
- Buying and selling back at one station always loses. Profit is between stations.
- What it holds above its target it uses up, a fiftieth in thirty ticks, and its price recovers
  with that; basics it restocks, over hours. What it makes nothing of itself and buys from afar it
  uses up faster, down to two fifths of its target, or three fifths of what is dear.
- At twice its target it buys no more until it has used some up: no_buyers then, for a while.
- The manager pays from its own purse. When it is empty it buys nothing until it has earned
  again.

## What it costs
- Sales tax: the buyer pays it to the empire that owns the base. Citizens of that empire pay the
  least; foreigners more; the stateless mostly as much or more, in the Outerrim nothing; lawless
  space has none. {estimate_purchase} shows the rate that applies to you.
- Listing fee: only for what stays in the book as an order of yours, about one percent, never
  returned.
- The hold: every unit takes its size. Credits per unit of space is the figure to compare, not
  credits per unit.
- Fuel: cheap against cargo. See {get_guide} fuel.

Some items are banned in some empires; there {buy} and {sell} answer contraband_restricted.

## A run that pays
1. Note prices at each base you visit; {get_map} and {find_route} show how far apart they are.
2. Look for goods made in one place and used in another: ore from the rim, ice where there is
   none, parts near yards, food where nothing grows.
3. {estimate_purchase} for the amount you can carry; subtract the tax and the fuel.
4. Sell in portions. The second half of a load always fetches less than the first.
5. Keep a locker at both ends, so a bad price is a reason to wait and not to lose.

## Convoys
What a capital runs short of it buys where there is plenty, and sends a convoy. {get_news} lists
all: what, how much, from where to where, which leave in how many ticks; {view_market} those of the
base you are at. A freighter and up to two guards jump from system to system and rest twelve ticks
in each; where there are pirates, some come for them. What is aboard is paid for, and who
destroys the freighter finds it in the wreck: by the law of the place, as with any ship of an
empire. {scan} with target_id shows what one carries.
While one is loaded, the board there asks for company: {get_missions}, then {accept_mission} with
mission_id, which is the convoy's. Be in its system as it leaves, at its stops but one, and as it
arrives: {get_active_missions} says where it is and goes next. {jump} when it jumps, {attack} what
comes for it. {complete_mission} pays by the jumps, more without law; lost, it pays nothing.

Trading trains the trading skill, by the value of what you buy and sell.`,
}
