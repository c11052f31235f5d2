/** Public counts of players, which leave out places off the chart, however new these are. */
import { beforeAll, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { applyFrame } from '../../../net/public/state.ts'
import { Player } from '../../../systems/account/state.ts'
import { chartSignature, readChart } from '../../../systems/spectator/chart-views.ts'
import { countsAlone } from '../../../systems/spectator/frame-views.ts'
import { createPresence } from '../../../systems/spectator/presence-views.ts'
import { addPlace } from '../../../systems/travel/rules.ts'
import { JUMPING, Location, Poi, TRAVELLING } from '../../../systems/travel/state.ts'
import { askPublic, frameOf, rowOf, runToEnd } from '../../public-world.ts'
import { onSmallMap, type SmallWorld, smallWorld, uncheck } from '../../small-world.ts'

onSmallMap()

let small: SmallWorld
let ada: Eid

beforeAll(async () => {
  small = await smallWorld()
  uncheck(small)
  ada = small.join('Ada')
  small.ticks(1)
})

test('no count shows ships at, to or from a hidden place made after the chart was read', () => {
  const { world } = small
  const charted = readChart(world)
  const signature = chartSignature(world)
  const { ship, seq } = world.read(Player)
  const activeShip = ship[ada]
  const location = world.write(Location)
  const open = location.poi[activeShip]
  const hidden = addPlace(world, location.system[activeShip], { type: 'relic', x: 9, y: 9 })
  world.write(Poi).hidden[hidden] = 1
  expect(chartSignature(world)).not.toBe(signature)
  const counts = () => runToEnd(createPresence()(world, charted))
  location.base[activeShip] = 0
  location.state[activeShip] = 0
  location.poi[activeShip] = 0
  const nothing = counts()
  expect([...nothing.presence.bound]).toEqual([seq[ada]])
  location.poi[activeShip] = hidden
  expect(counts()).toEqual(nothing)
  location.departTick[activeShip] = world.tick
  location.arriveTick[activeShip] = world.tick + 5
  for (const state of [TRAVELLING, JUMPING]) {
    for (const [from, to] of [
      [open, hidden],
      [hidden, open],
    ]) {
      location.state[activeShip] = state
      location.fromPoi[activeShip] = from
      location.toPoi[activeShip] = to
      expect(counts()).toEqual(nothing)
    }
  }
  location.state[activeShip] = 0
  location.poi[activeShip] = open
})

test('players left out of the lists of a cut frame still count as online', async () => {
  const whole = frameOf(small.world)
  expect(whole.presence.named.length).toBeGreaterThan(0)
  const state = applyFrame(undefined, countsAlone(whole))
  if (!state) throw new Error('the frame was not applied')
  const answer = await askPublic(state, rowOf('/api/players/:name'), { name: 'Ada' })
  expect(answer).toMatchObject({ ok: true, result: { online: true } })
  expect([...state.presence.bound]).toContain(small.world.read(Player).seq[ada])
  expect(state.presence.named).toHaveLength(0)
})
