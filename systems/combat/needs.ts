/** Conditions of attacking, of self-destruct, and of dealing with others. */
import { defineNeed } from '../../core/command.ts'
import { UNDOCKED, UNDOCKED_OR_ADRIFT } from '../travel/needs.ts'
import { recordingUndock } from './engage-model.ts'
import { combatantOf, tradeRefusal } from './model.ts'

/**
 * Requires the ship to be in space, or in a flight held up by a battle. Undocks it first if needed,
 * but for the other attackers of this tick it still counts as docked.
 */
export const IN_SPACE_TO_ATTACK = defineNeed({
  name: 'undocked',
  errors: UNDOCKED.errors,
  check: UNDOCKED.check,
  ensure(world, player, params) {
    if (combatantOf(world, player) !== 0) return undefined
    const move = UNDOCKED.ensure(world, player, params)
    return typeof move === 'function' ? recordingUndock(move) : move
  },
})

/** Requires that the player may trade with others; for commands that always deal with others. */
export const MAY_TRADE = defineNeed({
  name: 'may_trade',
  errors: ['trading_restricted'],
  check: tradeRefusal,
  ensure: tradeRefusal,
})

/** Requires the ship to be in space, adrift, or held up by a battle; undocks it first if needed. */
export const LOOSE = defineNeed({
  ...UNDOCKED_OR_ADRIFT,
  ensure: (world, player, params) =>
    combatantOf(world, player) !== 0 ? undefined : UNDOCKED_OR_ADRIFT.ensure(world, player, params),
})
