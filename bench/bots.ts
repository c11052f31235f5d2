/**
 * Runs a population of bots over real sockets: `npm run bots -- --count 200`. They mine, haul, trade
 * and fight until Ctrl-C and reconnect after a restart of the server. Every 30 s a report shows how
 * each role does.
 */
import { setMaxListeners } from 'node:events'
import { Option } from 'commander'
import { aboveZero, listOf, newTool, oneOf, wholeFrom } from '../cli/command-line.ts'
import { type Atlas, readAtlas } from './bots/atlas.ts'
import { type Bot, Gone, Over, pause, type Strategy, type Tally, updateStatus } from './bots/bot.ts'
import { fighter } from './bots/fighter.ts'
import { hauler } from './bots/hauler.ts'
import { miner } from './bots/miner.ts'
import { trader } from './bots/trader.ts'
import { CHANNELS, type Channel, type Client, EMPIRES } from './client.ts'
import { connect, tickLength } from './clients.ts'
import { count } from './figures.ts'

const REPORT_EVERY_MS = 30_000
const RETRY_MS_MAX = 30_000
/** Bots join one by one, so that a server with limits on accepts them. */
const JOIN_EVERY_MS = 50
/** The shortest round, so that a bot with nothing to do does not spin. */
const ROUND_MS_MIN = 1_000
/** The roles of ten bots. */
const ROLES: readonly Strategy[] = [
  miner,
  hauler,
  trader,
  fighter,
  miner,
  hauler,
  trader,
  fighter,
  miner,
  hauler,
]

const CHANNELS_USED: readonly Channel[] = ['ws1', 'ws2', 'ws1', 'ws2', 'http1', 'http2', 'mcp']

interface Flags {
  readonly count: number
  readonly minutes?: number
  readonly url: string
  readonly channels: readonly Channel[]
  readonly prefix: string
}

const flags = newTool('npm run bots --', 'Lets bots mine, haul, trade and fight on a server.')
  .option(
    '--count <n>',
    'number of bots: of ten, 3 mine, 3 haul, 2 trade with limit orders, 2 hunt pirates',
    wholeFrom(1),
    50,
  )
  .option('--minutes <n>', 'how long to run; absent: until Ctrl-C', aboveZero)
  .option('--url <url>', 'the server', 'http://127.0.0.1:8080')
  .addOption(
    new Option('--channels <list>', `used in turns: ${CHANNELS.join(', ')}; a name may be repeated`)
      .argParser(listOf(oneOf(CHANNELS)))
      .default(CHANNELS_USED, CHANNELS_USED.join(',')),
  )
  .option('--prefix <text>', 'user names begin with it', `Bot ${Date.now().toString(36).slice(-5)}`)
  .addHelpText(
    'after',
    "\nWith the server's limits on, 30 bots per minute can join from one address.",
  )
  .parse()
  .opts<Flags>()

const over = new AbortController()
setMaxListeners(0, over.signal)
const tallies = new Map<string, Tally>()
const troubles = new Map<string, number>()
const bots: Bot[] = []
let working = 0

const tallyOf = (role: string): Tally => {
  const tally = tallies.get(role) ?? { done: new Map(), refusals: new Map() }
  tallies.set(role, tally)
  return tally
}

/** Logs in, or registers the first time. */
async function join(bot: Bot): Promise<void> {
  const { client, name: username, empire, password } = bot
  const reply = password
    ? await client.call('login', { username, password })
    : await client.call('register', { username, empire, registration_code: 'bots' })
  if (!reply.ok) throw new Gone(`${password ? 'login' : 'register'}: ${reply.code}`)
  bot.password ??= String(reply.result.password)
  const { systemId, poiId } = await updateStatus(bot)
  if (!password) bot.home = { systemId, poiId }
}

/** Plays round after round until the connection ends or the bots stop. */
async function work(bot: Bot): Promise<void> {
  for (;;) {
    const since = performance.now()
    await bot.strategy.round(bot)
    const left = ROUND_MS_MIN - (performance.now() - since)
    if (left > 0) await pause(over.signal, left)
  }
}

/** Runs a bot over one connection; resolves when the connection has ended. */
async function session(bot: Bot, channel: Channel): Promise<void> {
  bot.client = await connect(flags.url, channel)
  const stop = (): void => void bot.client.close()
  over.signal.addEventListener('abort', stop)
  try {
    await join(bot)
    working += 1
    await work(bot).finally(() => {
      working -= 1
    })
  } finally {
    over.signal.removeEventListener('abort', stop)
    await bot.client.close()
  }
}

/** Joins, works, and joins again when the connection ends. */
async function live(bot: Bot, channel: Channel): Promise<void> {
  for (let retryMs = 500; !over.signal.aborted; ) {
    const since = performance.now()
    try {
      await session(bot, channel)
    } catch (error) {
      if (error instanceof Over || over.signal.aborted) return
      count(troubles, error instanceof Error ? error.message.slice(0, 60) : 'unknown')
      if (performance.now() - since > RETRY_MS_MAX) retryMs = 500
      await pause(over.signal, retryMs).catch(() => {})
      retryMs = Math.min(RETRY_MS_MAX, retryMs * 2)
    }
  }
}

const listed = (map: ReadonlyMap<string, number>): string =>
  [...map]
    .sort((a, b) => b[1] - a[1])
    .map(([name, n]) => `${name} ${n}`)
    .join(', ') || 'none'

function report(): void {
  console.log(`${new Date().toISOString().slice(11, 19)} ${working} of ${flags.count} bots at work`)
  for (const [role, { done, refusals }] of tallies) {
    const own = bots.filter(({ strategy }) => strategy.role === role)
    const sum = (key: 'credits' | 'trades' | 'kills' | 'deaths'): number =>
      own.reduce((total, { status }) => total + status[key], 0)
    console.log(
      `  ${own.length} ${role}s: ${sum('credits')} credits, ${sum('trades')} units traded, ` +
        `${sum('kills')} kills, ${sum('deaths')} deaths; done: ${listed(done)}; ` +
        `refusals: ${listed(refusals)}`,
    )
  }
  if (troubles.size > 0) console.log(`  troubles: ${listed(troubles)}`)
  troubles.clear()
}

const NOWHERE = { systemId: '', poiId: '' }

function newBot(index: number, { atlas, tickMs }: { atlas: Atlas; tickMs: number }): Bot {
  const strategy = ROLES[index % ROLES.length]
  return {
    name: `${flags.prefix} ${index}`,
    index,
    // The empire changes after every ten bots, so that each has all roles.
    empire: EMPIRES[Math.floor(index / ROLES.length) % EMPIRES.length],
    strategy,
    atlas,
    tickMs,
    over: over.signal,
    tally: tallyOf(strategy.role),
    client: undefined as unknown as Client,
    password: undefined,
    status: {
      credits: 0,
      trades: 0,
      kills: 0,
      deaths: 0,
      ...NOWHERE,
      baseId: '',
      hullPct: 100,
      fuel: 0,
      fuelMax: 0,
    },
    home: NOWHERE,
  }
}

async function main(): Promise<void> {
  const known = { atlas: await readAtlas(flags.url), tickMs: await tickLength(flags.url) }
  const { channels, count: bound, minutes } = flags
  const timer = setInterval(report, REPORT_EVERY_MS)
  const stop = (): void => {
    if (over.signal.aborted) process.exit(1)
    console.log('Stopping; press Ctrl-C again to stop at once.')
    over.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  if (minutes) setTimeout(stop, minutes * 60_000).unref()
  const lives: Promise<void>[] = []
  for (let i = 0; i < bound && !over.signal.aborted; i++) {
    const bot = newBot(i, known)
    bots.push(bot)
    lives.push(live(bot, channels[i % channels.length]))
    await pause(over.signal, JOIN_EVERY_MS).catch(() => {})
  }
  await Promise.all(lives)
  clearInterval(timer)
  report()
  process.exit(0)
}

await main()
