/**
 * A newcomer of each empire follows the way of a new pilot to its end and buys a second hull. At
 * full size: journey-run.ts. Source: balance.md sections 3, 7.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NEW_PILOT_STEPS } from '../../core/catalog/missions-newcomer.ts'
import { type Journey, ninetieth, travelTheWay } from './journey.ts'
import { FIRSTS, type First } from './journey-steps.ts'

let journey: Journey

beforeAll(async () => {
  journey = await travelTheWay({ seed: 7, each: 1, ticksMax: FIRSTS.hull })
}, 60_000)

afterAll(() => journey.driven.close())

test('the newcomers of all empires take all steps of the way', () => {
  const steps = journey.pilots.map(({ empire, handedIn }) => [empire, handedIn.length])
  expect(steps).toEqual(journey.pilots.map(({ empire }) => [empire, NEW_PILOT_STEPS]))
})

test.each(Object.keys(FIRSTS) as First[])('their first %s comes in time', (first) => {
  expect(ninetieth(journey.pilots, first)).toBeLessThanOrEqual(FIRSTS[first])
})
