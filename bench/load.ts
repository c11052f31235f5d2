/**
 * Real clients over real sockets against a running server: `npm run load -- --players 1000
 * --minutes 3`. Each player sends one mutation per tick, some time after the result of the last one,
 * and one query every two seconds. Prints latencies, refusals and losses, and the event-loop delay
 * of this process, which the latencies include; exits with 1 if there was any error other than a
 * refusal by the game. `--spectators 1000` adds visitors who watch. `--profile L1` runs a profile of
 * the load table (profiles.ts) on its own server; `--gateways 2` compares one process with several.
 */
import { readFileSync } from 'node:fs'
import { InvalidArgumentError, Option } from 'commander'
import { aboveZero, listOf, newTool, oneOf, refuseLine, wholeFrom } from '../cli/command-line.ts'
import { findNatsServer, NO_NATS_SERVER } from '../test/nats-server.ts'
import { CHANNELS, type Channel } from './client.ts'
import type { Card } from './crowd.ts'
import {
  describeRun,
  isFast,
  isSound,
  liveFigures,
  QUERY_P99_MS,
  RESULT_MS,
} from './load-report.ts'
import { type PlayOptions, play } from './play.ts'
import type { Profile } from './profile.ts'
import { profileIds, profileLines, profileOf, runProfile } from './profiles.ts'
import { gatewaysProfile } from './profiles-nodes.ts'
import { watchLoad } from './watching.ts'

const PLAYERS = 1_000
const MINUTES = 3

/** A channel and how many players use it; without counts, players are spread evenly. */
type Share = readonly [channel: Channel, players?: number]

function shareOf(text: string): Share {
  const [name, count] = text.split(':')
  const channel = oneOf(CHANNELS)(name)
  return count === undefined ? [channel] : [channel, wholeFrom(0)(count)]
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

function loopbackUrl(text: string): string {
  if (URL.canParse(text) && LOOPBACK.includes(new URL(text).hostname)) return text
  throw new InvalidArgumentError('Load runs are allowed on loopback addresses only.')
}

interface Flags {
  readonly profile?: string
  readonly gateways?: number
  readonly players?: number
  readonly spectators?: number
  readonly storm?: true
  readonly minutes?: number
  readonly url: string
  readonly channels: readonly Share[]
  readonly prefix: string
  readonly think: number
  readonly queryEvery: number
  readonly cards?: string
  readonly judge?: true
  readonly json?: true
}

const tool = newTool(
  'npm run load --',
  'Plays with real clients over real sockets: latencies, refusals, losses.',
)
  .option(
    '--players <n>',
    `players, spread evenly over the channels (default: ${PLAYERS})`,
    wholeFrom(1),
  )
  .option(
    '--spectators <n>',
    'visitors who watch the feed and request what the pages read; without players unless ' +
      '--players is given too',
    wholeFrom(1),
  )
  .option('--storm', 'cut the streams of all spectators at once near the end')
  .option(
    '--minutes <n>',
    `how long they play once all are logged in (default: ${MINUTES})`,
    aboveZero,
  )
  .addOption(
    new Option(
      '--channels <list>',
      `some of ${CHANNELS.join(', ')}; with counts (ws1:1000,http2:100) in place of --players`,
    )
      .argParser(listOf(shareOf))
      .default([['ws1'], ['ws2']], 'ws1,ws2'),
  )
  .option('--url <url>', 'the server, on loopback', loopbackUrl, 'http://127.0.0.1:8080')
  .option('--prefix <text>', 'user names begin with it', `L${Date.now().toString(36).slice(-5)}`)
  .option(
    '--think <ms>',
    'a player sends the next command up to this many ms after a result; 0 = at once',
    wholeFrom(0),
    400,
  )
  .option('--query-every <ms>', 'time between the queries of a player', wholeFrom(1), 2_000)
  .option('--cards <file>', 'log in as the acting players of a prepared world (large-world.js)')
  .option(
    '--judge',
    `exit with 1 also if query p99 > ${QUERY_P99_MS} ms or a result came > ${RESULT_MS} ms ` +
      'late; with a profile: if a figure exceeds its bound',
  )
  .option('--json', 'print the figures as JSON in the last line')
  .option(
    '--profile <id>',
    'a profile of the load table, on its own server and database; --minutes and --players ' +
      'scale it down, --judge and --json apply, other options are ignored',
    oneOf(profileIds()),
  )
  .option(
    '--gateways <n>',
    'run the same load on one process, then on a leader and n gateways with their own NATS ' +
      'server, and measure the traffic over NATS; options as with a profile',
    wholeFrom(1),
  )
  .addHelpText(
    'after',
    `
Profiles:
${profileLines().join('\n')}

Start the server with LIMITS=off, and TICK_MS=1000 for the figures of the README.`,
  )
  .parse()
const flags = tool.opts<Flags>()

/** Returns the channel of each player. */
function channelsOf(shares: readonly Share[], players: number): Channel[] {
  if (shares.some(([, count]) => count === undefined))
    return Array.from({ length: players }, (_, i) => shares[i % shares.length][0])
  return shares.flatMap(([channel, count = 0]) => Array.from({ length: count }, () => channel))
}

function cardsIn(file: string): Card[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Card[]
  } catch (error) {
    return refuseLine(tool, `--cards ${file}: ${String(error)}`)
  }
}

/** Runs the players; returns the exit status. */
async function runPlayers(
  { minutes = MINUTES, players = PLAYERS }: Flags,
  onPlaying?: PlayOptions['onPlaying'],
): Promise<number> {
  const cards = flags.cards === undefined ? undefined : cardsIn(flags.cards)
  const run = await play({
    url: flags.url,
    prefix: flags.prefix,
    minutes,
    thinkMs: flags.think,
    queryEveryMs: flags.queryEvery,
    cards,
    channels: channelsOf(flags.channels, cards?.length ?? players),
    ...(onPlaying && { onPlaying }),
    print: console.log,
  })
  for (const line of describeRun(run)) console.log(line)
  if (flags.json) console.log(JSON.stringify(liveFigures(run)))
  return isSound(run) && (isFast(run) || !flags.judge) ? 0 : 1
}

/** Runs the spectators, with players if their number is given; returns the exit status. */
const runSpectators = (flags: Flags): Promise<number> =>
  watchLoad({
    url: flags.url,
    spectators: flags.spectators ?? 0,
    minutes: flags.minutes ?? MINUTES,
    isStorm: flags.storm === true,
    ...(flags.players === undefined
      ? {}
      : { play: (onPlaying) => runPlayers(flags, (_, figures) => onPlaying(figures)) }),
    print: console.log,
  })

/** Runs a profile, which starts its own servers; returns the exit status. */
async function runOwn(profile: Profile): Promise<number> {
  const { minutes, players, judge: isJudged = false, json = false } = flags
  return runProfile(profile, { minutes, players, isJudged, json, print: console.log })
}

const { profile, gateways } = flags
if (gateways !== undefined && !findNatsServer()) refuseLine(tool, NO_NATS_SERVER)
if (gateways !== undefined) process.exit(await runOwn(gatewaysProfile(gateways)))
if (profile !== undefined) process.exit(await runOwn(profileOf(profile)))
process.exit(await (flags.spectators === undefined ? runPlayers : runSpectators)(flags))
