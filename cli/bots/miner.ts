/** Miners mine at home until the hold is full, sell, and save up for ice and gas harvesters. */
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import type { Eid, World } from '../../core/types.ts'
import { ASK } from '../../systems/market/state.ts'
import { depositsOf } from '../../systems/mining/model.ts'
import { Deposit } from '../../systems/mining/state.ts'
import { activeShip } from '../../systems/ship/model.ts'
import { FAMILIES, Module, Ship } from '../../systems/ship/state.ts'
import { dockedBase, poiOf } from '../../systems/travel/location-model.ts'
import { poisOf } from '../../systems/travel/model.ts'
import { Poi } from '../../systems/travel/state.ts'
import {
  type Bot,
  bestOffer,
  creditsOf,
  dockAt,
  flyTo,
  holdOf,
  refuel,
  roomOf,
  sellSome,
  storedAt,
  systemOfBase,
  type Wish,
  wish,
} from './moves.ts'

interface MiningPlan {
  /** Index into FAMILIES of what this miner mines. */
  readonly family: number
}

const TOOLS = ['mining_laser_i', 'ice_harvester_i', 'gas_harvester_i']
/** The families that ten miners mine: four rock, three ice, three gas. */
const FAMILY_OF_TEN = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2]
/** Slots are counted by kind: weapon, defense, utility. The tools need utility slots. */
const SLOT_KINDS = 3
const UTILITY = 2
/** Credits that a miner keeps when it buys a tool. */
const RESERVE_CREDITS = 600
/** The free space in the hold with which a miner buys a tool. */
const TOOL_ROOM = 20

/** Returns the family that a bot mines; draws it at the first call. */
const familyOf = (bot: Bot): number => {
  bot.plan ??= { family: bot.dice.pick(FAMILY_OF_TEN) } satisfies MiningPlan
  return (bot.plan as MiningPlan).family
}

function isFitted(world: World, bot: Bot, id: string): boolean {
  const { next, type } = world.read(Module)
  const item = itemIndex(id)
  const ship = activeShip(world, bot.player)
  for (let row = world.read(Ship).firstModule[ship]; row !== 0; row = next[row]) {
    if (type[row] === item) return true
  }
  return false
}

/** Buys and fits the tool for the bot's family, in place of the laser if no slot is free. */
function fitTool(world: World, bot: Bot): Wish | undefined {
  const tool = TOOLS[familyOf(bot)]
  if (isFitted(world, bot, tool)) return undefined
  const item = itemIndex(tool)
  const held = holdOf(world, bot).some((row) => row.item === item)
  if (held) {
    const { slotsUsed, slotsCap } = world.read(Ship)
    const ship = activeShip(world, bot.player)
    const slot = ship * SLOT_KINDS + UTILITY
    const isFull = slotsUsed[slot] >= slotsCap[slot]
    return isFull && isFitted(world, bot, TOOLS[0])
      ? wish(bot, 'uninstall_mod', { module_id: TOOLS[0] })
      : wish(bot, 'install_mod', { module_id: tool })
  }
  const ask = bestOffer(world, dockedBase(world, bot.player), item, ASK)
  const isAffordable = ask !== undefined && creditsOf(world, bot) > ask.price + RESERVE_CREDITS
  return isAffordable && roomOf(world, bot) >= TOOL_ROOM
    ? wish(bot, 'buy', { item_id: tool, quantity: 1 })
    : undefined
}

const hasFamily = (world: World, poi: Eid, family: number): boolean => {
  const { family: families } = world.read(Deposit)
  return depositsOf(world, poi).some((row) => families[row] === family)
}

/** Returns a place in the home system that the ship's tools can mine; 0 if there is none. */
function fieldOf(world: World, bot: Bot): Eid {
  const { minePower } = world.read(Ship)
  const ship = activeShip(world, bot.player)
  const places = poisOf(world, systemOfBase(world, bot.home)).filter(
    (poi) => world.read(Poi).hidden[poi] === 0,
  )
  const wanted = [familyOf(bot), ...FAMILIES.keys()]
  for (const family of wanted) {
    if (minePower[ship * FAMILIES.length + family] === 0) continue
    const found = places.filter((poi) => hasFamily(world, poi, family))
    if (found.length > 0) return found[bot.player % found.length]
  }
  return 0
}

/** With less free space than this, the hold counts as full. */
const ROOM_MIN = 6

/** Returns the next command of a miner; undefined to rest this tick. */
export function mine(world: World, bot: Bot): Wish | undefined {
  const isFull = roomOf(world, bot) < ROOM_MIN
  if (dockedBase(world, bot.player) !== 0) {
    const tools = new Set(TOOLS.map(itemIndex))
    const sold = sellSome(world, bot, holdOf(world, bot), tools)
    const done = sold ?? sellSome(world, bot, storedAt(world, bot, bot.home), tools)
    const next = done ?? refuel(world, bot) ?? fitTool(world, bot)
    if (next) return next
    if (isFull) return clearHold(world, bot)
  }
  const field = fieldOf(world, bot)
  if (field === 0) return undefined
  if (isFull) return dockAt(world, bot, bot.home)
  if (poiOf(world, bot.player) !== field || dockedBase(world, bot.player) !== 0) {
    return flyTo(world, bot, field)
  }
  return wish(bot, 'mine')
}

/** Moves goods that nobody wants to buy now into storage, to be sold later. */
function clearHold(world: World, bot: Bot): Wish | undefined {
  const [first] = holdOf(world, bot)
  if (!first) return undefined
  return wish(bot, 'deposit_items', { item_id: GOODS[first.item].id, quantity: first.units })
}
