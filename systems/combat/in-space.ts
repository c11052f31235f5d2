/** What every attack needs of its pilot. */
import type { Move, Need } from '../../core/command.ts'
import { convoyOf } from '../fleet/rules.ts'
import { activeShip } from '../ship/rules.ts'
import { UNDOCKED } from '../travel/rules.ts'
import { combatantOf } from './battles.ts'
import { noteUndocked } from './engage.ts'

/** Undocks so, and notes who has left the dock. */
const andNoteIt =
  (move: Move): Move =>
  (world, player) => {
    const convoy = convoyOf(world, player)
    const done = move(world, player)
    if (done === 'auto_undocked') {
      for (const pilot of [player, ...convoy]) noteUndocked(world, activeShip(world, pilot))
    }
    return done
  }

/**
 * In space, a flight held up by a battle included; undocks by itself, but to the other attackers of
 * this tick it is docked still. As UNDOCKED, which modules in a circle may not read as they load.
 */
export const IN_SPACE: Need = {
  name: 'undocked',
  errors: ['docked', 'in_transit', 'detained', 'in_fleet'],
  check: (view, player) => UNDOCKED.check(view, player),
  ensure(world, player, params) {
    if (combatantOf(world, player) !== 0) return undefined
    const move = UNDOCKED.ensure(world, player, params)
    return typeof move === 'function' ? andNoteIt(move) : move
  },
}
