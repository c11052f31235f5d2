/** Finds the player that an operator names. */
import { usernameKey } from '../core/text-rules.ts'
import type { Accounts, PlayerAccount } from '../storage/accounts.ts'
import { ToolError } from './tool.ts'

export const NAMES = 'Name a player by user name, id (UUID) or number.'

/**
 * Returns the account row of a player; throws ToolError if there is none, or if digits name one
 * player and are the number of another.
 */
export async function findAccount(accounts: Accounts, name: string): Promise<PlayerAccount> {
  const named =
    (await accounts.findByUsernameKey(usernameKey(name))) ?? (await accounts.findByPlayerId(name))
  const isNumber = /^\d{1,15}$/.test(name)
  const numbered = isNumber ? await accounts.findByNumber(Number(name)) : undefined
  if (named && numbered && named.number !== numbered.number) {
    throw new ToolError(
      `"${name}" is the name of ${named.playerId} and the number of ${numbered.playerId} ` +
        `(${numbered.username}). Name one of them by id.`,
    )
  }
  const found = named ?? numbered
  if (found) return found
  throw new ToolError(`There is no player "${name}". ${NAMES}`)
}
