/**
 * Measures how long the map takes to draw a frame with many ships in flight, while its camera moves
 * and while it rests, and how soon it is usable on a slow machine: `node bin/run.mjs
 * test/web/draw-run`. Source: WEB 4, Budgets.
 */
import { chromium, type Page } from 'playwright-core'
import { findChromium } from './browser.ts'
import { startFixture } from './fixture.ts'
import * as galaxy from './galaxy-bodies.ts'

/** Ships in flight: the smaller number is drawn as dots, the larger one as marks of groups. */
const SHIPS = [5_000, 20_000]
const GROUP = 4
const REST_MS = 3_000
/* A slow machine on a slow line, and its limits: times in ms, and the sum of layout shifts. */
const SLOWER = 4
const BYTES_A_SECOND = 10_000_000 / 8
const LATENCY_MS = 20
const PAINT_MS_MAX = 1_000
const USABLE_MS_MAX = 1_500
const SHIFT_MAX = 0.02
const LOADS = 5
const TURNS = 60

interface TraceEvent {
  readonly name: string
  /** Microseconds of the thread's own time: what else runs on the machine does not count. */
  readonly tdur?: number
}

/** Prints how long the frames took that were drawn while `act` ran. */
async function measure(title: string, page: Page, act: () => Promise<void>): Promise<void> {
  await browser.startTracing(page, { categories: ['devtools.timeline'] })
  const since = performance.now()
  await act()
  const seconds = (performance.now() - since) / 1_000
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: readonly TraceEvent[]
  }
  const ms = traceEvents
    .filter(({ name, tdur }) => name === 'FireAnimationFrame' && tdur !== undefined)
    .map(({ tdur = 0 }) => tdur / 1_000)
    .sort((a, b) => a - b)
  const part = (share: number) => ms[Math.floor((ms.length - 1) * share)].toFixed(2)
  const rate = (ms.length / seconds).toFixed(0)
  console.log(
    `${title}: ${ms.length} frames, ${rate} a second, p50 ${part(0.5)} ms, p95 ${part(0.95)} ms`,
  )
}

interface FirstLoad {
  readonly paint: number
  readonly usable: number
  readonly shift: number
}

/** Opens the map for the first time on a slow machine. */
async function firstLoad(): Promise<FirstLoad> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_A_SECOND,
    uploadThroughput: BYTES_A_SECOND,
  })
  await page.goto(`${fixture.url}/map`, { waitUntil: 'commit' })
  await page.locator('[aria-label*="ships in flight"]').waitFor()
  const usable = await page.evaluate(() => performance.now())
  await page.waitForTimeout(REST_MS)
  const measured = await page.evaluate(() => {
    const [first] = performance.getEntriesByName('first-contentful-paint')
    return new Promise<{ paint: number; shift: number }>((resolve) => {
      let shift = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shift += (entry as never as { value: number }).value
      }).observe({ type: 'layout-shift' as never, buffered: true })
      setTimeout(() => resolve({ paint: first?.startTime ?? Number.NaN, shift }), 100)
    })
  })
  await context.close()
  return { ...measured, usable }
}

/** Prints how soon the map is painted and usable, and how much its layout shifts meanwhile. */
async function measureFirstLoads(): Promise<void> {
  const loads: FirstLoad[] = []
  for (let n = 0; n < LOADS; n++) loads.push(await firstLoad())
  const middle = (name: keyof FirstLoad): number =>
    loads.map((load) => load[name]).sort((a, b) => a - b)[LOADS >> 1]
  console.log(
    `first load, ${SLOWER} times slower, 10 Mbit/s: paint ${middle('paint').toFixed(0)} ms ` +
      `(<= ${PAINT_MS_MAX}), usable ${middle('usable').toFixed(0)} ms (<= ${USABLE_MS_MAX}), ` +
      `layout shift ${middle('shift').toFixed(3)} (<= ${SHIFT_MAX})`,
  )
}

const program = findChromium()
if (!program) throw new Error('There is no chromium in PATH, and CHROMIUM is not set.')
const fixture = await startFixture({ isManual: true })
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
await measureFirstLoads()
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
