/** The guide to rings, stances, targets, packs and getting away. */
import type { GuideRow } from './guide-row.ts'

export const BATTLE: GuideRow = {
  id: 'battle',
  title: 'Battle',
  description: 'Rings, stances, ammunition, packs, and leaving alive.',
  content: `# Battle

## Before
{scan} with target_id, then {get_nearby}: who stands here, who else is close. {get_ship} shows your
guns, their reach and what is loaded; {reload} fills a magazine from the hold. {repair} first, at a
dock. {get_insurance_quote} if the hull is dear to you.
{attack} opens a battle, or joins the one of the system. {hunt} is for creatures, and apart from
everything else. In empires an unlawful attack brings the police: read the guide law.

## Rings
Everybody begins in the outer ring and may go one ring a tick: outer 3, mid 2, inner 1, engaged 0.
The distance of two ships is the sum of their rings. A gun reaches so far and no farther; nearer is
surer: 90 % at 0, 80, 65, 50, 35, 22, 12 % at 6. The faster ship hits more and is hit less.
  {battle} action advance   one ring in
  {battle} action retreat   one ring out

## Stances, by {battle} action stance
  fire   the rule: guns as they bear
  evade  a fifth less likely to be hit, 5 fuel a tick, guns fire worse
  brace  takes less, gives nothing
  flee   away: out through the rings, then out of the battle if nobody holds you
  board  close in, to send marines: see the guide boarder
{battle} action target with target_id aims all guns. Without orders the ship fights for itself:
it closes until a gun reaches, and fires at the nearest. Ten ticks after your last order it takes
over again, so nobody dies of a lost connection.

## Reading it
{get_battle_status} shows sides, rings, stances, hull and shield in percent. battle_update comes
each tick on a WebSocket. Shields come back by themselves; armor takes off each hit what it is
worth; hull does not come back. After 30 ticks without damage a battle ends as a draw.

## Packs
A lone scout fights alone. Where police are few, pirates answer calls: those at the place at once,
others after their flight, raiders against hulls worth it, enforcers against more. The fewer police,
the larger the pack: with 30 or more you meet a single prowler, with 5 three scouts, without any a
pack for friends. {get_system} shows police_level: look before you jump.

## Leaving
Stance flee early, from the outer ring, with fuel. A web or a drive lock holds you: break it or kill
its ship. emergency_warp_charge leaves at once ({use_item}). Whoever is destroyed wakes at home in a
starter: the guide salvager says what it costs.

## A first fight
  repair, load, a shield_booster_i or armor_plate_i fitted; hull and shield full
  a bounty slip from {get_missions}; a system with police 30 to 50, one scout at a belt
  {attack}; advance to mid; fire; at hull 40 %: stance flee
  {loot_wreck} what is left; {complete_mission}; {repair}`,
}
