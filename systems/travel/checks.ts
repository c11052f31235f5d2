/**
 * Invariants of positions: states agree with their columns, and every ship stands in the one list
 * it belongs to.
 */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { Ship } from '../ship/columns.ts'
import {
  AT_POI,
  DOCKED_STATE,
  DRIFTING,
  DRIFTS,
  JUMPING,
  Location,
  Poi,
  StarSystem,
  TRAVELLING,
} from './columns.ts'
import { expectedShips, isAside, isPlaced } from './lists.ts'

export const positionsAreSound: CheckDef = {
  name: 'I9 positions: state, place, base and flight of each ship agree',
  run(view, full) {
    if (!full) return
    const { alive, state } = view.read(Location)
    let underWay = 0
    for (let ship = 1; ship <= view.highOf(Ship); ship++) {
      if (alive[ship] === 0 || !isPlaced(view, ship)) continue
      checkPosition(view, ship)
      if (state[ship] >= TRAVELLING) underWay++
    }
    for (const _ of expectedShips(view)) underWay--
    assert(underWay === 0, `${underWay} ships under way are not expected`)
  },
}

function checkPosition(view: WorldView, ship: number): void {
  const at = view.read(Location)
  const { system } = view.read(Poi)
  if (at.state[ship] >= TRAVELLING) {
    const isWithin = system[at.toPoi[ship]] === at.system[ship]
    const isAdrift = at.state[ship] === DRIFTING
    assert(
      isAdrift || isWithin === (at.state[ship] === TRAVELLING),
      `ship ${ship} flies a strange way`,
    )
    const key = String(view.read(Ship).seq[ship])
    assert(isAdrift === view.records(DRIFTS).has(key), `ship ${ship} drifts without a line`)
    assert(at.poi[ship] === 0 && at.base[ship] === 0, `ship ${ship} flies and is at a place`)
    assert(at.departTick[ship] < at.arriveTick[ship], `ship ${ship} arrives before it leaves`)
    assert(at.arriveTick[ship] > view.tick, `ship ${ship} is overdue`)
    return
  }
  assert(
    system[at.poi[ship]] === at.system[ship],
    `ship ${ship} is in another system than its place`,
  )
  assert(at.arriveTick[ship] === 0 && at.toPoi[ship] === 0, `ship ${ship} has a flight left over`)
  if (at.state[ship] === AT_POI) assert(at.base[ship] === 0, `ship ${ship} is docked in space`)
  if (at.state[ship] === DOCKED_STATE) {
    assert(view.read(Base).poi[at.base[ship]] === at.poi[ship], `ship ${ship} is docked elsewhere`)
  }
}

export const listsAreComplete: CheckDef = {
  name: 'I9 lists: every ship on the map stands in exactly one list',
  run(view, full) {
    if (!full) return
    const at = view.read(Location)
    const listed = new Uint8Array(view.highOf(Ship) + 1)
    const walk = (first: number, belongs: (ship: number) => boolean): void => {
      for (let ship = first; ship !== 0; ship = at.nextHere[ship]) {
        assert(listed[ship] === 0, `ship ${ship} is listed twice`)
        assert(at.alive[ship] === 1 && belongs(ship), `ship ${ship} is listed where it is not`)
        listed[ship] = 1
      }
    }
    for (let poi = 1; poi <= view.highOf(Poi); poi++) {
      walk(view.read(Poi).firstShip[poi], (ship) => at.poi[ship] === poi)
    }
    for (let system = 1; system <= view.highOf(StarSystem); system++) {
      const first = view.read(StarSystem).firstTraveller[system]
      walk(first, (ship) => at.state[ship] === TRAVELLING && at.system[ship] === system)
    }
    for (let ship = 1; ship <= view.highOf(Ship); ship++) {
      if (at.alive[ship] === 0 || !isPlaced(view, ship) || at.state[ship] >= JUMPING) continue
      assert(isAside(view, ship) !== (listed[ship] === 1), `ship ${ship} stands in no list`)
    }
  },
}
