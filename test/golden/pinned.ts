/** The hash of the golden run and the version of the rules it belongs to: they move together. */
<<<<<<< HEAD
export const GOLDEN = { rulesVersion: 4, hash: '790658e58ba42cc0' }
=======
export const GOLDEN = { rulesVersion: 4, hash: '790658e58ba42cc0' }
>>>>>>> 24069e4 (faction: founding, inviting, joining and leaving; what roles allow)
