/** The operator's page in a real browser, on a canned body. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from './browser.ts'
import { type Fixture, startFixture } from './fixture.ts'
import { opsBody } from './ops-body.ts'

const NARROW = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }
const REFUSAL = { error: 'access_denied', message: 'For the operator.' }

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture({ isManual: true })
})
afterEach(() => fixture.overrides.clear())
afterAll(() => fixture.close())

describeInBrowser('the page of the operator', ({ visit }) => {
  test('draws the parts of ticks and describes the chart in a sentence', async () => {
    const { page } = await visit(`${fixture.url}/ops`)
    const chart = page.locator('canvas.bars')
    await chart.waitFor()
    expect(await chart.getAttribute('aria-label')).toMatch(/^Parts of the last 300 ticks, .*\.$/)
    const colors = await page.evaluate<number>(`(() => {
      const canvas = document.querySelector('canvas.bars')
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      return new Set(new Uint32Array(data.buffer)).size
    })()`)
    expect(colors).toBeGreaterThan(13)
    const parts = page.getByRole('table', { name: 'Where the time goes' })
    expect(await parts.getByRole('row').count()).toBe(15)
  })

  test('lists the ticks in a table, each with a link to its moment on the map', async () => {
    const { page } = await visit(`${fixture.url}/ops`)
    await page.locator('canvas.bars').waitFor()
    await page.keyboard.press('t')
    const table = page.getByRole('table', { name: /^Ticks/ })
    const link = table.getByRole('link', { name: String(fixture.tick()).replace('48', '48\u202f') })
    expect(await link.getAttribute('href')).toBe(`/map?t=${fixture.tick()}`)
  })

  test('does not update while it is paused', async () => {
    const { page } = await visit(`${fixture.url}/ops`)
    await page.locator('canvas.bars').waitFor()
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    const body = { ...opsBody(fixture.tick()), tick: 99_000 }
    fixture.overrides.set('/api/ops', { body })
    const before = fixture.requests.length
    const countRequests = () => fixture.requests.length
    await expect.poll(countRequests, { timeout: 15_000 }).toBeGreaterThan(before + 1)
    expect(await page.getByText('tick 99').count()).toBe(0)
    await page.keyboard.press('p')
    await page.getByText(/tick 99.000/).waitFor()
  })

  test('asks for the token, says when it is wrong, and stores it nowhere', async () => {
    fixture.overrides.set('/api/ops', { status: 403, body: REFUSAL })
    const { page } = await visit(`${fixture.url}/ops`)
    await page.getByLabel('Token').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('That is not the token of this server.').waitFor()
    fixture.overrides.clear()
    await page.getByLabel('Token').fill('right')
    const request = page.waitForRequest(/\/api\/ops/)
    await page.keyboard.press('Enter')
    expect((await request).headers().authorization).toBe('Bearer right')
    await page.locator('canvas.bars').waitFor()
    const stored = await page.evaluate<string>(
      'JSON.stringify([localStorage, sessionStorage, document.cookie])',
    )
    expect(stored).not.toContain('right')
  })

  test('announces that the world is down, and keeps its figures through an error', async () => {
    fixture.overrides.set('/api/ops', { body: { ...opsBody(1_000), world: 'down' } })
    const { page } = await visit(`${fixture.url}/ops`, NARROW)
    await page.getByRole('alert').getByText('The world thread is down.').waitFor()
    expect(
      await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0)
    fixture.overrides.set('/api/ops', {
      status: 503,
      body: { error: 'restarting', message: 'No.' },
    })
    await page.locator('[data-state=error]').waitFor()
    expect(await page.locator('canvas.bars').count()).toBe(1)
  })

  test('reports a server that accepts a request and never answers it', async () => {
    const { page } = await visit(`${fixture.url}/ops`)
    await page.locator('canvas.bars').waitFor()
    fixture.overrides.set('/api/ops', { body: REFUSAL, delayMs: 20_000 })
    const error = page.locator('[data-state=error]')
    await error.getByText('offline The server does not answer.').waitFor({ timeout: 18_000 })
    fixture.overrides.clear()
    await error.waitFor({ state: 'detached' })
  })

  test('renders before the first tick', async () => {
    fixture.overrides.set('/api/ops', { body: { ...opsBody(1), ticks: [], slow: [] } })
    const { page } = await visit(`${fixture.url}/ops`)
    await page.getByText('No tick has run yet.').waitFor()
    await page.getByText('None so far.').waitFor()
  })
})
