/** The scripts of the documentation pages in a DOM: contents, tabs, search. */
import { readFileSync } from 'node:fs'
import { Window } from 'happy-dom'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRegistry } from '../../../core/registry.ts'
import { renderPieces } from '../../../docs/markdown.ts'
import { examplesHtml } from '../../../net/docs/command-examples.ts'
import { documentedCommands } from '../../../net/docs/commands-page.ts'
import { headingsOf } from '../../../net/docs/rendered.ts'
import { searchRecords } from '../../../net/docs/search.ts'
import { shellPage } from '../../../net/docs/shell.ts'
import { DOMAINS } from '../../../systems/registry.ts'

const registry = createRegistry(DOMAINS)
const asset = (name: string): string => readFileSync(`docs/assets/${name}`, 'utf8')
const library = readFileSync('node_modules/minisearch/dist/umd/index.js', 'utf8')

let window: Window
beforeEach(() => {
  window = new Window({
    url: 'http://127.0.0.1:8080/docs',
    settings: {
      enableJavaScriptEvaluation: true,
      suppressInsecureJavaScriptEnvironmentWarning: true,
    },
  })
})
afterEach(() => window.happyDOM.close())

/** Shows a page without the scripts and styles that it loads. */
function show(html: string): void {
  const headings = headingsOf(html)
  const page = shellPage({ html, headings, title: 'P', path: '', version: '1' })
  window.document.write(page.replace(/<script[^>]*><\/script>|<link[^>]*>/g, ''))
}

/** An element with the members that the tests use. */
type Element = NonNullable<ReturnType<Window['document']['querySelector']>> & {
  value: string
  hidden: boolean
  click(): void
  focus(): void
}

function query(selector: string): Element {
  const found = window.document.querySelector(selector)
  if (!found) throw new Error(`there is no ${selector}`)
  return found as unknown as Element
}

const queryAll = (selector: string): Element[] =>
  [...window.document.querySelectorAll(selector)] as unknown as Element[]

/** Presses a key; returns true if the script handled it. */
const isHandled = (element: Element, key: string): boolean =>
  !element.dispatchEvent(
    new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
  )

test('the field above the contents hides the sections that lack the words typed into it', () => {
  const pieces = [
    '# P',
    ...Array.from({ length: 40 }, (_, index) => `## n${index}\n\nabout ${index}`),
  ]
  show(renderPieces(pieces))
  window.eval(asset('docs.js'))
  const find = (words: string): void => {
    query('#find').value = words
    query('#find').dispatchEvent(new window.Event('input'))
  }
  find('about 39')
  expect(queryAll('section:not([hidden]) h2').map(({ id }) => id)).toEqual(['n39'])
  expect(queryAll('.toc li:not([hidden])')).toHaveLength(1)
  find('nothing like it')
  expect(query('#none').hasAttribute('hidden')).toBe(false)
})

describe('examples', () => {
  const TITLES = ['curl', 'TypeScript', 'Python', 'MCP', 'WebSocket']
  const [command] = documentedCommands({ registry })
  const html = examplesHtml(command, 'http://127.0.0.1:8080')
  const selected = (): string[] =>
    queryAll('[role=tab][aria-selected=true]').map(({ textContent }) => textContent)
  const visible = (): string[] =>
    queryAll('.tab:not([hidden]) h3').map(({ textContent }) => textContent)

  test('are listed one below another without the script', () => {
    show(html)
    expect(visible()).toEqual(TITLES)
    expect(queryAll('.tab > h3:not([hidden]) + pre')).toHaveLength(TITLES.length)
  })

  test('become tabs once the script runs: mouse and keys select one, and the next page keeps the choice', () => {
    show(html)
    window.eval(asset('docs.js'))
    expect(query('[role=tablist]').getAttribute('aria-label')).toBe('Examples')
    expect(queryAll('[role=tab]').map(({ textContent }) => textContent)).toEqual(TITLES)
    expect([selected(), visible()]).toEqual([['curl'], ['curl']])
    for (const tab of queryAll('[role=tab]')) {
      const panel = query(`#${tab.getAttribute('aria-controls')}`)
      expect(panel.getAttribute('role')).toBe('tabpanel')
      expect(panel.getAttribute('aria-labelledby')).toBe(tab.id)
    }
    const steps: [string, string][] = [
      ['ArrowRight', 'TypeScript'],
      ['End', 'WebSocket'],
      ['ArrowRight', 'curl'],
      ['ArrowLeft', 'WebSocket'],
      ['Home', 'curl'],
    ]
    for (const [key, title] of steps) {
      isHandled(query('[role=tab][aria-selected=true]'), key)
      expect([key, selected(), visible()]).toEqual([key, [title], [title]])
      expect(window.document.activeElement?.textContent).toBe(title)
      expect(queryAll('[role=tab][tabindex="0"]')).toHaveLength(1)
    }
    queryAll('[role=tab]')[2].click()
    expect(visible()).toEqual(['Python'])
    window.document.body.innerHTML = html
    window.eval(asset('docs.js'))
    expect(selected()).toEqual(['Python'])
  })
})

describe('search', () => {
  const field = (): Element => query('#search')
  const titles = (): string[] =>
    queryAll('#found li').map((option) => option.querySelector('strong')?.textContent ?? '')
  const firstHref = (): string => query('#found li a').getAttribute('href') ?? ''

  async function openSearch(): Promise<void> {
    show('<h1>P</h1>')
    const records = await searchRecords(registry)
    const answer = async () => ({ ok: true, json: async () => records })
    Object.assign(window, { fetch: answer })
    window.eval(library)
    window.eval(asset('search.js'))
  }

  async function find(words: string): Promise<void> {
    field().value = words
    field().dispatchEvent(new window.Event('input'))
    await expect.poll(() => field().getAttribute('aria-expanded')).toBe('true')
  }

  test('is hidden without its script', () => {
    show('<h1>P</h1>')
    expect(query('.search').hidden).toBe(true)
  })

  test.each([
    ['create_buy_order', '/docs/commands/create_buy_order'],
    ['dock', '/docs/commands/dock'],
    ['no_fuel', '/docs/errors#no_fuel'],
    ['market_update', '/docs/events#market_update'],
    ['progressToken', '/docs/mcp#mcp'],
  ])('finds %s first', async (words, href) => {
    await openSearch()
    await find(words)
    expect({ words, first: firstHref() }).toEqual({ words, first: href })
  })

  test('finds a guide by its words, and a command by a prefix or with a typo', async () => {
    await openSearch()
    await find('drone script')
    const links = queryAll('#found li a').map((link) => link.getAttribute('href'))
    expect(links.join(' ')).toContain('/docs/guides#')
    for (const words of ['create_buy_ord', 'creeate_buy_order']) {
      await find(words)
      await expect.poll(titles).toContain('create_buy_order')
    }
    await find('xyzzyplugh')
    await expect.poll(() => query('.found [role=status]').textContent).toBe('No results.')
  })

  test('is operated by keys: slash, arrows, Enter and Escape', async () => {
    await openSearch()
    expect(isHandled(window.document.body as unknown as Element, '/')).toBe(true)
    expect(window.document.activeElement).toBe(field())
    // In the field a slash is only a character.
    expect(isHandled(field(), '/')).toBe(false)
    await find('order')
    const options = queryAll('#found li')
    const count = options.length
    expect(count).toBeGreaterThan(3)
    for (const [key, option] of [
      ['ArrowDown', 0],
      ['ArrowDown', 1],
      ['ArrowUp', 0],
      ['ArrowUp', count - 1],
      ['ArrowDown', 0],
    ] as const) {
      isHandled(field(), key)
      expect(field().getAttribute('aria-activedescendant')).toBe(`found-${option}`)
      expect(queryAll('#found [aria-selected=true]').map(({ id }) => id)).toEqual([
        `found-${option}`,
      ])
    }
    const opened: string[] = []
    for (const link of queryAll('#found li a'))
      link.addEventListener('click', (event) => {
        event.preventDefault()
        opened.push(link.getAttribute('href') ?? '')
      })
    isHandled(field(), 'ArrowDown')
    isHandled(field(), 'Enter')
    expect(opened).toEqual([queryAll('#found li a')[1].getAttribute('href')])
    await find('orders')
    isHandled(field(), 'Escape')
    expect(field().getAttribute('aria-expanded')).toBe('false')
    expect(field().value).toBe('orders')
    isHandled(field(), 'Escape')
    expect(field().value).toBe('')
    expect(window.document.activeElement).not.toBe(field())
  })

  test('reports that its records cannot be loaded, and tries again', async () => {
    show('<h1>P</h1>')
    const records = await searchRecords(registry)
    let tries = 0
    Object.assign(window, {
      fetch: async () => {
        tries += 1
        return { ok: tries > 1, status: 429, json: async () => records }
      },
    })
    window.eval(library)
    window.eval(asset('search.js'))
    await find('buy')
    expect(query('.found [role=status]').textContent).toContain('could not be loaded')
    await find('buy ')
    await expect.poll(titles).toContain('buy')
  })
})

test('every record of the search has an address of its own', async () => {
  const records = await searchRecords(registry)
  expect(new Set(records.map(({ href }) => href)).size).toBe(records.length)
  const kinds = new Set(records.map(({ kind }) => kind))
  expect([...kinds]).toEqual(
    expect.arrayContaining(['command', 'error', 'event', 'type', 'guide', 'HTTP', 'MCP']),
  )
})
