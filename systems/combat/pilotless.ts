/**
 * Ships whose pilot's last connection ended in a fight: they stay in space, braced, for a while.
 * Source: combat.md section 15, spec, States and transitions.
 */
import { emit } from '../../core/event.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { seePlayer } from '../sensing/rules.ts'
import { activeShip, shipClassOf, shipId } from '../ship/rules.ts'
import { DOCKED_STATE, Location, Poi } from '../travel/columns.ts'
import { isPlaced, playersIn, poiId, systemId } from '../travel/rules.ts'
import { combatantOf } from './battles.ts'
import { Fighting, Lives, Participant } from './columns.ts'
import { pilotlessShip } from './events.ts'
import { pilotSign } from './views.ts'

const PILOTLESS_TICKS = 30

/** Players with `pilotlessUntil`: few. */
const PILOTLESS = defineIndex('combat.pilotless', () => new Set<Eid>())

/** In a battle, or flagged in space: the fight goes on without the pilot. */
function isFighting(view: WorldView, player: Eid): boolean {
  if (combatantOf(view, player) !== 0) return true
  const ship = activeShip(view, player)
  const isInSpace = isPlaced(view, ship) && view.read(Location).state[ship] !== DOCKED_STATE
  const until = view.read(Fighting).aggressiveUntil[ship]
  return isInSpace && until !== 0 && until >= view.tick
}

/** The last connection of a player has ended. Nothing where he is not fighting. */
export function leaveControls(world: World, player: Eid): void {
  if (!isFighting(world, player)) return
  world.write(Lives).pilotlessUntil[player] = world.tick + PILOTLESS_TICKS
  world.index(PILOTLESS).add(player)
  const row = combatantOf(world, player)
  if (row !== 0) {
    const part = world.write(Participant)
    part.pilotless[row] = 1
    part.orderTick[row] = 0
  }
  tell(world, player)
}

function tell(world: World, player: Eid): void {
  if (seePlayer(world, 0, player) === 'nothing') return
  const ship = activeShip(world, player)
  const { poi, system } = world.read(Location)
  const isKnown = poi[ship] !== 0 && world.read(Poi).hidden[poi[ship]] === 0
  const { id, name } = pilotSign(world, player, ship)
  const payload = {
    player_id: id,
    player_username: name,
    ship_id: shipId(world, ship),
    ship_class: shipClassOf(world, ship).id,
    system_id: systemId(world, system[ship]),
    poi_id: isKnown ? poiId(world, poi[ship]) : '',
    expire_tick: world.tick + PILOTLESS_TICKS,
    ticks_remaining: PILOTLESS_TICKS,
  }
  emit(world, pilotlessShip, payload, { kind: 'players', rows: playersIn(world, system[ship]) })
}

/** What a player who comes back is told first; undefined for one whose ship waited for nobody. */
export interface Reconnected {
  readonly message: string
  readonly was_pilotless: true
  readonly ticks_remaining: number
}

/** A player has connected: the ship has a pilot again. */
export function takeControls(world: World, player: Eid): Reconnected | undefined {
  const row = combatantOf(world, player)
  if (row !== 0) world.write(Participant).pilotless[row] = 0
  const until = world.read(Lives).pilotlessUntil[player]
  if (until === 0) return undefined
  forgetPilotless(world, player)
  return {
    message: 'You are back at the controls of your ship.',
    was_pilotless: true,
    ticks_remaining: Math.max(0, until - world.tick),
  }
}

/** The ship that waited is gone, or its time is over. */
export function forgetPilotless(world: World, player: Eid): void {
  world.write(Lives).pilotlessUntil[player] = 0
  world.index(PILOTLESS).delete(player)
}

/** Time is over: the pilot is offline, and the ship is safe once no battle holds it. */
export const expirePilotless: SystemDef = {
  name: 'combat.pilotless',
  phase: 'arrive',
  reads: [],
  writes: [Lives],
  run(world) {
    const { pilotlessUntil } = world.read(Lives)
    for (const player of [...world.index(PILOTLESS)]) {
      if (pilotlessUntil[player] < world.tick) forgetPilotless(world, player)
    }
  },
}

/** Fills the index from the column, after a restore. */
export function rebuildPilotless(world: World): void {
  const pilotless = world.index(PILOTLESS)
  pilotless.clear()
  const { pilotlessUntil } = world.read(Lives)
  const { alive } = world.read(Player)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && pilotlessUntil[player] !== 0) pilotless.add(player)
  }
}
