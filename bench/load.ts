/**
 * Real clients over real sockets against a running server: `npm run load -- --players 1000
 * --minutes 3`. Each player sends one mutation a tick, some time after the last one's result, and
 * asks one query every two seconds. Prints latencies, refusals and losses, and this process's own
 * event-loop delay, which the latencies include; ends with 1 if anything but the game's own
 * refusals went wrong. `--profile L1`: a row of the load table, on a server of its own.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
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
import { play } from './play.ts'
import { profileIds, profileLines, runProfile } from './profiles.ts'

const PLAYERS = 1_000
const MINUTES = 3

const { values } = parseArgs({
  options: {
    profile: { type: 'string' },
    players: { type: 'string' },
    minutes: { type: 'string' },
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    channels: { type: 'string', default: 'ws1,ws2' },
    prefix: {
      type: 'string',
      default: `L${Date.now().toString(36).slice(-5)}`,
    },
    think: { type: 'string', default: '400' },
    'query-every': { type: 'string', default: '2000' },
    cards: { type: 'string' },
    judge: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`npm run load -- [options]

--players ${PLAYERS}      players, spread evenly over the channels
--minutes ${MINUTES}         how long they play once all are in
--channels ws1,ws2  of ${CHANNELS.join(', ')}; with counts (ws1:1000,http2:100) --players is their sum
--url ...           http://127.0.0.1:8080
--think 400         a player decides within so many ms after a result; 0: all answer it at once
--query-every 2000  a player asks a query each so many ms
--cards FILE        log in as the acting players of a prepared world (large-world.js) instead
--judge             end with 1 as well when query p99 > ${QUERY_P99_MS} ms
                    or a result came > ${RESULT_MS} ms late; with a profile: when a figure is over
--json              the last line of the output is the figures as JSON
--profile L1        a row of the load table, on a server and a database of its own; --minutes and
                    --players scale it down, and the other options do not count:
${profileLines().join('\n')}

Loopback only. Start the server with LIMITS=off, and TICK_MS=1000 for the figures of the README.`)
  process.exit(0)
}

function refuse(text: string): never {
  console.error(text)
  process.exit(2)
}

/** A number above 0; undefined where the option was not given. */
function numberOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isFinite(value) || value <= 0) refuse(`--${name} is a number above 0.`)
  return value
}

/** The channel of each player. */
function channelsOf(text: string, players: number): Channel[] {
  const parts = text.split(',').map((part) => part.split(':') as [Channel, string?])
  const unknown = parts.find(([name]) => !CHANNELS.includes(name))
  if (unknown) throw new Error(`there is no channel ${unknown[0]}: ${CHANNELS.join(', ')}`)
  if (parts.some(([, n]) => n === undefined))
    return Array.from({ length: players }, (_, i) => parts[i % parts.length][0])
  return parts.flatMap(([name, n]) => Array.from({ length: Number(n) }, () => name))
}

async function playOn(minutes: number | undefined, players: number | undefined): Promise<number> {
  const host = new URL(values.url).hostname
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(host))
    refuse('Load runs go to loopback addresses only.')
  const cards = values.cards
    ? (JSON.parse(readFileSync(values.cards, 'utf8')) as Card[])
    : undefined
  const run = await play({
    url: values.url,
    prefix: values.prefix,
    minutes: minutes ?? MINUTES,
    thinkMs: Number(values.think),
    queryEveryMs: Number(values['query-every']),
    cards,
    channels: channelsOf(values.channels, cards?.length ?? players ?? PLAYERS),
    say: console.log,
  })
  for (const line of describeRun(run)) console.log(line)
  if (values.json) console.log(JSON.stringify(liveFigures(run)))
  return isSound(run) && (isFast(run) || !values.judge) ? 0 : 1
}

const minutes = numberOf(values.minutes, 'minutes')
const players = numberOf(values.players, 'players')
if (values.profile === undefined) process.exit(await playOn(minutes, players))
if (!profileIds().includes(values.profile))
  refuse(`There is no profile ${values.profile}: ${profileIds().join(', ')}.`)
const { judge: isJudged, json } = values
const options = { minutes, players, isJudged, json, say: console.log }
process.exit(await runProfile(values.profile, options))
