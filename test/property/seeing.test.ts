/**
 * Hiding: whatever is done in the world, nothing that reaches others names a cloaked or anonymous
 * player, or a hidden place. DESIGN 2; travel.md section 8.
 */
import { array, assert, asyncProperty, nat, record } from 'fast-check'
import { expect, test } from 'vitest'
import { setCloak } from '../../systems/sensing/rules.ts'
import { onSmallMap } from '../small-world.ts'
import { commandsOf, hiding, play, type Shown, secretsOf } from './seeing.ts'

onSmallMap()

const SEED = 20_311
const RUNS = 12
const TIMEOUT_MS = 120_000

const attempt = record({
  player: nat(5),
  command: nat(10_000),
  pick: nat(1_000),
  bits: nat(1_000),
})
const story = array(array(attempt, { minLength: 6, maxLength: 10 }), {
  minLength: 4,
  maxLength: 8,
})

/** Returns the secrets in these texts that the recipient did not send. */
function leaksIn(texts: readonly Shown[], secrets: readonly string[]): string[] {
  return texts.flatMap(({ label, text, own }) =>
    secrets
      .filter((secret) => text.includes(secret) && !own.some((given) => given.includes(secret)))
      .map((secret) => `${label} tells ${secret}: ${excerpt(text, secret)}`),
  )
}

function excerpt(text: string, secret: string): string {
  const index = text.indexOf(secret)
  return text.slice(Math.max(0, index - 120), index + secret.length + 60)
}

test(
  'no frame, answer or log names a hidden player or place',
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
  TIMEOUT_MS,
)

test(
  'the search for leaks finds a player who stops hiding',
  async () => {
    const scene = await hiding()
    const secrets = secretsOf(scene)
    expect(secrets.length).toBeGreaterThan(8)
    setCloak(scene.world, scene.ghost, false)
    expect(leaksIn(play(scene, []), secrets)).not.toEqual([])
  },
  TIMEOUT_MS,
)

test(
  'the attempts cover most commands of clients',
  async () => {
    const scene = await hiding()
    expect(commandsOf(scene, false).length).toBeGreaterThan(70)
    expect(commandsOf(scene, true).length).toBeGreaterThan(55)
  },
  TIMEOUT_MS,
)
