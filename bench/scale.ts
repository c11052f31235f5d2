/**
 * Scales bounds on times to the machine: those on processor work by a mix of such work in the same
 * run, those on memory traffic by a raw loop over memory. On a machine that is much slower than the
 * reference machine, or busy, nothing is judged, since everything would pass such bounds.
 */

/** How many times slower this machine is than the reference machine. */
export interface Scales {
  readonly cpu: number
  readonly memory: number
}

/** How the bound on a time is scaled. */
export interface ScaledBy {
  /** Set for memory traffic: scaled by the raw loop over 120 MB instead of the mix of work. */
  readonly ofMemory?: true
}

/** A bound that is scaled by more than this is not judged. */
const SCALE_MAX = 3
export const NOT_JUDGED = 'NOT JUDGED'
export type Verdict = boolean | typeof NOT_JUDGED

/** Times on the reference machine: of the mix (cpu-mix.ts), and of 120 MB at 14.1 GB/s. */
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

/** Returns the factor that scales the bounds of a figure: of memory or of the processor. */
export const scaleOf = ({ ofMemory }: ScaledBy, { cpu, memory }: Scales): number =>
  ofMemory ? memory : cpu

/** Returns whether a figure is within its bounds, which are already scaled. */
export function verdictOf(
  value: number,
  [min, max]: readonly [min: number, max: number],
  scale: number,
): Verdict {
  return scale > SCALE_MAX ? NOT_JUDGED : value >= min && value <= max
}

/** Explains at the end of a run why figures were not judged. */
export function notJudgedText({ cpu, memory }: Scales): string {
  const slow = [
    ...(cpu > SCALE_MAX ? ['on the processor'] : []),
    ...(memory > SCALE_MAX ? ['on memory'] : []),
  ].join(' and ')
  const why = `bounds on times ${slow} would be scaled more than ${SCALE_MAX} times`
  return `${NOT_JUDGED}: ${why}; run again on a quiet machine`
}
