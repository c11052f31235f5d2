/** Parsing times that clients send. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isoTime } from '../../../core/time.ts'
import { parseTime } from '../../../systems/chat/time-model.ts'

describe('times of clients', () => {
  it('are read as isoTime and Date write them', () => {
    const moment = fc.integer({ min: 0, max: 253_402_300_799_999 })
    fc.assert(
      fc.property(moment, (ms) => {
        expect(isoTime(ms)).toBe(new Date(ms).toISOString())
        expect(parseTime(isoTime(ms))).toBe(ms)
      }),
      { numRuns: 2_000 },
    )
  })

  it('are read with offsets, and cut to milliseconds', () => {
    expect(parseTime('2026-11-21T10:00:00+02:00')).toBe(Date.parse('2026-11-21T08:00:00Z'))
    expect(parseTime('2026-11-21t08:00:00.123456z')).toBe(Date.parse('2026-11-21T08:00:00.123Z'))
    expect(parseTime('2024-02-29T00:00:00Z')).toBe(Date.parse('2024-02-29T00:00:00Z'))
  })

  it.each([
    '2026-11-21',
    '2026-11-21T08:00Z',
    '2026-11-21T08:00:00',
    '2026-11-21 08:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T08:60:00Z',
    '2026-11-21T08:00:00+25:00',
    'yesterday',
    '',
  ])('are refused as %j', (text) => {
    expect(parseTime(text)).toBeUndefined()
  })
})
