/** Attacking, which takes a tick. Orders in a battle are in orders.ts. */
import { mutation } from '../../core/command.ts'
import { type Outcome, ok } from '../../core/errors.ts'
import { bools, choice, ints, obj, opt, str, strings, Type } from '../../core/params.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { logAction } from '../log/rules.ts'
import { activeShip } from '../ship/rules.ts'
import { systemName, systemOf } from '../travel/rules.ts'
import { kindOf } from './battles.ts'
import { Participant, ZONES } from './columns.ts'
import { aggress, aggressStation } from './engage.ts'
import { IN_SPACE } from './in-space.ts'
import { findStation, findTarget, refusesNobody } from './targets.ts'
import { battleId, combatantId, combatantName, pilotOf } from './views.ts'

/* Attack */

const docking = opt(bools('auto_docked', 'auto_undocked'))

const attackSchema = Type.Union([
  obj({
    ...{ action: choice('Always attack.', ['attack']), kind: choice('A player.', ['player']) },
    ...docking,
    ...strings('battle_id', 'message', 'system', 'target', 'your_zone'),
    ...ints('your_side'),
  }),
  obj({
    ...{ action: choice('Always attack.', ['attack']), kind: choice('Anybody else.', ['npc']) },
    ...docking,
    ...strings('target', 'target_name', 'target_type', 'battle_id', 'message', 'your_zone'),
    ...ints('your_side'),
    ...opt(strings('warning')),
  }),
])

/** What the attacker hears of it. */
function attackResult(world: World, player: Eid, row: Row) {
  const { battle, side, ring, target, guns } = world.read(Participant)
  const enemy = target[row]
  const name = combatantName(world, enemy)
  const head = {
    action: 'attack' as const,
    battle_id: battleId(world, battle[row]),
    target: combatantId(world, enemy),
    your_side: side[row],
    your_zone: ZONES[ring[row]],
    message: `You attack ${name || 'an unknown ship'}.`,
  }
  if (pilotOf(world, enemy) !== 0) {
    return { ...head, kind: 'player' as const, system: systemName(world, systemOf(world, player)) }
  }
  const warning = guns[row] === 0 ? { warning: 'No weapon is fitted to your ship.' } : {}
  const type = kindOf(world, enemy)
  return { ...head, kind: 'npc' as const, target_name: name, target_type: type, ...warning }
}

/** Attacks a ship or a station by its id. */
function attackAny(world: World, player: Eid, id: string): Outcome<Row> {
  const ship = activeShip(world, player)
  const base = findStation(world, player, id)
  if (base !== 0) return aggressStation(world, ship, base)
  const target = findTarget(world, player, id)
  return target.ok ? aggress(world, ship, target.result) : target
}

export const attack = mutation({
  name: 'attack',
  v2: { tool: 'game', action: 'attack', rename: { target_id: 'id' } },
  summary:
    'Attack a ship or a station of your system: opens a battle, or draws both into the one there is.',
  category: 'combat',
  order: 'attack',
  inBattle: true,
  params: obj({
    target_id: str('A player by id or name, a ship of the server or a station by its id.', {
      min: 1,
    }),
  }),
  result: attackSchema,
  needs: [IN_SPACE],
  changes: ['player', 'ship', 'cargo', 'location', 'queue', 'skills'],
  errors: [
    'in_transit',
    'invalid_target',
    'target_cloaked',
    'protected',
    'target_wrecked',
    'limit_reached',
  ],
  judge: (view, player, { target_id }) => refusesNobody(view, player, target_id),
  run(world, player, { target_id }) {
    const done = attackAny(world, player, target_id)
    if (!done.ok) return done
    const result = attackResult(world, player, done.result)
    logAction(world, player, 'combat', 'attack', result.message, { battle_id: result.battle_id })
    return ok(result)
  },
})
