/**
 * The compiler checks definitions against the results and errors that they declare: each expected
 * error here fails the build once it no longer occurs.
 */
import { expect, test } from 'vitest'
import { defineNeed, mutation, query } from '../../../core/command.ts'
import { fail, ok } from '../../../core/errors.ts'
import { ints, NO_PARAMS, obj, strings } from '../../../core/params.ts'

const AT_HOME = defineNeed({
  name: 'at home',
  errors: ['not_docked'],
  check: () => fail('not_docked'),
  ensure: () => undefined,
})

const shape = {
  name: 'greet',
  summary: 'Greets.',
  category: 'test',
  params: NO_PARAMS,
  result: obj({ ...strings('word'), ...ints('times') }),
} as const
const changing = { ...shape, order: 'plain', changes: [] } as const

test('the declared result and the codes of errors and needs compile', () => {
  const found = query({
    ...shape,
    needs: [AT_HOME],
    errors: ['no_credits'],
    run(view) {
      if (view.tick === 1) return fail('no_credits')
      if (view.tick === 2) return fail('not_docked')
      return ok({ word: 'Good day.', times: 1 })
    },
  })
  expect(found.kind).toBe('query')
})

test('another result, or a code that is not declared, does not compile', () => {
  const wrong = mutation({
    ...changing,
    needs: [],
    errors: [],
    // @ts-expect-error: times is missing
    run: () => ok({ word: 'Good day.' }),
  })
  const undeclared = mutation({
    ...changing,
    needs: [],
    errors: ['no_credits'],
    // @ts-expect-error: no_fuel is not among the errors
    run: () => fail('no_fuel'),
  })
  const unmet = defineNeed({
    name: 'at home',
    errors: ['not_docked'],
    // @ts-expect-error: no_fuel is not among the errors
    check: () => fail('no_fuel'),
    ensure: () => undefined,
  })
  expect([wrong.kind, undeclared.kind, unmet.name]).toEqual(['mutation', 'mutation', 'at home'])
})
