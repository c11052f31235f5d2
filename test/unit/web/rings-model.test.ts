/** The layout of a battle: ships in their ring and in the sector of their side, set apart. */
import { expect, test } from 'vitest'
import { extendReplay, NO_REPLAY } from '../../../web/battle-model.ts'
import {
  layOut,
  markAt,
  placesOnArc,
  RING_RADII,
  SINGLE_SHIPS_MAX,
  sectorsOf,
  WRECK_TICKS,
} from '../../../web/rings-model.ts'
import { cannedRows } from '../../web/canned-battle.ts'

const framesOf = (sides: readonly number[], ticks = 60) =>
  extendReplay(NO_REPLAY, cannedRows({ sides, ticks })).frames

test('sectors fill the circle without touching; the first faces left', () => {
  const [frame] = framesOf([5, 6, 20], 1)
  const sectors = sectorsOf(frame.ships)
  expect(sectors.map(({ side }) => side)).toEqual([1, 2, 3])
  expect((sectors[0].from + sectors[0].to) / 2).toBeCloseTo(Math.PI)
  for (const [index, sector] of sectors.entries()) {
    // The last sector is followed by the first one, a full turn later.
    const next = sectors[index + 1]?.from ?? sectors[0].from + 2 * Math.PI
    expect(next - sector.to).toBeCloseTo(0.08)
    expect(sector.to - sector.from).toBeGreaterThan(0.9)
  }
})

test('every ship that fights has a mark in its ring, within its sector', () => {
  for (const frame of framesOf([5, 6])) {
    const { marks, sectors } = layOut(frame)
    const fighting = frame.ships.filter(({ fate }) => fate === 'fighting')
    expect(marks.filter(({ isWreck }) => !isWreck)).toHaveLength(fighting.length)
    for (const mark of marks) {
      const ship = frame.ships.find(({ id }) => id === mark.key)
      expect(Math.hypot(mark.x, mark.y)).toBeCloseTo(RING_RADII[ship?.ring ?? 0], 0)
      const sector = sectors.find(({ side }) => side === mark.side)
      const middle = ((sector?.from ?? 0) + (sector?.to ?? 0)) / 2
      const turned = Math.atan2(mark.y, mark.x) - middle
      const offset = Math.abs(Math.atan2(Math.sin(turned), Math.cos(turned)))
      expect(offset).toBeLessThan((sector ? sector.to - sector.from : 0) / 2 + 1e-9)
    }
  }
})

test('places on an arc keep their distance while there is room', () => {
  const places = placesOnArc({ side: 1, from: 0, to: Math.PI }, 3, 40, 0.025)
  for (const [index, place] of places.entries()) {
    for (const other of places.slice(index + 1)) {
      expect(Math.hypot(place.x - other.x, place.y - other.y)).toBeGreaterThan(0.05)
    }
  }
})

test('a wreck is shown for WRECK_TICKS', () => {
  const frames = framesOf([5, 6])
  const index = frames.findIndex(({ kills }) => kills > 0)
  const victim = frames[index].events.find(({ kind }) => kind === 'kill')?.ids[0] ?? ''
  expect(layOut(frames[index]).markOf.get(victim)?.isWreck).toBe(true)
  const later = { ...frames[index], tick: frames[index].tick + WRECK_TICKS }
  expect(layOut(later).markOf.get(victim)).toBeUndefined()
})

test('more than SINGLE_SHIPS_MAX ships are drawn by class, each counted once', () => {
  const [frame] = framesOf([150, 150], 1)
  const { marks, markOf } = layOut(frame)
  expect(marks.length).toBeLessThan(20)
  expect(marks.reduce((sum, { count }) => sum + count, 0)).toBe(frame.ships.length)
  expect(markOf.size).toBe(frame.ships.length)
  const [few] = framesOf([SINGLE_SHIPS_MAX / 2, SINGLE_SHIPS_MAX / 2], 1)
  expect(layOut(few).marks.every(({ count }) => count === 1)).toBe(true)
})

test('a point finds the nearest mark within reach, and nothing beyond', () => {
  const layout = layOut(framesOf([2, 2])[0])
  const [mark] = layout.marks
  expect(markAt(layout, mark.x + 0.01, mark.y, 0.05)).toBe(mark)
  expect(markAt(layout, 0, 0, 0.05)).toBeUndefined()
})
