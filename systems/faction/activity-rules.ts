/** The latest moves of a faction's goods and credits; its log keeps them all for a while. */
import { GOODS } from '../../core/catalog/index.ts'
import {
  FACTION_ACTIVITY_ROWS_MAX,
  FACTION_WITHDRAWAL_TOLD_CREDITS,
} from '../../core/limits-faction.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { usernameOf } from '../account/rules.ts'
import { baseId } from '../base/rules.ts'
import { ACTIVITY, Faction } from './columns.ts'
import { factionOf, membersWith, noteFactionLog } from './rules.ts'
import { tellFaction } from './tell.ts'

export interface StoreMove {
  readonly faction: Row
  readonly player: Eid
  /** What was done, as the list shows it: deposit_items, withdraw_credits … */
  readonly action: string
  readonly summary: string
  /** Index of the item. */
  readonly item?: number
  readonly quantity?: number
  readonly credits?: number
  /** Where; 0 nowhere. */
  readonly base?: Row
}

/** Notes a move of goods or credits of a faction: in the list of the latest and in its log. */
export function noteStoreMove(world: World, move: StoreMove): void {
  const { faction, player, action, item, quantity, credits, base = 0 } = move
  const what = {
    ...(item === undefined ? {} : { item: GOODS[item].id }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(credits === undefined ? {} : { credits }),
  }
  const number = world.read(Player).seq[player]
  const key = String(world.read(Faction).seq[faction])
  const latest = world.records(ACTIVITY).get(key) ?? []
  const entry = { player: number, action, atMs: world.wallMs, ...what }
  world.records(ACTIVITY).set(key, [entry, ...latest.slice(0, FACTION_ACTIVITY_ROWS_MAX - 1)])
  noteFactionLog(world, faction, player, {
    verb: action,
    summary: `${usernameOf(world, player)}: ${move.summary}`,
    data: { ...what, ...(base === 0 ? {} : { base_id: baseId(world, base) }) },
  })
}

/**
 * Tells those who look after the treasury of a withdrawal that is worth something. Source:
 * trade-storage.md section 9.
 */
export function tellWithdrawal(world: World, move: StoreMove): void {
  const { faction, player, item, quantity = 0, credits = 0, base = 0 } = move
  const value = credits + (item === undefined ? 0 : quantity * GOODS[item].base_value)
  if (value <= FACTION_WITHDRAWAL_TOLD_CREDITS || factionOf(world, player) !== faction) return
  tellFaction(world, faction, {
    event: 'withdrawal',
    actor: player,
    message: `${usernameOf(world, player)}: ${move.summary}`,
    to: membersWith(world, faction, 'manage_treasury'),
    more: {
      ...(item === undefined ? {} : { item_id: GOODS[item].id, quantity }),
      ...(credits === 0 ? {} : { credits }),
      ...(base === 0 ? {} : { base_id: baseId(world, base) }),
    },
  })
}
