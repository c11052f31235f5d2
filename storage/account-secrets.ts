/** Secrets of the account tables, all of them of 256 random bits. */
import { createHash } from 'node:crypto'

/**
 * Returns the stored form of a password, token or key: these have full entropy, so a slow hash
 * would add nothing. Source: accounts.md 1.
 */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns whether a text has the form of an id; looking up other text would be an error in SQL. */
export const isUuid = (text: string): boolean => UUID.test(text)
