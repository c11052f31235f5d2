/** The hash of the golden run and the version of the rules it belongs to: they move together. */
export const GOLDEN = { rulesVersion: 10, hash: 'b889b011b55943d9' }
