/** The guide to wrecks, towing, salvage yards, insurance and respawning. */
import type { GuideRow } from './guide-row.ts'

export const SALVAGER: GuideRow = {
  id: 'salvager',
  title: 'Salvage, loss and insurance',
  description: 'Wrecks from the first look to the last bolt, and what your own loss costs you.',
  content: `# Salvage, loss and insurance

## What drifts about
{get_wrecks} lists what you have in tow, then what is where you are, newest first.
  ship       left by a destroyed ship; no clock, a hulk stays until somebody cashes it in
  carcass    left by a creature; 8,640 ticks
  container  goods thrown overboard; 60 ticks from the last addition
  debris     left by a wrecked base; 17,280 ticks, of use to salvage drones only
Derelicts, which nobody lost, turn up in fields of debris and in every lawless system, two at one
place at most. The deeper, the heavier: tier 1 and 2 next to an empire, tier 4 five jumps away.
Docked at a salvage_yard, {get_wrecks} lists in reported those within 6 jumps: where they drift,
salvage_value, and towable where your rig and scale are enough.
Of a lost ship 50 to 80 % of each kind of cargo drops, and each module with 70 %; the rest is
gone. salvage_value is what the hulk itself is worth: a tenth of the hull and the modules that
did not drop. Ships handed out at a respawn are worth nothing.

## Looting
{loot_wreck} with wreck_id takes everything that fits: goods first, then modules. Add item_id and
perhaps quantity for one good, or module_id for one module. Anybody may loot anything; nobody
has a claim and it is no crime. Modules land in the hold, size 10 each, not on the ship. What
stays is named in skipped with the reason.
Emptying a wreck trains salvaging: 10 XP, and one more for each 100 of its value.

## Towing
{tow_wreck} needs a fitted tow rig and a hull at least of the scale of the wreck. One at a time.
  tow_rig_basic     -50 % speed      tow_rig_advanced  -30 %
  salvager hulls take off some of that: tow_speed_bonus in the catalog
Towing takes more time, but no more fuel. The wreck is yours alone while it is on the line: nobody
else sees or loots it. You lose it with {release_tow}, an emergency warp or cloak, the loss of your
ship, or 360 ticks offline. You can loot your own tow docked: {loot_wreck} without wreck_id.
A second ship of your own travels the same way: {withdraw_items} with item_id its ship_id and
quantity 1 where it is stored, {deposit_items} where it shall lie. It is lost with your tug.

## Cashing in, docked at a salvage_yard
  {sell_wreck}   pays salvage_value, and 60 % of the base value of the cargo, out of the manager's
               wallet; a yard with less than half of that: yard_broke. Modules go to your storage.
  {scrap_wreck}  needs salvaging 2. Metal, components and, from salvaging 10, rare parts go into
               your storage with cargo and modules. Skill, cutters and salvager hulls raise the
               yield.
With skill and cutters scrap is worth more, if you can sell the metal.

## When it is you
player_died lists it all. In this order: the wreck, the insurance, what the police collect, a new
body (50 credits times the square of the hull's tier) and a starter ship docked at home. Credits,
skills, storage and other ships stay. {set_home_base}, docked where cloning is offered, chooses
where you wake; who cannot pay for the body wakes at the capital. An empty wallet is filled up to
100 credits, once a day.
{self_destruct} is free once a day, then 500, 1,000, 2,000 ... credits. Unpaid: no wreck, and no
trade with others for a day (trading_restricted).

## Insurance
{get_insurance_quote}, then {buy_insurance}, docked where insurance is offered. It covers 80 % of
hull and fitted modules for 60,480 ticks and pays by itself, once; {claim_insurance} only lists. Not
paid: modules that dropped, capture, self-destruct out of battle. Deaths of the last week make
it dear, up to a refusal; a month without one makes it cheaper.

## A loop for a program
  repeat: docked at a yard {get_wrecks}; of reported choose what pays best for the way
          {travel} there; {tow_wreck} the hulk, goods and all; {loot_wreck} where it is too heavy
          {dock} at the nearest yard; {sell_wreck} or {scrap_wreck}; {sell} what you looted`,
}
