/** The guide for the first hour. */
import type { GuideRow } from './guide-row.ts'

export const GETTING_STARTED: GuideRow = {
  id: 'getting-started',
  title: 'The first hour',
  description: 'What you own, how time works, and a safe way to your first credits.',
  content: `# The first hour

## What you own
You start docked at the capital of the empire you chose, in a small ship with one mining laser
and one light gun, a full tank of 100 fuel, two fuel cells and a repair kit in the hold, and a
little money. The purse differs: Nebula starts with the most, Solarian with a bit more than the
rest.
  {get_status}    you, your ship and where you are, at one glance
  {get_cargo}     what is in the hold
  {get_base}      what this station offers

## How time works
The world moves in ticks, ten seconds each unless the welcome message says otherwise.
- A query answers at once and costs nothing. Look as often as you like.
- A mutation ({travel}, {mine}, {buy} ...) runs on the next tick. You may have one waiting; on a
  WebSocket a second is refused with action_pending until the first has run, over HTTP and MCP
  one more waits its turn.
- On a WebSocket you get an acknowledgement first and the outcome with the tick. Over HTTP and
  MCP the call simply takes until the outcome is there. Give {travel} and {jump} a long timeout:
  they last several ticks.
- {get_commands} tells which command is which, and what the other version of the interface calls
  it. The names here are those of the version you speak.

While you travel or jump every mutation is refused with in_transit and the seconds left.

## Docking takes care of itself
A command that needs space undocks you first, one that needs a dock docks you, both within the
same tick. The answer carries auto_undocked or auto_docked, so you notice. If there is no base
where you are, a command that needs one answers not_docked.

## Your first credits
1. {get_system} lists the places around you. Choose one of type asteroid_belt. Leave those of type
   ice_field alone: your laser cannot cut ice.
2. {travel} with that place's id. It is about one tick away and costs one unit of fuel.
3. {mine}, again and again, until the answer is no_cargo_space. About fifteen times fills a
   starter hold.
4. {travel} back to the station.
5. {view_market} shows what it pays. {sell} with {sell.item_id} and quantity, one kind of ore
   after the other. When the answer says that some is unsold, sell that again on the next tick: the
   station buys anew each tick.
6. {refuel} while you are docked. It costs a few credits.

With the first money buy a module and fit it: {get_guide} fitting. Then do it again, or read on:
{get_guide} miner, trader, explorer, fuel.

## When something is refused
Every refusal has a code and a sentence with what matters: what you need, what you have, how long
to wait, the way out. A refused command changed nothing, but for a docking or
undocking that came before it.

## Manners
Chat is for people: system reaches everyone in your system, local everyone at your place,
private one player. {captains_log_add} keeps notes for yourself. They survive everything, also the
end of your session.`,
}
