/**
 * Runs a war on other numbers of kernel threads, and restores it at some ticks. Every run must have
 * the same hash after each tick (I5, I14).
 */
import { createDice } from '../../core/dice.ts'
import type { WorldImage } from '../../core/ports.ts'
import { openWar, type Tally, type War } from './war.ts'

interface TwinsOptions {
  readonly seed: number
  readonly ticks: number
  /** Number of players. */
  readonly players?: number
  /** Kernel threads of each further run. */
  readonly workers: readonly number[]
  /** Number of restores, each at another tick. */
  readonly restores: number
  /** Ticks that a restored world runs; by default to the end. */
  readonly tail?: number
  onProgress?(text: string): void
}

interface TwinsResult {
  readonly hash: string
  readonly tally: Tally
  /** Descriptions of runs that differ. */
  readonly failures: readonly string[]
}

/** Returns the distinct ticks of the restores, ascending. */
function restoreTicks({ seed, ticks, restores }: TwinsOptions): number[] {
  const dice = createDice(seed)
  const chosen = new Set<number>()
  while (chosen.size < Math.min(restores, ticks - 1)) chosen.add(1 + dice.below(ticks - 1))
  return [...chosen].sort((a, b) => a - b)
}

const crowdOf = ({ players }: TwinsOptions): { players?: number } =>
  players === undefined ? {} : { players }

/** The run that others are compared with. */
interface StraightRun {
  /** Hashes by tick. */
  readonly hashes: readonly string[]
  readonly images: ReadonlyMap<number, WorldImage>
  readonly tally: Tally
}

async function runStraight(options: TwinsOptions): Promise<StraightRun> {
  const imageTicks = new Set(restoreTicks(options))
  const images = new Map<number, WorldImage>()
  const war = await openWar({ seed: options.seed, ...crowdOf(options) })
  const hashes = [war.hash()]
  for (let tick = 1; tick <= options.ticks; tick++) {
    await war.tick()
    hashes.push(war.hash())
    if (imageTicks.has(tick)) images.set(tick, war.image())
  }
  await war.close()
  return { hashes, images, tally: war.tally }
}

/** Runs a war and compares its hashes with the straight run; returns '' if they are equal. */
async function compareTicks(
  war: War,
  from: number,
  to: number,
  straight: StraightRun,
): Promise<string> {
  try {
    for (let tick = from; tick <= to; tick++) {
      if (tick > from) await war.tick()
      if (war.hash() !== straight.hashes[tick]) return `another hash after tick ${tick}`
    }
    return ''
  } finally {
    await war.close()
  }
}

export async function runTwins(options: TwinsOptions): Promise<TwinsResult> {
  const { seed, ticks, tail = ticks } = options
  const failures: string[] = []
  const record = (run: string, difference: string): void => {
    options.onProgress?.(`${run}: ${difference || 'the same'}`)
    if (difference) failures.push(`${run}: ${difference}`)
  }
  const straight = await runStraight(options)
  options.onProgress?.(`straight: ${straight.hashes[ticks]} after ${ticks} ticks`)
  for (const workers of options.workers) {
    const war = await openWar({ seed, workers, ...crowdOf(options) })
    record(`${workers} kernel threads`, await compareTicks(war, 0, ticks, straight))
  }
  for (const [tick, from] of straight.images) {
    const war = await openWar({ seed, from, ...crowdOf(options) })
    record(
      `restored at tick ${tick}`,
      await compareTicks(war, tick, Math.min(ticks, tick + tail), straight),
    )
  }
  return { hash: straight.hashes[ticks], tally: straight.tally, failures }
}
