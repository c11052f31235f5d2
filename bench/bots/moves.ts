/** What every role needs: flying, docking, refuelling, repairing, selling and fleeing. */
import type { Params } from '../client.ts'
import { recordSystem, routeTo, rows } from './atlas.ts'
import { act, ask, asParams, type Bot, rest, updateStatus } from './bot.ts'

/** Attempts at one jump or flight before the bot gives up. */
const TRIES_MAX = 4
/** Ticks of fleeing after which a bot gives up. */
const FLEE_TICKS_MAX = 40
/** Below this the bot refuels. */
const FUEL_PCT_LOW = 60
const HULL_PCT_WORN = 70
/** Never sold: the bot may need them to get home. */
const SPARES = new Set(['fuel_cell', 'repair_kit'])
const SALES_MAX = 12

export const isDocked = (bot: Bot): boolean => bot.status.baseId !== ''

/** Repeats a flight command until it succeeds; returns false if it is refused or keeps failing. */
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

/** Flies to a place at any distance; returns whether the bot arrived. */
export async function goTo(bot: Bot, systemId: string, poiId?: string): Promise<boolean> {
  const { systemId: from, poiId: at } = await updateStatus(bot)
  if (poiId !== undefined && at === poiId) return true
  const route = routeTo(bot.atlas, from, (system) => system === systemId)
  if (!route) return false
  for (const target_system of route) {
    if (!(await step(bot, 'jump', { target_system }))) return false
  }
  if (route.length > 0 || !bot.atlas.places.has(systemId)) await recordHere(bot)
  const arrived = poiId === undefined || (await step(bot, 'travel', { target_poi: poiId }))
  await updateStatus(bot)
  return arrived
}

/** Records the system that the bot is in; returns its places. */
export async function recordHere(bot: Bot): Promise<readonly Params[]> {
  const { system } = await ask(bot, 'get_system')
  if (system === undefined) return []
  recordSystem(bot.atlas, asParams(system))
  return rows(asParams(system).pois)
}

/** Flies to a station and docks. */
export async function dockAt(bot: Bot, systemId: string, poiId: string): Promise<boolean> {
  if (!(await goTo(bot, systemId, poiId))) return false
  if (!isDocked(bot)) await act(bot, 'dock')
  await updateStatus(bot)
  return isDocked(bot)
}

/** Refuels if the tank is low, and repairs if the hull is damaged. */
export async function service(bot: Bot): Promise<void> {
  const { fuel, fuelMax, hullPct } = bot.status
  if (fuel * 100 < fuelMax * FUEL_PCT_LOW) await act(bot, 'refuel')
  if (hullPct < HULL_PCT_WORN) await act(bot, 'repair')
  await updateStatus(bot)
}

/** Returns the goods in the hold, without the spares. */
export async function holdOf(bot: Bot): Promise<readonly Params[]> {
  const { cargo } = await ask(bot, 'get_cargo')
  return rows(cargo).filter(({ item_id }) => !SPARES.has(String(item_id)))
}

/** Sells the goods in the hold at the prices offered here. */
export async function sellAll(bot: Bot): Promise<void> {
  const goods = await holdOf(bot)
  for (const { item_id, quantity } of goods.slice(0, SALES_MAX)) {
    await act(bot, 'sell', { item_id, quantity })
  }
}

/** Returns the battle the bot is in; undefined if there is none. */
export async function battleOf(bot: Bot): Promise<Params | undefined> {
  const reply = await bot.client.call('get_battle_status')
  return reply.ok && reply.result.is_participant === true ? reply.result : undefined
}

/** Flees until the bot is out of the battle, for at most FLEE_TICKS_MAX ticks. */
export async function getAway(bot: Bot): Promise<void> {
  for (let ticks = 0; ticks < FLEE_TICKS_MAX; ticks++) {
    if (!(await battleOf(bot))) break
    if (ticks === 0) await ask(bot, 'battle', { action: 'stance', stance: 'flee' })
    await rest(bot)
  }
  await updateStatus(bot)
}
