/** Names and passwords of the players of prepared worlds: known to who makes them and who plays. */
import { createHash } from 'node:crypto'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Returns what the player of that place in the order logs in with. */
export function preparedLogin(index: number): { username: string; password: string } {
  const username = `Prepared ${index}`
  return { username, password: sha256(username) }
}
