/**
 * The page on which a person approves a device link. Its own script runs in a DOM instead of a
 * browser and talks to a real server.
 */
import { createHash } from 'node:crypto'
import { type Element, type HTMLElement, type HTMLInputElement, Window } from 'happy-dom'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client, Params } from '../../bench/client.ts'
import { connect as connectClient } from '../../bench/clients.ts'
import { issueAccountToken, newIssuerKey } from '../../net/session/issuer.ts'
import { createAccounts } from '../../storage/accounts.ts'
import { connect, disconnect, type Sql } from '../../storage/db.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { newPlayer, request } from './wire.ts'

const database = useTestDatabase()
const server = useTestServer(database, { isSmallMap: true })
let sql: Sql
let ann: string
beforeAll(async () => {
  sql = connect(database.connection(server.schema), { name: 'test' })
  const key = await createAccounts(sql).issuerKey(newIssuerKey)
  ann = (await issueAccountToken(key, { account: 'ann', hours: 1 })).token
})
const pages: Page[] = []
afterAll(async () => {
  for (const page of pages) await page.close()
  await disconnect(sql)
})

interface Page {
  readonly html: string
  readonly window: Window
  field(id: string): HTMLInputElement
  /** Presses a button and waits until the page has finished its work. */
  press(name: string): Promise<void>
  /** The text below the form. */
  message(): string
  /** Texts of the players to choose from. */
  choices(): string[]
  choose(index: number): void
  isShown(id: string): boolean
  close(): Promise<void>
}

async function openPage(query = ''): Promise<Page> {
  const url = `${server.url}/link${query}`
  const html = (await request(url)).text
  // The script is our own.
  const settings = {
    enableJavaScriptEvaluation: true,
    suppressInsecureJavaScriptEnvironmentWarning: true,
  }
  const window = new Window({ url, settings })
  window.document.write(html)
  const { document, happyDOM } = window
  const field = (id: string) => document.getElementById(id) as HTMLInputElement
  const buttons = () => [...document.querySelectorAll('button')] as HTMLElement[]
  const labels = () => [...document.querySelectorAll('#players label')] as HTMLElement[]
  const page: Page = {
    html,
    window,
    field,
    async press(name) {
      const button = buttons().find(({ textContent }) => textContent === name)
      expect(button?.hasAttribute('disabled')).toBe(false)
      button?.click()
      await happyDOM.waitUntilComplete()
    },
    message: () => field('message').textContent,
    choices: () => labels().map(({ textContent }) => textContent.trim()),
    choose: (index) => labels()[index].querySelector('input')?.click(),
    isShown: (id) => {
      for (let part: Element | null = field(id); part; part = part.parentElement)
        if (part.hasAttribute('hidden')) return false
      return true
    },
    close: () => happyDOM.close(),
  }
  pages.push(page)
  return page
}

async function newLink(): Promise<{ client: Client; link: Params; poll(): Promise<unknown> }> {
  const client = await connectClient(server.url, 'http2')
  const { result: link } = await client.call('login_link')
  const { device_code } = link
  return {
    client,
    link,
    async poll() {
      const { ok, code, result } = await client.call('login_link_poll', { device_code })
      return ok ? (result.status ?? (result.player as Params).username) : code
    },
  }
}

/** Registers a player, linked to ann's account if `account` is given. */
async function registerPlayer(account: string | undefined, username: string): Promise<void> {
  const client = await connectClient(server.url, 'http2')
  await client.call('register', { ...newPlayer(), username })
  if (account !== undefined) {
    const headers = { authorization: `Bearer ${ann}` }
    const { body } = await request(`${server.url}/api/registration-code`, { headers })
    await client.call('claim', { registration_code: body.registration_code })
  }
  await client.close()
}

test('the policy of the page allows only its own script and style, and no framing', async () => {
  const { headers, text } = await request(`${server.url}/link`)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = Object.fromEntries(
    String(headers.get('content-security-policy'))
      .split('; ')
      .map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')]),
  )
  const hashed = (tag: string) => {
    const parts = [...text.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))]
    expect(parts).toHaveLength(1)
    return `'sha256-${createHash('sha256').update(parts[0][1]).digest('base64')}'`
  }
  expect(policy).toEqual({
    'default-src': "'none'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'script-src': hashed('script'),
    'style-src': hashed('style'),
  })
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(text).not.toMatch(/\bsrc=|\bhref=|\son[a-z]+=|\sstyle=|innerHTML|eval\(/)
})

test('the page labels its fields, announces outcomes and hides the token', async () => {
  const { window, field } = await openPage()
  const { document } = window
  expect(document.documentElement.lang).toBe('en')
  for (const id of ['code', 'token']) {
    expect(document.querySelector(`label[for=${id}]`)?.textContent).not.toBe('')
    const hint = String(field(id).getAttribute('aria-describedby'))
    expect(document.getElementById(hint)?.textContent).not.toBe('')
  }
  expect(field('token').type).toBe('password')
  expect(field('message').getAttribute('role')).toBe('status')
  expect(document.querySelector('fieldset legend')?.textContent).toContain('player')
})

test('an approved link logs the program in as the chosen player', async () => {
  const { link, poll, client } = await newLink()
  const { user_code, verification_uri_complete } = link
  expect(verification_uri_complete).toBe(`${server.url}/link?code=${user_code}`)
  const page = await openPage(`?code=${user_code}`)
  expect(page.field('code').value).toBe(user_code)
  expect(page.isShown('choose')).toBe(false)
  page.field('token').value = ` ${ann} `
  await page.press('Show my players')
  expect(page.message()).toContain('no player yet')
  expect([page.isShown('approve'), page.isShown('deny')]).toEqual([false, true])
  for (const name of ["O'Hara", 'Second!']) await registerPlayer('ann', name)
  await registerPlayer(undefined, 'Stranger')
  // A name is shown as plain text, whatever the database holds.
  await sql`update player set username = ${'<img src=x onerror=alert(1)>'} where username = 'Second!'`
  await page.press('Show my players')
  expect(page.choices()).toEqual(["O'Hara (solarian)", '<img src=x onerror=alert(1)> (solarian)'])
  expect(page.window.document.querySelectorAll('img')).toHaveLength(0)
  await page.press('Approve')
  expect(page.message()).toBe('Pick a player first.')
  expect(await poll()).toBe('authorization_pending')
  page.choose(0)
  await page.press('Approve')
  expect(page.message()).toContain("Approved: the program may play as O'Hara (solarian)")
  expect([page.isShown('choose'), page.field('token').value]).toEqual([false, ''])
  expect(await poll()).toBe("O'Hara")
  await client.close()
})

test('a link denied with an API key stays denied', async () => {
  const authorization = `Bearer ${ann}`
  const created = await request(`${server.url}/api/auth/create-key`, {
    method: 'POST',
    headers: { authorization },
  })
  const { link, poll, client } = await newLink()
  const page = await openPage()
  page.field('code').value = String(link.user_code).toLowerCase().replace('-', ' ')
  page.field('token').value = String(created.body.key)
  await page.press('Show my players')
  await page.press('Deny')
  expect(page.message()).toContain('Denied: the program has no access')
  expect(await poll()).toBe('access_denied')
  page.field('token').value = String(created.body.key)
  await page.press('Show my players')
  expect(page.message()).toBe('This code was already denied.')
  expect(page.isShown('choose')).toBe(false)
  await client.close()
})

test('the page explains each error in a sentence', async () => {
  const { link, client } = await newLink()
  const page = await openPage()
  const messageAfter = async (code: string, token: string): Promise<string> => {
    page.field('code').value = code
    page.field('token').value = token
    await page.press('Show my players')
    expect([page.isShown('choose'), page.field('message').className]).toEqual([false, 'bad'])
    return page.message()
  }
  const code = String(link.user_code)
  expect(await messageAfter('', ann)).toContain('Enter the code')
  expect(await messageAfter(code, '')).toContain('Enter an account token')
  expect(await messageAfter(code, 'Ünsinn\n')).toContain('Enter an account token')
  expect(await messageAfter(code, 'wrong')).toContain('token or key is not accepted')
  expect(await messageAfter('ZZZZ-ZZZZ', ann)).toContain('unknown, used or expired')
  expect(await messageAfter('../../api/me?', ann)).toContain('unknown, used or expired')
  const odd = await openPage(`?code=${encodeURIComponent('"><script>alert(1)</script>')}`)
  expect(odd.field('code').value).toBe('"><script>alert(1)</')
  expect(odd.window.document.querySelectorAll('script')).toHaveLength(1)
  expect(odd.html).not.toContain('alert')
  await client.close()
})
