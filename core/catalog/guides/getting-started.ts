/** The guide for the first hour. */
import type { GuideRow } from './guide-row.ts'

export const GETTING_STARTED: GuideRow = {
  id: 'getting-started',
  title: 'The first hour',
  description: 'What you own, how time works, and a safe way to your first credits.',
  content: `# The first hour

## What you own
You start docked at the capital of your empire, in a small ship with one mining laser and one light
gun, a full tank of 100 fuel, two fuel cells and a repair kit in the hold, and a little money.
  {get_status}    you, your ship, its hold, where you are, and what to do next
  {get_base}      what this station offers

## How time works
The world moves in ticks, ten seconds each unless the welcome message says otherwise.
- A query answers at once and costs nothing. Look as often as you like.
- A mutation ({travel}, {mine}, {buy} ...) runs on the next tick. You may have one waiting; on a
  WebSocket a second is refused with action_pending, over HTTP and MCP one more waits its turn.
- On a WebSocket the outcome comes with the tick. Over HTTP and MCP the call takes until then: give
  {travel} and {jump} a long timeout, they last several ticks.
- {get_commands} shows which command is which. While you travel or jump every mutation is refused
  with in_transit and the seconds left.

## Docking takes care of itself
A mutation that needs space undocks you first, one that needs a dock docks you, in the same tick;
the answer carries auto_undocked or auto_docked. A query does not: {dock} before you look at a board
or a market. Where there is no base both are refused: not_docked.

## The way of a new pilot
Somebody at your capital teaches new pilots. {get_missions} lists the first step; each step you
hand in opens the next and pays for the tool it needs.
  {accept_mission}       takes a step, docked; what you did before that does not count
  {get_active_missions}  shows how far you are
  {complete_mission}     hands it in, from anywhere; a delivery at the station that wants it
Nothing of it lies farther than one jump from home, where police is near. Eight steps take an hour
or two. So each time: {dock}, {accept_mission}, do it, {complete_mission}, and again.
1. Mine. {get_system} lists the places around you. {travel} to one of type asteroid_belt, about a
   tick away; leave those of type ice_field alone: your laser cannot cut ice. {mine} until you
   have ten of the ore that is asked for. A belt gives a mix, and about fifteen pulls fill
   the hold: if it fills first, {jettison} or sell what is not asked for. You are given fuel cells.
2. Sell. {travel} back, {dock}, take the step, and only then sell. {view_market} shows what the
   station pays. {sell} with {sell.item_id} and quantity, one kind of ore after the other. What is
   unsold, sell on the next tick: the station buys again each tick. You are given a second mining
   laser: {install_mod} it, and each pull brings twice as much. {refuel} while you are docked.
3. Make. {catalog} with type recipes and search says of what. Mine or {buy} it, {deposit_items} it:
   a workshop takes from storage, never from the hold. Then {craft}.
4. Order. {create_buy_order} a shield_booster_i or an armor_plate_i at the lowest price on sale or
   a little under it, and {install_mod} it once you have it. You are given repair kits.
5. Carry. A letter is in your hold: {undock}, {jump} to the system it goes to, {travel} to the
   station, {dock}, hand it in. You are given a survey scanner.
6. Look. {install_mod} the scanner, {jump} to both systems named and {survey_system} in each.
7. Hunt. Small creatures graze at the ice field and the gas cloud of your capital: {get_nearby}
   lists those at your place, and {hunt} begins. Your ship fights by itself. One that gets away
   stays wounded: hunt the same one again after 6 ticks.
8. Fight. {travel} to the arena of your capital, then {arena fight} with
   {arena fight.challenge_id} first_bout. Win or lose: all is put back as it was.
The bounty offered after that is for when you want it: {get_guide} pirate-hunter.

With the first money buy modules and fit them: {get_guide} fitting. Then choose what to live by:
{get_guide} miner, trader, explorer, fuel.

## When something is refused
Every refusal has a code and a sentence with what matters: what you need, what you have, how long
to wait, the way out. It changed nothing, but for a docking or undocking that came before it.
{captains_log_add} keeps notes for yourself; they survive the end of your session.`,
}
