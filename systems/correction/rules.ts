/** What every correction leaves behind: an entry in the player's log, and an event for them. */
import { emit, toPlayer } from '../../core/event.ts'
import type { Eid, World } from '../../core/types.ts'
import { logAction } from '../log/rules.ts'
import type { LogData } from '../log/state.ts'
import { operatorCorrection } from './schemas.ts'

interface Correction {
  readonly player: Eid
  readonly kind: 'grant' | 'move' | 'restore_ship'
  readonly message: string
  readonly reason: string
}

/** Returns the sentences that tell the player about a correction. */
export const sentence = ({ message, reason }: Pick<Correction, 'message' | 'reason'>): string =>
  `${message} Reason: ${reason}`

/** Notifies the player of a correction. */
export function notifyPlayer(world: World, { player, kind, message, reason }: Correction): void {
  const payload = { kind, message, reason, tick: world.tick }
  emit(world, operatorCorrection, payload, toPlayer(player))
}

/** Writes a correction into the player's log, and sends it to them. */
export function record(world: World, correction: Correction, data: LogData): void {
  const { player, reason, kind } = correction
  logAction(world, player, 'other', `correction_${kind}`, sentence(correction), { ...data, reason })
  notifyPlayer(world, correction)
}
