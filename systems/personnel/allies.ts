/** Helping others with people: whom one finds beside oneself, and telling him who helped. */
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { emit, toPlayer } from '../../core/event.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { areAllied, playerById, playerId, usernameOf } from '../account/rules.ts'
import { participantOf } from '../combat/rules.ts'
import { seePlayer } from '../sensing/rules.ts'
import { activeShip, shipId } from '../ship/rules.ts'
import { Location } from '../travel/columns.ts'
import { personnelUpdate } from './events.ts'
import type { People } from './rules.ts'
import { renderCapacities, renderCounts, renderState } from './views.ts'

/** At one place, docked together or both in space. */
export function areBeside(view: WorldView, ship: Eid, other: Eid): boolean {
  const { poi, base } = view.read(Location)
  return poi[ship] !== 0 && poi[ship] === poi[other] && base[ship] === base[other]
}

/**
 * An ally beside the player, by id or name, in no battle. Refusals: invalid_target, not_allied,
 * in_combat.
 */
export function findAlly(view: WorldView, player: Eid, target: string): Outcome<Eid> {
  const other = playerById(view, target)
  const isSeen = other !== 0 && other !== player && seePlayer(view, player, other) === 'full'
  if (!isSeen) return invalidTarget(target)
  const ship = activeShip(view, other)
  if (!areBeside(view, activeShip(view, player), ship)) return invalidTarget(target)
  if (!areAllied(view, player, other)) return fail('not_allied')
  return participantOf(view, ship) === 0 ? ok(other) : fail('in_combat')
}

export const invalidTarget = (target: string): Failure => fail('invalid_target', { target })

/** Tells an ally what was done for his ship; nothing of a helper whom he cannot see. */
export function tellAlly(
  world: World,
  helper: Eid,
  ally: Eid,
  done: { readonly action: string; readonly people: People },
): void {
  const ship = activeShip(world, ally)
  const isSeen = seePlayer(world, ally, helper) === 'full'
  emit(
    world,
    personnelUpdate,
    {
      action: done.action,
      ship_id: shipId(world, ship),
      source_player_id: isSeen ? playerId(world, helper) : '',
      source_username: isSeen ? usernameOf(world, helper) : '',
      counts: renderCounts(done.people),
      capacities: renderCapacities(world, ship),
      personnel: renderState(world, ship),
    },
    toPlayer(ally),
  )
}
