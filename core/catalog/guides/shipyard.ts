/** The guide to getting another ship: buying one, ordering one, having one built. */
import type { GuideRow } from './guide-row.ts'

export const SHIPYARD: GuideRow = {
  id: 'shipyard',
  title: 'Ships: buying and building',
  description: 'How to come by a better ship: showrooms, other pilots, buy orders, commissions.',
  content: `# Ships: buying and building

## What is for sale
  {browse_ships}                         ships for sale where you are docked, the cheapest first
  {browse_ships} with base_id            the same anywhere else
  {buy_listed_ship}                      pay, board it, and leave the ship you flew parked here
Capitals show two hulls of each trade in tier 1 and one in tier 2, other yards one to four. A yard
rebuilds what it sold, and asks 4 percent more for each sale of the last 2,160 ticks. All else is
offered by pilots. A ship comes with the modules fitted to it. The buyer pays sales tax
on top of the price. The hold of the ship you leave is emptied into your storage there.
Larger hulls ask for piloting: 10 for tier 2, 20 for tier 3. It is asked when you board.

## Selling
A ship you sell is parked where you are docked; you cannot sell the one you fly, nor an issue hull.
{list_ship_for_sale} costs a fee, one percent in most places, that does not come back. A ship on the
exchange can be neither flown, scrapped nor towed until {cancel_ship_listing} takes it off.

## Orders
{place_ship_buy_order} holds the price and the tax until somebody sells you a ship of that class
here. An owner of one uses {sell_ship_to_order}. A yard that can build the class takes your order up
by itself when it pays a tenth more than materials and labour cost; it looks once in a hundred
ticks. {cancel_ship_buy_order} gives everything back.

## Having one built
  {commission_quote}                     the price here, and every reason why not
  {commission_ship}                      order it
  {commission_status}                    what is lacking, or when it is done
A yard builds open designs and those of its own empire, up to its tier. You pay in one of three
ways:
- credits: the yard buys the materials on its own exchange, once in a hundred ticks, and never for
  more than four times the usual value. What nobody sells there, it cannot buy.
- provide_materials: everything on the bill, aboard or in storage here. Only labour and the yard's
  tenth are charged. It goes to a bay at once.
- source_missing_materials: you bring what you have, the yard buys the rest.
With bare_hull the default modules are left out and not charged.
While the yard still looks for materials, {supply_commission} gives it what you find; donations are
not paid back. What was set aside and not needed comes back when the last piece is there.
A yard has as many bays as its level, and its level makes it faster. The ship is docked there when
it is done; you are notified wherever you are.

## Changing your mind
{cancel_commission} returns all unspent credits before the building begins, and the materials but
donations. After that it returns half of labour and materials, the yard's tenth, and what you
provided yourself.`,
}
