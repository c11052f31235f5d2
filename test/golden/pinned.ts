/** The hash of the golden run and the version of the rules it belongs to: they move together. */
export const GOLDEN = { rulesVersion: 1, hash: '6dba29d0b0be1a82' }
