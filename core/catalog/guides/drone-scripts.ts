/** The guide to the language of drones. */
import { DRONE_SAMPLES } from './drone-samples.ts'
import type { GuideRow } from './guide-row.ts'

const indented = (script: string): string => script.replace(/^/gm, '  ')

const samples = DRONE_SAMPLES.map(
  ({ id, type, about, script }) => `### ${id} (${type} drone)\n${about}\n\n${indented(script)}`,
).join('\n\n')

export const DRONE_SCRIPTS: GuideRow = {
  id: 'drone-scripts',
  title: 'Scripts of drones',
  description: 'The language that drones read, what each type can do, and samples to copy.',
  content: `# Scripts of drones

{upload_drone_script} gives a drone the script that it runs every tick, wherever you are. What
drones there are, and how they get into space: {get_guide} drones.

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

An action that fails is a tick of waiting; nothing is reported. A script that takes more than 200
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
