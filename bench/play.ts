/**
 * The players of load runs: they join, send one mutation per tick and a query now and then, may
 * leave and reconnect, and all results are counted.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Channel, type Client, EMPIRES } from './client.ts'
import { connect, tickLength } from './clients.ts'
import { type Actor, type Card, startActor } from './crowd.ts'
import { add, count, createFigures, type Figures, sum } from './figures.ts'
import type { LoadRun } from './load-report.ts'
import { GAME_REFUSALS, type Miner, resumeMiner, startMiner, workOn } from './miner.ts'
import { watchServer } from './server-figures.ts'

const QUERIES = ['get_status', 'get_nearby', 'get_cargo', 'get_system', 'get_location']
const JOINING_AT_ONCE = 25
/** Time after the end for pending answers. */
const GRACE_MS = 30_000
const PROGRESS_MS = 15_000
/** How long a player who leaves stays away. */
const AWAY_MS = 3_000

export interface PlayOptions {
  /** The server whose figures are read. */
  readonly url: string
  /** Returns the server that a player connects to; absent: `url`. */
  urlOf?(index: number): string
  /** The channel of each player. */
  readonly channels: readonly Channel[]
  readonly minutes: number
  /** Prefix of the names of new players. */
  readonly prefix: string
  /** A player sends the next command within this many ms after a result. */
  readonly thinkMs: number
  readonly queryEveryMs: number
  /** The players of a prepared world to log in as; absent: new players register. */
  readonly cards?: readonly Card[]
  /** Returns the local address that a player connects from (WebSocket). */
  addressOf?(index: number): string
  /** How often each player leaves and comes back, about; absent: all stay. */
  readonly awayEveryMs?: number
  /** Whether the caller uses `onPush`; if not, events are counted without parsing them. */
  readonly readsEvents?: boolean
  /** Returns whether latencies of queries count at the moment; absent: always. */
  isCounting?(): boolean
  /** Called when all players are logged in and begin. */
  onPlaying?(clients: readonly Client[], figures: Figures): void
  print(line: string): void
}

/** A player of the load; the actor is replaced when they come back. */
interface Seat {
  readonly index: number
  actor: Actor
  isAway: boolean
  awayAtMs: number
  lastTick: number
}

interface Game {
  readonly options: PlayOptions
  readonly figures: Figures
  untilMs: number
}

const minerActor = (miner: Miner): Actor => ({
  client: miner.client,
  act: () => workOn(miner),
  reconnect: async (client) => minerActor(await resumeMiner(client, miner)),
})

/** Matches the beginning of the frame of an event, which answers no command. */
const EVENT = /^\{"type":"(?!welcome|registered|logged_in)[a-z_]+","payload":/
const EVENT_CHARACTERS = 64

/** Counts an event without parsing it: at thousands per second that would cost too much. */
function countEvent({ events }: Figures, message: Buffer): boolean {
  if (!EVENT.test(message.toString('latin1', 0, EVENT_CHARACTERS))) return false
  events.count++
  events.bytes += message.length
  return true
}

const urlOf = ({ url, urlOf }: PlayOptions, index: number): string => urlOf?.(index) ?? url

const connectAs = ({ options, figures }: Game, index: number): Promise<Client> => {
  const localAddress = options.addressOf?.(index)
  return connect(urlOf(options, index), options.channels[index], {
    ...(localAddress && { localAddress }),
    ...(!options.readsEvents && { onMessage: (message) => countEvent(figures, message) }),
  })
}

async function takeSeat(game: Game, index: number): Promise<Seat> {
  const { cards, prefix } = game.options
  const client = await connectAs(game, index)
  const empire = EMPIRES[index % EMPIRES.length]
  const actor = cards
    ? await startActor(client, cards[index])
    : minerActor(await startMiner(client, `${prefix} ${index}`, empire))
  return { index, actor, isAway: false, awayAtMs: Infinity, lastTick: 0 }
}

async function join(game: Game): Promise<Seat[]> {
  const { channels, print } = game.options
  const seats: Seat[] = []
  let next = 0
  const joinOne = async (): Promise<void> => {
    while (next < channels.length) {
      try {
        seats.push(await takeSeat(game, next++))
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error)
        count(game.figures.errors, `joining: ${text}`)
      }
      if (seats.length % 250 === 0) print(`${seats.length} of ${channels.length} joined`)
    }
  }
  await Promise.all(Array.from({ length: JOINING_AT_ONCE }, joinOne))
  return seats
}

const nextAwayMs = ({ options: { awayEveryMs } }: Game): number =>
  awayEveryMs === undefined ? Infinity : performance.now() + awayEveryMs * (0.5 + Math.random())

/** Disconnects, over WebSocket without logging out, and comes back as the same player. */
async function leaveAndReturn(game: Game, seat: Seat): Promise<void> {
  const { client } = seat.actor
  seat.isAway = true
  if (!client.channel.startsWith('ws')) await client.call('logout')
  await client.close()
  await sleep(AWAY_MS)
  try {
    seat.actor = await seat.actor.reconnect(await connectAs(game, seat.index))
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    count(game.figures.errors, `coming back: ${text}`)
  }
  seat.isAway = false
  seat.awayAtMs = nextAwayMs(game)
}

async function mutate(game: Game, seat: Seat): Promise<void> {
  const { figures, options, untilMs } = game
  while (performance.now() < untilMs && !seat.actor.client.closed) {
    if (performance.now() >= seat.awayAtMs) await leaveAndReturn(game, seat)
    const reply = await seat.actor.act()
    if (reply.tick !== undefined) {
      if (reply.tick < seat.lastTick) count(figures.errors, 'results out of order')
      seat.lastTick = reply.tick
      add(figures.arrivals, reply.tick, performance.now())
      if (options.thinkMs > 0) await sleep(Math.random() * options.thinkMs)
    }
    if (reply.ok) continue
    const known = GAME_REFUSALS.has(String(reply.code))
    if (!known && reply.code === 'closed') return
    count(known ? figures.refusals : figures.errors, String(reply.code))
    // Refusals before the tick are answered at once, so wait before the next try.
    if (!known || reply.tick === undefined) await sleep(Math.min(1_000, figures.tickMs / 2))
  }
}

async function ask(game: Game, seat: Seat): Promise<void> {
  const { figures, options, untilMs } = game
  const { queryEveryMs: everyMs, isCounting } = options
  await sleep(Math.random() * everyMs)
  // Only v2 has get_location.
  const queries = seat.actor.client.channel.endsWith('2') ? QUERIES : QUERIES.slice(0, 4)
  // Start at random, so that not all players send the same query at once.
  const first = Math.floor(Math.random() * queries.length)
  for (let i = first; performance.now() < untilMs; i++) {
    const { client } = seat.actor
    const query = queries[i % queries.length]
    const sent = performance.now()
    const reply = seat.isAway ? undefined : await (client.ask ?? client.call)(query)
    const isGone = seat.isAway || seat.actor.client !== client
    if (!isGone && (reply?.code === 'closed' || client.closed)) return
    if (reply && !isGone) {
      if (isCounting?.() ?? true) add(figures.queryMs, query, performance.now() - sent)
      if (!reply.ok) count(figures.errors, `${query}: ${reply.code}`)
    }
    await sleep(everyMs)
  }
}

/** Runs a load to its end; rejects only if there is no server. */
export async function play(options: PlayOptions): Promise<LoadRun> {
  const { url, minutes, print } = options
  const figures = createFigures(await tickLength(urlOf(options, 0)))
  const game: Game = { options, figures, untilMs: 0 }
  const since = performance.now()
  const seats = await join(game)
  print(`${seats.length} players joined after ${((performance.now() - since) / 1000).toFixed(1)} s`)
  const own = monitorEventLoopDelay({ resolution: 5 })
  own.enable()
  const server = watchServer(url, figures.tickMs)
  game.untilMs = performance.now() + minutes * 60_000
  for (const seat of seats) seat.awayAtMs = nextAwayMs(game)
  options.onPlaying?.(
    seats.map(({ actor }) => actor.client),
    figures,
  )
  const progress = setInterval(() => {
    const left = Math.max(0, Math.round((game.untilMs - performance.now()) / 1000))
    const asked = [...figures.queryMs.values()].reduce((a, b) => a + b.length, 0)
    print(`${left} s left, ${asked} queries, ${sum(figures.errors)} errors`)
  }, PROGRESS_MS)
  const playing = seats.flatMap((seat) => [mutate(game, seat), ask(game, seat)])
  const isAnswered = await Promise.race([
    Promise.all(playing).then(() => true),
    sleep(minutes * 60_000 + GRACE_MS).then(() => false),
  ])
  // Not counted in the timer, which would also fire after a run that ended in time.
  if (!isAnswered) count(figures.errors, 'no answer')
  clearInterval(progress)
  server.stop()
  own.disable()
  const lost = seats.filter(({ actor, isAway }) => actor.client.closed && !isAway).length
  return { figures, server, own, lost, players: seats.length }
}
