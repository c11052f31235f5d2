/** The hash of the golden run and the version of the rules it belongs to: they move together. */
export const GOLDEN = { rulesVersion: 12, hash: 'e7ca4fd3657bac21' }
