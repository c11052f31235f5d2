/** The arithmetic of flight: travel.md sections 3 and 4. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  distanceMilliAu,
  type Flight,
  fuelPerJump,
  fuelToTravel,
  jumpTicks,
  travelTicks,
} from '../../../systems/travel/flight-model.ts'

const flightWith = (overrides: Partial<Flight> = {}): Flight => ({
  speed: 2,
  scale: 1,
  fuelEfficiencyPct: 0,
  navigation: 0,
  towPct: 0,
  ...overrides,
})

const flights = fc.record({
  speed: fc.integer({ min: 1, max: 8 }),
  scale: fc.integer({ min: 1, max: 5 }),
  fuelEfficiencyPct: fc.integer({ min: -300, max: 150 }),
  navigation: fc.integer({ min: 0, max: 100 }),
  towPct: fc.integer({ min: 0, max: 90 }),
})

describe('travel in a system', () => {
  test('takes distance over speed in ticks, rounded up to at least one', () => {
    expect(travelTicks(flightWith(), 0)).toBe(1)
    expect(travelTicks(flightWith(), 2000)).toBe(1)
    expect(travelTicks(flightWith(), 2001)).toBe(2)
    expect(travelTicks(flightWith({ speed: 1 }), 5000)).toBe(5)
  })

  test('burns scale^1.5 · speed · AU · 0.07, rounded up once', () => {
    // 1 · 2 · 5 · 0.07 = 0.7
    expect(fuelToTravel(flightWith(), 5000)).toBe(1)
    // 1 · 2 · 50 · 0.07 = 7 exactly: no rounding
    expect(fuelToTravel(flightWith(), 50_000)).toBe(7)
    expect(fuelToTravel(flightWith(), 50_001)).toBe(8)
    // 11.18034 · 3 · 10 · 0.07 = 23.478714
    expect(fuelToTravel(flightWith({ speed: 3, scale: 5 }), 10_000)).toBe(24)
    // The same with 20 % off by modules and 10 % by navigation: 16.9047.
    const trained = flightWith({ speed: 3, scale: 5, fuelEfficiencyPct: 20, navigation: 10 })
    expect(fuelToTravel(trained, 10_000)).toBe(17)
  })

  test('limits savings to 80 % by modules and 50 % by navigation, and penalties to 300 %', () => {
    const far = 1_000_000
    expect(fuelToTravel(flightWith({ fuelEfficiencyPct: 150 }), far)).toBe(
      fuelToTravel(flightWith({ fuelEfficiencyPct: 80 }), far),
    )
    expect(fuelToTravel(flightWith({ navigation: 100 }), far)).toBe(
      fuelToTravel(flightWith({ navigation: 50 }), far),
    )
    expect(fuelToTravel(flightWith({ fuelEfficiencyPct: -900 }), far)).toBe(
      3 * fuelToTravel(flightWith(), far),
    )
  })

  test('has a distance rounded down to an integer', () => {
    expect(distanceMilliAu(0, 0, 3000, 4000)).toBe(5000)
    expect(distanceMilliAu(-1000, 0, 1000, 1)).toBe(2000)
  })

  test('burns an integer of at least 1 that never falls with distance', () => {
    fc.assert(
      fc.property(flights, fc.nat(100_000), fc.nat(100_000), (flight, near, further) => {
        const fuel = fuelToTravel(flight, near)
        expect(Number.isSafeInteger(fuel) && fuel >= 1).toBe(true)
        expect(fuelToTravel(flight, near + further)).toBeGreaterThanOrEqual(fuel)
      }),
    )
  })
})

describe('jump', () => {
  test('takes 7 ticks less speed, fewer by navigation, at least one', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((speed) => jumpTicks(flightWith({ speed })))).toEqual([
      6, 5, 4, 3, 2, 1, 1, 1,
    ])
    // 6 · 80 % = 4.8
    expect(jumpTicks(flightWith({ speed: 1, navigation: 20 }))).toBe(5)
    expect(jumpTicks(flightWith({ speed: 1, navigation: 100 }))).toBe(3)
  })

  test('burns scale^1.5 · speed, navigation counting twice', () => {
    expect(fuelPerJump(flightWith())).toBe(2)
    expect(fuelPerJump(flightWith({ speed: 3, scale: 3 }))).toBe(16)
    // 15.588468 · 0.9 · 0.9 = 12.6266
    expect(fuelPerJump(flightWith({ speed: 3, scale: 3, navigation: 10 }))).toBe(13)
    expect(fuelPerJump(flightWith({ speed: 1, fuelEfficiencyPct: 80, navigation: 50 }))).toBe(1)
  })
})
