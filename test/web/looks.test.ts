/**
 * Audits every view in a narrow window, dark and light: contrast, targets, names and width. Also
 * tests the page as a whole: one stream for all tabs, and reduced motion. Source: WEB 4, 6.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AUDIT } from './audit.ts'
import { describeInBrowser } from './browser.ts'
import { type Fixture, startFixture } from './fixture.ts'
import * as galaxy from './galaxy-bodies.ts'
import { NARROW } from './view-test.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture({ isManual: true })
})
afterAll(() => fixture.close())

const station = galaxy.stations().stations[0].id

/** An address of each view. */
const ADDRESSES = [
  '/map',
  '/map?as=table',
  `/map?t=${galaxy.FIRST_TICK - 600}`,
  '/system/aurelune',
  '/battles',
  '/battles/battle-3',
  '/market',
  `/market/${station}`,
  '/market/item/iron_ore',
  `/stations/${station}`,
  '/leaderboard',
  '/player/Vesper',
  '/faction/HALO',
  '/forum',
  '/changelog',
  '/play',
  '/ops',
  '/intel',
  '/nowhere',
] as const

/** Tells whether a view has content and none of it is loading. */
const SETTLED = `Boolean(document.querySelector('main *')) &&
  !document.querySelector('[data-state=loading]')`

describeInBrowser('every view at 390 px', ({ visit }) => {
  for (const address of ADDRESSES) {
    test(`${address} passes the audit in dark and light`, async () => {
      const { page } = await visit(fixture.url + address, NARROW)
      await expect.poll(() => page.evaluate(SETTLED), { timeout: 15_000 }).toBe(true)
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
        // Colours change in a transition.
        await page.waitForTimeout(300)
        expect(await page.evaluate(AUDIT), colorScheme).toEqual([])
      }
    })
  }
})

describeInBrowser('the page as a whole', ({ visit, openTab }) => {
  test('two tabs share one stream, and both get its messages', async () => {
    const first = await visit(`${fixture.url}/map`)
    await first.page.locator('[data-state=live]').waitFor()
    const second = await openTab(first, `${fixture.url}/battles`)
    await second.page.locator('[data-state=live]').waitFor()
    await expect.poll(() => fixture.watchers()).toBe(1)
    fixture.step()
    const shown = `tick ${fixture.tick().toLocaleString('en').replaceAll(',', '\u202f')}`
    await first.page.getByText(shown).first().waitFor()
    await second.page.getByText(shown).first().waitFor()
    await first.page.close()
    await expect.poll(() => fixture.watchers(), { timeout: 10_000 }).toBe(1)
    await expect
      .poll(() => second.page.locator('[data-state=live]').count(), { timeout: 10_000 })
      .toBe(1)
  })

  test('the browser stores the look and nothing else', async () => {
    const { page } = await visit(`${fixture.url}/map`, { colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Use the light look' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Use the dark look' }).waitFor()
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual(['orrery.theme'])
    expect(await page.evaluate('document.cookie')).toBe('')
  })

  test('with reduced motion dots do not move between ticks', async () => {
    /** Opens the map; returns a function that reads the picture of the dots. */
    const openMap = async (reducedMotion: 'reduce' | 'no-preference') => {
      const { page } = await visit(`${fixture.url}/map?layers=flights`, { reducedMotion })
      await page.locator('[role=application][aria-label*="players online"]').waitFor()
      await expect.poll(() => page.evaluate(SETTLED)).toBe(true)
      return () => page.evaluate(`document.querySelectorAll('.canvases canvas')[2].toDataURL()`)
    }
    // The tick is so long that none comes during the test, since dots do move at a tick.
    const stats = { ...galaxy.stats(fixture.tick()), tick_ms: 60_000 }
    fixture.overrides.set('/api/stats', { body: stats })
    const readMoving = await openMap('no-preference')
    const before = await readMoving()
    await expect.poll(readMoving).not.toBe(before)
    const readReduced = await openMap('reduce')
    const first = await readReduced()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(await readReduced()).toBe(first)
    fixture.overrides.clear()
  })
})
