/** Whatever crews do with passengers, every credit and everybody is where the books say. */
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
import { shared as roomOf } from '../facility/scene.ts'
import { give, hull, idOf } from '../fitting/scene.ts'
import { LINER, terminal, terminals, wait } from './scene.ts'

const STEPS = 800

it('eight hundred steps of three crews keep the books', async () => {
  const s = terminal(await terminals(), ['bistro_galley', 'tea_saloon'])
  const { world } = s
  world.records(POPULATION).set('active', 500)
  const crews = [s.captain, s.pilot(LINER), s.pilot(LINER)]
  const faction = foundFaction(world, crews[0], 'Random Walks', 'WALK')
  addMember(world, crews[1], faction)
  roomOf({ small: s.small, base: s.base } as never, 'transit_hall', faction)
  const bases = [s.base, s.there.base, s.elsewhere.base]
  for (const crew of crews) give(world, hull(world, crew), 'void_tea', 60)
  let k = 0
  const draw = (bound: number): number => hash32(7, ++k) % bound
  const seen = new Map<string, number>()
  const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)

  const step = (crew: Eid): void => {
    const at = dockedBase(world, crew)
    const ship = hull(world, crew)
    switch (at === 0 ? 5 : draw(6)) {
      case 0:
        wait(s, draw(3), 1 + draw(5))
        break
      case 1: {
        const people = waitingAt(world, at)
        const to =
          people.length === 0 ? s.base : world.read(Passenger).to[people[draw(people.length)]]
        note(load(world, crew, baseId(world, to)).ok ? 'loaded' : 'not loaded')
        break
      }
      case 2:
        note(unload(world, crew, { name: 'all', target: 'lounge' }).ok ? 'seated' : 'not seated')
        break
      case 3: {
        const target = idOf(world, hull(world, crews[draw(3)]))
        note(unload(world, crew, { name: 'all', target }).ok ? 'handed' : 'not handed')
        break
      }
      case 4:
        undockShip(world, ship)
        break
      default:
        dockShip(world, ship, bases[draw(3)])
        disembark(world, crew, dockedBase(world, crew))
        if (draw(5) === 0) note(unload(world, crew, { name: 'all' }).ok ? 'put off' : 'nobody')
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
    expect(seen.get(what), what).toBeGreaterThan(0)
  }
})
