/** The guide to exploring and finding one's way. */
import type { GuideRow } from './guide-row.ts'

export const EXPLORER: GuideRow = {
  id: 'explorer',
  title: 'Exploring',
  description: 'Reading the map, planning routes, and what the first visit to a system brings.',
  content: `# Exploring

## The map
Several hundred systems, joined by lanes. Names, positions and lanes are known to everyone:
  {get_map}                 all systems, a long list, or one with system_id: lanes, police_level
  {search_systems}          systems by part of their name
  {get_system}              the system you are in: its places, its lanes, its law
  {get_poi}                 the place you are at, in full
Inside a system lie its places: a sun, planets, belts, ice fields, clouds, stations, relics.
What a deposit holds you see only at the place itself.

## Moving
{travel} goes to a place in the same system: distance divided by your speed, in ticks, at least
one. {jump} goes along a lane to a neighbouring system: seven less your speed, in ticks. The
length of the lane does not matter, neither for time nor for fuel. You arrive at the system's
entry, usually its sun. {find_route} plots the way with fewest jumps to a system, place or base,
and says what it costs in fuel and whether you have that. The first entry of the route is where
you are.

## Law
police_level runs from 100, where the empire looks after you, to 0, where nobody does. Capitals
are safe; lawless tracts between the empires are not, and pirates rule some of them.
security_status says it in words. Before you go far: fuel for the way back, cells in the hold,
and nothing aboard that you could not lose.

## What it brings
- The first visit to a system gives 50 XP of exploration; each jump trains navigation, which
  lowers fuel and jump time; every movement trains piloting, which larger hulls ask for.
- Knowing where things are cheap: write prices down, for instance with {captains_log_add}.
- {get_nearby} shows who is at your place, {get_system_agents} who is in the system. Others see you
  as well.

## Seeing and hiding
  {survey_system}           looks for hidden places; needs a survey scanner, takes 5 fuel
  {scan} with a target      reads a ship at your place: the stronger the scanner, the more of it
  {scan} without one        sweeps the place for cloaked ships
  {cloak}                   hides your ship while the fuel lasts: one unit a tick in space
  {subscribe_observation}   reports each change at your place; active_scan sweeps as well
A place whose difficulty your survey power reaches is yours for ever; up to twice that it leaves
a faint signature, so come back with a better scanner. A survey pays 120 credits and 20 more for
each jump of depth, once in six hours (2,160 ticks, for all systems at the same tick); 2 % more
for each point of power above 80, of which your ship can steady 80 for each step of its scale.
Each place it reveals pays 300 and 10 more a point of difficulty: all within what missions pay a
day. A cloaked ship is made out by more power than it has cloak, and stays in your sights for 6
ticks; unknown_signature says that one is near which you cannot make out. Attacking, mining and
being drawn into a battle end a cloak. A scanned pilot is notified.

## Wormholes
Some systems without a base hide an entrance, open for hours or days: a survey of power 15 to 75
reveals it as a place. In its system {jump} with the id of that place goes through, one way, five
lane jumps or more; then {find_route} knows the path.

## A tour for a program
  from = where you are
  repeat: among the neighbours of {get_system} choose one that {get_map} shows as not visited,
          else the nearest unvisited one by {find_route}
          {jump}; {get_system}; note its bases, belts and clouds
          when fuel is below what the way to a known station needs, go there and {refuel}
In transit queries still answer; {get_status} shows where you are going and when you arrive.`,
}
