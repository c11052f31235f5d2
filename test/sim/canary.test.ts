/** Tests the simulation itself: it finds each deliberate bug and prints how to reproduce it. */
import { describe, expect, test } from 'vitest'
import { type CANARIES, CANARY_NAMES } from './canary.ts'
import { SimFailure, simulate } from './simulate.ts'

const MESSAGES: Readonly<Record<keyof typeof CANARIES, RegExp>> = {
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

// Bugs of this seed begin in tick 9, and are found soon after.
describe('the simulation', () => {
  test.each(CANARY_NAMES)('finds the deliberate bug %s', async (canary) => {
    const failure = await simulate({ seed: 5, ticks: 40, faults: false, canary }).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(SimFailure)
    const { message } = failure as SimFailure
    expect(message).toMatch(MESSAGES[canary])
    expect(message).toContain(`npm run sim -- --seed 5 --ticks 40 --faults none --canary ${canary}`)
    expect(message).toMatch(/tick \d+, command \w+/)
  })
})
