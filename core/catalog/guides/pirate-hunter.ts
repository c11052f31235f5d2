/** The guide to hunting pirates: where they are, what they are worth, and what crews remember. */
import type { GuideRow } from './guide-row.ts'

export const PIRATE_HUNTER: GuideRow = {
  id: 'pirate-hunter',
  title: 'Hunting pirates',
  description: 'Where pirates are, what each tier takes and pays, bosses, strongholds, the radio.',
  content: `# Hunting pirates

## Where they are
Pirates live where the police level is 20 or less: at fields, clouds and relics, else at worlds;
never where one arrives or docks. {get_nearby} lists those at your place with tier, hull and
status: patrolling, stalking (somebody is about to be attacked) or in_combat. The emptier of law
a system is, the more and the worse they are:
  tier  hull  shield  armor  damage  reach  speed  pays     combat xp
  T1      56      30      2      10      3      2     700         20
  T2     168      80      6      14      3      3   2,000         60
  T3     450     200     16      45      4      3   6,000        200
  boss 1,500     600     45     150      5      2  60,000      1,000
  police           at home there                        for
  50, 30           nobody; a T1 prowls in one of 4, 2   a starter
  15               one or two T1                        a starter with care, a T1 hull
  5                three T1                             a T1 hull
  0, by an empire  three T1, one T2                     a T2 hull, or two of T1
  0, one further   four T1, two T2                      two T2 hulls, a T3 hull
  0, beyond        four T1, two T2, two T3              a group
  stronghold       eight T1, four T2, four T3, a boss   eight pilots of T3
A prowler waits at a belt for 240 ticks, then it is gone.

## How they behave
- Scouts (T1) take on small hulls alone. For anything larger they call raiders, who come from
  other places of the system: you have the time of their flight to leave.
- T2 and T3 pass by hulls beneath them. T3 board what lies open and carries cargo, and let it go
  again without it; a boss keeps the hull.
- {attack} on one pirate calls its crew, 24 at most: those at its place join at once, the others
  after their flight there, 4 ticks at least; battle_alert names who is coming and when. T1 all
  come. T2 come against a hull of T1 or more, or when two of theirs are lost; T3 against T2 or
  more, or three hulls. A T1 alone at its place takes a single hull of T0 or T1 as a duel and
  calls nobody. At a stronghold all come at once.
- Below 40 percent hull they fall back a ring; shot at for five ticks by what they cannot reach,
  they flee.

## What a kill pays
The bounty is split by damage among the players who did a fifth of it or more, one percent more a
level of bounty_hunting, up to 300,000 credits a day, 700,000 from piloting 10, 1,200,000 from 20,
2,000,000 from 30. The last blow must be a player's. pirate_destroyed says what it was and
where the wreck is; the wreck holds loot, more with each tier.

## Crews and what they remember
Six crews rule lawless space, each from a stronghold; a system belongs to the nearest. Each attack
on a pirate costs 2 points of standing with its crew, each kill 5 more. With 10 points or more a
crew lets you be, and its stronghold lets you dock.

## Strongholds
The station fights for its crew: flak at two rings, harpoons at three, 120,000 points of hull and
30,000 of shield. {attack} takes its id. base_raid_update shows everybody there how it goes. When
the hull is gone it is wrecked for a day: its market and storage stay open, all else is shut, and
it cannot be attacked again (target_wrecked). Damage stays from one battle to the next and mends
slowly. The guns come back with the boss, a day after the last one fell.
Stations of empires may be attacked too. That is a crime, and three times as dear.

## The radio
A ship with a pirate radio receiver hears what crews say within three jumps, and calls for a raid
within seven (pirate_radio). A duel or a raid names the place: be there first, or be elsewhere.`,
}
