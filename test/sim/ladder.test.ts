/** The combat ladder in short: fewer fights, wider bounds. `npm run ladder` fights it in full. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ladder, openLadder } from './ladder.ts'
import { FIGHTS } from './ladder-fights.ts'

const FIGHTS_EACH = 30
/** Points by which a share of so few fights may leave the bounds: two deviations of a half. */
const SLACK = 18

let ladder: Ladder
beforeAll(async () => {
  ladder = await openLadder(1)
})
afterAll(() => ladder.close())

describe('the combat ladder', () => {
  test.each(FIGHTS.map((fight) => [fight.id, fight] as const))('%s', (_, fight) => {
    const rung = ladder.run(fight, FIGHTS_EACH)
    const [min, max] = fight.pct
    expect(rung.fights).toBe(FIGHTS_EACH)
    expect(rung.pct).toBeGreaterThanOrEqual(min - SLACK)
    expect(rung.pct).toBeLessThanOrEqual(max + SLACK)
  })
})
