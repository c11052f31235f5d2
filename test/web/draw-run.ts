/**
 * How long the map takes to draw a frame with many ships under way, while its camera moves and
 * while it rests: `node bin/run.mjs test/web/draw-run`.
 */
import { chromium, type Page } from 'playwright-core'
import { findChromium } from './browser.ts'
import { startFixture } from './fixture.ts'
import * as galaxy from './galaxy-bodies.ts'

/** As dots, and as marks of groups, which more of them are. */
const SHIPS = [5_000, 20_000]
const GROUP = 4
const REST_MS = 3_000
const TURNS = 60

interface TraceEvent {
  readonly name: string
  /** Microseconds of the thread's own time: what else runs on the machine does not count. */
  readonly tdur?: number
}

/** Says how long the frames took that were drawn while `act` ran. */
async function measure(what: string, page: Page, act: () => Promise<void>): Promise<void> {
  await browser.startTracing(page, { categories: ['devtools.timeline'] })
  await act()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: readonly TraceEvent[]
  }
  const ms = traceEvents
    .filter(({ name, tdur }) => name === 'FireAnimationFrame' && tdur !== undefined)
    .map(({ tdur = 0 }) => tdur / 1_000)
    .sort((a, b) => a - b)
  const part = (share: number) => ms[Math.floor((ms.length - 1) * share)].toFixed(2)
  console.log(`${what}: ${ms.length} frames, p50 ${part(0.5)} ms, p95 ${part(0.95)} ms`)
}

const program = findChromium()
if (!program) throw new Error('There is no chromium in PATH, and CHROMIUM is not set.')
const fixture = await startFixture({ isManual: true })
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
for (const ships of SHIPS) {
  const body = galaxy.activity(fixture.tick(), ships / GROUP)
  const transits = body.transits.map((jump) => ({ ...jump, count: GROUP }))
  fixture.overrides.set('/api/map/activity', { body: { ...body, transits } })
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ]) {
    const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: 2 })
    const page = await context.newPage()
    await page.goto(`${fixture.url}/map`)
    await page.locator('[aria-label*="ships in flight"]').waitFor()
    await measure(`${ships} ships, ${width} x ${height}, at rest`, page, () =>
      page.waitForTimeout(REST_MS),
    )
    await page.mouse.move(width / 3, height / 3)
    await measure(`${ships} ships, ${width} x ${height}, camera moving`, page, async () => {
      for (let turn = 0; turn < TURNS; turn++) {
        await page.mouse.wheel(0, turn % 20 < 10 ? -40 : 40)
        await page.waitForTimeout(30)
      }
    })
    await context.close()
  }
}
await browser.close()
await fixture.close()
