/**
 * Prizes: hulls taken by boarding, with their modules, cargo and guards, until they are somebody's
 * ship. Where one is, stands in Location of its hull, which belongs to nobody meanwhile.
 */
import { defineComponent, defineEntity, f64, ref, text, u8, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { bools, ints, obj, opt, strings } from '../../core/params.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/state.ts'

/** States that a row can be in. ours: the sheet has the names. Source: combat.md section 11. */
export const PRIZE_STATUS = ['unclaimed', 'recovering', 'waiting', 'held'] as const
export type PrizeStatus = (typeof PRIZE_STATUS)[number]
/** How a prize ended, as its claimant is told: its row is gone then. */
export type PrizeEnd = 'delivered' | 'lost' | 'recaptured'
/** Why it waits, from 1. Source: combat.md section 11. */
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

export const Prize = defineEntity('prize', ROWS.prizes, {
  ship: ref('ship', 'the hull'),
  status: u8('index into PRIZE_STATUS'),
  wait: u8('index into WAIT_REASONS; 0 unless it waits'),
  captor: ref('player', 'who took it; 0 for a ship of the server'),
  claimant: ref('player', 'who has claimed it; 0 nobody, or the pirates who took it'),
  destination: ref('base', 'where it is taken; 0 while unclaimed'),
  reserve: f64('number of the faction whose reserve there gets its crew; 0 it stays aboard'),
  nextTick: u32('tick of its next decision, unless it is under way'),
  toldWait: u8('of the last stall that was told: index into WAIT_REASONS'),
  toldPoi: ref('poi', 'and where that was'),
  formerId: text('wire id of whom it was taken from'),
  formerName: text('name of whom it was taken from'),
  claimUntil: u32('last tick in which only the captor may claim it'),
  expireTick: u32('tick in which it becomes a wreck if nobody has claimed it'),
})

/** The prizes of a player. */
export const PlayerPrizes = defineComponent(Player, 'flotilla', {
  claimed: u8('prizes claimed that are not home yet'),
})

export const PRIZES = defineIndex('prize.hulls', () => new Map<Eid, Row>())

/** A prize as anybody sees it who watches the place. Source: newer.md section 4. */
export const seenPrizeSchema = obj({
  ...strings('prize_id', 'actor_id', 'ship_id', 'ship_class', 'ship_name', 'status'),
  ...opt(strings('wait_reason')),
  ...ints('hull', 'max_hull', 'shield', 'max_shield'),
  ...bools('in_combat'),
})
