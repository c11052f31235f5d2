/** A battle of two fleets, small enough for CI, in which no frame is lost or out of order. */
import { expect, test } from 'vitest'
import { fightBattle } from '../../bench/fleet-battle.ts'
import { prepareBattle } from '../../bench/fleet-world.ts'
import { withServer } from '../../bench/live.ts'

const FLEET = 20
const SPECTATORS = 3
const TICK_MS = 1_000
const MAX_ENTITIES = 20_000

test('two fleets of twenty fight to the end and every frame arrives', async () => {
  const lines: string[] = []
  const figures = await withServer(
    {
      settings: { TICK_MS: String(TICK_MS), MAX_ENTITIES: String(MAX_ENTITIES) },
      prepare: (connection) => prepareBattle(connection, 2 * FLEET, SPECTATORS, MAX_ENTITIES),
    },
    (url) =>
      fightBattle({
        url,
        tickMs: TICK_MS,
        fleet: FLEET,
        spectators: SPECTATORS,
        ticksMax: 90,
        print: (line) => lines.push(line),
      }),
  )
  console.log(lines.join('\n'))
  expect(figures.faults).toBe(0)
  expect(figures.destroyed).toBeGreaterThanOrEqual(FLEET)
  expect(figures.frames).toBeGreaterThan(figures.ticks * FLEET)
  expect(figures.queries).toBeGreaterThan(0)
}, 180_000)
