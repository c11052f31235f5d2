/** HTTP calls of unit tests to a fake net: JSON in and out, logged in or not. */
import { expect } from 'vitest'
import { type FakeNet, PASSWORD, startFakeNet } from './fake-net.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests read response bodies untyped
type Json = any
interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

const nets: FakeNet[] = []

/** Starts a net that `closeNets` closes. */
export const startNet = async (config = {}): Promise<FakeNet> => {
  const started = await startFakeNet(config)
  nets.push(started)
  return started
}

export async function closeNets(): Promise<void> {
  for (const started of nets.splice(0)) await started.close()
}

export async function call(port: number, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
  const text = await response.text()
  expect(response.status === 204 || response.headers.get('content-type')).toBeTruthy()
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) }
}

export const post = (port: number, path: string, body?: unknown, id?: string): Promise<Answer> =>
  call(port, path, {
    method: 'POST',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(id === undefined ? {} : { 'X-Session-ID': id }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

export const LOGIN = { username: 'ada', password: PASSWORD }

/** Logs in over HTTP; returns the id of the session. */
export async function loggedIn(
  port: number,
  version: 'v1' | 'v2',
  username = 'ada',
): Promise<string> {
  const created = await post(port, `/api/${version}/session`)
  const { id } = created.body.session
  const path = version === 'v1' ? '/api/v1/login' : '/api/v2/game_auth/login'
  const answer = await post(port, path, { ...LOGIN, username }, id)
  expect(answer.status).toBe(200)
  return id
}
