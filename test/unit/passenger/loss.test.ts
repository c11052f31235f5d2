/** Ships that change hands, or are lost, with people aboard. ships.md 8, crafting.md 9. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Row } from '../../../core/types.ts'
import { reputationOf, usernameOf } from '../../../systems/account/model.ts'
import { storeShip } from '../../../systems/fitting/activation-rules.ts'
import { rideWith } from '../../../systems/fleet/rules.ts'
import { passengersOf } from '../../../systems/passenger/list-model.ts'
import { berthsOf } from '../../../systems/passenger/model.ts'
import { releaseShip, setOwner } from '../../../systems/ship/rules.ts'
import { removeFromMap } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { type Docks, fittedId, fly, hull, idOf, parked } from '../fitting/scene.ts'
import {
  escrowed,
  isGone,
  LINER,
  load,
  poolOf,
  SUITES,
  type Terminal,
  takeOff,
  terminal,
  terminals,
  wait,
} from './scene.ts'

onSmallMap()

let s: Terminal
let shared: Docks
beforeAll(async () => {
  shared = await terminals()
})
beforeEach(() => {
  s = terminal(shared)
})

/** Parks a liner with one passenger in it; the captain flies another ship. */
function parkedLiner(): { ship: Row; row: Row } {
  const ship = hull(s.world, s.captain)
  const [row] = wait(s, 2)
  load(s)
  fly(s.world, s.captain, parked(s.world, s.captain))
  return { ship, row }
}

describe('a ship with passengers', () => {
  it('sends passengers and escrow home without blame when it is lost', () => {
    const [row] = wait(s, 0)
    const pool = poolOf(s, s.base)
    load(s)
    takeOff(s, s.captain)
    const before = reputationOf(s.world, s.captain, 0)
    expect(s.act(s.captain, 'self_destruct').ok).toBe(true)
    expect(isGone(s, row)).toBe(true)
    expect(escrowed(s, s.base)).toBe(0)
    expect(poolOf(s, s.base)).toBeGreaterThanOrEqual(pool)
    expect(reputationOf(s.world, s.captain, 0)).toBe(before)
  })

  it('is emptied when its owner changes', () => {
    const { ship, row } = parkedLiner()
    setOwner(s.world, ship, s.pilot())
    expect(isGone(s, row)).toBe(true)
    expect(passengersOf(s.world, ship)).toEqual([])
    expect(escrowed(s, s.base)).toBe(0)
  })

  it('is emptied when it is removed from the world', () => {
    const { ship, row } = parkedLiner()
    removeFromMap(s.world, ship)
    releaseShip(s.world, ship)
    expect(isGone(s, row)).toBe(true)
    s.small.ticks(1)
  })

  it('can be neither sold, given nor scrapped', () => {
    const { ship } = parkedLiner()
    const ship_id = idOf(s.world, ship)
    const friend = s.pilot()
    s.refuses(s.captain, 'list_ship_for_sale', { ship_id, price: 5_000 }, 'ship_occupied')
    s.refuses(s.captain, 'scrap_ship', { ship_id }, 'ship_occupied')
    const gift = { recipient: usernameOf(s.world, friend), ship_id }
    s.refuses(s.captain, 'send_gift', gift, 'ship_occupied')
  })

  it('keeps its cabins while passengers need them', () => {
    wait(s, 2, 5)
    load(s)
    const module_id = fittedId(s.world, hull(s.world, s.captain), SUITES)
    s.refuses(s.captain, 'uninstall_mod', { module_id }, 'no_berths')
  })

  it('keeps its cabins while players who ride along need them', () => {
    wait(s, 0)
    load(s)
    const ship = hull(s.world, s.captain)
    const module_id = fittedId(s.world, ship, SUITES)
    const left = berthsOf(s.world, ship, []).reduce((sum, berths) => sum + berths, 0)
    for (let i = 0; i <= left; i++) {
      const rider = s.pilot()
      storeShip(s.world, rider)
      rideWith(s.world, rider, s.captain)
    }
    s.refuses(s.captain, 'uninstall_mod', { module_id }, 'no_berths')
  })

  it('may lose cabins that are empty', () => {
    wait(s, 0)
    load(s)
    const module_id = fittedId(s.world, hull(s.world, s.captain), SUITES)
    expect(s.act(s.captain, 'uninstall_mod', { module_id }).ok).toBe(true)
    expect(LINER).toBe('vesper')
  })
})
