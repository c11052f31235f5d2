/**
 * Settings: one table with name, unit, default and meaning. Values come from the environment or
 * from flags (`--tick-ms 1000`), secrets from files as well; a value that is unknown or out of
 * bounds stops the start with a sentence.
 */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { MAX_ENTITIES_DEFAULT, SPECTATOR_DELAY_MAX } from './core/limits.ts'
import { anything, nonEmpty, oneOf, url, webUrl, whole, workers } from './setting-checks.ts'
import { busUrlRefusal } from './storage/bus-url.ts'
import type { Keeping } from './storage/keeping.ts'
import { systemFault } from './storage/system-fault.ts'

export interface Setting {
  readonly name: string
  readonly unit: string
  readonly fallback: string
  readonly meaning: string
  /** Returns what is wrong with a value, or undefined. */
  readonly refuse: (text: string) => string | undefined
  /** Never shown; may be read from a file, which the setting `NAME_FILE` names. */
  readonly secret?: true
}

function setting(
  name: string,
  [unit, fallback]: readonly [string, string],
  meaning: string,
  refuse: Setting['refuse'],
): Setting {
  return { name, unit, fallback, meaning, refuse }
}

/** Names the setting that names the file of a secret. */
export const fileSettingOf = (secret: string): string => `${secret}_FILE`

/** Returns a secret setting and, beside it, the one that names its file. */
function secret(...definition: Parameters<typeof setting>): Setting[] {
  const [name] = definition
  const meaning = `File that holds ${name}, in its place.`
  return [
    { ...setting(...definition), secret: true },
    setting(fileSettingOf(name), ['file', ''], meaning, anything),
  ]
}

const ROLES = ['all', 'world', 'gateway', 'standby'] as const

export const SETTINGS: readonly Setting[] = [
  setting('PORT', ['port', '8080'], 'Port of every channel.', whole(0, 65_535)),
  setting('HOST', ['address', '127.0.0.1'], 'Address to listen on.', nonEmpty),
  setting('TICK_MS', ['ms', '10000'], 'Length of a tick.', whole(50, 3_600_000)),
  setting(
    'SEED',
    ['number', '1'],
    'Seed of a new world; an existing world keeps its own.',
    whole(0, 4_294_967_295),
  ),
  setting(
    'WORKERS',
    ['threads', 'auto'],
    'Kernel threads beside the world thread; auto is cores - 1.',
    workers,
  ),
  ...secret('DATABASE_URL', ['URL', ''], 'PostgreSQL 14 or later; absent: the embedded one.', url),
  setting(
    'ROLE',
    ['all|world|gateway|standby', 'all'],
    'world: leads the world; gateway: network and a replica; standby: a replica that may lead.',
    oneOf(...ROLES),
  ),
  ...secret(
    'BUS_URL',
    ['URLs', ''],
    'NATS servers between the processes of a world.',
    busUrlRefusal,
  ),
  setting(
    'STANDBY',
    ['on|off', 'off'],
    'on: a gateway is a standby as well, with a second replica of the world.',
    oneOf('on', 'off'),
  ),
  setting('DATABASE_SCHEMA', ['name', 'orrery'], 'SQL schema that holds all tables.', (text) =>
    /^[a-z_][a-z0-9_]{0,62}$/.test(text) ? undefined : 'must be a plain lower-case SQL name',
  ),
  setting('DATA_DIR', ['folder', './data'], 'Folder of the embedded database.', nonEmpty),
  setting(
    'MAX_ENTITIES',
    ['rows', String(MAX_ENTITIES_DEFAULT)],
    'Scale of all capacities; memory is used only as rows are.',
    whole(1_000, 8_000_000),
  ),
  setting('SNAPSHOT_EVERY', ['ticks', '30'], 'Ticks between snapshots.', whole(1, 100_000)),
  setting(
    'SNAPSHOT_KEEP',
    ['snapshots', '3'],
    'Newest snapshots always kept, whatever the other SNAPSHOT_KEEP settings say.',
    whole(1, 1_000),
  ),
  setting(
    'SNAPSHOT_KEEP_ALL',
    ['hours', '1'],
    'Hours of world time (by ticks) for which every snapshot is kept.',
    whole(0, 168),
  ),
  setting(
    'SNAPSHOT_KEEP_HOURLY',
    ['days', '7'],
    'Days for which one snapshot per hour is kept.',
    whole(0, 366),
  ),
  setting(
    'SNAPSHOT_KEEP_DAILY',
    ['days', '365'],
    'Days for which one snapshot per day is kept.',
    whole(0, 3_660),
  ),
  setting(
    'SNAPSHOT_KEEP_MB',
    ['MiB', '4096'],
    'Total size of snapshots and journal; above it the oldest are dropped.',
    whole(1, 1_048_576),
  ),
  setting(
    'LIMITS',
    ['on|off', 'on'],
    'off: no limits per address; only on loopback, for load tests.',
    oneOf('on', 'off'),
  ),
  setting(
    'REGISTRATION',
    ['open|code', 'open'],
    'open: any registration code is accepted; code: only valid ones.',
    oneOf('open', 'code'),
  ),
  setting(
    'AUTH_ISSUER',
    ['URL', ''],
    'Issuer of account tokens; absent: the server itself (npx orrery token account).',
    url,
  ),
  setting('AUTH_AUDIENCE', ['text', ''], 'Audience that account tokens must name.', anything),
  setting('AUTH_JWKS_URL', ['URL', ''], 'Where the issuer publishes its keys.', webUrl),
  setting(
    'PUBLIC_URL',
    ['URL', ''],
    'Address at which players reach the server; absent: from HOST and PORT.',
    webUrl,
  ),
  setting(
    'TRUSTED_PROXIES',
    ['hops', '0'],
    'Number of proxies whose X-Forwarded-For is trusted.',
    whole(0, 16),
  ),
  setting(
    'ALLOWED_ORIGINS',
    ['list', '*'],
    'Origins browsers may come from; * is all (MCP: loopback).',
    nonEmpty,
  ),
  setting(
    'ALLOWED_HOSTS',
    ['list', ''],
    'Further Host names MCP answers to; loopback always.',
    anything,
  ),
  setting(
    'SPECTATOR_DELAY',
    ['ticks', '2'],
    'Ticks by which everything shown without a login is delayed.',
    whole(0, SPECTATOR_DELAY_MAX),
  ),
  setting(
    'SPECTATOR_NAMES',
    ['on|off', 'on'],
    'off: map, feed and battles show numbers of players and ships, no names.',
    oneOf('on', 'off'),
  ),
  ...secret('METRICS_TOKEN', ['text', ''], 'Bearer token for /metrics from elsewhere.', anything),
  setting(
    'LOG_LEVEL',
    ['level', 'info'],
    'Lowest level that is logged.',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  ),
  setting(
    'CHECK_EVERY',
    ['ticks', '10'],
    'Ticks between full checks of all invariants.',
    whole(1, 100_000),
  ),
  setting(
    'HASH_EVERY',
    ['ticks', '10'],
    'Ticks between state hashes in the journal.',
    whole(1, 100_000),
  ),
  setting(
    'TICKS',
    ['timer|manual', 'timer'],
    'manual: only for tests; no tick runs by itself, and the time of the world is made up.',
    oneOf('timer', 'manual'),
  ),
]

export interface Config {
  readonly port: number
  readonly host: string
  readonly tickMs: number
  readonly seed: number
  readonly workers: number
  readonly databaseUrl: string | undefined
  readonly role: (typeof ROLES)[number]
  readonly busUrl: string | undefined
  /** True for a gateway that may lead. */
  readonly standsBy: boolean
  readonly databaseSchema: string
  readonly dataDir: string
  readonly maxEntities: number
  readonly snapshotEvery: number
  readonly snapshotKeep: Keeping
  readonly limits: boolean
  readonly registrationOpen: boolean
  readonly authIssuer: string | undefined
  readonly authAudience: string | undefined
  readonly authJwksUrl: string | undefined
  readonly publicUrl: string | undefined
  readonly trustedProxies: number
  readonly allowedOrigins: readonly string[]
  readonly allowedHosts: readonly string[]
  readonly spectatorDelay: number
  readonly spectatorNames: boolean
  readonly metricsToken: string | undefined
  readonly logLevel: string
  readonly checkEvery: number
  readonly hashEvery: number
  readonly manualTicks: boolean
}

/** A setting that cannot be used; the message names it and the values it accepts. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** An invalid command line; exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

const flagOf = (name: string): string => `--${name.toLowerCase().replaceAll('_', '-')}`

/** Returns the content of a file, without trailing newlines. */
function readSecret(fileSetting: string, file: string): string {
  let content: string
  try {
    content = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '')
  } catch (error) {
    // The error of reading a folder has no path.
    const reason = systemFault(Object.assign(error as Error, { path: file }))
    throw new ConfigError(`${fileSetting} cannot be used. ${reason ?? (error as Error).message}`)
  }
  if (content.trim() === '') throw new ConfigError(`${fileSetting}=${file} is an empty file.`)
  return content
}

/** Sets the secrets that are given as files. */
function readSecretFiles(values: Map<string, string>): void {
  for (const { name } of SETTINGS.filter((setting) => setting.secret)) {
    const fileSetting = fileSettingOf(name)
    const file = values.get(fileSetting)
    if (!file) continue
    if (values.get(name) !== '') {
      throw new ConfigError(`${name} and ${fileSetting} are both given: leave one of them out.`)
    }
    values.set(name, readSecret(fileSetting, file))
  }
}

/** Returns the values by name: defaults, then environment, then flags, then secret files. */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
): Map<string, string> {
  const values = new Map(SETTINGS.map(({ name, fallback }) => [name, env[name] ?? fallback]))
  const byFlag = new Map(SETTINGS.map(({ name }) => [flagOf(name), name]))
  for (let i = 0; i < args.length; i++) {
    const [flag, inline] = args[i].split(/=(.*)/s)
    const name = byFlag.get(flag)
    if (!name) throw new UsageError(`There is no setting ${flag}. npx orrery config lists them.`)
    const value = inline ?? args[++i]
    if (value === undefined) throw new UsageError(`${flag} needs a value.`)
    values.set(name, value)
  }
  readSecretFiles(values)
  for (const { name, refuse, secret } of SETTINGS) {
    const value = values.get(name) as string
    const wrong = refuse(value)
    const shown = secret ? name : `${name}=${value}`
    if (wrong) throw new ConfigError(`${shown} cannot be used: it ${wrong}.`)
  }
  return values
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

/** An identity provider needs all three or none: a part would accept too much or nothing. */
const PROVIDER = ['AUTH_ISSUER', 'AUTH_AUDIENCE', 'AUTH_JWKS_URL']

function requireWholeProvider(values: ReadonlyMap<string, string>): void {
  const missing = PROVIDER.filter((name) => values.get(name) === '')
  if (missing.length === 0 || missing.length === PROVIDER.length) return
  const given = PROVIDER.filter((name) => !missing.includes(name))
  throw new ConfigError(
    `${given.join(' and ')} cannot be used without ${missing.join(' and ')}: an identity provider ` +
      'needs all three; without any the server issues account tokens itself.',
  )
}

/** Refuses roles without the database and bus they need, and a bus for a single process. */
function requireWholeCluster(values: ReadonlyMap<string, string>): void {
  const role = values.get('ROLE')
  const isAlone = role === 'all'
  if (isAlone && values.get('BUS_URL') !== '') {
    throw new ConfigError('BUS_URL is of no use to ROLE=all: leave it out, or set another ROLE.')
  }
  if (values.get('STANDBY') === 'on' && role !== 'gateway') {
    throw new ConfigError(
      `STANDBY=on is of no use to ROLE=${role}: it is for ROLE=gateway; ROLE=standby stands by alone.`,
    )
  }
  const missing = ['BUS_URL', 'DATABASE_URL'].filter((name) => values.get(name) === '')
  if (isAlone || missing.length === 0) return
  throw new ConfigError(`ROLE=${role} cannot be used without ${missing.join(' and ')}.`)
}

/** Returns the settings of the process. `isTool`: of an operators' tool, which needs no bus. */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  isTool = false,
): Config {
  const values = readSettings(env, args)
  requireWholeProvider(values)
  if (!isTool) requireWholeCluster(values)
  const text = (name: string): string => values.get(name) as string
  const number = (name: string): number => Number(text(name))
  const optional = (name: string): string | undefined => text(name) || undefined
  const list = (name: string): string[] =>
    text(name)
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
  const limits = text('LIMITS') === 'on'
  if (!limits && !LOOPBACK.has(text('HOST'))) {
    throw new ConfigError('LIMITS=off is for load tests: HOST must be a loopback address then.')
  }
  return {
    port: number('PORT'),
    host: text('HOST'),
    tickMs: number('TICK_MS'),
    seed: number('SEED'),
    workers:
      text('WORKERS') === 'auto' ? Math.max(0, availableParallelism() - 1) : number('WORKERS'),
    databaseUrl: optional('DATABASE_URL'),
    role: text('ROLE') as Config['role'],
    busUrl: optional('BUS_URL'),
    standsBy: text('STANDBY') === 'on',
    databaseSchema: text('DATABASE_SCHEMA'),
    dataDir: text('DATA_DIR'),
    maxEntities: number('MAX_ENTITIES'),
    snapshotEvery: number('SNAPSHOT_EVERY'),
    snapshotKeep: {
      newest: number('SNAPSHOT_KEEP'),
      allHours: number('SNAPSHOT_KEEP_ALL'),
      hourlyDays: number('SNAPSHOT_KEEP_HOURLY'),
      dailyDays: number('SNAPSHOT_KEEP_DAILY'),
      bytesMax: number('SNAPSHOT_KEEP_MB') * 1024 * 1024,
    },
    limits,
    registrationOpen: text('REGISTRATION') === 'open',
    authIssuer: optional('AUTH_ISSUER'),
    authAudience: optional('AUTH_AUDIENCE'),
    authJwksUrl: optional('AUTH_JWKS_URL'),
    publicUrl: optional('PUBLIC_URL'),
    trustedProxies: number('TRUSTED_PROXIES'),
    allowedOrigins: list('ALLOWED_ORIGINS'),
    allowedHosts: list('ALLOWED_HOSTS'),
    spectatorDelay: number('SPECTATOR_DELAY'),
    spectatorNames: text('SPECTATOR_NAMES') === 'on',
    metricsToken: optional('METRICS_TOKEN'),
    logLevel: text('LOG_LEVEL'),
    checkEvery: number('CHECK_EVERY'),
    hashEvery: number('HASH_EVERY'),
    manualTicks: text('TICKS') === 'manual',
  }
}
