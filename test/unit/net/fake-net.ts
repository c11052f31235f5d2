/** A whole net over the fake world, with accounts in memory and a clock that tests move. */
import { fail, ok } from '../../../core/errors.ts'
import { usernameKey } from '../../../core/text-rules.ts'
import { createNet, type NetServer } from '../../../net/net.ts'
import {
  type AccountsPort,
  type Clock,
  type Log,
  type NetConfig,
  type PlayerAccount,
  SYSTEM_CLOCK,
} from '../../../net/ports.ts'
import { hashPassword } from '../../../net/session/auth.ts'
import { createWorldLink, type WorldLink } from '../../../net/world-link.ts'
import { type FakeDisk, type FakeThread, fakeDisk, fakeRegistry, fakeThread } from './fake-world.ts'

export interface TestClock extends Clock {
  advance(ms: number): void
}

export function testClock(): TestClock {
  let ms = 1_000_000
  return {
    wallMs: () => 1_700_000_000_000 + ms,
    monoMs: () => ms,
    advance: (by) => {
      ms += by
    },
  }
}

interface SilentLog extends Log {
  /** The texts of warnings and errors. */
  readonly lines: string[]
  /** The fields of the same warnings and errors. */
  readonly fields: object[]
}

export const silentLog = (): SilentLog => {
  const lines: string[] = []
  const fields: object[] = []
  const put = (given: object, text: string): void => {
    lines.push(text)
    fields.push(given)
  }
  return { lines, fields, debug: () => {}, info: () => {}, warn: put, error: put }
}

export const NET_CONFIG: NetConfig = {
  version: 'v0.0.1',
  release: '0.0.1',
  releaseDate: '2026-01-01',
  releaseNotes: ['First.'],
  gameInfo: 'A game.',
  website: 'http://127.0.0.1',
  helpText: 'Ask.',
  terms: 'Play fair.',
  limits: true,
  registration: 'open',
  trustedProxies: 0,
  allowedOrigins: ['*'],
  spectatorDelay: 0,
  spectatorNames: true,
  allowedHosts: [],
}

interface MemoryAccounts extends AccountsPort {
  readonly rows: PlayerAccount[]
  add(username: string, password: string): PlayerAccount
}

function memoryAccounts(): MemoryAccounts {
  const rows: PlayerAccount[] = []
  const tokens = new Map<string, string>()
  const links = new Map<
    string,
    { status: 'pending' | 'approved' | 'denied'; playerId: string | null }
  >()
  const byId = (id: string) => rows.find(({ playerId }) => playerId === id)
  const edit = (id: string, change: Partial<PlayerAccount>): boolean => {
    const index = rows.findIndex(({ playerId }) => playerId === id)
    if (index >= 0) rows[index] = { ...rows[index], ...change }
    return index >= 0
  }
  let code = 'code-1'
  return {
    rows,
    add: (username, password) => {
      const number = rows.length + 1
      const row: PlayerAccount = {
        playerId: `id-${number}`,
        number,
        username,
        empire: 'solarian',
        passwordHash: hashPassword(password),
        accountId: 'acc-1',
        claimedAt: new Date(0),
      }
      rows.push(row)
      return row
    },
    findByUsernameKey: async (key) => rows.find(({ username }) => usernameKey(username) === key),
    findByPlayerId: async (id) => byId(id),
    touchLastLogin: async () => {},
    setPassword: async (id, passwordHash) => edit(id, { passwordHash }),
    accountByCode: async (given) => (given === code ? 'acc-1' : undefined),
    linkPlayer: async (id, given) => {
      if (given !== code) return fail('invalid_registration_code')
      if (byId(id)?.accountId) return fail('already_claimed')
      edit(id, { accountId: 'acc-1' })
      return ok({ accountId: 'acc-1' })
    },
    accountOf: async (sub, known) => ({
      accountId: sub,
      email: known?.email ?? null,
      username: known?.username ?? null,
      newsletter: false,
    }),
    setNewsletter: async () => {},
    registrationCode: async () => code,
    rotateRegistrationCode: async () => {
      code = 'code-2'
      return code
    },
    playersOf: async (sub) =>
      rows
        .filter(({ accountId }) => accountId === sub)
        .map(({ playerId, username }) => ({ player_id: playerId, username, claimed_at: null })),
    issueLoginToken: async (id) => {
      const token = `${tokens.size}`.padStart(64, 't')
      tokens.set(token, id)
      return { token, expiresAt: new Date(0) }
    },
    playerOfLoginToken: async (token) => byId(tokens.get(token) ?? '')?.number,
    redeemLoginToken: async (token) => {
      const row = byId(tokens.get(token) ?? '')
      tokens.delete(token)
      return row ? ok(row) : fail('invalid_token')
    },
    openDeviceLink: async () => {
      links.set('BCDF-GHJK', { status: 'pending', playerId: null })
      return ok({ deviceCode: 'd', userCode: 'BCDF-GHJK', interval: 5, expiresIn: 600 })
    },
    pollDeviceLink: async () => {
      const link = links.get('BCDF-GHJK')
      if (link?.status === 'approved' && link.playerId)
        return ok({ status: 'approved', playerId: link.playerId })
      return link ? ok({ status: 'authorization_pending', interval: 5 }) : fail('expired_token')
    },
    deviceLinkStatus: async (userCode) => links.get(userCode)?.status,
    decideDeviceLink: async (userCode, playerId) => {
      if (links.get(userCode)?.status !== 'pending') return fail('expired_token')
      links.set(userCode, { status: playerId ? 'approved' : 'denied', playerId })
      return ok({})
    },
    createApiKey: async () => fail('limit_reached'),
    apiKeysOf: async () => [],
    deleteApiKey: async () => false,
    accountByApiKey: async () => undefined,
  }
}

export interface FakeNet {
  readonly disk: FakeDisk
  readonly link: WorldLink
  readonly server: NetServer
  readonly accounts: MemoryAccounts
  readonly clock: TestClock
  readonly port: number
  readonly lines: readonly string[]
  readonly fields: readonly object[]
  readonly fatal: string[]
  /** Returns the world thread that runs now; each end starts another. */
  thread(): FakeThread
  close(): Promise<void>
}

export const PASSWORD = 'a'.repeat(64)

/** Starts a net on a free port of loopback, with the players ada and bob. */
export async function startFakeNet(config: Partial<NetConfig> = {}): Promise<FakeNet> {
  const disk = fakeDisk()
  const clock = testClock()
  const log = silentLog()
  const accounts = memoryAccounts()
  for (const name of ['ada', 'bob']) accounts.add(name, PASSWORD)
  disk.players = 2
  let thread!: FakeThread
  const fatal: string[] = []
  const link = createWorldLink({
    spawn: (options) => {
      thread = fakeThread(disk, options)
      return thread
    },
    onFatal: (text) => fatal.push(text),
    incarnations: { first: 1, take: async () => 2 },
    log,
    clock: SYSTEM_CLOCK,
  })
  const server = createNet({
    registry: fakeRegistry(),
    link,
    accounts,
    archive: { read: async () => fail('not_found') },
    config: { ...NET_CONFIG, ...config },
    log,
    clock,
  })
  await link.ready
  const port = await server.listen('127.0.0.1', 0)
  return {
    disk,
    link,
    server,
    accounts,
    clock,
    port,
    lines: log.lines,
    fields: log.fields,
    fatal,
    thread: () => thread,
    close: async () => {
      await link.stop()
      await server.close()
    },
  }
}
