/** The map, the system and the scrubber in a real browser, on canned bodies. Source: WEB 4, 6. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, type Visit } from './browser.ts'
import { type Fixture, startFixture } from './fixture.ts'
import * as galaxy from './galaxy-bodies.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture({ isManual: true })
})
afterAll(() => fixture.close())

const firstSystem = galaxy.map().systems[0]

/** Resolves when the map is drawn: then its label counts what is on it. */
const untilDrawn = ({ page }: Visit) =>
  page.locator('[role=application][aria-label*="players online"]').waitFor({ timeout: 20_000 })

/** Counts the painted pixels of a canvas. */
const countPainted = ({ page }: Visit, layer: number): Promise<number> =>
  page.evaluate<number>(`(() => {
    const canvas = document.querySelectorAll('.canvases canvas')[${layer}]
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    let count = 0
    for (let alpha = 3; alpha < data.length; alpha += 4) if (data[alpha] > 0) count++
    return count
  })()`)

const query = ({ page }: Visit): URLSearchParams => new URL(page.url()).searchParams

describeInBrowser('the map', ({ visit, openTab }) => {
  test('draws ground, marks and ships, and lists what happens', async () => {
    const visited = await visit(`${fixture.url}/`)
    await untilDrawn(visited)
    for (const layer of [0, 1, 2]) expect(await countPainted(visited, layer)).toBeGreaterThan(500)
    await visited.page.getByText('Busiest systems').waitFor()
    fixture.send('player_destroyed', { victim: 'Vesper', killer: 'Sable', system_name: 'Haela' })
    await visited.page.getByText('was destroyed by').waitFor()
  })

  test('keeps the camera and the layers in its address, and restores them', async () => {
    const visited = await visit(`${fixture.url}/map`)
    await untilDrawn(visited)
    await visited.page.keyboard.press('+')
    await visited.page.waitForURL(/at=/)
    await visited.page.getByText('Layers', { exact: true }).click()
    await visited.page.getByLabel('Heat').click()
    await visited.page.waitForURL(/layers=/)
    const camera = query(visited).get('at')
    const second = await openTab(visited, visited.page.url())
    await untilDrawn(second)
    await second.page.keyboard.press('-')
    await second.page.keyboard.press('+')
    await second.page.waitForURL((url) => url.searchParams.get('at') === camera)
    expect(query(second).get('layers')?.split(',')).not.toContain('heat')
  })

  test('is usable by keys alone: to a system, to the table, and back', async () => {
    const { page } = await visit(`${fixture.url}/map`)
    await page.locator('[aria-label*="players online"]').waitFor()
    await page.keyboard.press('ArrowRight')
    const card = page.locator('.card h2')
    await card.waitFor()
    const name = await card.textContent()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: String(name) }).waitFor()
    await page.keyboard.press('Backspace')
    await page.locator('[role=application]').waitFor()
    await page.keyboard.press('t')
    await page.getByRole('table').waitFor()
    expect(await page.getByRole('row').count()).toBeGreaterThan(100)
    await page.goBack()
    await page.locator('[role=application]').waitFor({ state: 'visible' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('single keys can be switched off and on again', async () => {
    const { page } = await visit(`${fixture.url}/map`)
    await page.locator('[aria-label*="players online"]').waitFor()
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await page.keyboard.press('?')
    await keys.getByRole('checkbox').uncheck()
    await keys.getByRole('button', { name: 'Close' }).click()
    await keys.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    expect(await keys.count()).toBe(0)
    await page.getByRole('button', { name: 'Keys' }).click()
    await keys.getByRole('checkbox').check()
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await keys.waitFor()
  })

  test('finds a system by its name', async () => {
    const { page } = await visit(`${fixture.url}/map`)
    await page.keyboard.press('/')
    await page.keyboard.type(firstSystem.name.slice(0, 5))
    await page.locator('#found [role=option]').first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: firstSystem.name }).waitFor()
  })

  test('shows the past at an address, and goes back to live', async () => {
    const moment = galaxy.FIRST_TICK - 600
    const { page } = await visit(`${fixture.url}/map?t=${moment}`)
    await page.locator('[data-state=past]').waitFor()
    await expect
      .poll(() => fixture.requests.filter((path) => path.startsWith('/api/history/')).length)
      .toBeGreaterThan(0)
    await page.keyboard.press('}')
    await page.waitForURL((url) => Number(url.searchParams.get('t')) > moment)
    await page.keyboard.press('l')
    await page.waitForURL((url) => !url.searchParams.has('t'))
    await page.locator('[data-state=live]').waitFor()
  })

  test('a system of the past shows the ships that were there, not those that are', async () => {
    const { page } = await visit(`${fixture.url}/system/${firstSystem.id}`)
    await page.getByText('Pirates', { exact: true }).waitFor()
    await page.goto(`${fixture.url}/system/${firstSystem.id}?t=${galaxy.FIRST_TICK - 600}`)
    await page.getByText('NPC ships', { exact: true }).waitFor()
    expect(await page.getByText('Pirates', { exact: true }).count()).toBe(0)
  })

  test('the scrubber reaches back to the selected day and to the moment shown', async () => {
    const { page } = await visit(`${fixture.url}/map`)
    const slider = page.getByLabel('Moment shown')
    const days = page.getByLabel('Days of the past')
    const firstTick = async (): Promise<number> => Number(await slider.getAttribute('min'))
    const dayTicks = 86_400_000 / galaxy.TICK_MS
    await days.selectOption('1')
    await expect.poll(async () => fixture.tick() - (await firstTick())).toBeLessThan(dayTicks + 120)
    expect(await firstTick()).toBeGreaterThan(3_000)
    await days.selectOption('30')
    await expect.poll(firstTick).toBeLessThan(1_000)
    await slider.fill('1200')
    await page.waitForURL((url) => url.searchParams.get('t') === '1200')
    // The scrubber still reaches the moment that is shown.
    await days.selectOption('1')
    await expect.poll(() => slider.inputValue()).toBe('1200')
    expect(await firstTick()).toBeLessThan(1_000)
  })
})

describeInBrowser('the map in every state', ({ visit }) => {
  test("an error shows the server's message, and Retry loads the map", async () => {
    const body = { error: 'not_ready', message: 'The first frame is not there yet.' }
    fixture.overrides.set('/api/map/activity', { status: 503, body, delayMs: 400 })
    const { page } = await visit(`${fixture.url}/map`)
    await page.getByRole('alert').getByText('The first frame is not there yet.').waitFor()
    fixture.overrides.delete('/api/map/activity')
    await page.getByRole('button', { name: /Retry/ }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })

  test('a map without flights says so', async () => {
    const body = { ...galaxy.activity(fixture.tick()), transits: [] }
    fixture.overrides.set('/api/map/activity', { body })
    const { page } = await visit(`${fixture.url}/map`)
    await page.getByText('Nobody flies yet.').waitFor()
    fixture.overrides.clear()
  })

  test('a moment that is not kept is no error: the way back to live is shown', async () => {
    const moment = galaxy.FIRST_TICK - 600
    const steps = `/api/history/${Math.floor(moment / 60) * 60}/steps`
    const body = { error: 'not_found', message: 'There is nothing at this address.' }
    fixture.overrides.set(steps, { status: 404, body })
    for (const path of ['/map', '/system/aurelune']) {
      const { page } = await visit(`${fixture.url}${path}?t=${moment}`)
      const bar = page.locator('[data-state=not-kept]')
      await bar.getByText('Nothing is kept of this moment.').waitFor()
      expect(await page.locator('[data-state=error]').count()).toBe(0)
      await bar.getByRole('button', { name: 'Live' }).click()
      await page.locator('[data-state=live]').waitFor()
      await bar.waitFor({ state: 'detached' })
    }
    fixture.overrides.clear()
  })

  test('an unknown system is reported as not found', async () => {
    const { page } = await visit(`${fixture.url}/system/nowhere`)
    await page.locator('[data-state=gone]').waitFor()
  })

  test('the map is stale while no ticks come, and live when they come again', async () => {
    fixture.overrides.set('/api/stats', { body: { ...galaxy.stats(fixture.tick()), tick_ms: 400 } })
    const { page } = await visit(`${fixture.url}/map`)
    await page.locator('[data-state=stale]').waitFor()
    fixture.step()
    await page.locator('[data-state=live]').waitFor()
    fixture.overrides.clear()
  })

  test('an interrupted feed is resumed', async () => {
    const { page } = await visit(`${fixture.url}/map`)
    await page.locator('[data-state=live]').waitFor()
    fixture.cut()
    await expect.poll(() => fixture.watchers()).toBe(0)
    await expect.poll(() => fixture.watchers(), { timeout: 15_000 }).toBe(1)
    fixture.send('faction_peace', { faction1_name: 'Halo', faction2_name: 'Rust' })
    await page.getByText('made peace').waitFor()
  })

  test('the clock keeps its tick while neither feed nor statistics answer', async () => {
    const { page } = await visit(`${fixture.url}/map`)
    await page.locator('[data-state=live]').waitFor()
    const tick = page.locator('.moment .tick')
    const before = await tick.textContent()
    fixture.step()
    await expect.poll(() => tick.textContent()).not.toBe(before)
    const after = await tick.textContent()
    fixture.overrides.set('/api/stats', { status: 503, body: {} })
    fixture.missingTopics.set('feed', 0)
    const count = () => fixture.requests.filter((path) => path === '/api/stats').length
    const countBefore = count()
    fixture.cut()
    await expect.poll(count, { timeout: 30_000 }).toBeGreaterThan(countBefore + 1)
    expect(await tick.textContent()).toBe(after)
    fixture.missingTopics.clear()
    fixture.overrides.clear()
  })

  test('hostile names are shown as plain text', async () => {
    const name = '<img src=x onerror=alert(1)>\u202eabc'
    const map = galaxy.map()
    const hostile = { ...map, systems: map.systems.map((system) => ({ ...system, name })) }
    fixture.overrides.set('/api/map', { body: hostile })
    const { page } = await visit(`${fixture.url}/map?as=table`)
    await page
      .getByRole('link', { name: /onerror/ })
      .first()
      .waitFor()
    await page.locator('[data-state=live]').waitFor()
    fixture.send('player_destroyed', { victim: name, system_name: name.repeat(3) })
    await page.getByText('was lost').waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    fixture.overrides.clear()
  })
})
