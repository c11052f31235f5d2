/**
 * Sets the wall clock of a running server forward and back by an hour and by a day. Ticks must keep
 * their pace, nobody may be logged out, tokens must be judged by the new time, and chat must stay
 * in order. `node dist/test/fault/clock.js --count 8 [--faketime 1]`: 1 uses libfaketime.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Params } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { openSocket, request } from '../e2e/wire.ts'
import type { Settings } from '../servers.ts'
import { endChild, runAsProgram, sleep, until, type Verdict } from './program.ts'
import {
  brokenCadence,
  lostLogins,
  registerStaff,
  type StaffMember,
  startHeld,
  watchTicks,
} from './staff.ts'

interface ClockOptions {
  readonly database: TestDatabase
  /** Number of jumps forward or back, each followed by the opposite one. */
  readonly count: number
  readonly seed: number
  readonly isFaketime?: boolean
}

const HOUR_S = 3_600
const JUMPS_S = [HOUR_S, -HOUR_S, 24 * HOUR_S, -24 * HOUR_S]
const AUDIENCE = 'orrery-test'
const STAFF_COUNT = 10
const WATCH_MS = 3_000
/** Its path on Debian; FAKETIME_LIB names another. */
const FAKETIME = process.env.FAKETIME_LIB ?? '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'

interface Provider {
  readonly settings: Settings
  /** Returns a token made `offS` seconds from now, valid for ten minutes. */
  token(offS: number): Promise<string>
  close(): void
}

async function startProvider(): Promise<Provider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const http: HttpServer = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ keys: [jwk] }))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(http.address() as { port: number }).port}`
  return {
    settings: {
      REGISTRATION: 'code',
      AUTH_ISSUER: issuer,
      AUTH_AUDIENCE: AUDIENCE,
      AUTH_JWKS_URL: `${issuer}/jwks`,
    },
    token(offS) {
      const nowS = Math.floor(Date.now() / 1_000) + offS
      return new SignJWT({ email: 'keeper@example.org' })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .setSubject('keeper')
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setIssuedAt(nowS)
        .setNotBefore(nowS)
        .setExpirationTime(nowS + 600)
        .sign(privateKey)
    },
    close: () => void http.close(),
  }
}

interface Scene {
  readonly url: string
  readonly provider: Provider
  readonly staff: readonly StaffMember[]
  /** Moves the server's clock; resolves once it is off by this much. */
  move(offS: number): Promise<void>
  readonly chatMessages: string[]
}

const account = async ({ url, provider }: Scene, path: string, offS: number, method = 'GET') =>
  request(url + path, {
    method,
    headers: { authorization: `Bearer ${await provider.token(offS)}` },
  })

/** Makes a token that logs a player in for five minutes of the server's clock. */
async function loginToken(scene: Scene, member: StaffMember, offS: number): Promise<string> {
  const made = await account(scene, `/api/player/${member.playerId}/ws-token`, offS, 'POST')
  if (made.status !== 200) throw new Error(`ws-token: ${made.status} ${made.text}`)
  return String(made.body.token)
}

async function redeem({ url }: Scene, token: string): Promise<string> {
  const socket = await openSocket(url, '/ws/v2')
  await socket.next('welcome')
  const frame = await socket.ask({ tool: 'game_auth', action: 'login_token', payload: { token } })
  await socket.close()
  return frame.type === 'logged_in' ? 'ok' : String(frame.payload.code)
}

/** Checks that tokens from before and after the jump are judged by the new time. */
async function judgeTokens(scene: Scene, fromS: number, toS: number): Promise<string[]> {
  // This player is logged in over HTTP, so the socket of the token replaces no other.
  const member = scene.staff[2]
  const token = await loginToken(scene, member, fromS)
  await scene.move(toS)
  const [old, fresh, redeemed] = [
    await account(scene, '/api/me', fromS),
    await account(scene, '/api/me', toS),
    await redeem(scene, token),
  ]
  const wanted = toS > fromS ? 'invalid_token' : 'ok'
  return [
    ...(old.status === 401 ? [] : [`a bearer token of the old time: ${old.status}`]),
    ...(fresh.status === 200 ? [] : [`a bearer token of the new time: ${fresh.status}`]),
    ...(redeemed === wanted ? [] : [`a login token of the old time: ${redeemed}`]),
  ]
}

async function sendChat({ staff, chatMessages }: Scene): Promise<string[]> {
  const content = `word ${chatMessages.length}`
  const { ok, code } = await staff[0].client.call('chat', { channel: 'local', content })
  chatMessages.push(content)
  return ok ? [] : [`chat: ${code}`]
}

/**
 * Checks that messages arrive in the order in which they were sent, with times that never decrease.
 */
async function brokenOrder({ staff, chatMessages }: Scene): Promise<string[]> {
  const { result } = await staff[0].client.call('get_chat_history', { channel: 'local' })
  const messages = (result.messages as Params[]).toSorted(
    (a, b) => chatMessages.indexOf(String(a.content)) - chatMessages.indexOf(String(b.content)),
  )
  const times = messages.map((message) =>
    Date.parse(String(message.timestamp_utc ?? message.timestamp ?? message.created_at)),
  )
  const isAll = messages.length === chatMessages.length && times.every(Number.isFinite)
  const isOrdered = times.every((time, i) => i === 0 || time >= times[i - 1])
  return isAll && isOrdered ? [] : [`chat: ${JSON.stringify(messages).slice(0, 500)}`]
}

async function jump(scene: Scene, fromS: number, toS: number): Promise<string[]> {
  const when = `clock from ${fromS} s to ${toS} s`
  const firstChat = await sendChat(scene)
  const tokens = await judgeTokens(scene, fromS, toS)
  const cadence = await watchTicks(scene.url, WATCH_MS)
  return [
    ...firstChat,
    ...tokens.map((what) => `${when}: ${what}`),
    ...brokenCadence(cadence, when),
    ...(await lostLogins(scene.staff, when)),
    ...(await sendChat(scene)),
    ...(await brokenOrder(scene)),
  ]
}

/** Returns the seconds that the server's clock is off, by the time in its welcome. */
async function serverOffS(url: string): Promise<number> {
  const client = await connect(url, 'ws1')
  await client.call('get_version')
  const welcome = client.pushes().find(({ type }) => type === 'welcome')
  await client.close()
  return Number(welcome?.payload.server_time) - Date.now() / 1_000
}

function settingsOf(file: string, isFaketime: boolean): Settings {
  if (!isFaketime) return { ORRERY_TEST_CLOCK: file }
  if (!existsSync(FAKETIME)) throw new Error(`there is no ${FAKETIME}: apt-get install faketime`)
  return {
    NODE_OPTIONS: '',
    LD_PRELOAD: FAKETIME,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
}

const textOf = (offS: number, isFaketime: boolean): string =>
  isFaketime ? `${offS < 0 ? '' : '+'}${offS}s` : String(offS * 1_000)

async function makeScene(
  url: string,
  provider: Provider,
  write: (offS: number) => void,
): Promise<Scene> {
  const keeper = { authorization: `Bearer ${await provider.token(0)}` }
  const code = await request(`${url}/api/registration-code`, { headers: keeper })
  const { registration_code } = code.body
  const staff = await registerStaff(url, STAFF_COUNT, async () => ({ registration_code }))
  const move = async (offS: number): Promise<void> => {
    write(offS)
    await until(`${offS} s off`, async () => Math.abs((await serverOffS(url)) - offS) < 60)
    // The world thread reads the file at its own times.
    await sleep(200)
  }
  return { url, provider, staff, move, chatMessages: [] }
}

export async function moveClock(options: ClockOptions): Promise<Verdict> {
  const { database, count, seed, isFaketime = false } = options
  const folder = mkdtempSync(join(tmpdir(), 'orrery-clock-'))
  const file = join(folder, 'offset')
  const write = (offS: number): void => writeFileSync(file, textOf(offS, isFaketime))
  write(0)
  const provider = await startProvider()
  const settings = { ...provider.settings, ...settingsOf(file, isFaketime) }
  const server = await startHeld(database, settings)
  const scene = await makeScene(server.url, provider, write)
  const broken: string[] = []
  for (let i = 0; i < count; i++) {
    const offS = JUMPS_S[(seed + i) % JUMPS_S.length]
    broken.push(...(await jump(scene, 0, offS)))
    broken.push(...(await jump(scene, offS, 0)))
  }
  for (const { client } of scene.staff) await client.close()
  broken.push(...(await endChild(server)))
  provider.close()
  rmSync(folder, { recursive: true })
  const how = isFaketime ? 'libfaketime' : 'a shifted Date'
  return { summary: `the wall clock moved forward and back ${count} times by ${how}`, broken }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Sets the wall clock of a running server an hour and a day forward and back.',
    defaults: { count: 8, seed: 1, faketime: 0 },
  },
  ({ count, seed, faketime }) =>
    withDatabase((database) => moveClock({ database, count, seed, isFaketime: faketime === 1 })),
)
