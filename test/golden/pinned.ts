/** The hash of the golden run and the version of the rules it belongs to: they move together. */
export const GOLDEN = { rulesVersion: 4, hash: '87a46de9b3c4b9e8' }
