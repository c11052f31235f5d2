/**
 * Prizes: hulls taken by boarding, with their modules, cargo and guards, until a player owns them.
 * Until then the hull has no owner. Where a prize is, is stored in the Location of its hull.
 */
import { defineComponent, defineEntity, f64, ref, text, u8, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { bools, ints, obj, opt, strings } from '../../core/params.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/state.ts'

/** States of a prize, saved by index (append only). Source: combat.md section 11. */
export const PRIZE_STATUS = ['unclaimed', 'recovering', 'waiting', 'held'] as const
export type PrizeStatus = (typeof PRIZE_STATUS)[number]
/** How a prize ended, as its claimant is notified. */
export type PrizeEnd = 'delivered' | 'lost' | 'recaptured'
/** Reasons why a prize is waiting; index 0 means none. Source: combat.md section 11. */
export const WAIT_REASONS = [
  '',
  'no_fuel',
  'hull_critical',
  'no_crew',
  'no_route',
  'in_combat',
  'dock_refused',
] as const
export type WaitReason = Exclude<(typeof WAIT_REASONS)[number], ''>

/** A prize. */
export const Prize = defineEntity('prize', ROWS.prizes, {
  ship: ref('ship', 'the hull'),
  status: u8('index into PRIZE_STATUS'),
  wait: u8('index into WAIT_REASONS; 0 while it does not wait'),
  captor: ref('player', 'player who took it; 0 = an NPC'),
  claimant: ref('player', 'player who has claimed it; 0 = nobody, or the NPCs who took it'),
  destination: ref('base', 'base that it is brought to; 0 while unclaimed'),
  reserve: f64(
    'durable number of the faction whose reserve gets the crew; 0 = the crew stays aboard',
  ),
  nextTick: u32('earliest tick of its next decision; it makes none between places'),
  toldWait: u8('reason of the last wait its claimant was notified of: index into WAIT_REASONS'),
  toldPoi: ref('poi', 'place of the wait in toldWait'),
  formerId: text('wire id of the former owner'),
  formerName: text('name of the former owner'),
  claimUntil: u32('last tick in which only the captor may claim it'),
  expireTick: u32('tick in which it becomes a wreck if still unclaimed'),
})

/** The prizes of a player. */
export const PlayerPrizes = defineComponent(Player, 'flotilla', {
  claimed: u8('claimed prizes that have not reached their destination yet'),
})

/** Prizes by hull. */
export const PRIZES = defineIndex('prize.hulls', () => new Map<Eid, Row>())

/** A prize as everyone at its place sees it. Source: newer.md section 4. */
export const seenPrizeSchema = obj({
  ...strings('prize_id', 'actor_id', 'ship_id', 'ship_class', 'ship_name', 'status'),
  ...opt(strings('wait_reason')),
  ...ints('hull', 'max_hull', 'shield', 'max_shield'),
  ...bools('in_combat'),
})
