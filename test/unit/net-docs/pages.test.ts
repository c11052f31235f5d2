/** The documentation pages over the real registry: what they state holds, and links resolve. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ERRORS } from '../../../core/errors.ts'
import { MUTE_CHANNELS } from '../../../core/event.ts'
import { createRegistry } from '../../../core/registry.ts'
import { renderPieces } from '../../../docs/markdown.ts'
import { createAddresses, findV1, findV2, isFailure } from '../../../net/addresses.ts'
import { documentedCommands, exampleFrame } from '../../../net/docs/commands-page.ts'
import { CLOSE_CODES, channelTable } from '../../../net/docs/facts.ts'
import {
  ACCOUNT_ADDRESSES,
  ALL_ADDRESSES,
  MCP_ADDRESSES,
  PAGE_ADDRESSES,
} from '../../../net/docs/http-addresses.ts'
import { joinPieces } from '../../../net/docs/page.ts'
import { GENERATED_PAGES, WRITTEN_PAGES } from '../../../net/docs/pages.ts'
import { headingsOf } from '../../../net/docs/rendered.ts'
import { accountRoutes } from '../../../net/http/account-api.ts'
import { createHttpFloods } from '../../../net/http/http.ts'
import { INTEL_ROWS } from '../../../net/http/intel-rows.ts'
import { openapiV1, openapiV2 } from '../../../net/http/openapi.ts'
import { createPublicRoutes } from '../../../net/http/public-routes.ts'
import { httpV1Routes } from '../../../net/http/v1.ts'
import { httpV2Routes } from '../../../net/http/v2.ts'
import { shownPath } from '../../../net/public/table.ts'
import { createValidators, type Params, validate } from '../../../net/validate.ts'
import { DOMAINS } from '../../../systems/registry.ts'
import { fakeNet } from './fake-net.ts'

const sources = { registry: createRegistry(DOMAINS) }
const pages = new Map([
  ...GENERATED_PAGES.map((page) => [page.name, joinPieces([...page.pieces(sources)])] as const),
  ...WRITTEN_PAGES.map(({ name }) => [name, readFileSync(`docs/${name}.md`, 'utf8')] as const),
])

const blocksOf = (markdown: string, lang: string): string[] =>
  [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, kind]) => kind === lang)
    .map(([, , text]) => text)

describe('examples', () => {
  test('every block of JSON on a page can be parsed', () => {
    let count = 0
    for (const [name, markdown] of pages)
      for (const block of blocksOf(markdown, 'json')) {
        count += 1
        const parts = name === 'commands' ? block.trim().split('\n') : [block]
        for (const part of parts) expect(() => JSON.parse(part), part).not.toThrow()
      }
    expect(count).toBeGreaterThan(350)
  })

  test('the server accepts the example of every command on v1 and v2', () => {
    const addresses = createAddresses(sources.registry)
    const validators = createValidators()
    for (const { def, v1, v2 } of documentedCommands(sources)) {
      for (const view of [v1, v2]) {
        if (!view) continue
        const { type, tool, action, payload = {} } = exampleFrame(view)
        const isV2 = view === v2
        const found = isV2
          ? findV2(addresses, String(tool), String(action ?? ''))
          : findV1(addresses, String(type))
        expect(found).toBe(def)
        if (isFailure(found)) continue
        const checked = validate(validators, found, payload as Params, isV2)
        expect({ name: view.address, payload, checked }).toMatchObject({ checked: { ok: true } })
      }
    }
  })
})

describe('facts', () => {
  test('the sentence of every error says what to do', () => {
    // A sentence that goes on after the fault, or starts with what to do or a marked command.
    const advice =
      /[;:] |\. [A-Z]|^(\u0091|Send|Give|Name|Choose|Log|Use|Dock|Undock|Pay|Offer|Deliver)\b/
    const silent = Object.entries(ERRORS)
      .filter(([, { message }]) => !advice.test(message))
      .map(([code, { message }]) => `${code}: ${message}`)
    expect(silent).toEqual([])
  })

  test('the table of close codes has exactly the reasons that net closes sockets with', () => {
    const sourcesOfNet = (readdirSync('net', { recursive: true }) as string[])
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(`net/${name}`, 'utf8'))
      .join('\n')
    const calls =
      /(?:closeConn\(conn, |close\(|raw\.end\()(\d{4}), (['`])([^'`]+)\2|closeSockets\(sockets, '([^']+)'/g
    const found = [...sourcesOfNet.matchAll(calls)].map(([, code, , reason, restart]) =>
      restart ? `1000 ${restart}` : `${code} ${reason.replace(/\$\{\w+\}/, '<seconds>')}`,
    )
    const reasonsOfCodes = CLOSE_CODES.flatMap(({ code, reasons }) =>
      reasons.map((reason) => `${code} ${reason}`),
    )
    expect([...new Set(found)].sort()).toEqual(reasonsOfCodes.sort())
  })

  test('the page of HTTP lists exactly the routes that exist', () => {
    // A server that is its own issuer has one route more.
    const auth = { issuer: 'here', audience: 'here', jwks: { keys: [] } }
    const net = fakeNet(() => [], { auth })
    const floods = createHttpFloods()
    const routes = [
      ...httpV1Routes(net, floods),
      ...httpV2Routes(net, floods),
      ...accountRoutes(net),
      ...createPublicRoutes(net, floods).routes,
      // The routes of net.ts itself.
      ...[
        '/health',
        '/healthz',
        '/livez',
        '/readyz',
        '/metrics',
        '/metrics/slow-ticks',
        '/events',
        '/api/ops',
      ].map((path) => ({ method: 'GET', path })),
    ]
    const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
    expect(ALL_ADDRESSES.map(nameOf).sort()).toEqual(routes.map(nameOf).sort())
  })

  test('every address is either in OpenAPI or in a list of those outside it', () => {
    const paths = [
      ...Object.keys(openapiV1(sources.registry, { version: '1' }).paths as object).map(
        (path) => `/api/v1${path}`,
      ),
      ...Object.keys(openapiV2(sources.registry, { version: '1' }).paths as object),
    ]
    const isIntel = ({ path }: { path: string }) => INTEL_ROWS.some((row) => row.path === path)
    const accounts = ACCOUNT_ADDRESSES.filter((row) => !isIntel(row))
    const others = new Set([...PAGE_ADDRESSES, ...MCP_ADDRESSES, ...accounts])
    const isDocumented = ({ path }: { path: string }): boolean => {
      const pattern = new RegExp(`^${shownPath(path).replace(/\{\w+\}/g, '[^/]+')}$`)
      return paths.some((documented) => pattern.test(documented))
    }
    expect(ALL_ADDRESSES.filter((row) => isDocumented(row) === others.has(row))).toEqual([])
  })

  test('every mute channel silences an event', () => {
    const rows = channelTable(sources).split('\n').slice(2)
    expect(rows).toHaveLength(MUTE_CHANNELS.length)
    for (const row of rows) expect(row).toContain('events.md#')
  })
})

describe('pages', () => {
  test('every link leads to a heading or an anchor', () => {
    const ids = new Map<string, Set<string>>()
    for (const [name, markdown] of pages) {
      const headings = headingsOf(renderPieces([markdown]))
      ids.set(name, new Set(headings.map(({ id }) => id)))
      expect(new Set(headings.map(({ id }) => id)).size, name).toBe(headings.length)
    }
    const broken = [...pages].flatMap(([name, markdown]) =>
      [...markdown.matchAll(/\]\(([a-z-]*)(?:\.md)?(?:#([^)]+))?\)/g)].flatMap(
        ([link, page, id]) => {
          const anchors = ids.get(page || name)
          return anchors && (id === undefined || anchors.has(id)) ? [] : [`${name}: ${link}`]
        },
      ),
    )
    expect(broken).toEqual([])
  })

  test('unknown tags are shown as text, and links to other sites are removed', () => {
    const html = renderPieces([
      '# A <b>',
      'x <script>alert(1)</script> <a id="y"></a>\n\n<img src=x>\n\n[z](https://z.example)',
    ])
    expect(html).not.toMatch(/<(b|script|img)\b/)
    expect(html).toContain('<a id="y"></a>')
    expect(html).not.toContain('href="https')
  })
})
