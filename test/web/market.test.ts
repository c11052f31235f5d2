/** The exchange and stations in a browser: tables, books, charts, keys, and narrow layouts. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { SAMPLE } from './market-bodies.ts'
import { describeView, NARROW, overflowOf, textsOf } from './view-test.ts'

const ROWS = 'tbody tr'
/** Items in the canned bodies of the exchange. */
const ITEM_COUNT = 180
const untilRows = (page: Page, count: number) =>
  expect.poll(() => page.locator(ROWS).count(), { timeout: 20_000 }).toBe(count)

describeView('the exchange and stations', (viewTest) => {
  viewTest('f focuses the filter; its text is part of the address', async ({ page, open }) => {
    await open('/market', ROWS)
    await untilRows(page, ITEM_COUNT)
    await page.keyboard.press('f')
    await page.keyboard.type('copper ore')
    await untilRows(page, 1)
    await expect.poll(() => page.url()).toContain('q=copper+ore')
    await page.fill('input[aria-keyshortcuts=f]', 'no such thing')
    await page.waitForSelector('[data-state=empty]')
  })

  viewTest('a selected empire shows its own best prices', async ({ page, open }) => {
    await open('/market', ROWS)
    const bestPrices = () => page.locator('tbody tr:first-child td').nth(3).textContent()
    expect(await bestPrices()).toContain('Voidborn')
    await page.selectOption('.filters select >> nth=1', 'solarian')
    await expect.poll(bestPrices).toContain('Solarian')
    await page.click('text=By empire')
    await expect.poll(() => textsOf(page, 'thead th')).toEqual(['Item', 'Solarian Confederacy'])
  })

  viewTest(
    'Enter on a header sorts by it, with empty values last in both directions',
    async (visit) => {
      const { page, open } = visit
      await open('/market', ROWS)
      const prices = async () => {
        const texts = await page.locator('tbody td:nth-child(5) .mono').allTextContents()
        return texts.map((text) => Number(text.replace(/\s/g, '')))
      }
      const lastValue = page.locator('tbody tr:last-child td:nth-child(5) .mono')
      await page.locator('th button', { hasText: 'Best ask' }).focus()
      for (const direction of [-1, 1]) {
        await page.keyboard.press('Enter')
        await page.waitForSelector(`th[aria-sort=${direction > 0 ? 'ascending' : 'descending'}]`)
        const found = await prices()
        expect(found).toEqual([...found].sort((a, b) => direction * (a - b)))
        expect(await lastValue.count()).toBe(0)
      }
      await expect
        .poll(() => page.locator('th[aria-sort=ascending]').textContent())
        .toBe('Best ask')
    },
  )

  viewTest('movers, arbitrage and trades each have a tab', async ({ page, open, fixture }) => {
    await open('/market?tab=movers', '.four')
    expect(await page.locator('.four').textContent()).toContain('+31.4')
    await page.click('text=Arbitrage')
    await page.waitForSelector('caption:has-text("Profitable trips")')
    await page.click('text=Trades')
    await page.waitForSelector('caption:has-text("Most traded")')
    const first = () => page.locator('.split .table').first().locator('tbody tr').first()
    await expect.poll(() => fixture.watchers()).toBe(1)
    const fill = { quantity: 77, price_each: 1_234, total: 95_018, order_type: 'buy' }
    const names = { item_name: 'Moon Cheese', station_name: 'The Ledger', seller: '', buyer: '' }
    fixture.send('exchange_fill', { ...fill, ...names })
    await expect.poll(() => first().textContent()).toContain('Moon Cheese')
  })

  viewTest('an unknown tab in the address is the first', async ({ page, open }) => {
    await open('/market?tab=nonsense', ROWS)
    expect(await page.locator('[role=tab][aria-selected=true]').textContent()).toBe('Items')
  })

  viewTest('an item shows daily prices, its stations, and the order book of one', async (visit) => {
    const { page, open } = visit
    await open(`/market/item/${SAMPLE.item}`, '.charts canvas')
    expect(await page.locator('.charts canvas').count()).toBe(2)
    await page.waitForSelector('.ladder .bid')
    const before = await page.locator('.book h2').textContent()
    const tradedRow = 'tr:has(td:nth-child(2) .mono):has(td:nth-child(3) .mono)'
    await page.locator(`${tradedRow} .link[aria-pressed=false]`).first().click()
    await page.waitForURL(/station=/)
    await expect.poll(() => page.locator('.book h2').textContent()).not.toBe(before)
    expect(await page.locator('.ladder .ask').count()).toBeLessThanOrEqual(10)
    expect(await page.locator('.depth svg').getAttribute('aria-label')).toMatch(/^Depth: .* wanted/)
  })

  viewTest('the crosshair shows the day; a table has the same values', async ({ page, open }) => {
    await open(`/market/item/${SAMPLE.item}`, '.charts .u-over')
    const point = page.locator('.point')
    expect(await point.textContent()).toContain('Mean price')
    await page.hover('.charts .u-over >> nth=0', { position: { x: 120, y: 40 } })
    await expect.poll(() => point.textContent()).toMatch(/^2026-\d\d-\d\d: .*(units|no trade)/)
    await page.click('summary')
    await expect.poll(() => page.locator('details tbody tr').count()).toBeGreaterThan(20)
  })

  viewTest('r selects the next range', async ({ page, open, fixture }) => {
    await open(`/market/item/${SAMPLE.item}`, '.charts canvas')
    await page.keyboard.press('r')
    await page.waitForURL(/days=90/)
    await expect.poll(() => fixture.requests.some((path) => path.endsWith('days=90'))).toBe(true)
    for (const days of ['365', '0', '30']) {
      await page.keyboard.press('r')
      await page.waitForURL(new RegExp(`days=${days}`))
    }
  })

  viewTest('a short history shows points, and an empty one a sentence', async ({ page, open }) => {
    await open(`/market/item/${SAMPLE.thin}`, '.charts canvas')
    expect(await page.locator('.sum').textContent()).toContain('too few days for a line')
    await open(`/market/item/${SAMPLE.quiet}`, '.history [data-state=empty]')
    const texts = await textsOf(page, '[data-state=empty]')
    expect(texts[0]).toContain('No trade in 30 days')
    expect(texts[1]).toContain('No open order')
  })

  viewTest('a station has a market of its own', async ({ page, open }) => {
    const id = SAMPLE.station()
    await open(`/market/${id}`, ROWS)
    await page.selectOption('.filters select', 'ore')
    await expect.poll(() => page.locator(ROWS).count()).toBeLessThan(60)
    await page.click(`${ROWS} a >> nth=0`)
    await page.waitForURL(new RegExp(`/market/item/.*station=${id}`))
  })

  viewTest('an exchange without orders is shown as empty', async ({ open, fixture, page }) => {
    fixture.overrides.set('/api/market', { body: { items: [], categories: [], empires: [] } })
    await open('/market', '[data-state=empty]')
    expect(await textsOf(page, '[data-state=empty]')).toEqual([
      'No open order. The first will appear here in the tick it is placed.',
    ])
  })

  viewTest('the last prices stay visible during an error', async ({ page, open, fixture }) => {
    await open('/market', ROWS)
    const body = { error: 'rate_limited', message: 'Too many requests; wait a moment.' }
    fixture.overrides.set('/api/market', { status: 429, body, headers: { 'retry-after': '2' } })
    fixture.step()
    await page.waitForSelector('[data-state=error]')
    expect(await page.locator(ROWS).count()).toBe(ITEM_COUNT)
    expect(await page.locator('[data-state=error]').textContent()).toContain('Retry')
  })

  viewTest('unknown items and stations are reported as not found', async ({ page, open }) => {
    for (const path of ['/market/item/nothing', '/market/nothing', '/stations/nothing']) {
      await open(path, '[data-state=gone]')
    }
    expect(await page.locator('[data-state=gone]').textContent()).toContain('No station')
  })

  viewTest('a station shows its state, defences and facilities', async ({ page, open }) => {
    const id = SAMPLE.station()
    await open(`/stations/${id}`, '.facilities')
    const text = (await page.locator('main').textContent()) ?? ''
    expect(text).toContain('Gun battery')
    expect(text).toContain('lacks upkeep')
    expect(await page.locator('.measure .meter').first().getAttribute('aria-label')).toBe(
      'Hull: 42000 of 60000',
    )
    await page.click('text=Its market')
    await page.waitForURL(new RegExp(`/market/${id}$`))
  })

  viewTest('a wrecked station is announced at the top', async ({ page, open }) => {
    await open(`/stations/${SAMPLE.wreck()}`, '[data-state=wrecked]')
    expect(await page.locator('text=Its market').count()).toBe(0)
  })

  viewTest(
    'every view of the market fits a narrow window',
    async ({ page, open }) => {
      const item = `/market/item/${SAMPLE.item}`
      const tabs = ['items', 'empires', 'movers', 'arbitrage', 'trades']
      for (const path of [
        ...tabs.map((tab) => `/market?tab=${tab}`),
        item,
        `/market/${SAMPLE.station()}`,
        `/stations/${SAMPLE.station()}`,
      ]) {
        await open(path, path.startsWith('/stations') ? '.facilities' : `${ROWS}:visible`)
        expect([path, (await overflowOf(page)) <= 0]).toEqual([path, true])
      }
      await open(item, '.ladder .bid')
      await page.waitForSelector('.charts canvas')
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
      expect(await page.locator('.ladder .ask').count()).toBeLessThanOrEqual(10)
    },
    NARROW,
  )
})
