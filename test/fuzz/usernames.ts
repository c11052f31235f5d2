/**
 * Random user names, put together from pieces that are valid, invalid or at the limit of the rules.
 * Each is judged by the server's rule and by the independent checker. Source: RELIABILITY 5, B6.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import { createDice, type Dice } from '../../core/dice.ts'
import { USERNAMES } from '../../systems/account/state.ts'
import { usernameRefusal } from '../../systems/account/usernames-model.ts'
import { Base } from '../../systems/base/state.ts'
import { type SmallWorld, smallWorld } from '../small-world.ts'
import { brokenRules, type NameRule, type NameSurroundings } from './username-checker.ts'

interface NamesReport {
  readonly tried: number
  readonly free: number
  /** Names that broke each rule. */
  readonly byRule: ReadonlyMap<NameRule, number>
  readonly failures: readonly string[]
}

const FAILURES_MAX = 20
const TAKEN = ['Ada Lovelace', 'Zo\u00eb', 'STRASSE', '\u{1f680}\u{1f680}\u{1f680}', "O'Neil."]

/** Ranges of code points, each with what it holds. */
const RANGES: readonly (readonly [number, number])[] = [
  [0x41, 0x5a], // capitals
  [0x61, 0x7a], // small letters
  [0xc0, 0x24f], // letters with accents
  [0x250, 0x2ff], // phonetic and modifier letters
  [0x300, 0x36f], // marks
  [0x1e00, 0x1eff], // more letters with accents
  [0xa720, 0xa7ff], // rare letters
  [0xff10, 0xff5a], // fullwidth forms
  [0xfb00, 0xfb06], // ligatures
  [0x2c60, 0x2c7f], // rarer letters
  [0x2070, 0x209c], // raised letters
  [0x2150, 0x2188], // Roman numerals
  [0x20, 0x7e], // everything of ASCII
  [0x00, 0x1f], // controls
  [0x80, 0xbf], // controls and signs
  [0x370, 0x5ff], // Greek, Cyrillic, Hebrew
  [0x660, 0x669], // digits of Arabic
  [0x2000, 0x206f], // spaces, joiners, directions
  [0x2190, 0x27bf], // arrows, signs, old emoji
  [0x2b00, 0x2bff], // stars
  [0x3040, 0x30ff], // kana
  [0x4e00, 0x4eff], // Han
  [0xfe00, 0xfe0f], // variation selectors
  [0x1f000, 0x1f2ff], // tiles, cards, letters in boxes, flags
  [0x1f300, 0x1faff], // emoji, skin tones
  [0xe0000, 0xe007f], // tags
  [0x0, 0x10ffff], // anything, halves of characters too
]
const PIECES: readonly string[] = [
  ' ',
  '  ',
  '-',
  '_',
  "'",
  '.',
  '!',
  '\u2019',
  '\t',
  '\u00a0',
  '\n',
  '@',
  '#',
  '*',
  '\u0301',
  '\u0302\u0303',
  '\u0301\u0302\u0303',
  '\u200d',
  '\u20e3',
  '1\ufe0f\u20e3',
  '\u{1f680}',
  '\u2764',
  '\u2764\ufe0f',
  '\u{1f44d}\u{1f3fd}',
  '\u{1f1eb}\u{1f1f7}',
  '\u00a9',
  '\u{1f468}\u200d\u{1f680}',
  '\u2122',
  '\u3030',
  '\u{1f9ff}',
  'e\u0301',
  '\u00e9',
  '\u0131',
  '\u00df',
  '\u0130',
  '\u017f',
  '\u212a',
  '\u212b',
  '\ufb01',
  '\uff41',
  '\u0430',
  '\u2163',
]
const WORDS: readonly string[] = [
  'solarian',
  'voidborn',
  'crimson',
  'nebula',
  'outerrim',
  'admin',
  'moderator',
  'gamemaster',
  'devteam',
  'system',
  'server',
  'support',
  'official',
  'police',
  'npc',
  'mod',
  'dev',
  'cargo',
  'faction',
  'self',
  'outer',
  'observer',
  'ecosystem',
  'model',
  'crims0n',
  'solar ian',
  'nebul',
  'adm in',
  'a d m i n',
]

const character = (dice: Dice): string => {
  const [from, to] = dice.pick(RANGES)
  return String.fromCodePoint(from + dice.below(to - from + 1))
}

/** Writes the same word in other letters: case, width, accents, spaces. */
function disguised(dice: Dice, word: string): string {
  let made = ''
  for (const char of word) {
    const code = char.codePointAt(0) ?? 0
    const way = dice.below(12)
    if (way === 0) made += char.toUpperCase()
    else if (way === 1) made += `${char}\u0301`
    else if (way === 2) made += `${char} `
    else if (way === 3 && code > 0x20 && code < 0x7f) made += String.fromCodePoint(code + 0xfee0)
    else made += char
  }
  return made
}

function drawPiece(dice: Dice, names: readonly string[]): string {
  const way = dice.below(20)
  if (way < 9) return String.fromCodePoint(0x61 + dice.below(26))
  if (way < 12) return character(dice)
  if (way < 15) return dice.pick(PIECES)
  if (way < 17) return disguised(dice, dice.pick(WORDS))
  if (way < 18) return disguised(dice, dice.pick(names))
  return dice.pick(['ab', 'Mo', '7', ' x', '\u00fc'])
}

function drawName(dice: Dice, names: readonly string[]): string {
  // An existing name, or nearly so; a length at a bound; or pieces.
  const way = dice.below(20)
  if (way === 0) return disguised(dice, dice.pick(names))
  if (way === 1) return dice.pick(names).toUpperCase()
  if (way === 2) return dice.pick(['a', '\u{1f680}', 'e\u0301']).repeat(dice.pick([2, 3, 24, 25]))
  let name = ''
  for (let left = 1 + dice.below(8); left > 0; left--) name += drawPiece(dice, names)
  return name
}

/** The rules that each refusal message may report. */
const SENTENCES: readonly (readonly [RegExp, readonly NameRule[]])[] = [
  [/has \d+ to \d+ characters/, [2]],
  [/starts nor ends with a space/, [3]],
  [/two spaces/, [3]],
  [/emoji and no flags/, [4]],
  [/two marks/, [5]],
  [/is made of Latin letters/, [3, 5]],
  [/reserved word/, [6]],
  [/name of a station/, [7]],
]

/** Returns the code that a name must get; `free` when it breaks no rule. */
function codeFor(broken: ReadonlySet<NameRule>): string {
  if (broken.size === 0) return 'free'
  return Math.min(...broken) === 8 ? 'username_taken' : 'invalid_username'
}

/** Returns what is wrong with the server's answer to a name, if anything. */
function judgeName(small: SmallWorld, around: NameSurroundings, name: string) {
  const broken = brokenRules(name, around)
  const refusal = usernameRefusal(small.world, name)
  const wanted = codeFor(broken)
  const got = refusal?.code ?? 'free'
  let wrong: string | undefined
  if (got !== wanted) wrong = `${got}, not ${wanted}`
  else if (refusal && got === 'invalid_username') {
    const reported = SENTENCES.find(([text]) => text.test(refusal.message))?.[1] ?? []
    if (!reported.some((rule) => broken.has(rule))) wrong = `says "${refusal.message}"`
  }
  return { broken, wrong }
}

function surroundings(small: SmallWorld): NameSurroundings {
  const { world } = small
  const { name, alive } = world.read(Base)
  const stations: string[] = []
  for (let row = 1; row <= world.highOf(Base); row++) {
    if (alive[row] === 1) stations.push(world.texts.get(name[row]))
  }
  const empires = EMPIRES.flatMap((row) => [row.name, row.leader_name])
  return { empires, stations, taken: TAKEN }
}

const codePoints = (name: string): string =>
  [...name].map((char) => (char.codePointAt(0) ?? 0).toString(16)).join(' ')

/** Judges this many random names. */
export async function tryNames(count: number, seed: number): Promise<NamesReport> {
  const small = await smallWorld()
  for (const name of TAKEN) small.join(name)
  if (small.world.records(USERNAMES).size < TAKEN.length) throw new Error('names were not taken')
  const around = surroundings(small)
  const names = [...around.empires, ...around.stations, ...TAKEN]
  const dice = createDice(seed)
  const byRule = new Map<NameRule, number>()
  const failures: string[] = []
  let free = 0
  for (let i = 0; i < count && failures.length < FAILURES_MAX; i++) {
    const name = drawName(dice, names)
    const { broken, wrong } = judgeName(small, around, name)
    for (const rule of broken) byRule.set(rule, (byRule.get(rule) ?? 0) + 1)
    if (broken.size === 0) free += 1
    if (wrong) failures.push(`${JSON.stringify(name)} (${codePoints(name)}): ${wrong}`)
  }
  return { tried: count, free, byRule, failures }
}
