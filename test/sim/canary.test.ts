/** The tester is tested: each bug on purpose is found, and the report says how to see it again. */
import { describe, expect, test } from 'vitest'
import { type CANARIES, CANARY_NAMES } from './canary.ts'
import { SimFailure, simulate } from './simulate.ts'

const FOUND: Readonly<Record<keyof typeof CANARIES, RegExp>> = {
  credits: /credits sum to 1/,
  items: /item \d+ sums to 1/,
  reference: /flies no ship|dangles/,
  hidden: /hash [0-9a-f]{16} where the journal has/,
  lost_event: /I10: Bot \d+ /,
  lost_answer: /liveness: .* has no answer/,
  double_answer: /is answered twice/,
  wrong_id: /I13: Bot \d+ got/,
  early_publish: /I4: batch \d+ leaves|durability/,
  lost_row: /I5|I4|durability|action log|where the journal has/,
}

describe('a bug on purpose', () => {
  test.each(CANARY_NAMES)('%s is found', async (canary) => {
    const found = await simulate({ seed: 2, ticks: 80, faults: false, canary }).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(found).toBeInstanceOf(SimFailure)
    const { message } = found as SimFailure
    expect(message).toMatch(FOUND[canary])
    expect(message).toContain(`npm run sim -- --seed 2 --ticks 80 --faults none --canary ${canary}`)
    expect(message).toMatch(/tick \d+, command \w+/)
  })
})
