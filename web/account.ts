/** Requests for the holder of an account, authorized by a token or an API key of the account. */
import type { TokenError } from './play/session.ts'

export interface AccountPlayer {
  readonly id: string
  readonly username: string
}

const TIMEOUT_MS = 20_000

const failure = (message: string, more: Partial<TokenError>): TokenError =>
  Object.assign(new Error(message), more)

/** Sends a request for the account of the key. Rejects with a message for the user. */
export async function requestAccount(
  path: string,
  key: string,
  method: 'GET' | 'POST' = 'GET',
): Promise<unknown> {
  const response = await fetch(path, {
    method,
    credentials: 'omit',
    cache: 'no-store',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { authorization: `Bearer ${key}` },
  }).catch(() => undefined)
  if (!response) throw failure('The server does not answer.', { code: 'restarting' })
  const body = (await response.json().catch(() => ({}))) as {
    message?: string
    error?: string | { code?: string; message?: string }
  }
  if (response.ok) return body
  const { error } = body
  const { code, message } = typeof error === 'object' ? error : { ...body, code: error }
  const wait_seconds = Number(response.headers.get('retry-after'))
  throw failure(message ?? `The server answered ${response.status}.`, { code, wait_seconds })
}

/** Returns the players of the account of the key. Rejects with a message for the user. */
export async function playersOf(key: string): Promise<readonly AccountPlayer[]> {
  const { players } = (await requestAccount('/api/players', key)) as { players?: AccountPlayer[] }
  return players ?? []
}

/** Returns a token that logs the player in once. Rejects with a message for the user. */
export async function tokenFor(key: string, id: string): Promise<string> {
  const path = `/api/player/${encodeURIComponent(id)}/ws-token`
  const { token } = (await requestAccount(path, key, 'POST')) as { token: string }
  return token
}
