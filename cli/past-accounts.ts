/** The accounts of a past world while it is served: one password for all players; read-only. */
import { fail } from '../core/errors.ts'
import type { AccountsPort, PlayerAccount } from '../net/ports.ts'
import type { Accounts } from '../storage/accounts.ts'

/** Never called: a past world has no issuer of tokens, so nobody passes as an account holder. */
const refused = (): never => {
  throw new Error('A past world has no account holders.')
}

/**
 * Returns the accounts of the players for whom `wasThere` is true, each with this password hash in
 * place of their own.
 */
export function pastAccounts(
  accounts: Pick<Accounts, 'findByUsernameKey' | 'findByPlayerId'>,
  passwordHash: Uint8Array,
  wasThere: (number: number) => boolean,
): AccountsPort {
  const asOfThen = (row: PlayerAccount | undefined): PlayerAccount | undefined =>
    row && wasThere(row.number) ? { ...row, passwordHash } : undefined
  return {
    findByUsernameKey: async (key) => asOfThen(await accounts.findByUsernameKey(key)),
    findByPlayerId: async (id) => asOfThen(await accounts.findByPlayerId(id)),
    touchLastLogin: async () => {},
    setPassword: async () => false,
    accountByCode: async () => undefined,
    linkPlayer: async () => fail('past_world'),
    accountOf: refused,
    setNewsletter: refused,
    registrationCode: refused,
    rotateRegistrationCode: refused,
    playersOf: refused,
    issueLoginToken: refused,
    playerOfLoginToken: async () => undefined,
    redeemLoginToken: async () => fail('invalid_token'),
    openDeviceLink: async () => fail('past_world'),
    pollDeviceLink: async () => fail('expired_token'),
    deviceLinkStatus: async () => undefined,
    decideDeviceLink: async () => fail('expired_token'),
    createApiKey: refused,
    apiKeysOf: refused,
    deleteApiKey: refused,
    accountByApiKey: async () => undefined,
  }
}
