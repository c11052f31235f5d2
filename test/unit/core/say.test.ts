/** Sentences for players: marks, counts, articles, and what the error table makes of details. */
import { describe, expect, it } from 'vitest'
import { e, sentenceFor } from '../../../core/error-entry.ts'
import { counted, listed, MARK, say, withArticle } from '../../../core/say.ts'

describe('say', () => {
  it('marks the names in its template, but not those in inserted values', () => {
    const sentence = say`${'{dock}'}: look with {view_storage}, {facility repair} or {buy.item_id}.`
    const mark = (name: string) => `${MARK.open}${name}${MARK.close}`
    expect(sentence).toBe(
      `{dock}: look with ${mark('view_storage')}, ${mark('facility repair')} or ${mark('buy.item_id')}.`,
    )
  })
  it('leaves braces alone that hold no name', () => {
    expect(say`registered {password, player_id}`).toBe('registered {password, player_id}')
  })
})

describe('English', () => {
  it('counts a noun', () => {
    expect([counted(0, 'cell'), counted(1, 'cell'), counted(2, 'cell')]).toEqual([
      '0 cells',
      '1 cell',
      '2 cells',
    ])
    expect(counted(2, 'entry', 'entries')).toBe('2 entries')
  })
  it('chooses the article by sound', () => {
    const nouns = ['Oathreaver', 'hull', 'ore', 'unit', 'hour', 'Hourglass', 'EM drone', 'ASV']
    expect(nouns.map(withArticle)).toEqual([
      'an Oathreaver',
      'a hull',
      'an ore',
      'a unit',
      'an hour',
      'an Hourglass',
      'an EM drone',
      'an ASV',
    ])
  })
  it('joins a list', () => {
    expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'], 'or')]).toEqual([
      '',
      'a',
      'a and b',
      'a, b or c',
    ])
  })
})

describe('a row of the error table', () => {
  const entry = e([
    'You have <have credit> and need <need credit>.',
    'You lack <missing>.',
    'It is too dear.',
  ])
  it('says the first sentence that its details can fill', () => {
    expect(sentenceFor(entry, { need: 5, have: 1 })).toBe('You have 1 credit and need 5 credits.')
    expect(sentenceFor(entry, { need: 5 })).toBe('It is too dear.')
    expect(sentenceFor(entry, undefined)).toBe('It is too dear.')
  })
  it('lists rows by their shown names, with what there is of what is needed', () => {
    const missing = [
      { item_id: 'iron_ore', item_name: 'Iron Ore', need: 3, have: 1 },
      { skill: 'mining', need: 4, have: 2 },
    ]
    expect(sentenceFor(entry, { missing })).toMatch(
      /^You lack Iron Ore \(iron_ore\): 1 of 3; Mining: 2 of 4\.$/,
    )
  })
  it('cuts long values of clients and long lists', () => {
    const sentence = sentenceFor(e(['There is no <name>.', '-']), { name: 'x'.repeat(500) })
    expect(sentence.length).toBeLessThan(110)
    const rows = Array.from({ length: 40 }, (_, index) => ({ name: `row ${index}` }))
    expect(sentenceFor(entry, { missing: rows })).toContain('row 11; 28 more')
  })
})
