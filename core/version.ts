/**
 * The version of the rules. Raised when the golden simulation's hash moves: journal rows replay
 * under their own rules only (RELIABILITY 3, Versions).
 */
export const RULES_VERSION = 5
