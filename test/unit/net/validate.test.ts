/** The validation of parameters: traps in JSON, v2 names, and the texts of refusals. */
import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { createRegistry } from '../../../core/registry.ts'
import { createValidators, LIST_MAX, parseObject, validate } from '../../../net/validate.ts'
import { DOMAINS } from '../../../systems/registry.ts'
import { fakeRegistry } from './fake-world.ts'

const registry = fakeRegistry()
const sell = registry.commands.get('sell')!
const register = registry.commands.get('register')!
const check = (sent: Record<string, unknown>, isV2 = false, def = sell) =>
  validate(createValidators(), def, sent, isV2)

const fieldsOf = (outcome: ReturnType<typeof check>) =>
  outcome.ok ? [] : (outcome.details?.fields as { field: string; expected: string }[])

describe('parsing a JSON object', () => {
  test.each([
    ['', undefined],
    ['[]', undefined],
    ['null', undefined],
    ['"x"', undefined],
    ['{"a":1}{"b":2}', undefined],
    ['{"a":NaN}', undefined],
    ['\ufeff{}', undefined],
    ['{"a":1,"a":2}', { a: 2 }],
    [`{"a":${'['.repeat(8000)}${']'.repeat(8000)}}`, undefined],
    [
      `{"a":"${'['.repeat(100)}\\"${'{'.repeat(100)}"}`,
      { a: `${'['.repeat(100)}"${'{'.repeat(100)}` },
    ],
  ])('%.40s', (text, value) => {
    expect(parseObject(text)).toEqual(value)
  })
})

describe('validation', () => {
  test('keeps declared fields only', () => {
    const sent = JSON.parse('{"item_id":"x","quantity":2,"more":1,"__proto__":{"evil":true}}')
    const checked = check(sent)
    expect(checked).toEqual({ ok: true, params: { item_id: 'x', quantity: 2 } })
    expect(({} as Record<string, unknown>).evil).toBeUndefined()
  })

  test('a key that the journal cannot keep is refused, however deep', () => {
    const rows = Type.Array(Type.Object({ id: Type.String() }))
    const bulk = { ...sell, params: Type.Object({ rows }) }
    const sent = JSON.parse('{"rows":[{"id":"x","__proto__":{"evil":true}}]}')
    expect(check({ rows: [{ id: 'x' }] }, false, bulk).ok).toBe(true)
    expect(check(sent, false, bulk)).toMatchObject({ ok: false, code: 'invalid_payload' })
  })

  test('names each wrong field and what it should be', () => {
    const outcome = check({ item_id: 5, quantity: 0 })
    expect(outcome).toMatchObject({ ok: false, code: 'invalid_payload' })
    expect(fieldsOf(outcome)).toEqual([
      { field: 'item_id', expected: 'string' },
      { field: 'quantity', expected: '1 or more' },
    ])
    expect(outcome.ok ? '' : outcome.message).toContain('item_id must be string')
  })

  test('names the bound that was broken, in a sentence', () => {
    const params = Type.Object({
      text: Type.String({ minLength: 2, maxLength: 3 }),
      rows: Type.Array(Type.Integer({ maximum: 9 }), { minItems: 1, maxItems: 2 }),
    })
    const messageFor = (sent: Record<string, unknown>) => {
      const outcome = check(sent, false, { ...sell, params })
      return outcome.ok ? '' : outcome.message
    }
    expect(messageFor({ text: 'x', rows: [] })).toBe(
      'Check the parameters: text must be a text of at least 2 characters; rows must be a list of at least 1 item.',
    )
    expect(messageFor({ text: 'long', rows: [1, 2, 3] })).toBe(
      'Check the parameters: text must be a text of at most 3 characters; rows must be a list of at most 2 items.',
    )
    expect(messageFor({ text: 'abc', rows: [10] })).toContain('rows.0 must be 9 or less')
  })

  test.each([['2'], [1.5], [Number.POSITIVE_INFINITY], [null], [[1]]])(
    'quantity %j is refused',
    (quantity) => {
      expect(check({ item_id: 'x', quantity }).ok).toBe(false)
    },
  )

  test.each([
    [Type.String({ pattern: '^a' }), 'b', 'text that matches ^a'],
    [Type.Array(Type.Integer(), { uniqueItems: true }), [1, 1], 'a list without duplicates'],
  ])('names the rule that was broken: %#', (field, value, expected) => {
    const bound = { ...sell, params: Type.Object({ field }) }
    expect(fieldsOf(check({ field: value }, false, bound))).toEqual([{ field: 'field', expected }])
  })

  test('names missing fields as the version of the interface does', () => {
    expect(fieldsOf(check({ quantity: 1 }))).toEqual([
      { field: 'item_id', expected: 'string (required)' },
    ])
    expect(fieldsOf(check({ quantity: 1 }, true))).toEqual([
      { field: 'id', expected: 'string (required)' },
    ])
  })

  test('says what a missing field is for, and what type the values of a map have', () => {
    const params = Type.Object({
      note: Type.String({ description: 'A note, by its id.' }),
      permissions: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
    })
    const of = (sent: Record<string, unknown>) => check(sent, false, { ...sell, params })
    const missing = of({})
    expect(missing.ok ? '' : missing.message).toBe(
      'Check the parameters: note must be string (required). note: A note, by its id.',
    )
    expect(fieldsOf(of({ note: 'n', permissions: { invite: 1 } }))).toEqual([
      { field: 'permissions.invite', expected: 'boolean' },
    ])
  })

  test.each(['a\u0000b', 'a\ud800b'])('refuses texts that the database cannot store', (item_id) => {
    expect(check({ item_id, quantity: 1 })).toMatchObject({ code: 'invalid_payload' })
  })

  test('a text in the place of a number is said to be one, not called a wrong number', () => {
    const read = createRegistry(DOMAINS).commands.get('captains_log_get')!
    expect(read.errors).toContain('invalid_index')
    const outcome = check({ index: '0' }, false, read)
    expect(outcome).toMatchObject({ code: 'invalid_payload' })
    expect(fieldsOf(outcome)).toEqual([{ field: 'index', expected: 'integer' }])
  })

  test('a missing registration code has a code of its own', () => {
    expect(check({ username: 'ada', empire: 'solarian' }, false, register)).toMatchObject({
      code: 'registration_code_required',
    })
  })
})

describe('v2 names', () => {
  test('v2 accepts both names of a field, v1 only its own', () => {
    const params = { item_id: 'x', quantity: 1 }
    expect(check({ id: 'x', quantity: 1 }, true)).toEqual({ ok: true, params })
    expect(check({ item_id: 'x', quantity: 1 }, true)).toEqual({ ok: true, params })
    expect(check({ id: 'x', item_id: 'x', quantity: 1 }, true)).toEqual({ ok: true, params })
    expect(check({ id: 'x', quantity: 1 }).ok).toBe(false)
  })

  test('different values for the two names of a field are refused', () => {
    const outcome = check({ id: 'x', item_id: 'y', quantity: 1 }, true)
    expect(outcome).toMatchObject({ code: 'invalid_payload' })
    expect(fieldsOf(outcome)[0].field).toBe('id')
  })
})

test('two definitions of the same name are validated by their own bounds', () => {
  const validators = createValidators()
  const known = createRegistry(DOMAINS).commands.get('help')!
  const loose = { ...known, params: Type.Object({ topic: Type.Optional(Type.String()) }) }
  const params = { topic: 'x'.repeat(100_000) }
  expect(validate(validators, loose as typeof known, params, true).ok).toBe(true)
  expect(validate(validators, known, params, true)).toMatchObject({ code: 'invalid_payload' })
})

test('a list of 100,000 duplicates is refused at once, and no list may be that long', () => {
  const real = createRegistry(DOMAINS)
  const sent = { action: 'cancel', job_ids: Array.from({ length: 100_000 }, () => 'job') }
  const outcome = check(sent, false, real.commands.get('craft')!)
  expect(fieldsOf(outcome)).toContainEqual({
    field: 'job_ids',
    expected: expect.stringContaining('a list of at most'),
  })
  const tooLong: string[] = []
  for (const [name, { params }] of real.commands) {
    for (const [, list] of JSON.stringify(params).matchAll(/"type":"array"(.*?)\}/g)) {
      const [, most] = /"maxItems":(\d+)/.exec(list) ?? []
      if (most !== undefined && Number(most) > LIST_MAX) tooLong.push(name)
    }
  }
  expect(tooLong).toEqual([])
})
