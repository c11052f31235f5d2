/**
 * Followers and traders of one exchange, in a process of their own:
 * `node dist/bench/market-crowd.js <url> <plan.json>`. In each round every trader sends one bulk
 * order, so that all books change in one tick; prints what the followers received.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.ts'
import { connect } from './clients.ts'
import { each } from './each.ts'
import { quantile } from './figures.ts'
import { ORDERS_PER_BULK, tradersFor } from './market-world.ts'
import { preparedLogin } from './prepared-login.ts'
import { ofTicks, p99Of, watchServer } from './server-figures.ts'

export interface MarketPlan {
  readonly followers: number
  /** Items whose book followers see. */
  readonly items: readonly string[]
  /** Price levels that traders keep in each book. */
  readonly depth: number
  readonly rounds: number
  readonly tickMs: number
}

export interface MarketFigures {
  readonly updates: number
  /** Updates that were missing or out of order. */
  readonly faults: number
  readonly items: number
  readonly bytes: number
  readonly publishMsP99: number
  readonly publishSliceMsMax: number
  readonly finishSliceMsMax: number
  readonly blockMsMax: number
  readonly tickComputeMsP99: number
}

const JOINING_AT_ONCE = 10
const UPDATE = '{"type":"market_update"'
const HEAD_BYTES = 300
/** Rounds for warming up. */
const WARM_UP = 2
const GRACE_TICKS = 3

interface Follower {
  readonly client: Client
  /** Ticks of the updates it received. */
  readonly ticks: number[]
  /** The longest update; kept by the first follower only. */
  last: Buffer | undefined
}

/** Returns whether a message is at least as long as the longest before. */
const isLongest = (message: Buffer, before: Buffer | undefined): boolean =>
  message.byteLength >= (before?.byteLength ?? 0)

async function join(url: string, index: number, take?: (message: Buffer) => boolean) {
  const options = take ? { onMessage: take } : {}
  const client = await connect(url, index % 2 === 0 ? 'ws1' : 'ws2', options)
  const back = await client.call('login', preparedLogin(index))
  if (!back.ok) throw new Error(`cannot log in: ${back.code} ${back.message}`)
  return client
}

async function startFollower(url: string, index: number): Promise<Follower> {
  const ticks: number[] = []
  const follower: { client?: Client; ticks: number[]; last: Buffer | undefined } = {
    ticks,
    last: undefined,
  }
  follower.client = await join(url, index, (message) => {
    const head = message.toString('latin1', 0, HEAD_BYTES)
    if (!head.startsWith(UPDATE)) return false
    ticks.push(Number(/"tick":(\d+)/.exec(head)?.[1]))
    follower.last = index === 0 && isLongest(message, follower.last) ? message : follower.last
    return true
  })
  const back = await follower.client.call('subscribe_market')
  if (!back.ok) throw new Error(`cannot follow: ${back.code} ${back.message}`)
  return follower as Follower
}

/** Bids for one unit of each of fifty items, at the trader's own price; returns the tick. */
async function bid(trader: Client, index: number, { items }: MarketPlan): Promise<number> {
  const shares = Math.ceil(items.length / ORDERS_PER_BULK)
  const from = (index % shares) * ORDERS_PER_BULK
  const price = 1 + Math.floor(index / shares)
  const orders = items
    .slice(from, from + ORDERS_PER_BULK)
    .map((item_id) => ({ item_id, quantity: 1, price_each: price }))
  const back = await trader.call('create_buy_order', { orders })
  const { failed } = (back.result.summary ?? {}) as { failed?: number }
  if (failed !== 0) {
    throw new Error(`cannot bid: ${back.code} ${JSON.stringify(back.result).slice(0, 500)}`)
  }
  return back.tick ?? 0
}

function faultsOf(followers: readonly Follower[], wanted: ReadonlySet<number>): number {
  let faults = 0
  for (const { ticks } of followers) {
    const got = new Set(ticks)
    for (const tick of wanted) if (!got.has(tick)) faults += 1
    for (let i = 1; i < ticks.length; i++) if (ticks[i] <= ticks[i - 1]) faults += 1
  }
  return faults
}

async function run(url: string, plan: MarketPlan): Promise<MarketFigures> {
  const followers = await each(plan.followers, JOINING_AT_ONCE, (index) =>
    startFollower(url, index),
  )
  const traders = await each(tradersFor(plan.items.length, plan.depth), JOINING_AT_ONCE, (index) =>
    join(url, plan.followers + index),
  )
  const play = (): Promise<number[]> =>
    Promise.all(traders.map((trader, index) => bid(trader, index, plan)))
  for (let round = 0; round < WARM_UP; round++) await play()
  const server = watchServer(url, plan.tickMs)
  const wanted = new Set<number>()
  for (let round = 0; round < plan.rounds; round++) {
    for (const tick of await play()) wanted.add(tick)
  }
  await sleep(GRACE_TICKS * plan.tickMs)
  server.stop()
  const last = followers[0].last
  const update = JSON.parse(String(last)) as { payload: { items: unknown[] } }
  return {
    updates: followers.length * wanted.size,
    faults: faultsOf(followers, wanted),
    items: update.payload.items.length,
    bytes: last?.byteLength ?? 0,
    publishMsP99: p99Of(server, 'publish_ms'),
    publishSliceMsMax: quantile(ofTicks(server, 'publish_slice_ms'), 1),
    finishSliceMsMax: quantile(ofTicks(server, 'finish_slice_ms'), 1),
    blockMsMax: Math.max(...server.blockMs),
    tickComputeMsP99: p99Of(server, 'tick_compute_ms'),
  }
}

const [url, plan] = process.argv.slice(2)
if (url && plan) {
  console.log(JSON.stringify(await run(url, JSON.parse(readFileSync(plan, 'utf8')))))
  process.exit(0)
}
