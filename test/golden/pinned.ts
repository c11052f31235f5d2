/** The hash of the golden run and the version of the rules it belongs to: they move together. */
export const GOLDEN = { rulesVersion: 14, hash: '6693237653307b90' }
