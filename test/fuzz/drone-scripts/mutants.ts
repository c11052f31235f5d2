/** Scripts that are nearly right, and scripts that want to be too much; from a seed alone. */
import { DRONE_SAMPLES } from '../../../core/catalog/guides/drone-samples.ts'
import { drawBelow, hash32 } from '../../../core/rng.ts'

export interface Dice {
  below(bound: number): number
}

export function diceOf(seed: number, number: number): Dice {
  let draws = 0
  return { below: (bound) => drawBelow(bound, hash32(seed, number, draws++)) }
}

const pick = <T>(dice: Dice, from: readonly T[]): T => from[dice.below(from.length)]

/** Words of the language, and of none. */
const WORDS = [
  ...['IF', 'ELSE', 'END', 'ELSE IF', 'SET_MEM', 'MOVE', 'MINE', 'WAIT', 'ATTACK', 'STANCE'],
  ...['REPAIR', 'LOOT', 'SALVAGE', 'SCAN', 'SURVEY', 'DEPOSIT', 'TRANSFER', 'JETTISON'],
  ...['ADVANCE', 'RETREAT', 'cargo_full()', 'traveling()', 'at("x")', 'enemy_nearby()'],
  ...['in_battle()', 'resource_available()', 'ally_hull_below(5)', 'hull_pct()', 'cargo_pct()'],
  ...['owner_hull_pct()', 'tick()', 'tick() % 3', 'mem("a")', '"text"', '""', '0', '999999999'],
  ...['1234567890', '==', '!=', '<', '<=', '>', '>=', '%', '(', ')', '=', '!', '/', '//', '\n'],
  ...[';', '"', '\t', '\r', 'AND', 'while', '-1', '1.5', '{', '}', '\u0000', '\ud800', 'é', ','],
  ...['__proto__', 'constructor', 'toString()', 'hasOwnProperty', '\u202e', '\u{1f680}'],
] as const

/** A program after the grammar, so deep. */
function grown(dice: Dice, depth: number): string {
  const conditions = [
    ...['cargo_full()', 'traveling()', 'at("x")', 'enemy_nearby()', 'hull_pct() < 50'],
    ...['tick() % 7 == 3', 'mem("k") == "v"', 'resource_available("iron_ore")'],
  ]
  const parts = Array.from({ length: 1 + dice.below(4) }, () => {
    const kind = dice.below(6)
    if (kind < 2) return pick(dice, ['MINE', 'WAIT', 'DEPOSIT', 'MOVE "y"', 'TRANSFER'])
    if (kind === 2) return `SET_MEM "${pick(dice, ['k', 'l', ''])}" "${dice.below(9)}"`
    if (depth === 0) return 'WAIT'
    const inner = grown(dice, depth - 1)
    const rest = dice.below(2) === 0 ? '' : ` ELSE ${grown(dice, depth - 1)}`
    return `IF ${pick(dice, conditions)} ${inner}${rest} END`
  })
  return parts.join(pick(dice, [' ', '\n', '; ']))
}

/** What is hostile on purpose. */
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

/** One change to a text: a stretch lost, doubled or moved, a word put in, a letter changed. */
function mutate(dice: Dice, text: string): string {
  const from = dice.below(text.length + 1)
  const to = Math.min(text.length, from + dice.below(12))
  const kind = dice.below(5)
  if (kind === 0) return text.slice(0, from) + text.slice(to)
  if (kind === 1) return text.slice(0, to) + text.slice(from)
  if (kind === 2) return `${text.slice(0, from)} ${pick(dice, WORDS)} ${text.slice(from)}`
  if (kind === 3) return text.slice(to) + text.slice(from, to) + text.slice(0, from)
  return text.slice(0, from) + String.fromCharCode(dice.below(256)) + text.slice(from + 1)
}

/** The script of this number. */
export function mutantOf(seed: number, number: number): string {
  const dice = diceOf(seed, number)
  const kind = dice.below(10)
  if (kind === 0) return pick(dice, HOSTILE)(dice)
  if (kind === 1) return Array.from({ length: dice.below(120) }, () => pick(dice, WORDS)).join(' ')
  let text = kind < 6 ? pick(dice, DRONE_SAMPLES).script : grown(dice, 1 + dice.below(4))
  for (let changes = dice.below(4); changes > 0; changes--) text = mutate(dice, text)
  return text
}
