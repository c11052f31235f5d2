/** Who is counted where: nobody at places that strangers do not know, however new these are. */
import { beforeAll, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { applyFrame } from '../../../net/public/state.ts'
import { Player } from '../../../systems/account/state.ts'
import { chartSignature, readChart } from '../../../systems/spectator/chart-views.ts'
import { countsAlone } from '../../../systems/spectator/frame-views.ts'
import { countPresence } from '../../../systems/spectator/presence-views.ts'
import { addPlace } from '../../../systems/travel/rules.ts'
import { JUMPING, Location, Poi, TRAVELLING } from '../../../systems/travel/state.ts'
import { askPublic, frameOf, rowOf, runToEnd } from '../../public-world.ts'
import { type SmallWorld, smallWorld, uncheck } from '../../small-world.ts'

let small: SmallWorld
let ada: Eid

beforeAll(async () => {
  small = await smallWorld()
  uncheck(small)
  ada = small.join('Ada')
  small.ticks(1)
})

test('nothing shows ships at, to and through a hidden place made after the chart was read', () => {
  const { world } = small
  const charted = readChart(world)
  const signature = chartSignature(world)
  const { ship, seq } = world.read(Player)
  const flown = ship[ada]
  const location = world.write(Location)
  const open = location.poi[flown]
  const hidden = addPlace(world, location.system[flown], { type: 'relic', x: 9, y: 9 })
  world.write(Poi).hidden[hidden] = 1
  expect(chartSignature(world)).not.toBe(signature)
  const counts = () => runToEnd(countPresence(world, charted))
  location.base[flown] = 0
  location.state[flown] = 0
  location.poi[flown] = 0
  const nothing = counts()
  expect([...nothing.presence.bound]).toEqual([seq[ada]])
  location.poi[flown] = hidden
  expect(counts()).toEqual(nothing)
  location.departTick[flown] = world.tick
  location.arriveTick[flown] = world.tick + 5
  for (const state of [TRAVELLING, JUMPING]) {
    for (const [from, to] of [
      [open, hidden],
      [hidden, open],
    ]) {
      location.state[flown] = state
      location.fromPoi[flown] = from
      location.toPoi[flown] = to
      expect(counts()).toEqual(nothing)
    }
  }
  location.state[flown] = 0
  location.poi[flown] = open
})

test('players left out of the lists of a cut frame still count as online', async () => {
  const whole = frameOf(small.world)
  expect(whole.presence.named.length).toBeGreaterThan(0)
  const state = applyFrame(undefined, countsAlone(whole))
  if (!state) throw new Error('the frame stands for itself')
  const answer = await askPublic(state, rowOf('/api/players/:name'), { name: 'Ada' })
  expect(answer).toMatchObject({ ok: true, result: { online: true } })
  expect([...state.presence.bound]).toContain(small.world.read(Player).seq[ada])
  expect(state.presence.named).toHaveLength(0)
})
