/**
 * The version of the rules. Raised when the golden simulation's hash moves: journal rows replay
 * under their own rules only (RELIABILITY 3, Versions).
 */
export const RULES_VERSION = 16

/** Release of each version of the rules; a version that is not listed was in no release. */
export const RULES_RELEASES: Readonly<Record<number, string>> = {
  5: '0.1.0',
  6: '0.2.0',
  7: '0.3.0',
  8: '0.4.0',
  9: '0.5.0',
  10: '0.6.0',
  11: '0.7.0',
  12: '0.8.0',
  13: '0.11.0',
  14: '0.12.0',
  15: '0.14.0',
  16: '0.15.0',
}
