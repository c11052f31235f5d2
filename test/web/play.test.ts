/**
 * The play console, used as a player uses it: in a real browser on a real server, whose ticks the
 * test steps. Source: WEB 4, 6.
 */
import type { Locator, Page, WebSocketRoute } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { issueAccountToken, newIssuerKey } from '../../net/session/issuer.ts'
import { createAccounts } from '../../storage/accounts.ts'
import { connect, disconnect } from '../../storage/db.ts'
import { newName } from '../e2e/wire.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { AUDIT } from './audit.ts'
import { describeInBrowser } from './browser.ts'

const NARROW = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }
/** Ticks until the world is public: the delay and the first frame. */
const FIRST_TICKS = 5
const STEPS_MAX = 400

const database = useTestDatabase()
const server = useTestServer(database, { settings: { REGISTRATION: 'open' } })

/** Before these ticks the form for new players has no empires, since none is public. */
beforeAll(() => server.link.step(FIRST_TICKS))

const play = () => `${server.url}/play`
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Steps ticks while commands wait for them, until an element is on the page. */
async function stepUntil(wanted: Locator): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    if (server.link.pending() > 0) await server.link.step(1)
    else if ((await wanted.count()) > 0) return
    else await sleep(25)
  }
  throw new Error(`not on the page: ${wanted}`)
}

/** Returns the result of the newest command. */
const newest = (page: Page) => page.locator('.log > ol > li').first()

/** Waits until the newest command has reached a progress; returns the text of its result. */
async function outcomeOf(page: Page, address: string, progress: string): Promise<string> {
  const row = newest(page)
    .and(page.locator(`[data-command="${address}"]`))
    .and(page.locator(`[data-progress="${progress}"]`))
  await stepUntil(row)
  return (await row.textContent()) ?? ''
}

/** Presses a step that the console offers, and waits until its command is done. */
async function takeStep(page: Page, label: string | RegExp, address: string): Promise<void> {
  await page.locator('.next').getByRole('button', { name: label }).first().click()
  await outcomeOf(page, address, 'done')
}

interface Login {
  readonly name: string
  readonly password: string
}

/** Registers a player under a name that is new even when a test is retried. */
async function register(page: Page, prefix: string): Promise<Login> {
  const name = newName(prefix)
  await page.getByRole('tab', { name: 'New player' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('combobox', { name: /^Empire/ }).selectOption('solarian')
  await page.keyboard.press('Enter')
  await page.getByText('Your password, shown only now').waitFor()
  await page.locator('.next').waitFor()
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText(/^Copied\.$|^The browser did not copy it/).waitFor()
  return { name, password: (await page.locator('code.secret').textContent()) ?? '' }
}

/** Opens the form of a command that is found by its name, by keys alone. */
async function openForm(page: Page, name: string, title: string): Promise<Locator> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find a command' }).waitFor()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  const form = page.getByRole('form', { name: title, exact: true })
  await form.waitFor()
  return form
}

/** Finds a command by its name and sends it, by keys alone. */
async function sendCommand(page: Page, name: string, title: string): Promise<void> {
  await openForm(page, name, title)
  await page.keyboard.press('Enter')
}

async function logIn(page: Page, name: string, password: string): Promise<void> {
  await page.getByRole('tab', { name: 'Log in' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

/** Makes a token of an account that this server accepts. */
async function accountToken(): Promise<string> {
  const sql = connect(database.connection(server.schema), { name: 'test' })
  try {
    const key = await createAccounts(sql).issuerKey(newIssuerKey)
    return (await issueAccountToken(key, { account: 'ann', hours: 1 })).token
  } finally {
    await disconnect(sql)
  }
}

const credits = async (page: Page): Promise<number> =>
  Number((await page.locator('.play > header b').first().textContent())?.replaceAll(/\D/g, ''))

describeInBrowser('the play console', ({ visit }) => {
  test('leads a new player through the first hour on a phone, one press per step', async () => {
    const { page } = await visit(play(), NARROW)
    await register(page, 'First Thumb')
    await page.getByRole('button', { name: 'I have it' }).click()
    await takeStep(page, 'Accept mission', 'game/accept_mission')
    await takeStep(page, /^Travel to/, 'game/travel')
    for (let step = 0; step < STEPS_MAX; step++) {
      if ((await page.locator('.next').getByRole('button', { name: 'Mine' }).count()) === 0) break
      await takeStep(page, 'Mine', 'game/mine')
      await sleep(400)
    }
    await takeStep(page, 'Complete mission', 'game/complete_mission')
    await takeStep(page, /^Travel to/, 'game/travel')
    await takeStep(page, 'Dock', 'game/dock')
    const before = await credits(page)
    await takeStep(page, /^Sell \d+ /, 'game/sell')
    await expect.poll(() => credits(page)).toBeGreaterThan(before)
    await takeStep(page, 'Refuel', 'game/refuel')
    expect(await page.evaluate(AUDIT)).toEqual([])
    await page.getByRole('tab', { name: 'State' }).click()
    await page.getByRole('heading', { name: 'Missions' }).waitFor()
    expect(await page.evaluate(AUDIT)).toEqual([])
    await page.getByRole('tab', { name: 'News' }).click()
    expect(await page.evaluate(AUDIT)).toEqual([])
    const news = page.getByRole('region', { name: 'News' })
    await news
      .getByText(/^Mined \d/)
      .first()
      .waitFor()
  })

  test('can be played by keys alone', async () => {
    const { page } = await visit(play())
    await register(page, 'Keys Only')
    const form = await openForm(page, 'travel', 'Travel')
    await form.getByLabel(/^id/).waitFor()
    await page.keyboard.press('Control+Enter')
    await form.getByText('This is needed.').waitFor()
    await page.keyboard.type('nowhere')
    await page.keyboard.press('Control+Enter')
    const refusal = await outcomeOf(page, 'game/travel', 'refused')
    expect(refusal).toContain('Change and send again')
    expect(await page.evaluate(AUDIT)).toEqual([])
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => form.getByLabel(/^id/).inputValue()).toBe('nowhere')
    await page.keyboard.press('Escape')
    await sendCommand(page, 'undock', 'Undock')
    await outcomeOf(page, 'game/undock', 'done')
    await newest(page).getByText('Answer as JSON').click()
    await newest(page).locator('pre').getByText('"command": "undock"').waitFor()
  })

  test('keeps a reopened palette open when the event of its earlier close comes late', async () => {
    const { page } = await visit(play())
    await register(page, 'Late News')
    await page.evaluate(`{
      const hold = (event) => {
        if (!event.isTrusted) return
        event.stopImmediatePropagation()
        globalThis.sendLateClose = () => event.target.dispatchEvent(new Event('close'))
      }
      addEventListener('close', hold, true)
    }`)
    await openForm(page, 'mine', 'Mine')
    await page.keyboard.press('Control+k')
    const finder = page.getByRole('combobox', { name: 'Find a command' })
    await finder.waitFor()
    await page.waitForFunction('globalThis.sendLateClose')
    await page.evaluate('sendLateClose()')
    expect(await finder.isVisible()).toBe(true)
  })

  test('queues commands behind a pending one, and holds the queue after a refusal', async () => {
    const { page } = await visit(play())
    await register(page, 'Queue Up')
    const step = (name: RegExp | string) => page.locator('.next').getByRole('button', { name })
    await step('Undock').click()
    await page.getByText('Undock', { exact: true }).first().waitFor()
    await step(/^Travel to/).click()
    const queue = page.getByRole('region', { name: 'Queue' })
    await queue.getByText('waits').waitFor()
    await queue.getByRole('button', { name: 'Cancel' }).click()
    await queue.getByText('waits').waitFor({ state: 'detached' })
    await outcomeOf(page, 'game/undock', 'done')
    expect(await page.locator('[data-command="game/travel"]').count()).toBe(0)
    await sendCommand(page, 'mine', 'Mine')
    await sendCommand(page, 'dock', 'Dock')
    await stepUntil(queue.getByText('The queue is on hold'))
    expect(await page.locator('[data-command="game/mine"][data-progress="refused"]').count()).toBe(
      1,
    )
    await queue.getByRole('button', { name: 'Continue' }).click()
    await outcomeOf(page, 'game/dock', 'done')
  })

  test('logs in again after its connection was cut, and sends the queued commands', async () => {
    const { page } = await visit(play())
    const sockets: WebSocketRoute[] = []
    await page.routeWebSocket(/\/ws\/v2$/, (socket) => {
      socket.connectToServer()
      sockets.push(socket)
    })
    await page.reload()
    await register(page, 'Cut Off')
    await sockets[0].close({ code: 4000, reason: 'cut' })
    await page.locator('[data-state=away]').waitFor()
    await page.getByRole('button', { name: 'Undock', exact: true }).click()
    const queue = page.getByRole('region', { name: 'Queue' })
    await queue.getByText('waits').waitFor()
    await page.locator('[data-state=away]').waitFor({ state: 'detached' })
    await outcomeOf(page, 'game/undock', 'done')
    expect(sockets).toHaveLength(2)
  })

  test('logs in by name and password, logs out, and stores neither', async () => {
    const { page } = await visit(play())
    const { name, password } = await register(page, 'In And Out')
    await page.getByRole('button', { name: 'Log out' }).click()
    await logIn(page, name, password)
    await page.locator('.next').waitFor()
    await page.getByRole('button', { name: 'Get status' }).click()
    await outcomeOf(page, 'game/get_status', 'done')
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'Fly a ship yourself' }).waitFor()
    const stored = await page.evaluate<string>(
      'JSON.stringify([localStorage, sessionStorage, document.cookie])',
    )
    expect(stored).not.toContain(password)
  })

  test('links a player to an account, and logs in with its API key', async () => {
    const bearer = await accountToken()
    const ask = async (method: string, path: string) => {
      const headers = { authorization: `Bearer ${bearer}` }
      const answer = await fetch(server.url + path, { method, headers })
      return (await answer.json()) as Readonly<Record<string, string>>
    }
    const { page } = await visit(play())
    const { name } = await register(page, 'Key Holder')
    const { registration_code } = await ask('GET', '/api/registration-code')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find a command' }).fill('claim')
    await page.keyboard.press('Enter')
    await page.getByLabel(/^registration code/).fill(registration_code)
    await page.keyboard.press('Control+Enter')
    await outcomeOf(page, 'game_auth/claim', 'done')
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('tab', { name: 'API key' }).click()
    await page.getByLabel('API key of your account').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    const { key } = await ask('POST', '/api/auth/create-key')
    await page.getByLabel('API key of your account').fill(key)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: `Play as ${name}` }).click()
    await page.locator('.next').waitFor()
  })

  test('keeps the form when its session ends, and the name when a login is refused', async () => {
    const { page } = await visit(play())
    const { name, password } = await register(page, 'Twice Here')
    const form = await openForm(page, 'travel', 'Travel')
    await form.getByLabel(/^id/).fill('somewhere')
    const other = await visit(play())
    await logIn(other.page, name, 'wrong')
    await other.page.getByRole('alert').waitFor()
    const nameField = other.page.getByLabel('Name', { exact: true })
    expect(await nameField.inputValue()).toBe(name)
    await logIn(other.page, name, password)
    await other.page.locator('.next').waitFor()
    await page.getByText('This player logged in elsewhere').waitFor()
    await logIn(page, name, password)
    expect(await page.getByLabel(/^id/).inputValue()).toBe('somewhere')
  })

  test('sends typed text as a chat message', async () => {
    const { page } = await visit(play())
    await register(page, 'Loud Mouth')
    await page.getByLabel('What to say').fill('\u202eabc')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Chat' }).getByRole('alert').waitFor()
    await page.getByLabel('What to say').fill('<img src=x onerror=alert(1)>')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Chat' }).getByText('<img src=x').waitFor()
    expect(await page.locator('main img').count()).toBe(0)
  })
})
