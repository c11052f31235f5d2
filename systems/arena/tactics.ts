/** How ships of the house fight: by their style, against whoever is nearest. */
import { FIGHTERS } from '../../core/catalog/index.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { Battle, Participant, RING_OUTER, STANCES } from '../combat/columns.ts'
import { Contest, OWN_SIDE } from './columns.ts'

/** The nearest player's ship, then the oldest; 0 none. */
function nearestRival(view: WorldView, battle: Row): Row {
  const { side, next, ring } = view.read(Participant)
  let nearest = 0
  for (let row = view.read(Battle).first[battle]; row !== 0; row = next[row]) {
    if (side[row] === OWN_SIDE && (nearest === 0 || ring[row] < ring[nearest])) nearest = row
  }
  return nearest
}

/** Orders of a ship of the house for the coming fight. */
export function giveHouseOrders(world: World, battle: Row, row: Row): void {
  const part = world.write(Participant)
  const { fighter, flees } = world.read(Contest)
  const ship = part.ship[row]
  part.orderTick[row] = world.tick
  const rival = nearestRival(world, battle)
  if (flees[ship] === 1) {
    part.orderStance[row] = STANCES.indexOf('flee') + 1
    return
  }
  if (rival === 0) return
  part.orderTarget[row] = rival
  const { style, guns } = FIGHTERS[fighter[ship] - 1]
  const { reach } = guns[0]
  const distance = style === 'artillery' ? reach : Math.max(0, reach - 1)
  const wanted = Math.min(RING_OUTER, Math.max(0, distance - part.ring[rival]))
  part.orderMove[row] = Math.sign(wanted - part.ring[row])
  const after = part.ring[row] + part.orderMove[row] + part.ring[rival]
  part.orderStance[row] = STANCES.indexOf(after <= reach ? 'fire' : 'brace') + 1
}
