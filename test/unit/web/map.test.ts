/** The parts of the map that need no browser: changes of its activity, its camera, its chart. */
import { expect, test } from 'vitest'
import {
  fit,
  lookAt,
  newCamera,
  readAt,
  resize,
  worldX,
  worldY,
  writeAt,
  zoomBy,
} from '../../../web/canvas/camera.ts'
import { makeChart, systemTowards } from '../../../web/canvas/chart.ts'
import { applyUpdate } from '../../../web/map-updates.ts'
import * as galaxy from '../../web/galaxy-bodies.ts'

const BODY = {
  current_tick: 10,
  online: { a: 2, b: 1 },
  npc: {},
  heat: { a: 50 },
  battles: { a: 'one' },
  strongholds: {},
  transits: [{ from_system: 'a', to_system: 'b', start_tick: 7, arrival_tick: 11, count: 1 }],
}
const IDS = ['a', 'b', 'c']

test('a change adds departures, replaces counts, and removes zeros and ended transits', () => {
  const change = {
    tick: 12,
    departures: [2, 0, 12, 17, 3],
    online: [0, 0, 2, 4],
    heat: [0, 0],
    battles: { a: '', c: 'two' },
  }
  expect(applyUpdate(BODY, change, IDS)).toEqual({
    ...BODY,
    current_tick: 12,
    online: { b: 1, c: 4 },
    heat: {},
    battles: { c: 'two' },
    transits: [{ from_system: 'c', to_system: 'a', start_tick: 12, arrival_tick: 17, count: 3 }],
  })
})

test('a change of systems that the table does not name is ignored', () => {
  const change = { tick: 11, departures: [9, 0, 11, 15, 1], online: [9, 5] }
  const after = applyUpdate(BODY, change, IDS)
  expect(after.online).toEqual(BODY.online)
  expect(after.transits).toEqual(BODY.transits)
})

const BOX = { left: -100, top: -50, right: 100, bottom: 50 }

function fittedCamera() {
  const camera = newCamera()
  resize(camera, 1_000, 600, BOX)
  fit(camera)
  return camera
}

test('zooming keeps the point under the pointer where it is', () => {
  const camera = fittedCamera()
  const before = [worldX(camera, 250), worldY(camera, 130)]
  zoomBy(camera, 3, 250, 130)
  expect(worldX(camera, 250)).toBeCloseTo(before[0], 6)
  expect(worldY(camera, 130)).toBeCloseTo(before[1], 6)
})

test('the camera is restored from its address, which is absent for the whole map', () => {
  const camera = fittedCamera()
  expect(writeAt(camera)).toBeUndefined()
  lookAt(camera, 30, -20, 4)
  const restored = fittedCamera()
  expect(readAt(restored, writeAt(camera))).toBe(true)
  expect([restored.x, restored.y, restored.scale]).toEqual([camera.x, camera.y, camera.scale])
  for (const text of [undefined, '', '1,2', 'a,b,c']) expect(readAt(restored, text)).toBe(false)
})

test('resizing the window keeps zoom and centre', () => {
  const camera = fittedCamera()
  lookAt(camera, 30, -20, 4)
  resize(camera, 390, 700, BOX)
  expect(writeAt(camera)).toBe('30,-20,4.00')
})

test('the chart has the lanes of the body, and arrow keys lead to a system on that side', () => {
  const body = galaxy.map()
  const chart = makeChart(body)
  const ends = body.systems.reduce((all, { connections }) => all + connections.length, 0)
  expect(chart.lanes.length).toBe(ends)
  for (let system = 0; system < 40; system++) {
    const right = systemTowards(chart, system, 1, 0)
    if (right >= 0) expect(chart.x[right]).toBeGreaterThan(chart.x[system])
    const up = systemTowards(chart, system, 0, -1)
    if (up >= 0) expect(chart.y[up]).toBeLessThan(chart.y[system])
  }
})
