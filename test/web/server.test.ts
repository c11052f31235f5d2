/** The page on a real server: visitors see what pilots do in the world. */
import { expect, onTestFinished, test } from 'vitest'
import type { Client, Params } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import { newName } from '../e2e/wire.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { describeInBrowser } from './browser.ts'

const database = useTestDatabase()
const server = useTestServer(database, { isSmallMap: true, settings: { SPECTATOR_DELAY: '0' } })

async function registerPilot(username: string): Promise<Client> {
  const client = await connect(server.url, 'ws1')
  // A client that stays online would be counted when the test is retried.
  onTestFinished(() => client.close())
  const params = { username, empire: 'solarian', registration_code: 'any' }
  const registered = await client.call('register', params)
  expect(registered.ok, registered.ok ? '' : registered.message).toBe(true)
  return client
}

const play = async (client: Client, command: string, params?: Params): Promise<Params> => {
  const reply = await server.play(client, command, params)
  if (!reply.ok) throw new Error(`${command}: ${reply.message}`)
  return reply.result
}

describeInBrowser('the page on a real server', ({ visit }) => {
  test('shows the world, its pilots, and each tick as it comes', async () => {
    const name = newName('Vesper Quill')
    const client = await registerPilot(name)
    await play(client, 'undock')
    await server.link.step(1)
    const { system } = (await play(client, 'get_system')) as { system: Params }
    const visited = await visit(`${server.url}/`)
    const { page } = visited
    await page.locator('[role=application][aria-label*="1 player online"]').waitFor()
    const tick = page.locator('.moment .tick')
    const before = await tick.textContent()
    await server.link.step(2)
    await expect.poll(() => tick.textContent()).not.toBe(before)
    await page
      .getByRole('link', { name: String(system.name), exact: true })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: String(system.name) }).waitFor()
    await page.getByRole('link', { name }).waitFor()
    const [lane] = system.connections as { system_id?: string; name?: string }[]
    const jump = client.call('jump', { target_system: lane.system_id })
    await expect.poll(() => server.link.pending()).toBeGreaterThan(0)
    await server.link.step(2)
    await page.getByRole('link', { name }).waitFor({ state: 'detached' })
    await page.keyboard.press('Backspace')
    await page.locator('.figures').getByText('in flight').waitFor()
    await expect.poll(() => page.locator('.figures dd').nth(1).textContent()).toBe('1')
    await server.link.step(30)
    await jump
    await expect.poll(() => page.locator('.figures dd').nth(1).textContent()).toBe('0')
  })

  test('answers every page address with the page, and its files as immutable', async () => {
    for (const path of ['/', '/map', '/system/nowhere', '/leaderboard']) {
      const response = await fetch(server.url + path)
      expect(response.status, path).toBe(200)
      expect(response.headers.get('content-type')).toMatch(/^text\/html/)
      expect(response.headers.get('cache-control')).toContain('no-cache')
    }
    const html = await (await fetch(server.url)).text()
    const [, script] = /src="(\/assets\/[^"]+)"/.exec(html) ?? []
    const response = await fetch(server.url + script)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toContain('immutable')
  })
})
