/** Data folders of earlier releases, opened by this one. */
import { expect, test } from 'vitest'
import { RULES_RELEASES, RULES_VERSION } from '../../core/version.ts'
import { withDatabase } from '../databases.ts'
import { startOldFolders } from './old-folder.ts'
import { oldReleases } from './old-world.ts'

test('a folder of each release starts and runs on, or is refused with its rules named', async () => {
  expect(oldReleases().length).toBeGreaterThan(0)
  const { broken } = await withDatabase(startOldFolders)
  expect(broken).toEqual([])
}, 600_000)

test('a world is kept of the release with the current rules', () => {
  expect(oldReleases()).toContain(RULES_RELEASES[RULES_VERSION])
})
