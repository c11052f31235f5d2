/** The hash of the golden run and the version of the rules it belongs to: they move together. */
export const GOLDEN = { rulesVersion: 14, hash: 'e89ab8197243fbcd' }
