/**
 * Counts and seeds of tests that do more under `npm run soak`: there counts are larger and seeds
 * change each day. In `npm test` counts are small and seeds fixed, so that results are repeatable.
 */

/** Seed of the current soak; undefined in `npm test`. */
export const SOAK_SEED: number | undefined = Number(process.env.SOAK_SEED) || undefined

/** Returns the value for `npm test`, or the one for a soak. */
export const soaked = <T>(short: T, long: T): T => (SOAK_SEED === undefined ? short : long)

/** Returns the fixed seed, or that of the soak. */
export const seedOr = (fixed: number): number => SOAK_SEED ?? fixed
