/** Finds the player that an operator names. */
import { usernameKey } from '../core/text-rules.ts'
import type { Accounts, PlayerAccount } from '../storage/accounts.ts'
import { ToolError } from './tool.ts'

export const NAMES = 'Name a player by user name, id (UUID) or number.'

/** Returns the account row of a player; throws ToolError if there is none. */
export async function findAccount(accounts: Accounts, name: string): Promise<PlayerAccount> {
  const found =
    (await accounts.findByUsernameKey(usernameKey(name))) ??
    (await accounts.findByPlayerId(name)) ??
    (/^\d{1,15}$/.test(name) ? await accounts.findByNumber(Number(name)) : undefined)
  if (found) return found
  throw new ToolError(`There is no player "${name}". ${NAMES}`)
}
