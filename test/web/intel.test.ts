/** The intel of an account in a real browser, on canned bodies. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { AUDIT } from './audit.ts'
import * as galaxy from './galaxy-bodies.ts'
import { HOSTILE, intelMap } from './intel-bodies.ts'
import { describeView, NARROW, type ViewVisit } from './view-test.ts'

const KEY = 'orrery_key_of_a_test'
const [home, next, far] = galaxy.map().systems
const REFUSED = {
  status: 401,
  body: { error: 'unauthorized', code: 'unauthorized', message: 'A valid bearer token is needed.' },
}

async function unlock(page: Page, key = KEY): Promise<void> {
  await page.getByLabel('API key or token of your account').fill(key)
  await page.keyboard.press('Enter')
}

/** Opens the view with a valid key. */
async function openUnlocked({ open, page }: ViewVisit, path = '/intel'): Promise<void> {
  await open(path, 'form.login')
  await unlock(page)
}

const players = (page: Page) => page.getByRole('table', { name: 'Your players' })
const rowOf = (page: Page, name: string) => players(page).getByRole('row').filter({ hasText: name })

describeView('the intel of an account', (viewTest) => {
  viewTest('asks for a token, sends it as a bearer token, and stores it nowhere', async (visit) => {
    const { page, fixture } = visit
    await visit.open('/intel', 'form.login')
    expect(fixture.requests.filter((path) => path.startsWith('/api/intel-map'))).toEqual([])
    const request = page.waitForRequest(/\/api\/intel-map$/)
    await unlock(page)
    expect((await request).headers().authorization).toBe(`Bearer ${KEY}`)
    await players(page).waitFor()
    const stored = `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie,
      location.href, history.state])`
    expect(await page.evaluate<string>(stored)).not.toContain(KEY)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.locator('form.login').waitFor()
    expect(await players(page).count()).toBe(0)
  })

  viewTest('says what is wrong with a token, and accepts another', async (visit) => {
    const { page, fixture } = visit
    for (const path of ['/api/intel-map', '/api/intel-map/movements']) {
      fixture.overrides.set(path, REFUSED)
    }
    await openUnlocked(visit)
    await page.getByRole('alert').getByText('A valid bearer token is needed.').waitFor()
    fixture.overrides.clear()
    await unlock(page)
    await players(page).waitFor()
  })

  viewTest('lists the place, ship and journey of each player', async (visit) => {
    const { page } = visit
    await openUnlocked(visit)
    await players(page).waitFor()
    await expect.poll(() => rowOf(page, 'Ann').textContent()).toContain(home.name)
    expect(await rowOf(page, 'Ann').textContent()).toMatch(/docked.*Penny, Long Haul.*40 \/ 100/)
    expect(await rowOf(page, 'Ben').textContent()).toContain(`${home.name} to ${next.name}`)
    expect(await rowOf(page, 'Ben').textContent()).toContain('7 ticks left')
    const progress = rowOf(page, 'Ben').getByRole('img')
    expect(await progress.getAttribute('aria-label')).toBe('Flight of Ben, ticks: 3 of 10')
    expect(await rowOf(page, 'Cid').textContent()).toMatch(/offline.*cloaked.*anonymous/)
    expect(await rowOf(page, HOSTILE).count()).toBe(1)
    expect(await page.locator('main img').count()).toBe(0)
    const text = await page.locator('main').textContent()
    expect(text).toContain('2 systems explored, 1 hidden place revealed, 0 open wormholes known.')
    expect(text).toContain('an ally of FREE')
    const jumps = page.getByRole('table', { name: 'Jumps of the last 24 hours' })
    expect(await jumps.textContent()).toMatch(new RegExp(`Ann.*${home.name}.*first visit`))
  })

  viewTest('opens a system by its name, at an address of its own', async (visit) => {
    const { page } = visit
    await openUnlocked(visit)
    const known = page.getByRole('table', { name: 'Systems that their factions know' })
    await known.getByRole('button', { name: far.name }).click()
    const panel = page.getByRole('region', { name: 'A system' })
    await panel.getByText('Old Belt').waitFor()
    expect(await panel.textContent()).toMatch(/Iron ore 900.*2 other players, 1 pirate/)
    expect(await panel.textContent()).toMatch(/revealed to you.*from Ben/)
    expect(new URL(page.url()).search).toBe(`?system=${far.id}`)
    await page.goBack()
    await panel.waitFor({ state: 'detached' })
    await page.goForward()
    await panel.getByText('Old Belt').waitFor()
    await page.getByRole('button', { name: 'Close the system' }).click()
    await panel.waitFor({ state: 'detached' })
  })

  viewTest('reports an unknown system', async (visit) => {
    await openUnlocked(visit, '/intel?system=nowhere')
    const panel = visit.page.getByRole('region', { name: 'A system' })
    await panel.getByRole('alert').getByText('Nothing is known at').waitFor()
  })

  viewTest('says in a sentence that an account has no players', async (visit) => {
    const { page, fixture } = visit
    const empty = { ...intelMap(1), agents: [] }
    fixture.overrides.set('/api/intel-map', { body: empty })
    await openUnlocked(visit)
    await page.getByText('No player is linked to this account.').waitFor()
  })

  viewTest('shows a failure and loads again on Retry', async (visit) => {
    const { page, fixture } = visit
    const away = { error: 'restarting', message: 'The world is recovering: try again.' }
    fixture.overrides.set('/api/intel-map', { status: 503, body: away })
    await openUnlocked(visit)
    const error = page.locator('[data-state=error]')
    await error.getByText('The world is recovering: try again.').waitFor()
    expect(await players(page).count()).toBe(0)
    fixture.overrides.clear()
    await error.getByRole('button', { name: 'Retry' }).click()
    await players(page).waitFor()
    await error.waitFor({ state: 'detached' })
  })

  viewTest('shows the rest when one part fails, and that part after a retry', async (visit) => {
    const { page, fixture } = visit
    const away = { error: 'persist_timeout', message: 'The archive does not answer: try again.' }
    fixture.overrides.set('/api/intel-map/movements', { status: 503, body: away })
    await openUnlocked(visit)
    await players(page).waitFor()
    const error = page.locator('[data-state=error]')
    await error.getByText('The archive does not answer: try again.').waitFor()
    const jumps = page.getByRole('table', { name: 'Jumps of the last 24 hours' })
    expect(await jumps.count()).toBe(0)
    fixture.overrides.clear()
    await error.getByRole('button', { name: 'Retry' }).click()
    await jumps.waitFor()
    await error.waitFor({ state: 'detached' })
  })

  viewTest('shows a loading state', async (visit) => {
    visit.fixture.overrides.set('/api/intel-map', { body: intelMap(1), delayMs: 1_500 })
    await openUnlocked(visit)
    await visit.page.locator('main [data-state=loading]').waitFor()
    await players(visit.page).waitFor()
  })

  for (const colorScheme of ['dark', 'light'] as const) {
    viewTest(
      `is readable on a phone, ${colorScheme}`,
      async (visit) => {
        await openUnlocked(visit, `/intel?system=${far.id}`)
        await visit.page.getByText('Old Belt').waitFor()
        await players(visit.page).waitFor()
        expect(await visit.page.evaluate(AUDIT)).toEqual([])
      },
      { ...NARROW, colorScheme },
    )
  }
})
