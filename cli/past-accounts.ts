/** The accounts of a past world that is served: one password for all, and nothing is written. */
import { fail } from '../core/errors.ts'
import type { AccountsPort, PlayerAccount } from '../net/ports.ts'
import type { Accounts } from '../storage/accounts.ts'

/** Refuses all account holders: their endpoints are for the world of today. */
const refused = (): never => {
  throw new Error('a past world has no account holders')
}

/**
 * Returns the players who were there, as the password's hash says: those of the present, whatever
 * password they have.
 */
export function pastAccounts(
  accounts: Pick<Accounts, 'findByUsernameKey' | 'findByPlayerId'>,
  passwordHash: Uint8Array,
  wasThere: (number: number) => boolean,
): AccountsPort {
  const asThen = (row: PlayerAccount | undefined): PlayerAccount | undefined =>
    row && wasThere(row.number) ? { ...row, passwordHash } : undefined
  return {
    findByUsernameKey: async (key) => asThen(await accounts.findByUsernameKey(key)),
    findByPlayerId: async (id) => asThen(await accounts.findByPlayerId(id)),
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
