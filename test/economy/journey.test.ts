/**
 * A newcomer of each empire completes the missions for new pilots and buys a second hull. `npm run
 * journey` plays it at full size. Source: balance.md sections 3, 7.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NEW_PILOT_STEPS } from '../../core/catalog/missions-newcomer.ts'
import { type Journey, playJourney, tickOfNineInTen } from './journey.ts'
import { FIRSTS, type First } from './journey-steps.ts'

let journey: Journey

beforeAll(async () => {
  journey = await playJourney({ seed: 7, each: 1, ticksMax: FIRSTS.hull })
}, 60_000)

afterAll(() => journey.driven.close())

test('a newcomer of each empire hands in every step for new pilots', () => {
  const steps = journey.pilots.map(({ empire, handedIn }) => [empire, handedIn.length])
  expect(steps).toEqual(journey.pilots.map(({ empire }) => [empire, NEW_PILOT_STEPS]))
})

test.each(Object.keys(FIRSTS) as First[])(
  'nine in ten newcomers reach their first %s in time',
  (first) => {
    expect(tickOfNineInTen(journey.pilots, first)).toBeLessThanOrEqual(FIRSTS[first])
  },
)
