/**
 * Haulers: buy where it is cheap, sell where it is expensive. They share what the stations pay
 * through the atlas. In a young world prices are the same everywhere: then they carry a few units
 * at a small loss, so that goods move, look for stations nobody has seen, and mine when they are
 * short of credits.
 */
import { recordQuotes, type Quote, type Station, routeTo } from './atlas.ts'
import { act, ask, type Bot, look, type Strategy } from './bot.ts'
import { miner } from './miner.ts'
import { chartHere, dockAt, isDocked, sellAll, service } from './moves.ts'

const HOPS_MAX = 6
/** No pirate is at home from here on. */
const SAFE_POLICE = 25
const LOAD_MAX = 60
/** Units of a load that brings no profit. */
const SAMPLE_UNITS = 3
/** Share of the credits, percent, spent on one load: the rest is for fuel. */
const STAKE_PCT = 70
/** Credits below which it mines first. */
const CREDITS_LOW = 120

interface Deal {
  readonly itemId: string
  readonly units: number
  readonly to: Station
  /** Credits for each system on the way; negative for a loss. */
  readonly profit: number
}

const NO_QUOTES: ReadonlyMap<string, Quote> = new Map()

/** Returns the best deal from a station that anybody knows of. */
function bestDeal(bot: Bot, from: Station): Deal | undefined {
  const { atlas, status } = bot
  const asks = atlas.quotes.get(from.baseId) ?? NO_QUOTES
  const stake = Math.floor((status.credits * STAKE_PCT) / 100)
  let best: Deal | undefined
  for (const [baseId, bids] of atlas.quotes) {
    const to = atlas.stations.get(baseId)
    if (!to || baseId === from.baseId) continue
    const way = routeTo(atlas, from.systemId, (system) => system === to.systemId)
    if (!way || way.length > HOPS_MAX) continue
    for (const [itemId, { bid, bidUnits }] of bids) {
      const quote = asks.get(itemId)
      if (!quote || quote.ask === 0 || bid === 0) continue
      const affordable = Math.floor(stake / quote.ask)
      const unitsMax = bid > quote.ask ? LOAD_MAX : SAMPLE_UNITS
      const units = Math.min(unitsMax, quote.askUnits, bidUnits, affordable)
      const profit = (units * (bid - quote.ask)) / (1 + way.length)
      if (units > 0 && profit > (best?.profit ?? -Infinity)) best = { itemId, units, to, profit }
    }
  }
  return best
}

/** Flies towards a system that no bot has charted yet, and notes what is there. */
async function explore(bot: Bot): Promise<void> {
  const { atlas, status } = bot
  const isNew = (system: string): boolean =>
    !atlas.places.has(system) && (atlas.systems.get(system)?.police ?? 0) >= SAFE_POLICE
  const way = routeTo(atlas, status.systemId, isNew)
  for (const target_system of (way ?? []).slice(0, HOPS_MAX)) {
    const { ok } = await act(bot, 'jump', { target_system })
    if (!ok) break
    await chartHere(bot)
  }
  await look(bot)
}

/** Docks at the station of this system, or of home when there is none here. */
async function dockNear(bot: Bot): Promise<boolean> {
  const { systemId } = await look(bot)
  if (isDocked(bot)) return true
  if (!bot.atlas.places.has(systemId)) await chartHere(bot)
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
