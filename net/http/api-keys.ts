/**
 * Endpoints to create, list and delete an account's API keys: bearer tokens for programs that
 * cannot renew an hourly one. Source: WIRE 8, item 4; limits and deletion are ours.
 */
import { fail, invalidFields } from '../../core/errors.ts'
import { API_KEY_NAME_CHARACTERS_MAX } from '../../core/limits.ts'
import { cleanText, type TextRule } from '../../core/text-rules.ts'
import type { ApiKey } from '../ports.ts'
import type { Method } from '../router.ts'
import type { Params } from '../validate.ts'
import { byTokenOnly, type Handler } from './account-visit.ts'

const NAME_DEFAULT = 'API key'
const NAME_RULE: TextRule = {
  max: API_KEY_NAME_CHARACTERS_MAX,
  unit: 'codepoints',
  field: 'name',
}

const keyEntry = ({ id, name, hint, createdAt, lastUsedAt }: ApiKey): Params => ({
  id,
  name,
  ends_with: hint,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
})

/** Creates a key. Refusals: invalid_payload, too_long (name), limit_reached. */
const createKey: Handler = async (net, { account, body }) => {
  const { name = NAME_DEFAULT } = body
  if (typeof name !== 'string') return invalidFields({ field: 'name', expected: 'string' })
  const clean = cleanText(name, NAME_RULE)
  if (!clean.ok) return clean
  const made = await net.accounts.createApiKey(account.accountId, clean.result)
  if (!made.ok) return made
  const { key } = made.result
  return {
    ...keyEntry(made.result),
    key,
    message: 'Store this key now: it will not be shown again. Send it as a bearer token.',
  }
}

/** Lists the account's keys, without their secrets. */
const listKeys: Handler = async (net, { account }) => ({
  keys: (await net.accounts.apiKeysOf(account.accountId)).map(keyEntry),
})

/** Deletes a key. Refusals: not_found, also for the key of another account. */
const deleteKey: Handler = async (net, { account, body }) => {
  const id = typeof body.id === 'string' ? body.id : ''
  if (await net.accounts.deleteApiKey(account.accountId, id)) return { success: true, id }
  return fail('not_found', undefined, 'Your account has no key with that id.')
}

export const KEY_ENDPOINTS: readonly (readonly [Method, string, Handler])[] = [
  ['POST', '/api/auth/create-key', byTokenOnly(createKey)],
  ['GET', '/api/auth/keys', byTokenOnly(listKeys)],
  ['POST', '/api/auth/delete-key', byTokenOnly(deleteKey)],
]
