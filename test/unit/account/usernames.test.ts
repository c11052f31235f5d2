/** The rules for user names, one by one. Source: accounts.md section 2. */
import { beforeAll, describe, expect, test } from 'vitest'
import { usernameKey } from '../../../core/text-rules.ts'
import { playerById } from '../../../systems/account/model.ts'
import { usernameRefusal } from '../../../systems/account/usernames-model.ts'
import { Base } from '../../../systems/base/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let small: SmallWorld
const codeOf = (name: string) => usernameRefusal(small.world, name)?.code ?? 'free'

beforeAll(async () => {
  small = await smallWorld()
})

describe('a user name is refused when', () => {
  test.each([
    ['it has fewer than 3 characters', 'ab'],
    ['it has more than 24 characters', 'a'.repeat(25)],
    ['it starts with a space', ' abc'],
    ['it ends with a space', 'abc '],
    ['it has two spaces in a row', 'a  bc'],
    ['it has a tab', 'a\tbc'],
    ['it has a no-break space', 'a\u00a0bc'],
    ['it has a joiner', 'abc\u200d'],
    ['it has a flag', 'abc\u{1f1eb}\u{1f1f7}'],
    ['it has a skin tone', 'abc\u{1f44d}\u{1f3fd}'],
    ['it has a variation selector', 'abc\u2764\ufe0f'],
    ['a letter carries three marks', 'abcq\u0301\u0302\u0303'],
    ['it is written in Cyrillic', '\u0430\u0431\u0432\u0433'],
    ['it is written in Greek', '\u03b1\u03b2\u03b3'],
    ['it has digits of another script', 'abc\u0661'],
    ['it has a Roman numeral sign', 'abc\u2163'],
    ['it has a curly apostrophe', 'O\u2019Neil'],
    ['it has a control character', 'abc\u0007'],
    ['it has an at sign', 'ab@cd'],
    ['it contains the name of an empire', 'My Nebula'],
    ['it contains it in capitals and spaces', 'S O L A R I A N'],
    ['it contains it with accents', 'Cr\u00edmson'],
    ['it contains admin', 'TheAdmin2'],
    ['it is a reserved word', 'Server'],
    ['it is a word by which commands mean a place', 'Cargo'],
    ['it is the word for the own faction', 'Faction'],
    ['it contains what staff calls itself', 'Official Helper'],
    ['it contains a word of staff in spaces', 'S u p p o r t Line'],
    ['it contains a role of staff', 'xXGameModXx'],
  ])('%s', (_, name) => {
    expect(codeOf(name)).toBe('invalid_username')
  })

  test('it equals the name of a station, ignoring case', () => {
    const station = small.world.texts.get(small.world.read(Base).name[1])
    expect(codeOf(station.toUpperCase())).toBe('invalid_username')
  })

  test('is taken in any case or width', () => {
    small.join('Ada Lovelace')
    expect(codeOf('ADA LOVELACE')).toBe('username_taken')
    expect(codeOf('ada lovelace')).toBe('username_taken')
  })
})

describe('a user name is free when', () => {
  test.each([
    ['it has accents', 'Zo\u00eb D\u00e9j\u00e0'],
    ['it is decomposed', 'Zoe\u0308'],
    ['it is made of punctuation', '-_.'],
    ['it is made of simple emoji', '\u{1f680}\u{1f680}\u{1f680}'],
    ['it has an apostrophe', "O'Neil"],
    ['it has 24 characters', 'a'.repeat(24)],
    ['it has 24 emoji', '\u{1f680}'.repeat(24)],
    ['a reserved word is only part of another', 'Observer'],
    ['a short word of staff is part of a name', 'Devon Stafford'],
    ['a short word of staff is part of a word', 'Modern Commodore'],
  ])('%s', (_, name) => {
    expect(codeOf(name)).toBe('free')
  })
})

test('a bad name is refused with the rule that it breaks', () => {
  expect(usernameRefusal(small.world, 'ab')?.message).toMatch(/3 to 24/)
  expect(usernameRefusal(small.world, 'a  bc')?.message).toMatch(/two spaces/)
})

test('composed and decomposed forms have one key', () => {
  expect(usernameKey('Zo\u00eb')).toBe(usernameKey('ZOE\u0308'))
  expect(usernameKey('stra\u00dfe')).toBe(usernameKey('STRASSE'))
})

test('an id is tried before a name', () => {
  const player = small.join('Grace Hopper')
  expect(playerById(small.world, 'GRACE HOPPER')).toBe(player)
  const status = small.ask(player, 'get_status') as { result: { player: { id: string } } }
  expect(playerById(small.world, status.result.player.id)).toBe(player)
  expect(playerById(small.world, 'nobody by this name')).toBe(0)
})
