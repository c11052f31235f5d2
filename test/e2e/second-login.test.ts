/**
 * A second login on a connection or session that is already logged in: every way to log in, as the
 * same player and as another, on every channel. Source: WIRE 1.9, accounts.md section 6.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Params } from '../../bench/client.ts'
import { createAccounts } from '../../storage/accounts.ts'
import { connect, disconnect, type Sql } from '../../storage/db.ts'
import { createDeviceLinks } from '../../storage/device-links.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { newPlayer, openSocket, post } from './wire.ts'

interface Player {
  readonly id: string
  readonly username: string
  readonly password: string
}

const database = useTestDatabase()
const server = useTestServer(database, { isSmallMap: true })
let sql: Sql
let mine: Player
let theirs: Player
beforeAll(async () => {
  sql = connect(database.connection(server.schema), { name: 'test' })
  mine = await registerPlayer()
  theirs = await registerPlayer()
})
afterAll(async () => {
  await disconnect(sql)
})

async function registerPlayer(): Promise<Player> {
  const { body } = await post(`${server.url}/api/v1/register`, newPlayer())
  const { player_id: id, username, password } = body.result as Params
  return { id: String(id), username: String(username), password: String(password) }
}

/** The parameters of every way to log in, by command. */
const WAYS: Readonly<Record<string, (player: Player) => Params | Promise<Params>>> = {
  login: ({ username, password }) => ({ username, password }),
  login_token: async ({ id }) => ({ token: (await createAccounts(sql).issueLoginToken(id)).token }),
  login_link_poll: async ({ id }) => {
    const links = createDeviceLinks(sql)
    const opened = await links.openDeviceLink('second login')
    if (!opened.ok) throw new Error(opened.code)
    await links.decideDeviceLink(opened.result.userCode, id)
    return { device_code: opened.result.deviceCode }
  },
  register: () => newPlayer(),
}
const CASES = [
  ...Object.keys(WAYS).flatMap((way) => [
    { way, who: 'the same player' as const },
    ...(way === 'register' ? [] : [{ way, who: 'another player' as const }]),
  ]),
]
const paramsOf = (way: string, who: string): Params | Promise<Params> =>
  WAYS[way](who === 'another player' ? theirs : mine)

describe.each(['/ws', '/ws/v2'])('on %s', (path) => {
  const frameOf = (command: string, params: Params) =>
    path === '/ws'
      ? { type: command, payload: params, request_id: command }
      : { tool: 'game_auth', action: command, payload: params, request_id: command }

  test.each(CASES)('$way as $who is refused as already_authenticated', async ({ way, who }) => {
    const socket = await openSocket(server.url, path)
    await socket.next('welcome')
    socket.send(frameOf('login', { username: mine.username, password: mine.password }))
    expect(await socket.next('logged_in')).toMatchObject({ request_id: 'login' })
    socket.rest()
    socket.send(frameOf(way, await paramsOf(way, who)))
    const refused = await socket.next('error')
    expect(refused).toMatchObject({
      type: 'error',
      request_id: way,
      payload: { code: 'already_authenticated', message: expect.any(String) },
    })
    expect(socket.isOpen).toBe(true)
    await socket.close()
  })
})

describe.each([
  ['v1', (command: string) => `/api/v1/${command}`, 'get_status'],
  ['v2', (command: string) => `/api/v2/game_auth/${command}`, '../game/get_status'],
] as const)('over HTTP %s', (_, pathOf, statusCommand) => {
  test.each(CASES)('$way as $who succeeds only as a login of the same player', async (login) => {
    const { way, who } = login
    const { username, password } = mine
    const first = await post(server.url + pathOf('login'), { username, password })
    const { id } = first.body.session as Params
    const header = { 'x-session-id': String(id) }
    const second = await post(server.url + pathOf(way), await paramsOf(way, who), header)
    const isSame = who === 'the same player' && way !== 'register'
    if (isSame) {
      expect(second.status).toBe(200)
      expect(second.body).toMatchObject({ error: null, session: { id, player_id: mine.id } })
    } else {
      expect(second.status).toBe(400)
      expect(second.body.error).toMatchObject({ code: 'already_authenticated' })
    }
    const status = await post(new URL(pathOf(statusCommand), server.url).href, {}, header)
    expect(status.status).toBe(200)
  })
})

describe.each(['/mcp', '/mcp/v2'])('over %s', (path) => {
  const PROTOCOL = '2025-06-18'
  const ACCEPT = { accept: 'application/json, text/event-stream' }
  const rpc = (method: string, params: Params) => ({ jsonrpc: '2.0', id: 1, method, params })

  test.each(CASES)(
    '$way as $who succeeds and discards the previous session_id',
    async ({ way, who }) => {
      const clientInfo = { name: 'second', version: '1' }
      const hello = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo }
      const opened = await post(server.url + path, rpc('initialize', hello), ACCEPT)
      const headers = {
        ...ACCEPT,
        'mcp-protocol-version': PROTOCOL,
        'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
      }
      const call = async (command: string, params: Params): Promise<Params> => {
        const tool = command === 'get_status' ? 'game' : 'game_auth'
        const toolCall =
          path === '/mcp'
            ? { name: command, arguments: params }
            : { name: tool, arguments: { ...params, action: command } }
        const { body } = await post(server.url + path, rpc('tools/call', toolCall), headers)
        return (body.result as Params).structuredContent as Params
      }
      const { username, password } = mine
      const { session_id: before } = await call('login', { username, password })
      const { session_id: after, player_id } = await call(way, await paramsOf(way, who))
      expect(after).toMatch(/^[0-9a-f]{64}$/)
      expect(after).not.toBe(before)
      if (way !== 'register') expect(player_id).toBe(who === 'another player' ? theirs.id : mine.id)
      expect(await call('get_status', { session_id: before })).toMatchObject({
        error: { code: 'session_invalid' },
      })
      expect(await call('get_status', { session_id: after })).toMatchObject({
        player: { id: player_id },
      })
    },
  )
})
