/** The combat ladder with fewer fights and wider bounds; `npm run ladder` runs it in full. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ladder, openLadder } from './ladder.ts'
import { FIGHTS } from './ladder-fights.ts'

const FIGHTS_EACH = 30
/** Points that a share of so few fights may be out of bounds: two standard deviations at 50 %. */
const SLACK = 18

let ladder: Ladder
beforeAll(async () => {
  ladder = await openLadder(1)
})
afterAll(() => ladder.close())

describe('the combat ladder', () => {
  test.each(FIGHTS)('keeps $id within its bounds', (fight) => {
    const rung = ladder.run(fight, FIGHTS_EACH)
    const [min, max] = fight.pct
    expect(rung.fights).toBe(FIGHTS_EACH)
    expect(rung.pct).toBeGreaterThanOrEqual(min - SLACK)
    expect(rung.pct).toBeLessThanOrEqual(max + SLACK)
  })
})
