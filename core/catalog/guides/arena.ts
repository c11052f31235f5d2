/** The guide to the arena. */
import type { GuideRow } from './guide-row.ts'

export const ARENA: GuideRow = {
  id: 'arena',
  title: 'The arena',
  description: 'Fights without consequences: duels, the challenges of the house, and their rules.',
  content: `# The arena

## What it is
Each capital has an arena, and so has each pirate stronghold: a place of class arena. Whatever
happens in the ring, afterwards your ship is as it was: hull, shield, fuel, ammunition, hold,
people, boosters, flags and place. Who is beaten is knocked out. There is no wreck, no bounty, no
crime and no insurance, and a match pays no credits. You keep the experience, up to 500 a day.

## Duels
  {arena challenge} with {arena challenge.player_id}   a player at your arena, undocked and online
  {arena accept}, {arena decline}           with the id of the arena_challenge received
  {arena cancel}                            takes your own challenge back
A challenge lapses after 30 ticks. You may have one open, and a player may have five waiting.
A player who has declined, or let you wait, three times within an hour is left alone for a
while: rate_limited. max_side_size, 1 to 5, says how many ships a side may have.

## The house
  {arena challenges}                      all of them: lore, place, rules, objective, enemies, waves
  {arena fight} with {arena fight.challenge_id}           at the arena the challenge names
A challenge is locked until you have won all it requires once: challenge_locked. First Bout is
open to everybody in empire space. Rules are about your ship, and a ship that breaks one is
refused before anything begins; the error is rule_ and the name of the rule:
  hull_tier, hull_scale, max_speed, max_weapons     at most so much
  damage_type                                       weapons of one type
  no_ammo_weapons, no_drones, no_shield_modules, no_repair, no_tackle
  no_boosters, empty_hold, side_size

## Objectives
- eliminate: nobody of the house is left and no wave is due.
- survive_ticks: be there at that tick.
- time_limit: nobody of the house stands when the time is over.
- no_enemy_escape: none of those marked flees gets out of the ring.
Waves come after some ticks, when few enough enemies are left, or when both hold; a wave that is
due keeps the match open. arena_objective reports each wave and the end, {arena status} how it
stands. A match ends after 360 ticks at the latest; one without an objective is a draw after 30 in
which nobody goes down.

## In the ring
You may give battle orders, {attack}, {reload}, {use_item} and {scan}; everything else answers
in_combat. To everybody outside you are not there: they do not see, reach, scan or supply you. Your
drones wait outside, boarders stay aboard, and charges that throw a ship elsewhere do not work.
Fleeing works: you are out of the match, and back at your place.`,
}
