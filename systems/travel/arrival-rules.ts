/** Domains that take note where players arrive and dock add a hook each, in their `rebuild`. */
import { defineIndex, type Eid, type World } from '../../core/world.ts'

export interface ArrivalHook {
  /** A player's flight has ended at a place. */
  arrived(world: World, player: Eid, poi: Eid): void
  /** A player has docked at a base. */
  docked(world: World, player: Eid, base: Eid): void
}

const HOOKS = defineIndex<ArrivalHook[]>('travel.arrival-hooks', () => [])

export function onArrival(world: World, hook: ArrivalHook): void {
  world.index(HOOKS).push(hook)
}

export function noteArrived(world: World, player: Eid, poi: Eid): void {
  for (const hook of world.index(HOOKS)) hook.arrived(world, player, poi)
}

export function noteDocked(world: World, player: Eid, base: Eid): void {
  for (const hook of world.index(HOOKS)) hook.docked(world, player, base)
}
