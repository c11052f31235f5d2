/** HTTP calls of unit tests against a net without a world: JSON in and out, logged in or not. */
import { expect } from 'vitest'
import { type FakeNet, PASSWORD, startFakeNet } from './fake-net.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies of answers are looked into freely
type Json = any
interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

const nets: FakeNet[] = []

/** Makes a net that `closeNets` closes. */
export const net = async (config = {}): Promise<FakeNet> => {
  const made = await startFakeNet(config)
  nets.push(made)
  return made
}

export async function closeNets(): Promise<void> {
  for (const made of nets.splice(0)) await made.close()
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

export async function loggedIn(
  port: number,
  version: 'v1' | 'v2',
  username = 'ada',
): Promise<string> {
  const made = await post(port, `/api/${version}/session`)
  const { id } = made.body.session
  const path = version === 'v1' ? '/api/v1/login' : '/api/v2/game_auth/login'
  const answer = await post(port, path, { ...LOGIN, username }, id)
  expect(answer.status).toBe(200)
  return id
}
