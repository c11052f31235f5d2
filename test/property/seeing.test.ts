/**
 * Seeing: whatever is done in the world, nothing that reaches others names who is cloaked or
 * anonymous, or a hidden place. DESIGN 2; travel.md section 8.
 */
import { array, assert, asyncProperty, nat, record } from 'fast-check'
import { expect, test } from 'vitest'
import { setCloak } from '../../systems/sensing/rules.ts'
import { commandsOf, hiding, play, type Shown, secretsOf } from './seeing.ts'

const SEED = 20_311
const RUNS = 12
const LONG = 120_000

const attempt = record({ who: nat(5), what: nat(10_000), about: nat(1_000), bits: nat(1_000) })
const story = array(array(attempt, { minLength: 6, maxLength: 10 }), {
  minLength: 4,
  maxLength: 8,
})

/** Returns secrets in what was said, unless the recipient sent them. */
function leaksIn(texts: readonly Shown[], secrets: readonly string[]): string[] {
  return texts.flatMap(({ about, text, own }) =>
    secrets
      .filter((secret) => text.includes(secret) && !own.some((given) => given.includes(secret)))
      .map((secret) => `${about} tells ${secret}: ${around(text, secret)}`),
  )
}

function around(text: string, secret: string): string {
  const index = text.indexOf(secret)
  return text.slice(Math.max(0, index - 120), index + secret.length + 60)
}

test(
  'no frame, answer or log names who hides, or where',
  async () => {
    await assert(
      asyncProperty(story, async (ticks) => {
        const scene = await hiding()
        scene.small.takeEmissions()
        for (const tries of ticks) {
          const before = secretsOf(scene)
          const texts = play(scene, tries)
          const still = new Set(secretsOf(scene))
          const secrets = before.filter((secret) => still.has(secret))
          expect(leaksIn(texts, secrets)).toEqual([])
        }
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    )
  },
  LONG,
)

test(
  'the search finds a name that is public',
  async () => {
    const scene = await hiding()
    const secrets = secretsOf(scene)
    expect(secrets.length).toBeGreaterThan(8)
    setCloak(scene.world, scene.ghost, false)
    expect(leaksIn(play(scene, []), secrets)).not.toEqual([])
  },
  LONG,
)

test(
  'most of what clients can do is tried',
  async () => {
    const scene = await hiding()
    expect(commandsOf(scene, false).length).toBeGreaterThan(70)
    expect(commandsOf(scene, true).length).toBeGreaterThan(55)
  },
  LONG,
)
