/** Login by an account's API key: its players, and a single-use token for one of them. */

import type { TokenError } from './session.ts'

export interface AccountPlayer {
  readonly id: string
  readonly username: string
}

const failed = (message: string, more: Partial<TokenError>): TokenError =>
  Object.assign(new Error(message), more)

async function ask(path: string, key: string, method: 'GET' | 'POST'): Promise<unknown> {
  const response = await fetch(path, {
    method,
    credentials: 'omit',
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
  const { players } = (await ask('/api/players', key, 'GET')) as { players?: AccountPlayer[] }
  return players ?? []
}

/** Returns a token that logs the player in once. Rejects with a sentence. */
export async function tokenFor(key: string, id: string): Promise<string> {
  const path = `/api/player/${encodeURIComponent(id)}/ws-token`
  const { token } = (await ask(path, key, 'POST')) as { token: string }
  return token
}
