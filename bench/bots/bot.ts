/**
 * A bot: a player with a strategy, on any channel. It knows what the game has sent it, sends one
 * mutation after the other, and counts the results.
 */
import type { Client, Params, Reply } from '../client.ts'
import { count } from '../figures.ts'
import type { Atlas } from './atlas.ts'

/** What bots of a role do. They play in rounds, each of which normally ends at home. */
export interface Strategy {
  readonly role: string
  round(bot: Bot): Promise<void>
  /** Reacts to a battle that interrupts a flight; without it the bot flees. */
  attacked?(bot: Bot): Promise<void>
}

/** The last state that the server returned; the place is known only between flights. */
interface Status {
  readonly credits: number
  readonly trades: number
  readonly kills: number
  readonly deaths: number
  readonly systemId: string
  readonly poiId: string
  /** Empty in space. */
  readonly baseId: string
  readonly hullPct: number
  readonly fuel: number
  readonly fuelMax: number
}

export interface Bot {
  readonly name: string
  readonly index: number
  readonly empire: string
  readonly strategy: Strategy
  readonly atlas: Atlas
  readonly tally: Tally
  /** Aborted when the bots are to stop. */
  readonly over: AbortSignal
  readonly tickMs: number
  client: Client
  /** As registration returned it; undefined before. */
  password: string | undefined
  status: Status
  /** Where the bot respawns after a death, and where its rounds begin. */
  home: { readonly systemId: string; readonly poiId: string }
}

/** What a role has done so far. */
export interface Tally {
  readonly done: Map<string, number>
  readonly refusals: Map<string, number>
}

/** Thrown when the connection or the session is lost: the bot joins again. */
export class Gone extends Error {
  override name = 'Gone'
}

/** Thrown when the bots are to stop. */
export class Over extends Error {
  override name = 'Over'
}

/** Refusals after which the bot must join again. */
const FORGOTTEN = /^(closed|not_authenticated|session_|rpc_|restarting)/
/** Refusals after which the bot tries again a tick later. */
const TEMPORARY = /^(action_pending|in_transit|rate_limited|persist_timeout|combat_interrupt)$/

export const asParams = (value: unknown): Params =>
  typeof value === 'object' && value !== null ? (value as Params) : {}

/** Resolves after this time; rejects with Over when the bots stop. */
export function pause(over: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(new Over())
    }
    const timer = setTimeout(() => {
      over.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (over.aborted) stop()
    else over.addEventListener('abort', stop, { once: true })
  })
}

/** Waits for this many ticks. */
export const rest = (bot: Bot, ticks = 1): Promise<void> => pause(bot.over, ticks * bot.tickMs)

/** Sends a query; returns an empty object for a refusal. Throws Gone. */
export async function ask(bot: Bot, command: string, params: Params = {}): Promise<Params> {
  const reply = await bot.client.call(command, params)
  countRefusal(bot, reply)
  return reply.ok ? reply.result : {}
}

/** Sends a mutation and resolves with its outcome. Throws Gone and Over. */
export async function act(bot: Bot, command: string, params: Params = {}): Promise<Reply> {
  if (bot.over.aborted) throw new Over()
  const reply = await bot.client.call(command, params)
  countRefusal(bot, reply)
  if (reply.ok) count(bot.tally.done, command)
  else if (TEMPORARY.test(String(reply.code))) await rest(bot)
  return reply
}

function countRefusal(bot: Bot, reply: Reply): void {
  if (reply.ok) return
  const code = String(reply.code)
  if (bot.over.aborted) throw new Over()
  if (FORGOTTEN.test(code)) throw new Gone(code)
  count(bot.tally.refusals, code)
}

/** Updates the status of a bot from the server. */
export async function updateStatus(bot: Bot): Promise<Status> {
  const answer = await ask(bot, 'get_status')
  const [player, ship] = [asParams(answer.player), asParams(answer.ship)]
  // v2 has a separate section for the location.
  const location = asParams(answer.location)
  const stats = asParams(player.stats)
  const number = (value: unknown): number => Number(value ?? 0)
  bot.status = {
    credits: number(player.credits),
    trades: number(stats.exchange_items_bought) + number(stats.exchange_items_sold),
    kills: number(stats.pirates_destroyed) + number(stats.ships_destroyed),
    deaths: number(stats.times_destroyed),
    systemId: String(location.system_id ?? player.current_system ?? ''),
    poiId: String(location.poi_id ?? player.current_poi ?? ''),
    baseId: String(location.docked_at ?? player.docked_at_base ?? ''),
    hullPct: Math.trunc((100 * number(ship.hull)) / Math.max(1, number(ship.max_hull))),
    fuel: number(ship.fuel),
    fuelMax: number(ship.max_fuel),
  }
  return bot.status
}
