/** What is to be done when the test that runs is over; setup.ts does it. */
export const AFTER_TEST = new Set<() => void>()
