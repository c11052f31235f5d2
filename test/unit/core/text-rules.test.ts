/** The rules of free text, and that cleaning a text twice changes nothing more. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byteLength, cleanText, codePointLength, isOneLine } from '../../../core/text-rules.ts'

const rule = { max: 500, unit: 'codepoints', field: 'content' } as const
const clean = (value: string) => cleanText(value, rule)
const codeOf = (value: string) => {
  const outcome = clean(value)
  return outcome.ok ? 'ok' : outcome.code
}

describe('the rules of free text', () => {
  it('admits ordinary text, line feeds, tabs and emoji unchanged', () => {
    for (const text of ['Hello', 'two\nlines\tand a tab', 'żółć ß 漢字', 'a ❤️ b', '🚀🚀']) {
      expect(clean(text)).toEqual({ ok: true, result: text.normalize('NFC') })
    }
  })

  it('trims texts and composes letters', () => {
    expect(clean('  e\u0301\n ')).toEqual({ ok: true, result: '\u00e9' })
  })

  it.each([
    ['a lone high surrogate', 'a\ud800b'],
    ['a lone low surrogate', '\udc00'],
    ['NUL', 'a\u0000b'],
    ['a carriage return', 'a\r\nb'],
    ['a terminal escape', 'a\u001b[31m'],
    ['a C1 control', 'a\u0085b'],
    ['a bidi override', 'a\u202eb'],
    ['a bidi isolate', 'a\u2066b'],
    ['a zero-width space', 'a\u200bb'],
    ['a zero-width joiner', 'a\u200db'],
    ['a byte order mark inside', 'a\ufeffb'],
    ['a tag character', 'a\u{e0041}b'],
    ['a supplementary variation selector', 'a\u{e0101}b'],
    ['variation selectors in a row', 'a\ufe0f\ufe0f'],
    ['an invisible filler', 'a\u3164b'],
    ['nothing', ''],
    ['only space', ' \n\t '],
    ['only braille blanks', '\u2800 \u2800'],
  ])('refuses %s as malformed', (_, text) => {
    expect(codeOf(text)).toBe('invalid_payload')
  })

  it('counts code points or bytes, and reports the bound', () => {
    expect(codeOf('🚀'.repeat(500))).toBe('ok')
    expect(cleanText('🚀'.repeat(501), rule)).toMatchObject({
      code: 'too_long',
      details: { max: 500, length: 501 },
    })
    const bytes = { max: 6, unit: 'bytes', field: 'entry' } as const
    expect(cleanText('ééé', bytes).ok).toBe(true)
    expect(cleanText('éééa', bytes)).toMatchObject({ code: 'too_long' })
  })

  it('lets a text that may be empty be empty', () => {
    for (const text of ['  ', '\u2800']) {
      expect(cleanText(text, { ...rule, mayBeEmpty: true })).toEqual({ ok: true, result: '' })
    }
  })

  it('admits braille with its blanks', () => {
    expect(clean('\u2809\u2800\u2819')).toEqual({ ok: true, result: '\u2809\u2800\u2819' })
  })

  it('counts every line and paragraph separator as the end of a line', () => {
    for (const mark of ['\n', '\t', '\u2028', '\u2029']) expect(isOneLine(`a${mark}b`)).toBe(false)
    expect(isOneLine('a b')).toBe(true)
    expect(cleanText('a\u2028b', { ...rule, oneLine: true })).toMatchObject({
      code: 'invalid_payload',
      message: expect.stringContaining('one line'),
    })
  })

  it('changes nothing the second time', () => {
    const any = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
    fc.assert(
      fc.property(any, (text) => {
        const once = cleanText(text, { ...rule, max: 10_000 })
        if (!once.ok) return
        expect(cleanText(once.result, { ...rule, max: 10_000 })).toEqual(once)
        expect(once.result).toBe(text.normalize('NFC').trim())
      }),
      { numRuns: 2_000 },
    )
  })

  it('measures lengths as UTF-8 and as code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(byteLength(text)).toBe(Buffer.byteLength(text))
        expect(codePointLength(text)).toBe([...text].length)
      }),
    )
  })
})
