/** Damage to what is stored, at the count of CI. */
import { expect, test } from 'vitest'
import { withDatabase } from '../databases.ts'
import { damageAgainAndAgain } from './damage.ts'

const DAMAGES = 500

test('damage is refused, passed over, or of no account; never silently wrong', async () => {
  const done = await withDatabase((database) =>
    damageAgainAndAgain({ database, count: DAMAGES, seed: 3 }),
  )
  console.log(done.summary)
  expect(done.broken).toEqual([])
  expect(done.refused).toBeGreaterThan(DAMAGES / 5)
  expect(done.older).toBeGreaterThan(DAMAGES / 10)
}, 600_000)
