/**
 * A tick of combat: orders, volleys through the whole damage pipeline, and repair, which are the
 * three split systems, on one thread and on two.
 */
import { type BenchDef, medianOf, type Sample, type Size } from './bench.ts'
import { fightSection, fightsOf, hashOfFights, participantsOf } from './fights.ts'

const BATTLES = { tiny: 5, full: 500 }
const EACH = 200
const TICKS = { tiny: 4, full: 120 }

/** Returns the median time of a tick with all battles, in total and by system. */
async function fight(battles: number, each: number, workers: number, ticks: number) {
  const world = fightsOf(battles, each)
  const section = await fightSection(world, workers)
  const taken: number[] = []
  for (let i = 0; i < ticks; i++) taken.push(await section.tick())
  const hash = hashOfFights(world)
  await section.close()
  // The first half is for warming up.
  const half = Math.floor(ticks / 2)
  const bySystem = Object.entries(section.systemMs).map(
    ([name, times]) => [name, medianOf(times.slice(half))] as const,
  )
  return { world, ms: medianOf(taken.slice(half)), bySystem, hash }
}

async function run(size: Size, workers: number, name: string): Promise<Sample> {
  const { world, ms, bySystem, hash } = await fight(BATTLES[size], EACH, workers, TICKS[size])
  const parts = bySystem.map(([system, part]) => [`${system}, ${name}`, part] as const)
  const medianMs = { [`tick, ${name}`]: ms, ...Object.fromEntries(parts) }
  return { medianMs, rows: participantsOf(world), hash }
}

const VARIANTS: Readonly<Record<string, (size: Size) => Promise<Sample>>> = {
  'one thread': (size) => run(size, 0, 'one thread'),
  'two threads': (size) => run(size, 1, 'two threads'),
}

export const bench: BenchDef = {
  name: 'combat',
  about:
    '100,000 participants in 500 battles, four weapons each that fire in every tick, two entries per participant, ' +
    'every bucket filled: orders and moves, the whole damage pipeline, repair; on one thread and on two.',
  variants: Object.keys(VARIANTS),
  lines: [
    { of: 'tick, two threads', unit: 'ms', atMost: 12 },
    { of: 'tick, one thread', against: 'tick, two threads', atLeast: 1.7 },
  ],
  run: (size, variant) => VARIANTS[variant](size),
  async curve(rows, workers) {
    const battles = Math.max(1, Math.round(rows / EACH))
    return (await fight(battles, Math.min(EACH, rows), workers, TICKS.full)).ms
  },
}
