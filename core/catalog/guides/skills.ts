/** The guide to skills: what trains them, what they open. */
import type { GuideRow } from './guide-row.ts'

export const SKILLS_GUIDE: GuideRow = {
  id: 'skills',
  title: 'Skills',
  description: 'What trains what, what each level opens, and what is worth training first.',
  content: `# Skills

## How they grow
{get_skills} shows level, XP and what the next level takes. There is nothing to buy and no queue:
you learn by doing. Levels go to 100; each takes more than the last. Some skills wait for others:
locked ones show what they require. {catalog} with type skills shows the XP of every level.

## What trains what
  piloting            each tick of travel or jump, each pull of a laser, each tick of a fight; more
                      in larger hulls
  navigation          each jump, a little for each travel
  mining              each pull, by what comes out
  refining, crafting  each run at the bench, by the value of what it makes
  engineering         components made, and flying at 90 % of your power or more
  trading             what you buy and sell on exchanges, by its worth; bounded a day with players
  weapons, shields, armor   damage given, and damage taken on each
  tactics             hits, dodges and escapes
  scanning            {scan}, and more each {survey_system}
  exploration         the first visit to each system
  salvaging           wrecks emptied and scrapped
  drone_control       what your drones achieve, online
  leadership          jumps led, and duties done for your faction
  corporation_management   facilities that you keep running
  wormhole_navigation each path flown, once a day
Missions add about 30 XP for each point of difficulty in the skills they name.

## What they open
  piloting 10, 20, 30, 50   hulls of tier 2, 3, 4, 5, and 70 for capital ships: piloting_required
                            in {catalog} with type ships
  engineering 2             drone_control
  navigation 5, exploration 3   wormhole_navigation
  salvaging 2               {scrap_wreck}, with a wreck in tow
  corporation_management N  facilities of tier N
Each level also helps by a percent or so: bonus_per_level of {catalog} with type skills says in
what.

## What first
Piloting comes with anything that flies: do not train it, use it. Mine or carry until tier 2, and
take missions that name the skill you want next. Ten skills at 5 are worth more than one at 20.`,
}
