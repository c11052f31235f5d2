/** Starts of this release on worlds of earlier releases. */
import { expect, test } from 'vitest'
import { RULES_RELEASES, RULES_VERSION } from '../../core/version.ts'
import { withDatabase } from '../databases.ts'
import { startOldFolders } from './old-folder.ts'
import { oldReleases } from './old-world.ts'

test('a world of each release runs, or is refused with the name of its release', async () => {
  expect(oldReleases().length).toBeGreaterThan(0)
  const { broken } = await withDatabase(startOldFolders)
  expect(broken).toEqual([])
}, 600_000)

test('a world of the release with the current rules is in old-worlds', () => {
  expect(oldReleases()).toContain(RULES_RELEASES[RULES_VERSION])
})
