/** Whose a ship is: the list of a player's ships, flown, parked and carried. */
import { assert } from '../../core/assert.ts'
import { ROWS } from '../../core/limits.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { evacuate } from '../passenger/list-rules.ts'
import { Ship } from './columns.ts'

/** Ships that belong to a player, the latest first. Source: ships.md section 1. */
export function shipsOf(view: WorldView, player: Eid): Eid[] {
  const { owner, nextOwned } = view.read(Ship)
  const ships: Eid[] = []
  for (let ship = view.read(Player).firstOwned[player]; ship !== 0; ship = nextOwned[ship]) {
    assert(owner[ship] === player, `ship ${ship} is in the list of player ${player}`)
    assert(ships.length < ROWS.ships, `the list of ships of player ${player} has no end`)
    ships.push(ship)
  }
  return ships
}

/**
 * Gives a ship to a player, or to nobody: 0. Passengers do not come with it. O(ships of its last
 * owner).
 */
export function setOwner(world: World, ship: Eid, player: Eid): void {
  const { alive, owner, nextOwned } = world.write(Ship)
  assert(alive[ship] === 1, `ship ${ship} is gone`)
  if (owner[ship] === player) return
  evacuate(world, ship)
  if (owner[ship] !== 0) leave(world, ship)
  owner[ship] = player
  if (player === 0) return
  const { firstOwned } = world.write(Player)
  nextOwned[ship] = firstOwned[player]
  firstOwned[player] = ship
}

function leave(world: World, ship: Eid): void {
  const { owner, nextOwned } = world.write(Ship)
  const { firstOwned } = world.write(Player)
  const player = owner[ship]
  if (firstOwned[player] === ship) firstOwned[player] = nextOwned[ship]
  else {
    const before = shipsOf(world, player).find((other) => nextOwned[other] === ship)
    assert(before, `ship ${ship} is not in the list of player ${player}`)
    nextOwned[before] = nextOwned[ship]
  }
  nextOwned[ship] = 0
}
