/**
 * The page on a real server: a battle is followed tick by tick and replayed; the market leads to an
 * item and a station. Source: WEB 6.
 */
import { beforeAll, expect, test } from 'vitest'
import type { Params } from '../../bench/client.ts'
import { buildPage } from '../../web-build.ts'
import { pilotsOn } from '../e2e/pilots.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { describeInBrowser } from './browser.ts'

beforeAll(buildPage)
const server = useTestServer(useTestDatabase(), { isSmallMap: true })
const { join, playAll, wayOut } = pilotsOn(server)

/** Starts a fight of two pilots in a system without police; returns their names. */
async function beginBattle(): Promise<string[]> {
  const pilots = [await join('ws1'), await join('ws1')]
  const clients = pilots.map(({ client }) => client)
  const { result } = await clients[0].call('get_system')
  const route = await wayOut(String((result.system as Params).id))
  for (const target_system of route) await playAll(clients, 'jump', { target_system })
  await playAll([clients[0]], 'attack', { target_id: pilots[1].id })
  const states = await Promise.all(clients.map((client) => client.call('get_status')))
  return states.map((state) => String((state.result.player as Params).username))
}

describeInBrowser('the page on a real server', ({ visit }) => {
  test('lists a battle, follows it by its topic, and replays it from the archive', async () => {
    const names = await beginBattle()
    await server.link.step(6)
    const { page } = await visit(`${server.url}/battles`)
    const subscribed = page.waitForResponse(/\/events\?topics=.*battle/)
    await page.locator('.battle-row').click()
    // A tick that ran before the page has subscribed would show only with the next tick.
    await subscribed
    const position = page.locator('.transport .place')
    await position.waitFor()
    for (const name of names) {
      await expect.poll(() => page.locator('.beside tbody').textContent()).toContain(name)
    }
    const ticks = async () => Number(/of (\d+)$/.exec((await position.textContent()) ?? '')?.[1])
    const ticksBefore = await ticks()
    for (let step = 1; step <= 3; step++) {
      await server.link.step(1)
      await expect.poll(ticks, { timeout: 15_000 }).toBe(ticksBefore + step)
    }
    await page.keyboard.press('Home')
    await expect.poll(() => position.textContent()).toMatch(/, 1 of \d+$/)
    await page.getByRole('tab', { name: 'Events' }).click()
    await page.getByText(`${names[0]} joined side`).waitFor()
  })

  test('leads from the exchange to an item and a station', async () => {
    // The first frames become public after some ticks.
    await server.link.step(4)
    const { page } = await visit(`${server.url}/market`)
    await page.locator('tbody tr a').first().click()
    await page.locator('.ladder').waitFor()
    await page.locator('.book h2 a').click()
    await page.getByRole('heading', { level: 1 }).getByRole('link').click()
    await page.locator('.facilities').first().waitFor()
  })
})
