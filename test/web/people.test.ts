/** Ranks, players, factions, forum and changelog in a real browser, on canned bodies. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from './browser.ts'
import { type Fixture, startFixture } from './fixture.ts'
import * as people from './people-bodies.ts'

const NARROW = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }
/** The path of each view, and the heading that it shows when it is ready. */
const VIEWS = [
  ['/leaderboard', 'Ranks'],
  ['/player/Vesper', 'Vesper'],
  ['/faction/HALO', 'Halo Compact'],
  ['/forum', 'Forum'],
  ['/forum/t1', people.HOSTILE[0]],
  ['/changelog', 'Changes'],
] as const

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture({ isManual: true })
})
afterEach(() => fixture.overrides.clear())
afterAll(() => fixture.close())

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true })

const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')

describeInBrowser('the views of ranks, players, factions and the forum', ({ visit }) => {
  test('fit on a phone without scrolling sideways, in both themes', async () => {
    const { page } = await visit(fixture.url, NARROW)
    for (const [path, name] of VIEWS) {
      await page.goto(fixture.url + path)
      await heading(page, name).waitFor()
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
        expect(await overflow(page), `${path} ${colorScheme}`).toBeLessThanOrEqual(0)
      }
    }
  })

  test('show hostile names as plain text', async () => {
    const { page } = await visit(fixture.url)
    for (const [path, name] of VIEWS) {
      await page.goto(fixture.url + path)
      await heading(page, name).waitFor()
      expect(await page.locator('main img, main script, main iframe').count(), path).toBe(0)
    }
  })

  test('change boards by arrow keys, and keep a searched name in the address', async () => {
    const { page } = await visit(`${fixture.url}/leaderboard`)
    await heading(page, 'Ranks').waitFor()
    await page.getByRole('table', { name: /Credits earned/ }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/leaderboard\/credits_spent/)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.waitForURL(/leaderboard\/exchange\.exchange_credits_earned/)
    await page.getByLabel('Find a name on this board').fill('kade')
    await page.waitForURL(/q=kade/)
    expect(await page.getByRole('row').count()).toBe(2)
    expect(await page.getByText('Total wealth').count()).toBe(0)
    await page.reload()
    await page.getByRole('link', { name: 'Orrin Kade' }).click()
    await heading(page, 'Orrin Kade').waitFor()
  })

  test('explain an empty board, and offer a select for boards on a phone', async () => {
    const { page } = await visit(`${fixture.url}/leaderboard/wormholes_traversed`, NARROW)
    await page.getByText('in the first hour of a world').waitFor()
    await page.getByRole('combobox', { name: 'Board' }).selectOption('factions.ore_mined')
    await page.getByRole('link', { name: 'Halo Compact' }).waitFor()
  })

  test('hide a position that is not public, and report unknown names', async () => {
    const { page } = await visit(`${fixture.url}/player/Sable`)
    await page.getByText('Position not public').waitFor()
    expect(await page.locator('[data-state=error]').count()).toBe(0)
    await page.goto(`${fixture.url}/player/Nobody`)
    await page.locator('[data-state=gone]').getByText('No player is called “Nobody”').waitFor()
    await page.goto(`${fixture.url}/faction/NONE`)
    await page.locator('[data-state=gone]').waitFor()
  })

  test('leave out the time played where the server does not count it', async () => {
    const { page } = await visit(`${fixture.url}/player/Vesper`)
    await page.getByText('Time played').waitFor()
    await page.goto(`${fixture.url}/player/Sable`)
    await page.getByText('Flying since').waitFor()
    expect(await page.getByText('Time played').count()).toBe(0)
  })

  test('show an error and load again on Retry', async () => {
    const body = { error: 'persist_timeout', message: 'The archive does not answer.' }
    fixture.overrides.set('/api/forum', { status: 503, body })
    const { page } = await visit(`${fixture.url}/forum`)
    await page.getByRole('alert').getByText('The archive does not answer.').waitFor()
    fixture.overrides.clear()
    await page.getByRole('button', { name: /Retry/ }).click()
    await page.getByRole('link', { name: 'What pays at the rim, part 3' }).waitFor()
  })

  test('move by keys through the forum, into a thread, and back', async () => {
    const { page } = await visit(`${fixture.url}/forum`)
    await page.locator('[data-row]').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await heading(page, 'What pays at the rim, part 0').waitFor()
    const post = page.locator('.post .words').first()
    expect(await post.textContent()).toContain('read https://example.invalid/x first')
    expect(await page.locator('.post a[href*="example.invalid"]').count()).toBe(0)
    await page.keyboard.press('u')
    await heading(page, 'Forum').waitFor()
  })

  test('keep search and page of the forum in the address', async () => {
    const { page } = await visit(`${fixture.url}/forum`)
    await page.getByLabel('Search the forum').fill('part')
    await page.keyboard.press('Enter')
    await page.waitForURL(/search=part/)
    await page.getByRole('link', { name: 'Next' }).click()
    await page.waitForURL(/page=1/)
    await expect.poll(() => fixture.requests.at(-1)).toBe('/api/forum?page=1&search=part')
    await page.goBack()
    await page.getByText('Page 1 of 3').waitFor()
  })

  test('begin at the first page when the forum is sorted otherwise', async () => {
    const { page } = await visit(`${fixture.url}/forum?page=2`)
    await page.getByText('Page 3 of 3').waitFor()
    await page.getByRole('tab', { name: 'Most replies' }).click()
    await page.waitForURL(/sort_by=most_replies/)
    await page.getByText('Page 1 of 3').waitFor()
  })

  test('lead back from a page after the last', async () => {
    fixture.overrides.set('/api/forum', { body: { threads: [], total_pages: 3, total: 60 } })
    const { page } = await visit(`${fixture.url}/forum?page=9`)
    await page.getByText('No thread is on this page.').waitFor()
    fixture.overrides.clear()
    await page.getByRole('link', { name: 'Previous' }).click()
    await page.getByText('Page 3 of 3').waitFor()
  })

  test('list the releases and mark the one that runs', async () => {
    const { page } = await visit(`${fixture.url}/changelog`)
    await page.getByRole('heading', { name: /0\.25\.0 runs here/ }).waitFor()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByRole('heading', { name: /0\.5\.0/ }).waitFor()
  })
})
