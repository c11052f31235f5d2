/** The hash of the golden run and the version of the rules it belongs to: they move together. */
export const GOLDEN = { rulesVersion: 15, hash: '75267cb5a3f8e69a' }
