/** Headers of the native library. */
import { expect, test } from 'vitest'
import { headersOf } from '../../../net/exchange.ts'

test('a header sent twice is one list, so that no line hides another', () => {
  const lines = [
    ['x-forwarded-for', '6.6.6.6'],
    ['host', 'a'],
    ['x-forwarded-for', '1.1.1.1'],
  ]
  const headers = headersOf({
    forEach: (handler) => {
      for (const [name, value] of lines) handler(name, value)
    },
  })
  expect([...headers]).toEqual([
    ['x-forwarded-for', '6.6.6.6, 1.1.1.1'],
    ['host', 'a'],
  ])
})
