/** Random steps of crews with passengers: all credits and passengers stay accounted for. */
import { expect, it } from 'vitest'
import { itemsSumToZero } from '../../../core/goods.ts'
import { creditsSumToZero } from '../../../core/ledger.ts'
import { hash32 } from '../../../core/rng.ts'
import type { Eid } from '../../../core/types.ts'
import { POPULATION } from '../../../systems/account/state.ts'
import { baseId } from '../../../systems/base/model.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { load, unload } from '../../../systems/passenger/boarding-commands.ts'
import { waitingAt } from '../../../systems/passenger/list-model.ts'
import { updateMarket } from '../../../systems/passenger/market-rules.ts'
import { disembark } from '../../../systems/passenger/rules.ts'
import { Passenger } from '../../../systems/passenger/state.ts'
import {
  faresHold,
  handleDue,
  passengersHold,
  serveShips,
} from '../../../systems/passenger/systems.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { dockShip, undockShip } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { shared as addRoom } from '../facility/scene.ts'
import { give, hull, idOf } from '../fitting/scene.ts'
import { LINER, terminal, terminals, wait } from './scene.ts'

onSmallMap()

const STEPS = 800

it('eight hundred random steps of three crews keep all invariants', async () => {
  const s = terminal(await terminals(), ['bistro_galley', 'tea_saloon'])
  const { world } = s
  world.records(POPULATION).set('active', 500)
  const crews = [s.captain, s.pilot(LINER), s.pilot(LINER)]
  const faction = foundFaction(world, crews[0], 'Random Walks', 'WALK')
  addMember(world, crews[1], faction)
  addRoom({ small: s.small, base: s.base } as never, 'transit_hall', faction)
  const bases = [s.base, s.there.base, s.elsewhere.base]
  for (const crew of crews) give(world, hull(world, crew), 'void_tea', 60)
  let draws = 0
  const draw = (bound: number): number => hash32(7, ++draws) % bound
  const outcomes = new Map<string, number>()
  const count = (what: string) => outcomes.set(what, (outcomes.get(what) ?? 0) + 1)

  const step = (crew: Eid): void => {
    const station = dockedBase(world, crew)
    const ship = hull(world, crew)
    switch (station === 0 ? 5 : draw(6)) {
      case 0:
        wait(s, draw(3), 1 + draw(5))
        break
      case 1: {
        const people = waitingAt(world, station)
        const destination =
          people.length === 0 ? s.base : world.read(Passenger).to[people[draw(people.length)]]
        count(load(world, crew, baseId(world, destination)).ok ? 'loaded' : 'not loaded')
        break
      }
      case 2:
        count(unload(world, crew, { name: 'all', target: 'lounge' }).ok ? 'seated' : 'not seated')
        break
      case 3: {
        const target = idOf(world, hull(world, crews[draw(3)]))
        count(unload(world, crew, { name: 'all', target }).ok ? 'handed' : 'not handed')
        break
      }
      case 4:
        undockShip(world, ship)
        break
      default:
        dockShip(world, ship, bases[draw(3)])
        disembark(world, crew, dockedBase(world, crew))
        if (draw(5) === 0) count(unload(world, crew, { name: 'all' }).ok ? 'put off' : 'nobody')
    }
  }
  const { tick } = world
  for (let i = 0; i < STEPS; i++) {
    step(crews[draw(3)])
    world.tick++
    handleDue(world)
    serveShips(world)
    if (i % 40 === 0) updateMarket(world, bases[draw(3)])
    world.recycle()
    if (i % 4 === 0) for (const check of [passengersHold, faresHold]) check.run(world, true)
  }
  creditsSumToZero.run(world, true)
  itemsSumToZero.run(world, true)
  expect(world.tick).toBe(tick + STEPS)
  for (const what of ['loaded', 'seated', 'handed', 'put off']) {
    expect(outcomes.get(what), what).toBeGreaterThan(0)
  }
})
