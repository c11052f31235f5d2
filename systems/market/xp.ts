/**
 * Experience from trade: aggregated per player and tick, with the day's cap on what fills with
 * other players give.
 */
import { GOODS, type ItemRow } from '../../core/catalog/index.ts'
import { divFloor, mulDivFloor } from '../../core/math.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { awardXp, levelOf } from '../skill/rules.ts'
import { isPirateBase } from './rules.ts'

/** Most XP of a tick and skill, and credits a point. Source: market.md section 6. */
const TICK_XP_MAX = 500
const CREDITS_PER_XP = 100

/** What a player traded, in credits of subtotals. */
export interface Traded {
  readonly credits: number
  /** Of it with other players. */
  readonly withPlayers: number
  /** Of it contraband sold at pirate bases. */
  readonly smuggled: number
}

export interface TradeXp {
  readonly trading: number
  readonly tradingLevel: number
  readonly levelUp: boolean
  /** Contraband was sold at a pirate base. */
  readonly isSmuggling: boolean
  readonly smuggling: number
  readonly smugglingLevelUp: boolean
}

interface Sum {
  credits: number
  smuggled: number
  trading: number
  smuggling: number
}

/** Emptied in phase settle of the same tick. */
const TICK_SUMS = defineIndex('market.tick_xp', () => new Map<Eid, Sum>())

/** True if selling the item at the base is smuggling. */
export const isSmuggling = (view: WorldView, base: Eid, item: number): boolean =>
  isPirateBase(view, base) && (GOODS[item] as ItemRow).category === 'contraband'

/** XP of a skill for a sum of credits, less what the tick has given for it already. */
function owed(credits: number, atLeast: number, given: number): number {
  return Math.min(TICK_XP_MAX, Math.max(atLeast, divFloor(credits, CREDITS_PER_XP))) - given
}

/**
 * Awards trading and smuggling XP; a tick's trades of a player count as one. Source: market.md
 * section 6.
 */
export function awardTradingXp(world: World, player: Eid, traded: Traded): TradeXp {
  const sums = world.index(TICK_SUMS)
  const sum = sums.get(player) ?? { credits: 0, smuggled: 0, trading: 0, smuggling: 0 }
  sums.set(player, sum)
  sum.credits += traded.credits
  sum.smuggled += traded.smuggled
  const before = levelOf(world, player, 'trading')
  const smugglingBefore = levelOf(world, player, 'smuggling')
  const trading = owed(sum.credits, 1, sum.trading)
  const smuggling = sum.smuggled === 0 ? 0 : owed(sum.smuggled, 0, sum.smuggling)
  sum.trading += trading
  sum.smuggling += smuggling
  const share = mulDivFloor(trading, traded.withPlayers, Math.max(1, traded.credits))
  const smuggledShare = mulDivFloor(smuggling, traded.withPlayers, Math.max(1, traded.credits))
  const smuggledXp =
    awardXp(world, player, 'smuggling', smuggledShare, 'trade') +
    awardXp(world, player, 'smuggling', smuggling - smuggledShare)
  const tradingXp =
    awardXp(world, player, 'trading', share, 'trade') +
    awardXp(world, player, 'trading', trading - share)
  const level = levelOf(world, player, 'trading')
  return {
    trading: tradingXp,
    tradingLevel: level,
    levelUp: level > before,
    isSmuggling: traded.smuggled > 0,
    smuggling: smuggledXp,
    smugglingLevelUp: levelOf(world, player, 'smuggling') > smugglingBefore,
  }
}

export const endTickXp = (world: World): void => world.index(TICK_SUMS).clear()
