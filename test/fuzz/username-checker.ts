/**
 * A second implementation of the rules of user names, written from accounts.md 2 alone, one code
 * point after the other. The server's own check is compared with it; the two share no expression.
 */

/** Numbers of the rules of accounts.md 2. */
export type NameRule = 2 | 3 | 4 | 5 | 6 | 7 | 8

export interface NameSurroundings {
  /** Names of empires and of their leaders, as shown. */
  readonly empires: readonly string[]
  readonly stations: readonly string[]
  readonly taken: readonly string[]
}

/** Words that no name may contain: those of empires, and those of offices. */
const EMPIRE_WORDS = ['solarian', 'voidborn', 'crimson', 'nebula', 'outerrim']
const OFFICE_WORDS = [
  'admin',
  'moderator',
  'gamemaster',
  'gamemod',
  'gamedev',
  'devteam',
  'developer',
  'sysop',
  'official',
  'support',
  'helpdesk',
]
/** Words by which commands mean a place, where they also take a player. */
const PLACE_WORDS = ['cargo', 'faction', 'self', 'storage', 'tow']
/** Words that no name may equal. */
const WHOLE_WORDS = ['system', 'server', 'staff', 'police', 'npc', 'mod', 'dev', ...PLACE_WORDS]
const SIGNS = new Set("0123456789 _-'.!")
/** Copyright and trademark signs: Unicode counts them as emoji, the rules do not. */
const NO_EMOJI = new Set([0xa9, 0xae, 0x2122])

const within = (code: number, from: number, to: number): boolean => code >= from && code <= to

/** Tells whether a code point joins or changes emoji. */
function isEmojiPart(code: number): boolean {
  if (code === 0x200d || code === 0x20e3) return true
  if (within(code, 0xfe00, 0xfe0f) || within(code, 0x1f3fb, 0x1f3ff)) return true
  return within(code, 0x1f1e6, 0x1f1ff) || within(code, 0xe0000, 0xe007f)
}

const isCased = (char: string): boolean =>
  /^\p{Uppercase_Letter}$/u.test(char) ||
  /^\p{Lowercase_Letter}$/u.test(char) ||
  /^\p{Titlecase_Letter}$/u.test(char)
const isLatinLetter = (char: string): boolean =>
  /^\p{Script=Latn}$/u.test(char) && (isCased(char) || /^\p{Other_Letter}$/u.test(char))
const isMark = (char: string): boolean => /^\p{Nonspacing_Mark}$/u.test(char)
const isPicture = (char: string, code: number): boolean =>
  /^\p{ExtPict}$/u.test(char) && /^\p{Emoji}$/u.test(char) && !NO_EMOJI.has(code)

/** Checks rule 5 character by character: what each of them may follow. */
function isWellMade(chars: readonly string[]): boolean {
  let marks = -1
  for (const char of chars) {
    const code = char.codePointAt(0) ?? 0
    if (isLatinLetter(char)) marks = 0
    else if (isMark(char)) {
      if (marks < 0 || marks === 2) return false
      marks += 1
    } else if (SIGNS.has(char) || isPicture(char, code)) marks = -1
    else return false
  }
  return true
}

/** Returns a form that is equal for names that count as the same. */
function foldName(name: string): string {
  const wide = name.normalize('NFKC')
  return wide.toUpperCase().toLowerCase().normalize('NFKC')
}

const withoutSpaces = (text: string): string => text.split(' ').join('')

function withoutAccents(text: string): string {
  let bare = ''
  for (const char of text.normalize('NFKD')) if (!/^\p{Mark}$/u.test(char)) bare += char
  return bare
}

function isReservedName(key: string, empires: readonly string[]): boolean {
  const contained = [
    ...EMPIRE_WORDS,
    ...OFFICE_WORDS,
    ...empires.map((name) => withoutSpaces(name.toLowerCase().replace('the ', ''))),
  ]
  for (const form of [withoutSpaces(key), withoutSpaces(withoutAccents(key))]) {
    if (WHOLE_WORDS.includes(form)) return true
    for (const word of contained) if (form.indexOf(word) >= 0) return true
  }
  return false
}

/** Returns which of rules 2 to 5, those of the name alone, are broken. */
function rulesOfForm(chars: readonly string[]): Set<NameRule> {
  const broken = new Set<NameRule>()
  if (chars.length < 3 || chars.length > 24) broken.add(2)
  const isSpace = (char: string | undefined): boolean => char === ' '
  const last = chars.length - 1
  if (isSpace(chars[0]) || isSpace(chars[last])) broken.add(3)
  chars.forEach((char, i) => {
    const code = char.codePointAt(0) ?? 0
    if (isSpace(char) && isSpace(chars[i + 1])) broken.add(3)
    if (!isSpace(char) && char.trim() === '') broken.add(3)
    if (isEmojiPart(code)) broken.add(4)
  })
  if (!isWellMade(chars)) broken.add(5)
  return broken
}

/** Returns every rule that a name breaks; 8 is `username_taken`, all others `invalid_username`. */
export function brokenRules(name: string, around: NameSurroundings): Set<NameRule> {
  const stored = name.normalize('NFC')
  const broken = rulesOfForm([...stored])
  const key = foldName(stored)
  if (isReservedName(key, around.empires)) broken.add(6)
  if (around.stations.some((station) => foldName(station) === key)) broken.add(7)
  if (around.taken.some((other) => foldName(other.normalize('NFC')) === key)) broken.add(8)
  return broken
}
