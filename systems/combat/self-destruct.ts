/**
 * The command self_destruct: out of a battle the ship is gone at once, in one the countdown begins
 * that `battle self_destruct` begins too. Source: combat.md sections 15, 17.
 */
import { mutation, type Need } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { bools, ints, obj, opt, strings } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { logAction } from '../log/rules.ts'
import { activeShip } from '../ship/rules.ts'
import { UNDOCKED_OR_ADRIFT } from '../travel/rules.ts'
import { combatantOf, wishToEngage } from './battles.ts'
import { Lives, Participant } from './columns.ts'
import { bury, describeScuttling } from './deaths.ts'

/** Ticks from the order to the explosion. */
export const SELF_DESTRUCT_TICKS = 3

/** Begins the countdown, unless it runs; returns the ticks left. */
export function armSelfDestruct(world: World, row: Row): number {
  const { selfDestructTicks } = world.write(Participant)
  if (selfDestructTicks[row] === 0) selfDestructTicks[row] = SELF_DESTRUCT_TICKS
  return selfDestructTicks[row]
}

/** In space, adrift, or held up by a battle; undocks by itself. */
const LOOSE: Need = {
  ...UNDOCKED_OR_ADRIFT,
  ensure: (world, player, params) =>
    combatantOf(world, player) !== 0 ? undefined : UNDOCKED_OR_ADRIFT.ensure(world, player, params),
}

const CAUSE = 'self_destruct'

/** Destroys the ship at once, with all that follows of it. */
function scuttle(world: World, player: Eid) {
  const ship = activeShip(world, player)
  wishToEngage(world, ship, 0, 0)
  const { fee } = bury(world, describeScuttling(world, ship))
  const until = isoTime(
    world.wallMs + (world.read(Lives).restrictedUntil[player] - world.tick) * world.tickMs,
  )
  return {
    cause: CAUSE,
    message: 'The ship is gone, by your own hand. You wake at a base in another.',
    ...(fee.isPaid && fee.credits > 0 ? { self_destruct_fee: fee.credits } : {}),
    ...(fee.isPaid ? {} : { wreck_suppressed: true, trading_restricted_until: until }),
  }
}

export const selfDestruct = mutation({
  name: 'self_destruct',
  v2: { tool: 'game', action: 'self_destruct' },
  summary: `Destroy your own ship: at once, or in a battle after ${SELF_DESTRUCT_TICKS} ticks.`,
  category: 'combat',
  order: 'plain',
  inBattle: true,
  adrift: true,
  unmanned: true,
  params: obj({}),
  result: obj({
    ...strings('cause', 'message'),
    ...opt({ ...ints('self_destruct_fee', 'ticks'), ...strings('trading_restricted_until') }),
    ...opt(bools('wreck_suppressed', 'auto_docked', 'auto_undocked')),
  }),
  needs: [LOOSE],
  changes: ['player', 'ship', 'modules', 'cargo', 'location', 'queue', 'skills'],
  errors: ['in_transit', 'rate_limited'],
  run(world, player) {
    const row = combatantOf(world, player)
    if (row === 0) return ok(scuttle(world, player))
    const ticks = armSelfDestruct(world, row)
    const message = `The ship blows up in ${counted(ticks, 'tick')}, for all to see.`
    logAction(world, player, 'combat', 'self_destruct', message, { ticks })
    return ok({ cause: CAUSE, message, ticks })
  },
})
