/** Login by an account's API key: its players, and a single-use token for one of them. */

export interface AccountPlayer {
  readonly id: string
  readonly username: string
}

async function ask(path: string, key: string, method: 'GET' | 'POST'): Promise<unknown> {
  const response = await fetch(path, {
    method,
    credentials: 'omit',
    headers: { authorization: `Bearer ${key}` },
  }).catch(() => undefined)
  if (!response) throw new Error('The server does not answer.')
  const body = (await response.json().catch(() => ({}))) as {
    message?: string
    error?: string | { message?: string }
  }
  if (response.ok) return body
  const said = typeof body.error === 'object' ? body.error.message : body.message
  throw new Error(said ?? `The server answered ${response.status}.`)
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
