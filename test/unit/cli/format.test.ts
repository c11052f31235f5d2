/** Reports as text: tables that fit, grouped digits, colours for terminals only. */
import { expect, test } from 'vitest'
import { count, digits, duration, pairs, size, styled, table } from '../../../cli/format.ts'

const PIPE = {}
const terminal = (columns: number) => ({ isTTY: true, columns, hasColors: () => false })

test('numbers are grouped and aligned to the right, and texts of digits are not grouped', () => {
  const rows = [
    ['1234567', 1_234_567, 'ore'],
    ['8', 0.25, 'ice'],
  ]
  expect(table(['batch', 'units', 'good'], rows, PIPE)).toBe(
    ['  batch      units  good', '1234567  1,234,567  ore', '      8       0.25  ice'].join('\n'),
  )
  expect([digits(-1_234), size(2_000 * 1024 * 1024)]).toEqual(['-1,234', '2,000 MiB'])
})

test('a table fits the terminal: the widest columns break between words', () => {
  const rows = [['PORT', 'where every channel of the server listens', 8_080]]
  const text = table(['setting', 'meaning', 'value'], rows, terminal(32))
  expect(text.split('\n')).toEqual([
    'setting  meaning           value',
    'PORT     where every       8,080',
    '         channel of the',
    '         server listens',
  ])
  expect(table(['setting', 'meaning', 'value'], rows, PIPE)).toContain('the server listens')
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(32)
})

test('pairs are wrapped after their names, and within words that are too long', () => {
  expect(
    pairs(
      [
        ['hash', '0123456789abcdef'],
        ['count', 1_000],
      ],
      terminal(19),
    ).split('\n'),
  ).toEqual(['hash   0123456789ab', '       cdef', 'count  1,000'])
  expect(pairs([['account', null]], PIPE)).toBe('account  none')
})

test('text is coloured only on a terminal with colours', () => {
  expect(styled('red', 'NOT SOUND', { hasColors: () => true })).toBe(
    '\u001b[31mNOT SOUND\u001b[39m',
  )
  expect(styled('red', 'NOT SOUND', { hasColors: () => false })).toBe('NOT SOUND')
  expect(styled('red', 'NOT SOUND', PIPE)).toBe('NOT SOUND')
})

test('spans are written in one or two units', () => {
  expect([900, 59_000, 61_000, 3_600_000, 7_500_000].map(duration)).toEqual([
    '1 s',
    '59 s',
    '2 min',
    '1 h 0 min',
    '2 h 5 min',
  ])
})

test('things are counted in the singular and the plural', () => {
  expect([0, 1, 1_200].map((n) => count(n, 'row'))).toEqual(['0 rows', '1 row', '1,200 rows'])
  expect([1, 2].map((n) => count(n, 'batch', 'batches'))).toEqual(['1 batch', '2 batches'])
})
