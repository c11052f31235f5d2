/** Players at the arenas of a small world. */
import { assert } from '../../../core/assert.ts'
import {
  CHALLENGES,
  challengeById,
  itemIndex,
  shipClassIndex,
} from '../../../core/catalog/index.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { arenaOf, arenasOf } from '../../../systems/arena/model.ts'
import { ShipMatch, WINS } from '../../../systems/arena/state.ts'
import { ShipCombat } from '../../../systems/combat/state.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { placeInSpace, removeFromMap } from '../../../systems/travel/rules.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

export const arenaWorld = (): Promise<SmallWorld> => smallWorld({ maxEntities: 4_000 })

export const ARMED = { shipClass: 'hornet', modules: ['blaster_i', 'blaster_i'] }

/** Returns an arena of an empire. */
export const empireArena = (world: World): Eid => arenasOf(world, 'empire')[0]

/** Returns the arena of a challenge of the house for a player who is far from any arena. */
export function homeOf(world: World, id: string): Eid {
  const row = challengeById(id)
  assert(row, `there is no challenge ${id}`)
  return arenaOf(world, row, 0)
}

/** Makes a new player in space at a place, in a hull of this class and fit. */
export function pilotAt(
  small: SmallWorld,
  poi: Eid,
  fit: { shipClass: string; modules: readonly string[] } = ARMED,
): Eid {
  const { world } = small
  const player = small.join(`Fighter ${small.players.length}`)
  const old = hullOf(world, player)
  world.write(Player).ship[player] = createShip(world, {
    owner: player,
    shipClass: shipClassIndex(fit.shipClass),
    modules: fit.modules.map(itemIndex),
  })
  removeFromMap(world, old)
  placeInSpace(world, hullOf(world, player), poi)
  return player
}

export const hullOf = (world: World, player: Eid): Eid => world.read(Player).ship[player]
export const rowOf = (world: World, player: Eid): Row =>
  world.read(ShipCombat).participant[hullOf(world, player)]
export const matchOf = (world: World, player: Eid): Row =>
  world.read(ShipMatch).match[hullOf(world, player)]

/** Marks all challenges but these as won by a player. */
export function winAllBut(world: World, player: Eid, ...exceptions: string[]): void {
  const wins = CHALLENGES.filter(({ id }) => !exceptions.includes(id)).map(({ id }) => [id, 1])
  world.records(WINS).set(String(world.read(Player).seq[player]), Object.fromEntries(wins))
}

export const arena = (small: SmallWorld, player: Eid, action: string, params: object = {}) =>
  small.act(player, 'arena', { action, ...params })

/** Sends a challenge; returns its id. */
export function dare(small: SmallWorld, challenger: Eid, challenged: Eid, size = 1): string {
  const outcome = arena(small, challenger, 'challenge', {
    player_id: playerId(small.world, challenged),
    max_side_size: size,
  })
  assert(outcome.ok, `no challenge: ${JSON.stringify(outcome)}`)
  return (outcome.result as { challenge_id: string }).challenge_id
}

/** Takes all emissions; returns the payloads of one type that were sent to a player. */
export function takePayloads(small: SmallWorld, player: Eid, type: string) {
  const number = small.world.read(Player).seq[player]
  return small
    .takeEmissions()
    .filter(
      (emission) => emission.type === type && (emission.to as readonly number[]).includes(number),
    )
    .map(({ payload }) => payload as Record<string, unknown>)
}
