/** User names and passwords in prepared worlds, which those who prepare and who play must share. */
import { createHash } from 'node:crypto'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Returns the login of the player with this index. */
export function preparedLogin(index: number): { username: string; password: string } {
  const username = `Prepared ${index}`
  return { username, password: sha256(username) }
}
