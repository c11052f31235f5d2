/** What the server shows the holder of an account, by its token or an API key of it. */
import type { TokenError } from './play/session.ts'

export interface AccountPlayer {
  readonly id: string
  readonly username: string
}

const TIMEOUT_MS = 20_000

const failed = (message: string, more: Partial<TokenError>): TokenError =>
  Object.assign(new Error(message), more)

/** Asks for something of the account that the key belongs to. Rejects with a sentence. */
export async function askAccount(
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
  if (!response) throw failed('The server does not answer.', { code: 'restarting' })
  const body = (await response.json().catch(() => ({}))) as {
    message?: string
    error?: string | { code?: string; message?: string }
  }
  if (response.ok) return body
  const { error } = body
  const { code, message } = typeof error === 'object' ? error : { ...body, code: error }
  const wait_seconds = Number(response.headers.get('retry-after'))
  throw failed(message ?? `The server answered ${response.status}.`, { code, wait_seconds })
}

/** Returns the players of the account that the key belongs to. Rejects with a sentence. */
export async function playersOf(key: string): Promise<readonly AccountPlayer[]> {
  const { players } = (await askAccount('/api/players', key)) as { players?: AccountPlayer[] }
  return players ?? []
}

/** Returns a token that logs the player in once. Rejects with a sentence. */
export async function tokenFor(key: string, id: string): Promise<string> {
  const path = `/api/player/${encodeURIComponent(id)}/ws-token`
  const { token } = (await askAccount(path, key, 'POST')) as { token: string }
  return token
}
