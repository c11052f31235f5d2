/**
 * Haulers buy where an item is cheap and sell where it is expensive; they share prices through the
 * atlas. In a new world prices are the same everywhere: then they carry a few units at a small
 * loss, so that goods move, explore for new stations, and mine when they are short of credits.
 */
import { type Quote, recordQuotes, routeTo, type Station } from './atlas.ts'
import { act, ask, type Bot, type Strategy, updateStatus } from './bot.ts'
import { miner } from './miner.ts'
import { dockAt, isDocked, recordHere, sellAll, service } from './moves.ts'

const HOPS_MAX = 6
/** From this police level on there are no pirates. */
const SAFE_POLICE_MIN = 25
const LOAD_MAX = 60
/** Units of a load without profit. */
const SAMPLE_UNITS = 3
/** Percentage of the credits spent on one load: the rest is for fuel. */
const STAKE_PCT = 70
/** With fewer credits a hauler mines first. */
const CREDITS_LOW = 120

interface Deal {
  readonly itemId: string
  readonly units: number
  readonly to: Station
  /** Credits per system of the route; negative for a loss. */
  readonly profit: number
}

const NO_QUOTES: ReadonlyMap<string, Quote> = new Map()

/** Returns the best known deal from a station. */
function bestDeal(bot: Bot, from: Station): Deal | undefined {
  const { atlas, status } = bot
  const asks = atlas.quotes.get(from.baseId) ?? NO_QUOTES
  const stake = Math.floor((status.credits * STAKE_PCT) / 100)
  let best: Deal | undefined
  for (const [baseId, bids] of atlas.quotes) {
    const to = atlas.stations.get(baseId)
    if (!to || baseId === from.baseId) continue
    const route = routeTo(atlas, from.systemId, (system) => system === to.systemId)
    if (!route || route.length > HOPS_MAX) continue
    for (const [itemId, { bid, bidUnits }] of bids) {
      const quote = asks.get(itemId)
      if (!quote || quote.ask === 0 || bid === 0) continue
      const affordable = Math.floor(stake / quote.ask)
      const unitsMax = bid > quote.ask ? LOAD_MAX : SAMPLE_UNITS
      const units = Math.min(unitsMax, quote.askUnits, bidUnits, affordable)
      const profit = (units * (bid - quote.ask)) / (1 + route.length)
      if (units > 0 && profit > (best?.profit ?? -Infinity)) best = { itemId, units, to, profit }
    }
  }
  return best
}

/** Flies towards a system that no bot has visited yet, and records what is there. */
async function explore(bot: Bot): Promise<void> {
  const { atlas, status } = bot
  const isNew = (system: string): boolean =>
    !atlas.places.has(system) && (atlas.systems.get(system)?.police ?? 0) >= SAFE_POLICE_MIN
  const route = routeTo(atlas, status.systemId, isNew)
  for (const target_system of (route ?? []).slice(0, HOPS_MAX)) {
    const { ok } = await act(bot, 'jump', { target_system })
    if (!ok) break
    await recordHere(bot)
  }
  await updateStatus(bot)
}

/** Docks at the station of this system, or at home if there is none here. */
async function dockNear(bot: Bot): Promise<boolean> {
  const { systemId } = await updateStatus(bot)
  if (isDocked(bot)) return true
  if (!bot.atlas.places.has(systemId)) await recordHere(bot)
  const here = [...bot.atlas.stations.values()].find((station) => station.systemId === systemId)
  const { systemId: to, poiId } = here ?? bot.home
  return dockAt(bot, to, poiId)
}

export const hauler: Strategy = {
  role: 'hauler',
  async round(bot) {
    if (!(await dockNear(bot))) return
    await sellAll(bot)
    recordQuotes(bot.atlas, await ask(bot, 'view_market'))
    await service(bot)
    if (bot.status.credits < CREDITS_LOW) return miner.round(bot)
    const here = bot.atlas.stations.get(bot.status.baseId)
    const deal = here ? bestDeal(bot, here) : undefined
    const { ok } = deal
      ? await act(bot, 'buy', { item_id: deal.itemId, quantity: deal.units })
      : { ok: false }
    if (!deal || deal.profit <= 0) await explore(bot)
    if (ok && deal) await dockAt(bot, deal.to.systemId, deal.to.poiId)
  },
}
