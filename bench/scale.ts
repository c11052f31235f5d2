/**
 * How bounds on times fit a machine: those on work of the processor are scaled by such work in the
 * same run, those on memory traffic by the raw loop over memory. A machine much slower than the one
 * the bounds are for, or busy with something else, judges nothing: bounds scaled that far would let
 * everything pass.
 */

/** How much slower than the machine of the bounds this one is, by what a bound is about. */
export interface Scales {
  readonly cpu: number
  readonly memory: number
}

/** What a bound on a time is about. */
export interface ScaledBy {
  /** Memory traffic: scaled by the raw loop over 120 MB instead of the mix of work. */
  readonly ofMemory?: true
}

/** A bound scaled by more is not judged. */
const SCALE_MAX = 3
export const NOT_JUDGED = 'NOT JUDGED'
export type Verdict = boolean | typeof NOT_JUDGED

/** Of the machine the bounds are for: the mix (cpu-mix.ts), and 120 MB at 14.1 GB/s. */
const REFERENCE_MS = { cpu: 10.2, memory: 8.5 }

export const NO_SCALES: Scales = { cpu: 1, memory: 1 }

/**
 * Compares this run with the reference: `cpuMs` is the time of the mix, `memoryMs` that of the raw
 * loop over memory.
 */
export const scalesOf = (cpuMs: number, memoryMs: number): Scales => ({
  cpu: cpuMs / REFERENCE_MS.cpu,
  memory: memoryMs / REFERENCE_MS.memory,
})

export const scaleOf = ({ ofMemory }: ScaledBy, { cpu, memory }: Scales): number =>
  ofMemory ? memory : cpu

/** Returns whether a figure is within its bounds, given as they apply here. */
export function verdictOf(
  value: number,
  [least, most]: readonly [least: number, most: number],
  scale: number,
): Verdict {
  return scale > SCALE_MAX ? NOT_JUDGED : value >= least && value <= most
}

/** Returns what a run with a figure that is not judged says at its end. */
export function notJudgedText({ cpu, memory }: Scales): string {
  const slow = [
    ...(cpu > SCALE_MAX ? ['on the processor'] : []),
    ...(memory > SCALE_MAX ? ['on memory'] : []),
  ].join(' and ')
  const why = `bounds on times ${slow} would be scaled more than ${SCALE_MAX} times`
  return `${NOT_JUDGED}: ${why}; run again on a quiet machine`
}
