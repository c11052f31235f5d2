/** What earlier releases left, under this one. */
import { expect, test } from 'vitest'
import { RULES_RELEASES, RULES_VERSION } from '../../core/version.ts'
import { withDatabase } from '../databases.ts'
import { startOldFolders } from './old-folder.ts'
import { oldReleases } from './old-world.ts'

test('a folder of each release starts and goes on, or is refused by name', async () => {
  expect(oldReleases().length).toBeGreaterThan(0)
  const { broken } = await withDatabase(startOldFolders)
  expect(broken).toEqual([])
}, 600_000)

test('the rules of today have a release, and a world is kept of it', () => {
  expect(oldReleases()).toContain(RULES_RELEASES[RULES_VERSION])
})
