/**
 * How long the map takes to draw a frame with 5,000 ships under way, while its camera moves and
 * while it rests: `node bin/run.mjs test/web/draw-run`.
 */
import { chromium } from 'playwright-core'
import { findChromium } from './browser.ts'
import { startFixture } from './fixture.ts'
import * as galaxy from './galaxy-bodies.ts'

const SHIPS = 5_000
const GROUP = 3
const REST_MS = 3_000
const TURNS = 60

/** Times every frame that the page draws. */
const TIMED = `
  window.drawMs = []
  const request = window.requestAnimationFrame.bind(window)
  window.requestAnimationFrame = (draw) => request((now) => {
    const start = performance.now()
    draw(now)
    window.drawMs.push(performance.now() - start)
  })`

const say = (what: string, ms: number[]): void => {
  ms.sort((a, b) => a - b)
  const part = (share: number) => ms[Math.floor((ms.length - 1) * share)].toFixed(2)
  console.log(`${what}: ${ms.length} frames, p50 ${part(0.5)} ms, p95 ${part(0.95)} ms`)
}

const program = findChromium()
if (!program) throw new Error('There is no chromium in PATH, and CHROMIUM is not set.')
const fixture = await startFixture({ isManual: true })
const body = galaxy.activity(fixture.tick(), Math.ceil(SHIPS / GROUP))
const transits = body.transits.map((jump) => ({ ...jump, count: GROUP }))
fixture.overrides.set('/api/map/activity', { body: { ...body, transits } })
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
for (const [width, height] of [
  [1280, 800],
  [390, 844],
]) {
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: 2 })
  const page = await context.newPage()
  await page.addInitScript(TIMED)
  await page.goto(`${fixture.url}/map`)
  await page.locator('[aria-label*="ships in flight"]').waitFor()
  const take = () => page.evaluate<number[]>('window.drawMs.splice(0)')
  await take()
  await page.waitForTimeout(REST_MS)
  say(`${width} x ${height}, at rest`, await take())
  await page.mouse.move(width / 3, height / 3)
  for (let turn = 0; turn < TURNS; turn++) {
    await page.mouse.wheel(0, turn % 20 < 10 ? -40 : 40)
    await page.waitForTimeout(30)
  }
  say(`${width} x ${height}, camera moving`, await take())
  await context.close()
}
await browser.close()
await fixture.close()
