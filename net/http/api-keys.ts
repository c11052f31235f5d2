/**
 * Endpoints by which an account holder makes, sees and deletes API keys: bearers for programs that
 * cannot fetch a token anew every hour. Source: WIRE 8, item 4; bounds and deletion are ours.
 */
import { fail, invalidFields } from '../../core/errors.ts'
import { API_KEY_NAME_CHARACTERS_MAX } from '../../core/limits.ts'
import { cleanText, type TextRule } from '../../core/text-rules.ts'
import type { ApiKey } from '../ports.ts'
import type { Method } from '../router.ts'
import type { Params } from '../validate.ts'
import { byTokenOnly, type Handler } from './account-visit.ts'

const NAME_UNSET = 'API key'
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

/** Refuses: invalid_payload, too_long (name), limit_reached. */
const createKey: Handler = async (net, { account, body }) => {
  const { name = NAME_UNSET } = body
  if (typeof name !== 'string') return invalidFields({ field: 'name', expected: 'string' })
  const clean = cleanText(name, NAME_RULE)
  if (!clean.ok) return clean
  const made = await net.accounts.createApiKey(account.accountId, clean.result)
  if (!made.ok) return made
  const { key } = made.result
  return {
    ...keyEntry(made.result),
    key,
    message: 'Keep this key: it is shown this once. Send it as a bearer token.',
  }
}

const listKeys: Handler = async (net, { account }) => ({
  keys: (await net.accounts.apiKeysOf(account.accountId)).map(keyEntry),
})

/** Refuses: not_found, also for the key of another account. */
const deleteKey: Handler = async (net, { account, body }) => {
  const id = String(body.id ?? '')
  if (await net.accounts.deleteApiKey(account.accountId, id)) return { success: true, id }
  return fail('not_found', undefined, 'Your account has no key of that id.')
}

export const KEY_ENDPOINTS: readonly (readonly [Method, string, Handler])[] = [
  ['POST', '/api/auth/create-key', byTokenOnly(createKey)],
  ['GET', '/api/auth/keys', byTokenOnly(listKeys)],
  ['POST', '/api/auth/delete-key', byTokenOnly(deleteKey)],
]
