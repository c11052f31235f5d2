/** The list of battles in a browser: filters, keys, error states and the narrow layout. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { clickRetry, describeView, NARROW, overflowOf, textsOf } from './view-test.ts'

const ROW = '.battle-row'
const pollRows = (page: Page) => expect.poll(() => page.locator(ROW).count(), { timeout: 20_000 })

describeView('the list of battles', (viewTest) => {
  viewTest('lists battles in progress on top, with their sides and losses', async (visit) => {
    const { page, open } = visit
    await open('/battles', ROW)
    expect(await textsOf(page, 'main h2')).toEqual(['Being fought', 'Over'])
    const [first] = await textsOf(page, ROW)
    expect(first).toContain('Sol')
    expect(first).toContain('being fought')
    expect(first).toMatch(/LANT Arden 1, Bly 1/)
    expect(first).toMatch(/\d+ lost/)
  })

  viewTest('filters are part of the address, which restores the view', async (visit) => {
    const { page, open, fixture } = visit
    await open('/battles', ROW)
    await page.selectOption('.filters select >> nth=1', 'arena')
    await expect.poll(() => page.url()).toContain('category=arena')
    await expect.poll(() => fixture.requests.at(-1)).toContain('category=arena')
    const categories = async () => [...new Set(await textsOf(page, '.battle-row .chip'))]
    await expect.poll(categories).toEqual(['arena'])
    await page.goBack()
    await pollRows(page).toBeGreaterThan(40)
    await expect.poll(() => page.url()).not.toContain('category')
  })

  viewTest('j, k and Enter move through the list, and s filters by state', async (visit) => {
    const { page, open } = visit
    await open('/battles', ROW)
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key)
    const focused = await page.evaluate("document.activeElement?.getAttribute('href')")
    expect(focused).toBe('/battles/battle-57')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/battles\/battle-57$/)
    await page.goBack()
    await page.waitForSelector(ROW)
    await page.keyboard.press('s')
    await page.waitForURL(/status=active/)
    await pollRows(page).toBe(4)
  })

  viewTest('the next page shows earlier battles, and is the last', async (visit) => {
    const { page, open, fixture } = visit
    await open('/battles', ROW)
    await page.getByRole('link', { name: 'Next' }).click()
    await page.waitForURL(/page=2/)
    await pollRows(page).toBe(12)
    await expect.poll(() => fixture.requests.at(-1)).toContain('offset=50')
    await page.getByText('Page 2 of 2').waitFor()
    expect(await page.getByRole('link', { name: 'Next' }).count()).toBe(0)
  })

  viewTest('says that there is no battle', async (visit) => {
    const { page, open, fixture } = visit
    const body = { battles: [], total: 0, has_more: false }
    fixture.overrides.set('/api/battles', { body })
    await open('/battles', '[data-state=empty]')
    expect(await textsOf(page, '[data-state=empty]')).toEqual([
      'No battle is being fought. The first one will appear here.',
    ])
  })

  viewTest("an error shows the server's message and a way to try again", async (visit) => {
    const { page, open, fixture } = visit
    const error = { error: 'persist_timeout', message: 'The archive does not answer now.' }
    fixture.overrides.set('/api/battles', { status: 503, body: error })
    await open('/battles', '[data-state=error]')
    expect((await textsOf(page, '[data-state=error]'))[0]).toContain(error.message)
    fixture.overrides.clear()
    await clickRetry(page)
    await page.waitForSelector(ROW)
  })

  viewTest('shows a skeleton while it loads', async (visit) => {
    const { open, page, fixture } = visit
    const body = { battles: [], total: 0, has_more: false }
    fixture.overrides.set('/api/battles', { body, delayMs: 900 })
    await open('/battles', '[data-state=loading] span')
    await page.waitForSelector('[data-state=empty]')
  })

  viewTest(
    'fits a narrow window',
    async ({ page, open }) => {
      await open('/battles', ROW)
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
      await page.tap('.battle-row >> nth=1')
      await page.waitForSelector('.rings canvas')
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    },
    NARROW,
  )
})
