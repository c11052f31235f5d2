/** The guide to drones. */
import { DRONE_SAMPLES } from './drone-samples.ts'
import type { GuideRow } from './guide-row.ts'

const indented = (script: string): string => script.replace(/^/gm, '  ')

const samples = DRONE_SAMPLES.map(
  ({ id, type, about, script }) => `### ${id} (${type} drone)\n${about}\n\n${indented(script)}`,
).join('\n\n')

export const DRONES: GuideRow = {
  id: 'drones',
  title: 'Drones',
  description: 'Bays, the five types, the script language, and sample scripts to copy.',
  content: `# Drones

A drone works by itself: it runs its script every tick, also while you are elsewhere, docked or
offline. It never leaves the system it was deployed in. A mining drone whose owner is not online in
its system pulls with power 1, in every second tick.

## From the shelf into space
1. Fit a drone bay: it gives capacity (drones you carry, in bays and out) and bandwidth (for
   those that are out). Bays add up.
2. Buy drones; {load_drone} takes one out of the hold into a bay.
3. {upload_drone_script} gives it a script, in its bay or out. Its memory is kept.
4. {deploy_drone} puts it out at the place of your ship, and the script runs in the same tick.
5. {recall_drone} takes it back, at its place, unless it is between two places; also out of a
   battle. It is not mended. {unload_drone} makes an item of it again, when it is whole.

  light_drone_bay     2 drones, bandwidth 25
  combat_drone_bay    3 drones, bandwidth 50
  advanced_drone_bay  5 drones, bandwidth 80

  type     hull  ticks a hop  hold  bandwidth  does
  combat   50    4            -     15         8 energy damage a tick, reach 3
  mining   40    6            50    10         pulls with power 3, any kind of deposit
  repair   45    5            -     12         5 hull a tick
  salvage  35    5            30    12         empties wrecks, takes a tenth of one a tick
  scout    30    3            -     8          scans, surveys with power 10

One script may run, and one more for each level of drone_control; the longest out come first. A
level also adds 1 % to damage, yield and repair. Every action that succeeds gives 5 XP.
{get_drones} shows what each is about: in_bay, idle (no script), running, traveling, in_battle,
no_script_slot, step_limit, adrift.

Lose your ship, and what is in its bays is lost with it, but for what drops into the wreck. What
is out goes on, adrift, until a ship of yours with room recalls it.

## The language
A script is read from the top each tick; the first action reached ends it. At most 2,000
characters; // begins a comment; a line end or ; separates, but need not.

  IF condition ... ELSE IF condition ... ELSE ... END
  SET_MEM "key" "value"        remembers a text; 512 characters in all
  an action                    see below

ELSE IF must stand on one line: an IF on the next line is a block of its own with its own END.
There is no AND: put an IF into an IF. mem reads what was stored before this tick.

Conditions that are true or false by themselves:
  cargo_full()  traveling()  at("place")  enemy_nearby()  pirate_nearby()  in_battle()
  resource_available()  resource_available("item")  ally_hull_below(50)
Numbers, compared by == != < <= > >= with a number:
  hull_pct()  cargo_pct()  owner_hull_pct()  tick()  and tick() % 10
Texts, compared by == or !=:
  mem("key")

Actions of every type:
  WAIT            MOVE "place"
combat:
  ATTACK "nearest" or "name or id"   ADVANCE   RETREAT   STANCE "fire", "evade" or "brace"
mining:
  MINE   DEPOSIT   TRANSFER   JETTISON
repair:
  REPAIR "owner", "nearest_ally" or "name or id"
salvage:
  LOOT "nearest" or "id"   SALVAGE "nearest" or "id"   DEPOSIT   TRANSFER   JETTISON
scout:
  SCAN   SURVEY

An action that fails is a tick of waiting; nothing is told. A script that takes more than 200
steps (a statement, a branch, a call and a literal count one each) does nothing in that tick, and
the status says step_limit. A script that does not parse is refused with script_error and the
place of its first fault, L2:C5; the old one runs on.

DEPOSIT puts the hold into your storage at the station of the place, TRANSFER into your ship
beside it, JETTISON into a container. ATTACK takes effect in the next tick and is your deed
before the law.

## Samples
BELT, PORT and POST stand for ids of places, as {get_system} lists them: a belt, a place with a
station, any other place of the same system.

${samples}`,
}
