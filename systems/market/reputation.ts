/** Standing with an empire that sales at its bases bring, up to a cap a day. */
import { assert } from '../../core/assert.ts'
import { EMPIRES, GOODS } from '../../core/catalog/index.ts'
import { divFloor } from '../../core/math.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { Eid, World } from '../../core/types.ts'
import { EMPIRES_WIDTH, Player } from '../account/columns.ts'
import { baseName, empireOfBase } from '../base/rules.ts'
import { changeReputation } from '../law/rules.ts'
import { logAction } from '../log/rules.ts'
import { TradeStanding } from './columns.ts'

const STANDING_MAX = 100

/** What the empire has given the player for sales today. */
function gainedToday(world: World, player: Eid, at: number): number {
  const { dayStartTick, gained } = world.write(TradeStanding)
  const day = divFloor(world.tick, DAY_TICKS) * DAY_TICKS
  if (dayStartTick[player] !== day) {
    dayStartTick[player] = day
    gained.fill(0, player * EMPIRES_WIDTH, (player + 1) * EMPIRES_WIDTH)
  }
  return gained[at]
}

/** A sale of a player. */
export interface Sale {
  readonly base: Eid
  readonly item: number
  /** Price times units. */
  readonly subtotal: number
}

/** Raises the seller's standing with the empire of the base. Source: market.md section 6. */
export function awardStanding(world: World, player: Eid, { base, item, subtotal }: Sale): void {
  const empire = empireOfBase(world, base)
  if (empire < 0) return
  const { rep_trade_fill_cap, rep_trade_fill_divisor } = EMPIRES[empire].policy
  assert(rep_trade_fill_divisor >= 1, 'standing is divided by nothing')
  const at = player * EMPIRES_WIDTH + empire
  const { reputation } = world.read(Player)
  const points = Math.min(
    divFloor(subtotal, rep_trade_fill_divisor),
    rep_trade_fill_cap - gainedToday(world, player, at),
    STANDING_MAX - reputation[at],
  )
  if (points <= 0) return
  world.write(TradeStanding).gained[at] += points
  changeReputation(world, player, empire, points)
  const what = `${GOODS[item].name} sold at ${baseName(world, base)}`
  const said = `Standing with ${EMPIRES[empire].name} rose by ${points}: ${what}.`
  const data = { empire_id: EMPIRES[empire].id, change: points, reputation: reputation[at] }
  logAction(world, player, 'reputation', 'gained', said, data)
}
