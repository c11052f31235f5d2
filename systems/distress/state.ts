/** Distress signals on the air, and paid rescues of players. Source: missions.md section 4. */
import { defineComponent, defineEntity, f64, ref, u8, u32 } from '../../core/columns.ts'
import type { Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/state.ts'
import { StarSystem } from '../travel/state.ts'

/** Most distress signals on the air at once. */
const SIGNAL_ROWS = 5_000
/** Jumps that a distress signal reaches. */
export const DISTRESS_RADIUS = 5
/** Ticks from one signal of a player to the next. */
export const DISTRESS_COOLDOWN_TICKS = 360
/** Ticks for which a signal is on the air. */
export const DISTRESS_TICKS = 180

/** Ticks between two messages on the emergency channel of a system. */
export const EMERGENCY_QUIET_TICKS = 6
/** Most rescues that a helper is paid for in one day. */
export const RESCUES_PAID_PER_DAY_MAX = 5

/** The order is the value of `type`: append only. */
export const DISTRESS_TYPES = ['fuel', 'repair', 'combat'] as const
export type DistressType = (typeof DISTRESS_TYPES)[number]

/** A distress signal on the air. */
export const Signal = defineEntity('signal', SIGNAL_ROWS, {
  sender: ref('player', 'who calls'),
  ship: f64('durable number of the ship they called from'),
  type: u8('index into DISTRESS_TYPES'),
  poi: ref('poi', 'where help is needed'),
  expireTick: u32('tick in which it expires'),
  isPaid: u8('1: the sender was in need, and it was their first signal of the day'),
})

/** The latest signal of a player, and the rescues they were paid for. */
export const Caller = defineComponent(Player, 'caller', {
  signal: ref('signal', 'on the air; 0 none'),
  sentTick: u32('tick plus 1 of the last signal; 0 never'),
  paidTick: u32('first tick plus 1 of the day of the rescues paid; 0 never'),
  paid: u8('rescues paid in that day'),
})

/** The emergency channel of a system. */
export const Airwave = defineComponent(StarSystem, 'airwave', {
  emergencyTick: u32('tick plus 1 of the last message on the emergency channel; 0 never'),
})

/** Signals on the air, in the order of their numbers. */
export const SIGNALS = defineIndex('distress.signals', () => new Set<Row>())
