/** Refusals for want of credits, as clients of older and newer releases read them. newer.md 2. */
import { describe, expect, test } from 'vitest'
import { fail } from '../../../core/errors.ts'
import { errorPayload } from '../../../net/publish/frames.ts'

describe('a refusal for want of credits', () => {
  test.each(['no_credits', 'faction_no_credits'] as const)(
    '%s keeps its code, and names the newer one in its details',
    (code) => {
      const payload = errorPayload(fail(code, { need: 50, have: 7 }))
      expect(payload).toMatchObject({
        code,
        message: expect.stringMatching(/insufficient credits/i),
        details: { need: 50, have: 7, code_alias: 'insufficient_credits' },
      })
      expect(errorPayload(fail(code))).toMatchObject({
        code,
        details: { code_alias: 'insufficient_credits' },
      })
    },
  )

  test('has an alias, unlike refusals for want of anything else', () => {
    expect(errorPayload(fail('no_fuel', { need: 2, have: 1 })).details).not.toHaveProperty(
      'code_alias',
    )
  })
})
