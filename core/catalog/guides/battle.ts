/** The guide to battles: rings, stances, targets, packs and escape. */
import type { GuideRow } from './guide-row.ts'

export const BATTLE: GuideRow = {
  id: 'battle',
  title: 'Battle',
  description: 'Rings, stances, ammunition, packs, and leaving alive.',
  content: `# Battle

## Before
{get_ship} shows your guns among its modules, their reach and what is loaded; {reload} with
weapon_instance_id, the id of the gun, fills its magazine from the hold. {repair} first, at a dock;
{get_insurance_quote} there if the hull is worth it. {get_nearby} shows who is here, {scan} with
target_id reads one of them: class and name without a scanner, hull and shield with one.
{attack} opens a battle, or joins the one of the system. {hunt} is for creatures, and apart from
everything else. In empires an unlawful attack brings the police: {get_guide} law.

## Rings
Everybody begins in the outer ring and may go one ring a tick: outer 3, mid 2, inner 1, engaged 0.
The distance of two ships is the sum of their rings. A gun reaches so far and no farther; nearer is
surer: 90 % at 0, 80, 65, 50, 35, 22, 12 % at 6. The faster ship hits more and is hit less.
  {battle} action advance   one ring in
  {battle} action retreat   one ring out

## Stances, by {battle} action stance
  fire   the rule: guns as they bear
  evade  half the damage, 20 points less likely to be hit, 5 fuel a tick; the guns are silent
  brace  a quarter of the damage, shields grow twice as fast; the guns are silent
  flee   out through the rings, then out of the battle if nobody holds you; the guns are silent
  board  close in, to send marines: {get_guide} boarder
{battle} action target with target_id aims all guns. Without orders the ship fights for itself:
it closes until all its loaded guns reach, and fires at the nearest; without a gun it closes all
the same, so take the stance flee at once. Ten ticks after your last order it takes over again and
goes back to fire, also from evade, brace or flee: whoever needs one of these for longer repeats it.

## Reading it
{get_battle_status} shows sides, rings, stances, hull and shield in percent. battle_update comes
each tick on a WebSocket. Shields grow in a tick without a hit; armor takes off each hit what it
is worth; only armor repairers, or a repair module of your side, bring hull back. After 30 ticks
without a kill, a capture or an escape a battle ends as a draw; up to 120 ticks in which hulls were
hurt, or a boarding went on, do not count.

## Packs
A lone scout fights alone. Where police are few, pirates answer calls: those at the place at once,
others after their flight, raiders against hulls worth it, enforcers against more. The fewer police,
the larger the pack: from 60 on there is none, above 20 a single prowler at most, with 5 three
scouts, without any a pack for friends. {get_map} with system_id and {find_route} show
police_level: look before you jump.

## Leaving
Order flee early, and again at least every 10 ticks until you are out: from the outer ring it takes
2 ticks if you are much faster than all of them, else 3 to 12, and 2 more for each web on you. While
a warp_disruptor or warp_scrambler holds you nothing counts: get out of its reach, 5 or 3, or kill
its ship. {use_item} with item_id emergency_warp_charge leaves at once. A destroyed pilot wakes at
home in a starter: {get_guide} salvager says what it costs.

## A first fight
  repair, load, a shield_booster_i or armor_plate_i fitted; hull and shield full
  a bounty slip from {get_missions}; a system with police 30 to 50, one scout at a belt
  {attack}; advance to mid; fire; at hull 40 %: stance flee
  {get_wrecks}, {loot_wreck} with wreck_id; {complete_mission}; {repair}`,
}
