/** What a player may give to factions for nothing: their own takes anything. */
import type { Failure } from '../../core/errors.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { allowanceRefusal, recordGiving } from '../account/giving-model.ts'
import { factionOf } from './model.ts'

/** Refuses a gift to another faction above what a player has earned: trading_restricted. */
export const factionGiftRefusal = (
  view: WorldView,
  player: Eid,
  faction: Row,
  worth: number,
): Failure<'trading_restricted'> | undefined =>
  factionOf(view, player) === faction ? undefined : allowanceRefusal(view, player, worth)

/** Takes what a player gives to another faction off what they may still give. */
export function recordFactionGift(world: World, player: Eid, faction: Row, worth: number): void {
  if (factionOf(world, player) !== faction) recordGiving(world, player, worth)
}
