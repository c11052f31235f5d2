/** Damage to what is stored of a world; `npm run release-check` runs the large count. */
import { expect, test } from 'vitest'
import { withDatabase } from '../databases.ts'
import { damageAgainAndAgain } from './damage.ts'

const DAMAGES = 500

test('a start with damaged data has the right world or is refused', async () => {
  const done = await withDatabase((database) =>
    damageAgainAndAgain({ database, count: DAMAGES, seed: 3 }),
  )
  console.log(done.summary)
  expect(done.broken).toEqual([])
  expect(done.refused).toBeGreaterThan(DAMAGES / 5)
  expect(done.older).toBeGreaterThan(DAMAGES / 10)
}, 600_000)
