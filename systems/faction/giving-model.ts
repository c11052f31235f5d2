/** Gifts of players to factions: limited by an allowance, except to their own faction. */
import type { Failure } from '../../core/errors.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { allowanceRefusal, recordGiving } from '../account/giving-model.ts'
import { factionOf } from './model.ts'

/** Refuses a gift to another faction beyond the player's allowance: trading_restricted. */
export const factionGiftRefusal = (
  view: WorldView,
  player: Eid,
  faction: Row,
  worth: number,
): Failure<'trading_restricted'> | undefined =>
  factionOf(view, player) === faction ? undefined : allowanceRefusal(view, player, worth)

/** Deducts a gift to another faction from the player's allowance. */
export function recordFactionGift(world: World, player: Eid, faction: Row, worth: number): void {
  if (factionOf(world, player) !== faction) recordGiving(world, player, worth)
}
