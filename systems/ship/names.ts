/**
 * Names that pilots give their ships: no two of them are alike, whatever the case. Creatures and
 * fighters of the house are called alike and stand in no list. Source: ships.md section 8.
 */
import { assert } from '../../core/assert.ts'
import { usernameKey } from '../../core/text-rules.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { SHIP_NAMES, Ship } from './columns.ts'

/** The ship that bears a name, in whatever case; 0 none. */
export function shipNamed(view: WorldView, name: string): Eid {
  const number = view.records(SHIP_NAMES).get(usernameKey(name))
  return number === undefined ? 0 : view.rowOf(Ship, number)
}

/** Takes the name of a ship away; another may bear it from now on. */
export function unnameShip(world: World, ship: Eid): void {
  const { name, seq } = world.read(Ship)
  const given = world.texts.get(name[ship])
  if (given === '') return
  const key = usernameKey(given)
  if (world.records(SHIP_NAMES).get(key) === seq[ship]) world.records(SHIP_NAMES).delete(key)
  world.setText(Ship, 'name', ship, '')
}

/** Names a ship; the caller has seen that no other bears the name. */
export function nameShip(world: World, ship: Eid, name: string): void {
  assert(name !== '', 'a ship is given no name')
  unnameShip(world, ship)
  const names = world.records(SHIP_NAMES)
  assert(!names.has(usernameKey(name)), `two ships are called ${name}`)
  names.set(usernameKey(name), world.read(Ship).seq[ship])
  world.setText(Ship, 'name', ship, name)
}
