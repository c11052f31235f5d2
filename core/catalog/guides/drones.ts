/** The guide to drones. */
import type { GuideRow } from './guide-row.ts'

export const DRONES: GuideRow = {
  id: 'drones',
  title: 'Drones',
  description: 'Bays, the five types, and how a drone gets from the shelf into space.',
  content: `# Drones

A drone works by itself: it runs its script every tick, also while you are elsewhere, docked or
offline. It never leaves the system it was deployed in. A mining drone whose owner is not online in
its system pulls with power 1, in every fourth tick.

## From the shelf into space
1. Fit a drone bay: it gives capacity (drones you carry, in bays and out) and bandwidth (for
   those that are out). Bays add up.
2. Buy drones; {load_drone} takes one out of the hold into a bay.
3. {upload_drone_script} gives it a script, in its bay or out: {get_guide} drone-scripts. Its memory
   is kept.
4. {deploy_drone} puts it out at the place of your ship, and the script runs in the same tick.
5. {recall_drone} takes it back, at its place, unless it is between two places; also out of a
   battle. It is not mended. {unload_drone} makes an item of it again, when it is whole.

  light_drone_bay     2 drones, bandwidth 25
  combat_drone_bay    3 drones, bandwidth 50
  advanced_drone_bay  5 drones, bandwidth 80

  type     hull  ticks a hop  hold  bandwidth  does
  combat   50    4            -     15         8 energy damage a tick, reach 3
  mining   40    6            50    10         pulls with power 3, any deposit but deep-core ones
  repair   45    5            -     12         5 hull a tick
  salvage  35    5            30    12         empties wrecks, takes a tenth of one a tick
  scout    30    3            -     8          scans, surveys with power 10

One script may run, and one more for each level of drone_control; the longest out come first. A
level also adds 1 % to damage, yield and repair. Every action that succeeds gives 5 XP.
{get_drones} shows what each is about: in_bay, idle (no script), running, traveling, in_battle,
no_script_slot, step_limit, adrift.

Lose your ship, and what is in its bays is lost with it, but for what drops into the wreck. What
is out goes on, adrift, until a ship of yours with room recalls it.`,
}
