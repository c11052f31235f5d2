/**
 * Draws what the players of a war do, from the seed, the tick and the world: their attacks, their
 * orders in battle, their looting and towing between battles, and when their connections end.
 */
import { createDice, type Dice } from '../../core/dice.ts'
import { hash32, hashText } from '../../core/rng.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { isBound } from '../../systems/account/model.ts'
import { Player } from '../../systems/account/state.ts'
import { baseId, capitalOf } from '../../systems/base/model.ts'
import { combatantId, combatantOf, inBattle, participantsOf } from '../../systems/combat/model.ts'
import { Participant } from '../../systems/combat/state.ts'
import { npcsOf } from '../../systems/npc/model.ts'
import { Npc } from '../../systems/npc/state.ts'
import { prizeId, prizesAt } from '../../systems/prize/model.ts'
import { Prize } from '../../systems/prize/state.ts'
import { isTowing, wreckId, wrecksAt } from '../../systems/salvage/model.ts'
import { activeShip, shipId } from '../../systems/ship/model.ts'
import { Ship } from '../../systems/ship/state.ts'
import { poiOf, systemOf } from '../../systems/travel/location-model.ts'

/** A player in the war: row and durable number. */
export interface Warrior {
  readonly player: Eid
  readonly number: number
}

export interface Wish {
  readonly command: string
  readonly params: object
}

export type Role = 'gunner' | 'boarder' | 'miner' | 'salvager' | 'trader'
const ROLES: readonly Role[] = [
  'gunner',
  'boarder',
  'gunner',
  'boarder',
  'salvager',
  'miner',
  'trader',
]
export const roleOf = (number: number): Role => ROLES[number % ROLES.length]
export const isWarrior = (number: number): boolean =>
  roleOf(number) === 'gunner' || roleOf(number) === 'boarder'
/** Returns the front that a player fights at. */
export const frontOf = (number: number, fronts: readonly Eid[]): Eid =>
  fronts[Math.trunc(number / ROLES.length) % fronts.length]

const GOODS_TRADED = ['iron_ore', 'steel_plate', 'fuel_cell', 'repair_kit']
/** Items that warriors carry for a fight. */
export const SUPPLIES = ['hull_patch', 'shield_cell', 'gunners_stim', 'emergency_warp_charge']
const ESCAPE_ITEM = 'emergency_warp_charge'
/** One in this many items used is the one that escapes from the battle. */
const USES_PER_ESCAPE = 12

const DICE_SALT = hashText('war')
const diceOf = (world: World, number: number): Dice =>
  createDice(hash32(world.seed, world.tick, DICE_SALT, number))

/* In space */

/** Attacks a player or pirate in the same system; players who are no warriors are mostly spared. */
function attack(
  world: World,
  all: readonly Warrior[],
  warrior: Warrior,
  dice: Dice,
): Wish | undefined {
  const system = systemOf(world, warrior.player)
  const { ship: hullOf } = world.read(Npc)
  const pirates = npcsOf(world, system).map((npc) => shipId(world, hullOf[npc]))
  const isSpared = (number: number): boolean => !isWarrior(number) && dice.chance(90)
  const rivals = all
    .filter(({ player, number }) => number !== warrior.number && systemOf(world, player) === system)
    .filter(({ number }) => !isSpared(number))
    .map(({ number }) => `Warrior ${number - 1}`)
  const targets = [...rivals, ...pirates]
  return targets.length === 0
    ? undefined
    : { command: 'attack', params: { target_id: dice.pick(targets) } }
}

function trade(dice: Dice): Wish {
  const item_id = dice.pick(GOODS_TRADED)
  const quantity = 1 + dice.below(5)
  const price_each = 5 + dice.below(60)
  return dice.pick([
    { command: 'buy', params: { item_id, quantity } },
    { command: 'sell', params: { item_id: 'iron_ore', quantity } },
    { command: 'create_buy_order', params: { item_id, quantity, price_each } },
    { command: 'create_sell_order', params: { item_id: 'iron_ore', quantity, price_each } },
  ])
}

/** Loots, tows or scraps a wreck at the player's place, or releases the one in tow. */
function salvage(world: World, player: Eid, dice: Dice): Wish | undefined {
  const isBusy = isTowing(world, activeShip(world, player))
  if (isBusy && dice.chance(40)) return { command: 'release_tow', params: {} }
  const wrecks = wrecksAt(world, poiOf(world, player))
  if (wrecks.length === 0) return undefined
  const wreck_id = wreckId(world, dice.pick(wrecks))
  if (dice.chance(20)) return { command: 'scrap_wreck', params: { wreck_id } }
  return { command: isBusy || dice.chance(60) ? 'loot_wreck' : 'tow_wreck', params: { wreck_id } }
}

/** Claims a prize here that the player has captured, or services one they have claimed. */
function tendPrize(world: World, player: Eid, dice: Dice): Wish | undefined {
  const { captor, claimant } = world.read(Prize)
  const prizes = prizesAt(world, poiOf(world, player))
  const unclaimed = prizes.filter((row) => claimant[row] === 0 && captor[row] === player)
  const own = prizes.filter((row) => claimant[row] === player)
  if (unclaimed.length > 0 && dice.chance(80)) {
    const home = capitalOf(world, world.read(Player).empire[player])
    const params = {
      prize_id: prizeId(world, dice.pick(unclaimed)),
      destination_base_id: baseId(world, home),
    }
    return { command: 'claim_prize', params }
  }
  if (own.length === 0) return undefined
  const action = dice.pick(['stop', 'resume', 'resume', 'refuel', 'repair'])
  return { command: 'service_prize', params: { action, prize_id: prizeId(world, dice.pick(own)) } }
}

function useItem(dice: Dice): Wish {
  const others = SUPPLIES.filter((item) => item !== ESCAPE_ITEM)
  const item_id = dice.below(USES_PER_ESCAPE) === 0 ? ESCAPE_ITEM : dice.pick(others)
  return { command: 'use_item', params: { item_id } }
}

function fight(
  world: World,
  all: readonly Warrior[],
  warrior: Warrior,
  dice: Dice,
): Wish | undefined {
  const { player } = warrior
  if (inBattle(world, player)) {
    if (dice.chance(8)) return useItem(dice)
    if (dice.below(400) === 0) return { command: 'self_destruct', params: {} }
  } else {
    const prize = dice.chance(60) ? tendPrize(world, player, dice) : undefined
    if (prize) return prize
    const salvaging = dice.chance(15) ? salvage(world, player, dice) : undefined
    if (salvaging) return salvaging
  }
  return dice.chance(40) ? attack(world, all, warrior, dice) : undefined
}

/** Returns the mutation of a player in this tick. */
export function wishOf(world: World, all: readonly Warrior[], warrior: Warrior): Wish | undefined {
  const dice = diceOf(world, warrior.number)
  const role = roleOf(warrior.number)
  if (!isBound(world, warrior.player)) return undefined
  if (role === 'miner') return { command: 'mine', params: {} }
  if (role === 'trader') return dice.chance(70) ? trade(dice) : undefined
  if (role === 'salvager') return salvage(world, warrior.player, dice)
  return fight(world, all, warrior, dice)
}

/* In battle */

/** Returns whether a ship is in reach of boarders and its shield is at most a quarter. */
function isBoardable(world: World, row: Row): boolean {
  const { ring, ship } = world.read(Participant)
  const { shield, shieldMax } = world.read(Ship)
  return ring[row] === 0 && shield[ship[row]] * 4 <= shieldMax[ship[row]]
}

/** Returns the order of a pilot in battle. */
export function orderOf(world: World, { player, number }: Warrior): Wish | undefined {
  const row = combatantOf(world, player)
  if (row === 0 || !isBound(world, player)) return undefined
  const dice = diceOf(world, number).branch('orders')
  const { battle, side } = world.read(Participant)
  const foes = participantsOf(world, battle[row]).filter((other) => side[other] !== side[row])
  if (foes.length === 0) return undefined
  const boardable = foes.filter((foe) => isBoardable(world, foe))
  const target_id = combatantId(world, dice.pick(foes))
  const marines = 1 + dice.below(23)
  const roll = dice.below(100)
  const order = (action: string, fields: object = {}): Wish => ({
    command: 'battle',
    params: { action, ...fields },
  })
  if (roll < 40 && boardable.length > 0) {
    return order('board', { target_id: combatantId(world, dice.pick(boardable)), marines })
  }
  if (roll < 45) return order('board', { target_id, marines })
  if (roll < 50) return order('target', { target_id })
  if (roll < 54) return order('stance', { stance: dice.pick(['fire', 'evade', 'brace', 'flee']) })
  if (roll < 56) return order(dice.pick(['advance', 'retreat']))
  return roll < 57 && dice.chance(20) ? order('self_destruct') : undefined
}

/* Connections */

/** Ticks between two simulated restarts of the process, which end all connections. */
const RESTART_EVERY = 97

/** Draws the connections that end or begin before this tick; they end more often in battle. */
export function presenceChanges(world: World, all: readonly Warrior[]): Wish[] {
  const wishes: Wish[] = []
  const isRestart = world.tick > 0 && world.tick % RESTART_EVERY === 0
  if (isRestart) {
    wishes.push({ command: 'internal:unbind_all', params: {} })
  }
  for (const { player, number } of all) {
    const dice = diceOf(world, number).branch('presence')
    const params = { player: number, channel: 'ws' }
    const isAway = isRestart || !isBound(world, player)
    if (isAway && dice.chance(20)) wishes.push({ command: 'internal:bind', params })
    else if (!isAway && dice.chance(inBattle(world, player) ? 3 : 1)) {
      wishes.push({ command: 'internal:unbind', params })
    }
  }
  return wishes
}
