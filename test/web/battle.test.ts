/** The view of a battle in a browser: replay by mouse and keys, live battles, error states. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { liveRow } from './battle-bodies.ts'
import { cannedTurn } from './canned-battle.ts'
import { clickRetry, describeView, NARROW, overflowOf, type ViewVisit } from './view-test.ts'

const PLACE = '.transport .place'
const placeOf = async (page: Page): Promise<string> =>
  (await page.locator(PLACE).textContent())?.replace(/\s/g, ' ') ?? ''
const untilPlace = (page: Page, end: string) =>
  expect.poll(() => placeOf(page), { timeout: 20_000 }).toMatch(new RegExp(`, ${end}$`))

/** Past battle 3 begins at tick 46 610 and has 19 ticks. */
const REPLAY = '/battles/past-3'

const TOPIC = 'battle:battle-57'

describeView('a battle', (viewTest) => {
  viewTest('a past battle begins at its first tick, and keys move through it', async (visit) => {
    const { page, open } = visit
    await open(REPLAY, PLACE)
    expect(await placeOf(page)).toBe('tick 46 610, 1 of 19')
    await page.keyboard.press('ArrowRight')
    await untilPlace(page, '2 of 19')
    await expect.poll(() => page.url()).toContain('t=46611')
    await page.keyboard.press('Shift+ArrowRight')
    await untilPlace(page, '12 of 19')
    await page.keyboard.press('End')
    await untilPlace(page, '19 of 19')
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await untilPlace(page, '8 of 19')
    await page.keyboard.press('Home')
    await untilPlace(page, '1 of 19')
  })

  viewTest('n and p go from kill to kill, and the scoreboard follows', async ({ page, open }) => {
    await open(REPLAY, PLACE)
    await page.keyboard.press('n')
    await untilPlace(page, '5 of 19')
    await expect.poll(() => page.locator('tbody tr', { hasText: 'destroyed' }).count()).toBe(1)
    await page.keyboard.press('n')
    await untilPlace(page, '7 of 19')
    await expect.poll(() => page.locator('tbody tr', { hasText: 'destroyed' }).count()).toBe(2)
    await page.keyboard.press('p')
    await untilPlace(page, '5 of 19')
  })

  viewTest('plays to the end at the chosen speed', async ({ page, open }) => {
    await open(`${REPLAY}?t=46616`, PLACE)
    await untilPlace(page, '7 of 19')
    await page.keyboard.press('4')
    expect(await page.locator('.transport select').inputValue()).toBe('8')
    await page.keyboard.press(' ')
    await untilPlace(page, '19 of 19')
    await page.waitForSelector('.transport .play:has-text("Play")')
  })

  viewTest('the address selects a moment and a ship', async ({ page, open }) => {
    await open(`${REPLAY}?t=46616&ship=ship_1_0&tab=ship`, '.ship')
    await expect.poll(() => placeOf(page)).toBe('tick 46 616, 7 of 19')
    await expect.poll(() => page.locator('.ship h2').textContent()).toBe('Arden 1')
    expect(await page.locator('.ship tbody').textContent()).toMatch(/(hit|miss) \d+ \/ 70/)
    await page.click('text=Scoreboard')
    await page.click('tbody .link:has-text("Gale 2")')
    await page.waitForURL(/ship=ship_2_1/)
    await expect.poll(() => page.locator('.ship h2').textContent()).toBe('Gale 2')
    await page.goBack()
    await expect.poll(() => placeOf(page)).toBe('tick 46 616, 7 of 19')
  })

  viewTest('a press on an event shows its tick and its ship', async ({ page, open }) => {
    await open(`${REPLAY}?t=46628&tab=events`, '.events')
    const kills = page.locator('.events li', { hasText: 'destroyed' })
    await kills.last().locator('button').click()
    await untilPlace(page, '5 of 19')
    await expect.poll(() => page.url()).toContain('ship=')
  })

  /** Counts the painted pixels of the canvas of the rings. */
  const countPainted = (page: Page): Promise<number> =>
    page.evaluate(`(() => {
    const canvas = document.querySelector('.rings canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    let count = 0
    for (let alpha = 3; alpha < data.length; alpha += 4) if (data[alpha] > 0) count++
    return count
  })()`)

  viewTest('the rings are drawn, and a press on a ship selects it', async ({ page, open }) => {
    await open(REPLAY, PLACE)
    await expect.poll(() => countPainted(page)).toBeGreaterThan(3_000)
    const canvas = page.locator('.rings canvas')
    const label = () => canvas.getAttribute('aria-label')
    await expect.poll(label).toMatch(/Side 1, LANT: 4 ships, 0 lost/)
    const box = (await canvas.boundingBox())!
    // The first side is on the left, its four ships at different heights around the middle.
    for (let up = -40; up <= 40 && !page.url().includes('ship='); up += 10) {
      const x = box.x + box.width / 2 - 0.9 * (box.width / 2 - 22)
      await page.mouse.click(x, box.y + box.height / 2 + up)
    }
    await page.waitForURL(/ship=ship_1_/)
  })

  /** Sends the next tick over the battle's topic and over the feed. */
  function nextTick({ fixture }: ViewVisit, id: string): void {
    const row = liveRow(id, fixture.tick() + 1)
    if (row) fixture.send('battle', cannedTurn(row))
    fixture.step()
  }

  /** Counts how often the page has requested a log. */
  const countLogs = ({ fixture }: ViewVisit): number =>
    fixture.requests.filter((path) => path.startsWith('/api/battle/log')).length

  viewTest('a battle in progress is followed without reading its log', async (visit) => {
    const { page, open, fixture } = visit
    await open('/battles/battle-57', PLACE)
    await untilPlace(page, '19 of 19')
    await expect.poll(() => fixture.watchers()).toBeGreaterThan(0)
    await page.waitForTimeout(400)
    const before = countLogs(visit)
    for (let index = 0; index < 3; index++) nextTick(visit, 'battle-57')
    await untilPlace(page, '22 of 22')
    expect(countLogs(visit)).toBe(before)
    // A tick that the topic does not send is read from the log.
    fixture.step()
    await untilPlace(page, '23 of 23')
    expect(countLogs(visit)).toBe(before + 1)
  })

  viewTest('a tick that the log did not have yet is requested again', async (visit) => {
    const { page, open, fixture } = visit
    await open('/battles/battle-57', PLACE)
    await untilPlace(page, '19 of 19')
    await expect.poll(() => fixture.watchers()).toBeGreaterThan(0)
    const before = countLogs(visit)
    const body = { battle_id: 'battle-57', status: 'active', total_ticks: 19, has_more: false }
    fixture.overrides.set('/api/battle/log', { body: { ...body, entries: [] } })
    fixture.step()
    await expect.poll(() => countLogs(visit), { timeout: 15_000 }).toBe(before + 1)
    fixture.overrides.clear()
    fixture.step()
    await untilPlace(page, '21 of 21')
  })

  viewTest(
    'a viewer who looks back stays there until they select the newest tick',
    async (visit) => {
      const { page, open } = visit
      await open('/battles/battle-57', PLACE)
      await untilPlace(page, '19 of 19')
      await page.keyboard.press('ArrowLeft')
      await untilPlace(page, '18 of 19')
      nextTick(visit, 'battle-57')
      await untilPlace(page, '18 of 20')
      await page.click('text=To the newest tick')
      await untilPlace(page, '20 of 20')
      await expect.poll(() => page.url()).not.toContain('t=')
    },
  )

  viewTest('a battle that ends while it is watched stays at its last tick', async (visit) => {
    const { page, open, fixture } = visit
    await open('/battles/battle-57', PLACE)
    await untilPlace(page, '19 of 19')
    await expect.poll(() => fixture.watchers()).toBeGreaterThan(0)
    await page.waitForTimeout(400)
    const row = liveRow('battle-57', fixture.tick() + 1)!
    fixture.send('battle', { ...cannedTurn(row), ended: { outcome: 'victory', winning_side: 2 } })
    fixture.step()
    await untilPlace(page, '20 of 20')
    const before = countLogs(visit)
    fixture.step()
    await page.click('text=Events')
    await page.waitForSelector('.events >> text=The battle is over: victory, side 2 has won')
    expect(await placeOf(page)).toMatch(/20 of 20$/)
    expect(countLogs(visit)).toBe(before)
    // The page has dropped the topic of the battle, so the feed resumes without it.
    fixture.missingTopics.set(TOPIC, 0)
    fixture.cut()
    await expect.poll(() => fixture.watchers()).toBe(0)
    await expect.poll(() => fixture.watchers(), { timeout: 15_000 }).toBe(1)
    expect(fixture.missingTopics.get(TOPIC)).toBe(0)
  })

  viewTest('a missing topic does not end the rest of the feed', async ({ page, open, fixture }) => {
    fixture.missingTopics.set(TOPIC, 0)
    await open('/battles/battle-57', PLACE)
    await expect.poll(() => fixture.missingTopics.get(TOPIC), { timeout: 15_000 }).toBe(1)
    await expect.poll(() => fixture.watchers(), { timeout: 15_000 }).toBe(1)
    await page.locator('[data-state=live]').waitFor()
    expect(fixture.missingTopics.get(TOPIC)).toBe(1)
  })

  viewTest('a finished battle is requested once, with the epoch', async (visit) => {
    const { page, open, fixture } = visit
    await open(REPLAY, PLACE)
    const requestsOf = (path: string) =>
      fixture.requests.filter((request) => request.startsWith(path))
    for (let index = 0; index < 3; index++) {
      fixture.step()
      await page.waitForTimeout(1_100)
    }
    expect(requestsOf('/api/battle/summary')).toHaveLength(1)
    for (const path of requestsOf('/api/battle/log')) expect(path).toMatch(/&e=./)
  })

  viewTest('a moment outside the battle shows its nearest tick', async ({ page, open }) => {
    await open(`${REPLAY}?t=48000`, PLACE)
    await untilPlace(page, '19 of 19')
    await page.keyboard.press('ArrowLeft')
    await untilPlace(page, '18 of 19')
  })

  viewTest('more than 200 ships are drawn by class', async ({ page, open }) => {
    await open('/battles/battle-141?t=48198', PLACE)
    const label = () => page.locator('.rings canvas').getAttribute('aria-label')
    await expect.poll(label).toMatch(/Side 1, LANT: 120 ships/)
    await expect.poll(() => countPainted(page)).toBeGreaterThan(3_000)
    await expect.poll(() => page.locator('.beside tbody tr').count()).toBe(200)
    await page.click('text=50 more rows')
    await expect.poll(() => page.locator('.beside tbody tr').count()).toBe(250)
  })

  viewTest('a battle without its log still shows its summary', async ({ page, open }) => {
    await open('/battles/past-57', '[data-state=empty]')
    expect(await page.locator('[data-state=empty]').textContent()).toContain('kept for 30 days')
    expect(await page.locator('main').textContent()).toContain('Most damage')
  })

  viewTest('an unknown battle is reported as not found', async ({ page, open }) => {
    await open('/battles/nothing', '[data-state=gone]')
    expect(await page.locator('[data-state=gone]').textContent()).toContain(
      'No battle has this name',
    )
  })

  viewTest('a log that fails to load keeps the heading and can be loaded again', async (visit) => {
    const { page, open, fixture } = visit
    const error = { error: 'persist_timeout', message: 'The archive does not answer now.' }
    fixture.overrides.set('/api/battle/log', { status: 503, body: error })
    await open(REPLAY, '[data-state=error]')
    expect(await page.locator('h1').textContent()).toContain('Ross')
    fixture.overrides.clear()
    await clickRetry(page)
    await page.waitForSelector(PLACE)
  })

  viewTest('a hostile name is shown as plain text', async ({ page, open }) => {
    await open('/battles/past-1?ship=ship_1_0&tab=ship', '.ship')
    await expect
      .poll(() => page.locator('.ship h2').textContent())
      .toBe('<img src=x onerror=alert(1)>')
    expect(await page.locator('main img').count()).toBe(0)
  })

  viewTest(
    'a narrow window has the rings above the tabs',
    async ({ page, open }) => {
      await open(`${REPLAY}?t=46616`, PLACE)
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
      const rings = (await page.locator('.rings').boundingBox())!
      const tabs = (await page.locator('.beside .tabs').boundingBox())!
      expect(rings.width).toBeGreaterThan(340)
      expect(tabs.y).toBeGreaterThan(rings.y + rings.height)
      await page.tap('text=Events')
      await page.waitForSelector('.events')
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    },
    NARROW,
  )

  viewTest(
    'with reduced motion the ships are still drawn at each tick',
    async ({ page, open }) => {
      await open(`${REPLAY}?t=46616`, PLACE)
      await page.keyboard.press('ArrowRight')
      await untilPlace(page, '8 of 19')
      await expect.poll(() => countPainted(page)).toBeGreaterThan(3_000)
    },
    { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' },
  )
})
