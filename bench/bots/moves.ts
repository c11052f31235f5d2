/** What every role needs: flying, docking, refuelling, mending, selling, and getting away alive. */
import type { Params } from '../client.ts'
import { chartSystem, rows, wayTo } from './atlas.ts'
import { act, ask, asParams, type Bot, look, rest } from './bot.ts'

/** Tries at a jump or flight before the bot thinks again. */
const TRIES_MAX = 4
/** Ticks of flight after which a bot no longer believes in it. */
const FLEE_TICKS_MAX = 40
/** A tank emptier than this is filled. */
const FUEL_PCT_LOW = 60
const HULL_PCT_WORN = 70
/** Never sold: they bring a bot home. */
const SPARES = new Set(['fuel_cell', 'repair_kit'])
const SALES_MAX = 12

export const isDocked = (bot: Bot): boolean => bot.status.baseId !== ''

/** Sends a step of a flight until it is done; false when the way is closed for now. */
async function step(bot: Bot, command: string, params: Params): Promise<boolean> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const reply = await act(bot, command, params)
    if (reply.ok || reply.code === 'already_there') return true
    if (reply.code === 'no_fuel') {
      const refuelled = await act(bot, 'refuel')
      if (!refuelled.ok) return false
    } else if (reply.code === 'in_combat' || reply.code === 'combat_interrupt') {
      await (bot.strategy.attacked ?? getAway)(bot)
    } else return false
  }
  return false
}

/** Flies to a place, however far. False when it does not get there. */
export async function goTo(bot: Bot, systemId: string, poiId?: string): Promise<boolean> {
  const { systemId: from, poiId: at } = await look(bot)
  if (poiId !== undefined && at === poiId) return true
  const way = wayTo(bot.atlas, from, (system) => system === systemId)
  if (!way) return false
  for (const target_system of way) {
    if (!(await step(bot, 'jump', { target_system }))) return false
  }
  if (way.length > 0 || !bot.atlas.places.has(systemId)) await chartHere(bot)
  const arrived = poiId === undefined || (await step(bot, 'travel', { target_poi: poiId }))
  await look(bot)
  return arrived
}

/** Looks round in the system; returns its places. */
export async function chartHere(bot: Bot): Promise<readonly Params[]> {
  const { system } = await ask(bot, 'get_system')
  if (system === undefined) return []
  chartSystem(bot.atlas, asParams(system))
  return rows(asParams(system).pois)
}

/** Flies to a station and docks. */
export async function dockAt(bot: Bot, systemId: string, poiId: string): Promise<boolean> {
  if (!(await goTo(bot, systemId, poiId))) return false
  if (!isDocked(bot)) await act(bot, 'dock')
  await look(bot)
  return isDocked(bot)
}

/** Returns the next step to a full tank and a whole hull, where either is wanting. */
export async function service(bot: Bot): Promise<void> {
  const { fuel, fuelMax, hullPct } = bot.status
  if (fuel * 100 < fuelMax * FUEL_PCT_LOW) await act(bot, 'refuel')
  if (hullPct < HULL_PCT_WORN) await act(bot, 'repair')
  await look(bot)
}

/** Returns what is in the hold and may be sold. */
export async function holdOf(bot: Bot): Promise<readonly Params[]> {
  const { cargo } = await ask(bot, 'get_cargo')
  return rows(cargo).filter(({ item_id }) => !SPARES.has(String(item_id)))
}

/** Sells the hold at what is offered here. */
export async function sellAll(bot: Bot): Promise<void> {
  const goods = await holdOf(bot)
  for (const { item_id, quantity } of goods.slice(0, SALES_MAX)) {
    await act(bot, 'sell', { item_id, quantity })
  }
}

/** Returns the battle the bot is in; undefined when it is in none. */
export async function battleOf(bot: Bot): Promise<Params | undefined> {
  const reply = await bot.client.call('get_battle_status')
  return reply.ok && reply.result.is_participant === true ? reply.result : undefined
}

/** Runs from a battle until it is out of it, one way or the other. */
export async function getAway(bot: Bot): Promise<void> {
  for (let ticks = 0; ticks < FLEE_TICKS_MAX; ticks++) {
    if (!(await battleOf(bot))) break
    if (ticks === 0) await ask(bot, 'battle', { action: 'stance', stance: 'flee' })
    await rest(bot)
  }
  await look(bot)
}
