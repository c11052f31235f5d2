/**
 * The same war by other roads: on other numbers of kernel threads, and restored on the way. Every
 * road must end on the same hash (I5, I14).
 */
import { createDice } from '../../core/dice.ts'
import type { WorldImage } from '../../core/ports.ts'
import { openWar, type Tally, type War } from './war.ts'

interface TwinsOptions {
  readonly seed: number
  readonly ticks: number
  /** How many there are. */
  readonly players?: number
  /** Kernel threads of each further run. */
  readonly workers: readonly number[]
  /** How many times it is restored on the way, each time at another tick. */
  readonly restores: number
  /** Ticks a restored world is followed for; to the end without. */
  readonly tail?: number
  onProgress?(text: string): void
}

interface TwinsResult {
  readonly hash: string
  readonly tally: Tally
  /** What differs: none when all is well. */
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

interface Straight {
  /** Hash after each tick. */
  readonly hashes: readonly string[]
  readonly images: ReadonlyMap<number, WorldImage>
  readonly tally: Tally
}

async function runStraight(options: TwinsOptions): Promise<Straight> {
  const stops = new Set(restoreTicks(options))
  const images = new Map<number, WorldImage>()
  const war = await openWar({ seed: options.seed, ...crowdOf(options) })
  const hashes = [war.hash()]
  for (let tick = 1; tick <= options.ticks; tick++) {
    await war.tick()
    hashes.push(war.hash())
    if (stops.has(tick)) images.set(tick, war.image())
  }
  await war.close()
  return { hashes, images, tally: war.tally }
}

/** Follows a world that should go as the straight one did; says where they part. */
async function follow(war: War, from: number, to: number, straight: Straight): Promise<string> {
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
  const note = (road: string, found: string): void => {
    options.onProgress?.(`${road}: ${found || 'the same'}`)
    if (found) failures.push(`${road}: ${found}`)
  }
  const straight = await runStraight(options)
  options.onProgress?.(`straight: ${straight.hashes[ticks]} after ${ticks} ticks`)
  for (const workers of options.workers) {
    const war = await openWar({ seed, workers, ...crowdOf(options) })
    note(`${workers} kernel threads`, await follow(war, 0, ticks, straight))
  }
  for (const [tick, from] of straight.images) {
    const war = await openWar({ seed, from, ...crowdOf(options) })
    note(
      `restored at tick ${tick}`,
      await follow(war, tick, Math.min(ticks, tick + tail), straight),
    )
  }
  return { hash: straight.hashes[ticks], tally: straight.tally, failures }
}
