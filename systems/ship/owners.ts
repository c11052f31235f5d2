/** Whose a ship is, and how many ships a player owns: flown, parked and carried ones. */
import { assert } from '../../core/assert.ts'
import { defineIndex, type Eid, type World, type WorldView } from '../../core/world.ts'
import { Ship } from './columns.ts'

/** Ships by owner: counted when first asked for, then kept up. */
const OWNED = defineIndex('ship.owned', () => ({ isCounted: false, ships: new Map<Eid, number>() }))

/** Ships that a player owns. Source: ships.md section 1. */
export function shipsOwned(view: WorldView, player: Eid): number {
  const owned = view.index(OWNED)
  if (!owned.isCounted) {
    const { alive, owner } = view.read(Ship)
    for (let ship = 1; ship <= view.highOf(Ship); ship++) {
      if (alive[ship] === 0 || owner[ship] === 0) continue
      owned.ships.set(owner[ship], (owned.ships.get(owner[ship]) ?? 0) + 1)
    }
    owned.isCounted = true
  }
  return owned.ships.get(player) ?? 0
}

/** Gives a ship to a player, or to nobody: 0. */
export function setOwner(world: World, ship: Eid, player: Eid): void {
  const { alive, owner } = world.write(Ship)
  assert(alive[ship] === 1, `ship ${ship} is gone`)
  const owned = world.index(OWNED)
  const before = owner[ship]
  owner[ship] = player
  if (!owned.isCounted) return
  if (before !== 0) owned.ships.set(before, (owned.ships.get(before) ?? 0) - 1)
  if (player !== 0) owned.ships.set(player, (owned.ships.get(player) ?? 0) + 1)
}
