/**
 * What a test does more of under `npm run soak`: larger counts, and seeds that are other ones each
 * day. In `npm test` counts are short and seeds are kept, so that it says the same each time.
 */

/** Seed of the soak that runs; undefined in `npm test`. */
export const SOAK_SEED: number | undefined = Number(process.env.SOAK_SEED) || undefined

/** Returns the value for `npm test`, or the one for a soak. */
export const soaked = <T>(short: T, long: T): T => (SOAK_SEED === undefined ? short : long)

/** Returns the kept seed, or that of the soak. */
export const seedOr = (kept: number): number => SOAK_SEED ?? kept
