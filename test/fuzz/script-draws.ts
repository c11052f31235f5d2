/** Draws drone scripts that nearly follow the grammar, and scripts that exceed the bounds. */
import { DRONE_SAMPLES } from '../../core/catalog/guides/drone-samples.ts'
import type { Dice } from '../../core/dice.ts'

const WORDS = [
  'IF',
  'ELSE',
  'END',
  'MINE',
  'WAIT',
  'DEPOSIT',
  'TRANSFER',
  'JETTISON',
  'MOVE "BELT"',
  'MOVE "PORT"',
  'MOVE ""',
  'SET_MEM "a" "b"',
  'SET_MEM',
  'ATTACK "nearest"',
  'SCAN',
  'SURVEY',
  'LOOT "nearest"',
  'SALVAGE "nearest"',
  'REPAIR "owner"',
  'STANCE "evade"',
  'RETREAT',
  'STANCE "flee"',
  'ADVANCE',
  'WHILE',
  'GOTO',
  'LOOP',
  'REPEAT',
  'AND',
  'OR',
  'NOT',
  'move',
  'END END',
  'ELSE IF',
  '__proto__',
  'constructor',
  'toString()',
  'hasOwnProperty',
] as const
/** The first 16 are valid in any script; of these the first 6 take no argument. */
const CONDITIONS = [
  'cargo_full()',
  'traveling()',
  'enemy_nearby()',
  'pirate_nearby()',
  'in_battle()',
  'resource_available()',
  'resource_available("iron_ore")',
  'at("PORT")',
  'at("nowhere")',
  'ally_hull_below(50)',
  'hull_pct() < 50',
  'cargo_pct() >= 80',
  'owner_hull_pct() != 100',
  'tick() % 3 == 1',
  'mem("a") == "b"',
  'mem("a") != ""',
  'tick() % 0 == 0',
  'hull_pct()',
  'cargo_full() == 1',
  'traveling() != 0',
  'mem("a") % 2 == 0',
  'at("a" "b")',
  'at()',
  'at(5)',
  'cargo_full(',
  'no_such()',
  'mem("a") < "b"',
  'tick() == 999999999',
] as const
const VALID_CONDITIONS = 16
const BARE_CONDITIONS = 6
const LITERALS = [
  '9'.repeat(400),
  '-1',
  '1.5',
  '1e9',
  '0x10',
  `"${'x'.repeat(1_900)}"`,
  `"${'y'.repeat(500)}"`,
  '\ud800',
  '\u202e',
  '\t',
  '\r',
  '=',
  '!',
  '%',
  ',',
  '"unending',
  '"a\nb"',
  '"\u0000"',
  '"\u{1f680}"',
  '""',
  '(',
  ')',
  '{',
  ';',
  '//',
  '\u00fc',
] as const

/** Scripts that are hostile on purpose. */
const HOSTILE: readonly ((dice: Dice) => string)[] = [
  (dice) => 'IF cargo_full() '.repeat(dice.below(3_000)),
  (dice) => `${'IF cargo_full() '.repeat(32)}${'END '.repeat(dice.below(40))}`,
  (dice) => `IF traveling() WAIT ${'ELSE IF traveling() WAIT '.repeat(dice.below(200))}END MINE`,
  (dice) => `IF tick() == ${'9'.repeat(dice.below(5_000))} END`,
  (dice) => `MOVE "${'x'.repeat(dice.below(5_000))}"`,
  (dice) => `//${'\u{1f680}'.repeat(dice.below(3_000))}`,
  (dice) => 'SET_MEM "k" "v" '.repeat(dice.below(300)),
  (dice) => Array.from({ length: dice.below(180) }, (_, i) => `SET_MEM "${i}" ""`).join(';'),
  (dice) => 'IF mem("k") != "v" END '.repeat(dice.below(120)),
  (dice) => 'IF resource_available() ELSE END '.repeat(dice.below(80)),
  (dice) => '('.repeat(dice.below(100_000)),
  (dice) => '"'.repeat(dice.below(2_000)),
  (dice) => 'ELSE '.repeat(dice.below(2_000)),
  (dice) => ' \n;'.repeat(dice.below(2_000)),
]

/** Draws a program by the grammar, nested to the given depth. */
function drawByGrammar(dice: Dice, depth: number): string {
  let text = ''
  for (let left = 1 + dice.below(4); left > 0; left--) {
    if (depth > 0 && dice.chance(50)) {
      const rest = dice.chance(30) ? ` ELSE ${drawByGrammar(dice, depth - 1)}` : ''
      text += `IF ${dice.pick(CONDITIONS)}\n${drawByGrammar(dice, depth - 1)}${rest}\nEND\n`
    } else if (dice.chance(25)) {
      text += `SET_MEM "${'k'.repeat(1 + dice.below(40))}${dice.below(50)}" "${dice.below(1_000)}"\n`
    } else text += `${dice.pick(WORDS)}\n`
  }
  return text
}

/** Draws a program by the grammar with valid words only, so that it runs. */
function drawValid(dice: Dice, depth: number): string {
  let text = ''
  for (let left = 1 + dice.below(5); left > 0; left--) {
    if (depth > 0 && dice.chance(60)) {
      const condition = dice.pick(CONDITIONS.slice(0, VALID_CONDITIONS))
      text += `IF ${condition}\n${drawValid(dice, depth - 1)}END\n`
    } else if (dice.chance(80)) text += `SET_MEM "m${dice.below(60)}" "${dice.below(99)}"\n`
    else text += 'WAIT\n'
  }
  return text
}

/** Draws a program with so many branches that it may exceed the budget. */
const drawLong = (dice: Dice): string =>
  `IF ${dice.pick(CONDITIONS.slice(0, BARE_CONDITIONS))} WAIT END `.repeat(20 + dice.below(60))

/** Draws a program of nested IFs, ended or not. */
function drawNested(dice: Dice): string {
  const depth = dice.pick([31, 32, 33, 100, 150])
  return `${'IF traveling() '.repeat(depth)}WAIT ${'END '.repeat(dice.pick([depth, depth, 0, 500]))}`
}

/** Makes one change: drops, doubles or moves a stretch, or inserts a piece or a character. */
function mutate(dice: Dice, text: string): string {
  const start = dice.below(text.length + 1)
  const piece = dice.pick([...LITERALS, ...WORDS, ...CONDITIONS])
  const end = Math.min(text.length, start + 1 + dice.below(12))
  switch (dice.below(5)) {
    case 0:
      return text.slice(0, start) + text.slice(end)
    case 1:
      return `${text.slice(0, start)} ${piece} ${text.slice(start)}`
    case 2:
      return text.slice(0, end) + text.slice(start)
    case 3:
      return text.slice(end) + text.slice(start, end) + text.slice(0, start)
    default:
      return text.slice(0, start) + String.fromCodePoint(dice.below(0x2fff)) + text.slice(start)
  }
}

/** Draws a script: valid, by the grammar, nearly valid, or hostile. */
export function drawScript(dice: Dice): string {
  const way = dice.below(20)
  if (way < 3) return dice.pick(DRONE_SAMPLES).script
  if (way < 8) return drawValid(dice, dice.below(6))
  if (way < 10) return drawLong(dice)
  if (way < 13) return drawByGrammar(dice, dice.below(5))
  if (way < 14) return drawNested(dice)
  if (way < 15) return dice.pick(HOSTILE)(dice)
  let text = dice.chance(50) ? dice.pick(DRONE_SAMPLES).script : drawValid(dice, 3)
  for (let left = 1 + dice.below(3); left > 0; left--) text = mutate(dice, text)
  return text
}
