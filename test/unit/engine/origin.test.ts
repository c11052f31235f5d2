/** Which snapshots a leader starts from. */
import { expect, test } from 'vitest'
import { RULES_VERSION } from '../../../core/version.ts'
import type { LoopOptions } from '../../../engine/options.ts'
import { openOrigin } from '../../../engine/origin.ts'
import { RulesVersionError } from '../../../storage/errors.ts'

test('a world of later rules is refused, since what is new in it would be lost', async () => {
  const newer = { rulesVersion: RULES_VERSION + 1, batch: 7 }
  const store = { latestSnapshot: async () => newer } as unknown as LoopOptions['store']
  const opened = openOrigin({ store } as LoopOptions)
  await expect(opened).rejects.toThrow(RulesVersionError)
  await expect(opened).rejects.toThrow(/import an export of this release/)
})
