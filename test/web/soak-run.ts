/**
 * Keeps the page open for long on a server where bots play. Reports errors of the console, the heap
 * after a collection at the start, in the middle and at the end, and differences from a fresh load:
 * `node bin/run.mjs test/web/soak-run --minutes 60 --bots 50`. Source: WEB 6.
 */
import { type CDPSession, chromium, type Page } from 'playwright-core'
import { runLoad, withServer } from '../../bench/live.ts'
import { aboveZero, newTool, wholeFrom } from '../../cli/command-line.ts'
import { findChromium } from './browser.ts'

/** The heap that the page may have after an hour. */
const HEAP_MB_MAX = 80
/** What the second half may add to the heap: a leak at each tick would add more. */
const GROWTH_MB_MAX = 4
/** Views that are opened in turn, and how long each stays open; the map stays longest. */
const VIEWS = ['/map', '/battles', '/map', '/market', '/map', '/leaderboard'] as const
const VIEW_MS = 10_000
/** Ticks without bots before both pages are compared. */
const QUIET_MS = 8_000

const { minutes, bots, tickMs } = newTool(
  'node bin/run.mjs test/web/soak-run',
  'Keeps the live page open while bots play, and says what grows.',
)
  .option('--minutes <n>', 'how long', aboveZero, 5)
  .option('--bots <n>', 'players', wholeFrom(1), 30)
  .option('--tick-ms <n>', 'length of a tick', wholeFrom(50), 1_000)
  .parse()
  .opts<{ readonly minutes: number; readonly bots: number; readonly tickMs: number }>()

interface Heap {
  readonly when: string
  readonly mb: number
  readonly nodes: number
  readonly listeners: number
}

async function heapOf(session: CDPSession, when: string): Promise<Heap> {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const metricOf = (name: string): number =>
    metrics.find((metric) => metric.name === name)?.value ?? 0
  const heap = {
    when,
    mb: metricOf('JSHeapUsedSize') / 1e6,
    nodes: metricOf('Nodes'),
    listeners: metricOf('JSEventListeners'),
  }
  const { mb, nodes, listeners } = heap
  console.log(`${when}: heap ${mb.toFixed(1)} MB, ${nodes} nodes, ${listeners} listeners`)
  return heap
}

/** Opens a view by a click on its link. */
async function open(page: Page, path: string): Promise<void> {
  const link = page.locator(`nav a[href^="${path}"]`).first()
  await link.click({ timeout: 10_000 })
}

/** Opens the views in turn until a time, then the map. */
async function tourViews(page: Page, untilMs: number): Promise<void> {
  for (let n = 0; performance.now() < untilMs; n++) {
    await open(page, VIEWS[n % VIEWS.length])
    await page.waitForTimeout(Math.max(0, Math.min(VIEW_MS, untilMs - performance.now())))
  }
  await open(page, '/map')
}

/** Returns the texts of a page without those that change with the tick or with time. */
async function shownOn(page: Page): Promise<string[]> {
  const texts = await page.locator('main *:not(:has(*))').allTextContents()
  return texts.filter((text) => text !== '' && !/tick|ago|\d+ s\b/i.test(text))
}

async function soak(url: string, page: Page): Promise<string[]> {
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.enable')
  await session.send('Performance.enable')
  const load = ['--players', String(bots), '--minutes', String(minutes), '--url', url]
  const playing = runLoad(load, process.stderr)
  await page.goto(`${url}/map`)
  await page.locator('[role=application]').first().waitFor()
  // Each view is opened once before measuring, because that loads its code.
  const since = performance.now()
  await tourViews(page, since + Math.min(VIEWS.length * VIEW_MS, minutes * 20_000))
  const start = await heapOf(session, 'start')
  await tourViews(page, since + minutes * 30_000)
  const middle = await heapOf(session, 'middle')
  await tourViews(page, since + minutes * 60_000)
  const end = await heapOf(session, 'end')
  await playing
  await page.waitForTimeout(QUIET_MS)
  const fresh = await page.context().newPage()
  await fresh.goto(`${url}/map`)
  await fresh.locator('[role=application]').first().waitFor()
  await fresh.waitForTimeout(QUIET_MS)
  const [oldLines, freshLines] = [await shownOn(page), await shownOn(fresh)]
  const missing = freshLines.filter((line) => !oldLines.includes(line))
  const extra = oldLines.filter((line) => !freshLines.includes(line))
  console.log(`a fresh load shows ${freshLines.length} lines, ${missing.length} are missing here`)
  for (const line of missing) faults.push(`the fresh page alone shows: ${line}`)
  for (const line of extra) faults.push(`the old page alone shows: ${line}`)
  if (end.mb > HEAP_MB_MAX) faults.push(`the heap is ${end.mb.toFixed(1)} MB`)
  const grown = end.mb - Math.max(middle.mb, start.mb)
  if (grown > GROWTH_MB_MAX) faults.push(`the heap grew by ${grown.toFixed(1)} MB`)
  return faults
}

const program = findChromium()
if (!program) throw new Error('There is no chromium in PATH, and CHROMIUM is not set.')
const settings = { TICK_MS: String(tickMs), SPECTATOR_DELAY: '0' }
const faults = await withServer({ settings }, async (url) => {
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  try {
    return await soak(url, await browser.newPage({ viewport: { width: 1280, height: 800 } }))
  } finally {
    await browser.close()
  }
})
for (const fault of faults) console.log(fault)
console.log(faults.length === 0 ? 'nothing grew, and nothing failed' : 'NOT SOUND')
process.exit(faults.length === 0 ? 0 : 1)
