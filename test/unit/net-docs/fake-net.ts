/** A net over the fake registry: its world is a function from a submission to its answers. */
import { createHash } from 'node:crypto'
import { ok } from '../../../core/errors.ts'
import type { Answer } from '../../../core/ports.ts'
import type { Submission } from '../../../core/types.ts'
import type { McpEndpoint, McpRequest } from '../../../net/mcp/endpoint.ts'
import { createNet } from '../../../net/net.ts'
import type { AccountsPort, NetConfig } from '../../../net/ports.ts'
import type { Net } from '../../../net/session/types.ts'
import type { WorldLink } from '../../../net/world-link.ts'
import { fakeRegistry } from './fake-registry.ts'

export const PASSWORD = 'ab'.repeat(32)

const CONFIG: NetConfig = {
  version: '0.599.5',
  release: '0.0.1',
  releaseDate: '2026-01-01',
  releaseNotes: [],
  gameInfo: '',
  website: 'http://localhost',
  helpText: '',
  terms: '',
  limits: false,
  registration: 'open',
  trustedProxies: 0,
  allowedOrigins: ['*', 'https://app.example'],
  spectatorDelay: 0,
  spectatorNames: true,
  allowedHosts: ['game.example'],
}

export type World = (command: Omit<Submission, 'ref'>) => readonly Partial<Answer>[]

/** Makes a net that binds every player, and leaves all other commands to `world`. */
export function fakeNet(world: World, settings: Partial<NetConfig> = {}): Net {
  let ref = 0
  const submit: WorldLink['submit'] = (command, sink) => {
    ref += 1
    const head = { ref, player: command.player, command: command.command, framing: command.framing }
    const answers = command.command.startsWith('internal:')
      ? [
          {
            outcome: ok({ player: { id: 'p-1', username: 'Ada', empire: 'solarian', credits: 5 } }),
          },
        ]
      : world(command)
    for (const answer of answers)
      setImmediate(() => sink({ ...head, tick: 7, stage: 'final', outcome: ok({}), ...answer }))
  }
  const link = {
    submit,
    attach: () => undefined,
    ask: (command: Omit<Submission, 'ref'>) =>
      new Promise<Answer>((resolve) => {
        submit(command, (answer) => {
          if (answer.stage === 'final') resolve(answer)
          return true
        })
      }),
    state: () => ({ tick: 7, tickMs: 1000, seed: 1, batch: 1 }),
    isUp: () => true,
    waiting: () => 0,
    asked: () => 0,
    ends: () => 0,
    kernels: () => ({ ends: 0, isOff: false }),
  } as unknown as WorldLink
  const passwordHash = createHash('sha256').update(PASSWORD).digest()
  const ada = { playerId: 'p-1', number: 1, username: 'Ada', empire: 'solarian', passwordHash }
  const accounts = {
    findByUsernameKey: async (key: string) => (key === 'ada' ? ada : undefined),
    touchLastLogin: async () => undefined,
  } as unknown as AccountsPort
  const quiet = () => undefined
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
  const archive = { read: async () => ok({}) }
  const config = { ...CONFIG, ...settings }
  return createNet({ registry: fakeRegistry(), link, accounts, archive, config, log }).net
}

export interface Rpc {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: the tests read answers untyped
  readonly json: any
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
  readonly ip?: string
  isGone?(): boolean
  readonly admit?: McpRequest['admit']
}

/** Returns the data of the events of an answer. */
async function eventsIn(events: AsyncIterable<string>): Promise<object[]> {
  const parsed: object[] = []
  for await (const event of events) parsed.push(JSON.parse(event.split('data: ')[1]))
  return parsed
}

/** Sends a body to an endpoint as the server would. */
export async function send(endpoint: McpEndpoint, body: unknown, sent: Sent = {}): Promise<Rpc> {
  const headers: Record<string, string> = {
    host: '127.0.0.1:8080',
    'content-type': 'application/json',
    ...sent.headers,
  }
  const { ip = '127.0.0.1', admit = async () => undefined } = sent
  const reply = await endpoint.handle({
    method: sent.method ?? 'POST',
    query: new URLSearchParams(sent.query ?? ''),
    header: (name) => headers[name] ?? '',
    body: typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body),
    ip,
    requestId: 'a',
    isGone: sent.isGone ?? (() => false),
    admit,
  })
  if ('ok' in reply) return { status: 429, headers: {}, json: reply }
  if ('events' in reply) return { ...reply, json: await eventsIn(reply.events) }
  const text = String(reply.body ?? '')
  return {
    status: reply.status,
    headers: reply.headers,
    json: text === '' ? undefined : JSON.parse(text),
  }
}

/** Opens an initialised client of the 2025 revisions. */
export async function connect(endpoint: McpEndpoint, version = '2025-11-25', query = '') {
  const first = await send(
    endpoint,
    {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: version,
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      },
    },
    { query },
  )
  const headers = { 'mcp-session-id': first.headers['mcp-session-id'] }
  const ready = await send(
    endpoint,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { headers, query },
  )
  let id = 0
  const request = (method: string, params: object = {}, sent: Sent = {}) =>
    send(endpoint, { jsonrpc: '2.0', id: ++id, method, params }, { headers, query, ...sent })
  return {
    first,
    ready,
    headers,
    request,
    call: async (name: string, args: object = {}, sent: Sent = {}) =>
      (await request('tools/call', { name, arguments: args }, sent)).json,
  }
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Sends one request of the 2026 revision. */
export function modern(
  endpoint: McpEndpoint,
  method: string,
  params: Record<string, unknown> = {},
) {
  const headers: Record<string, string> = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
  }
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }
  return send(endpoint, body, { headers })
}
