/**
 * GET /docs and its pages. Each is made at its first request, from the registry or from a file of
 * the folder docs, and kept compressed with its tag.
 */
import { readFile } from 'node:fs/promises'
import { PUBLISH_SLICE_MS } from '../../core/limits.ts'
import { assetUrl } from '../../core/module-url.ts'
import { respondLimited } from '../http/answers.ts'
import type { Exchange } from '../http/exchange.ts'
import { type HttpFloods, ipOf, passRequest } from '../http/http.ts'
import { fileReply, type StaticFile, staticFile } from '../http/static-file.ts'
import type { Route } from '../router.ts'
import { limited } from '../session/limited.ts'
import type { Net } from '../session/types.ts'
import { type DocsSources, joinPieces, piecesOf } from './page.ts'
import { GENERATED_PAGES, WRITTEN_PAGES } from './pages.ts'
import { DOCS_CSP, SCRIPT, STYLE, shellPage } from './shell.ts'

/** As the other documents: a development server restarts often. */
export const PAGE_CACHE = 'public, max-age=60'
export const TYPES = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
} as const

interface Source {
  readonly name: string
  readonly title: string
  readonly summary: string
  pieces(): Iterable<string>
}

const FOLDER = assetUrl(import.meta.url, '../../docs/')

async function sourceOfFile(page: (typeof WRITTEN_PAGES)[number]): Promise<Source[]> {
  try {
    const text = await readFile(new URL(`${page.name}.md`, FOLDER), 'utf8')
    return [{ ...page, pieces: () => text.split(/\n(?=## )/) }]
  } catch {
    return []
  }
}

function indexPieces(sources: readonly Source[]): string[] {
  const list = sources.map(({ name, title, summary }) => `- [${title}](${name}.md): ${summary}`)
  return [
    '# Documentation',
    'How programs play: two WebSockets, two HTTP APIs and MCP, one set of commands.',
    list.join('\n'),
    '## Try it',
    [
      '- [Explorer of HTTP v2](/api/v2/docs) and [of v1](/api/docs): every command with a form',
      '- OpenAPI 3.1: [v2](/api/v2/openapi.json), [v1](/api/openapi.json), once a minute each',
      '- [The catalogue](/api/catalog.json), once a minute; [map](/api/map), [stations](/api/stations), [statistics](/api/stats)',
      '- `/mcp/docs`: the same for language models, by MCP. Every page here is Markdown too, with `.md`.',
    ].join('\n'),
  ]
}

/** All sources in the order of the navigation. */
export async function sourcesOf(net: Net): Promise<Source[]> {
  const about: DocsSources = { registry: net.registry, isServed: true }
  const made = GENERATED_PAGES.map((page): Source => {
    const { name, title, summary } = page
    return { name, title, summary, pieces: () => piecesOf(page, about) }
  })
  const files = await Promise.all(WRITTEN_PAGES.map(sourceOfFile))
  return [...made, ...files.flat()]
}

/** Pieces one after the other, with turns for others in between. */
async function markdownOf(pieces: Iterable<string>, monoMs: () => number): Promise<string> {
  const made: string[] = []
  let sinceMs = monoMs()
  for (const piece of pieces) {
    made.push(piece)
    if (monoMs() - sinceMs < PUBLISH_SLICE_MS) continue
    await new Promise((resolve) => setImmediate(resolve))
    sinceMs = monoMs()
  }
  return joinPieces(made)
}

/** A page by the last part of its address; undefined when there is none. */
async function makeFile(net: Net, name: string): Promise<StaticFile | undefined> {
  if (name === 'style.css') return staticFile(STYLE, TYPES.css)
  if (name === 'docs.js') return staticFile(SCRIPT, TYPES.js)
  const sources = await sourcesOf(net)
  const isMarkdown = name.endsWith('.md')
  const wanted = isMarkdown ? name.slice(0, -3) : name
  const index = { name: '', title: 'Documentation', pieces: () => indexPieces(sources) }
  const source = wanted === '' ? index : sources.find((one) => one.name === wanted)
  if (!source || name === '.md') return undefined
  const monoMs = () => net.clock.monoMs()
  if (isMarkdown) return staticFile(await markdownOf(source.pieces(), monoMs), TYPES.markdown)
  // The library is loaded by the first reader, not by the start of the server.
  const { renderPieces } = await import('./html.ts')
  const rendered = await renderPieces(source.pieces(), monoMs)
  const { title } = source
  const { version } = net.config
  const page = shellPage({ ...rendered, title, name: wanted, version, nav: sources })
  return staticFile(page, TYPES.html)
}

async function missing(net: Net): Promise<string> {
  const html = '<h1>There is no such page</h1><p>The pages there are stand above.</p>'
  const { version } = net.config
  const nav = await sourcesOf(net)
  return shellPage({ html, headings: [], title: 'No such page', name: '-', version, nav })
}

/** Said with every page beside its own headers. */
const SECURE = {
  'content-security-policy': DOCS_CSP,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const

/** Answers 429 where the flood guard of the address is used up: pages have no other bound. */
export function isHeldBack(net: Net, floods: HttpFloods, exchange: Exchange): boolean {
  const wait = net.gate.isLimited ? passRequest(net, floods, `docs ${ipOf(net, exchange)}`) : 0
  if (wait > 0) respondLimited(net, exchange, limited('requests', wait))
  return wait > 0
}

/** Sends a file under the headers of a page, or says that the client has it. */
export function sendPage(exchange: Exchange, file: StaticFile, cache: string): void {
  const conditions = {
    ifNoneMatch: exchange.header('if-none-match'),
    acceptEncoding: exchange.header('accept-encoding'),
  }
  const { status, headers, body = '' } = fileReply(file, conditions, cache)
  exchange.respond(status, { ...headers, ...SECURE }, body)
}

/** The routes. */
export function docsRoutes(net: Net, floods: HttpFloods): Route[] {
  const kept = new Map<string, Promise<StaticFile | undefined>>()
  const fileOf = (name: string): Promise<StaticFile | undefined> => {
    const known = kept.get(name)
    if (known) return known
    const made = makeFile(net, name)
    kept.set(name, made)
    const forget = (): void => void kept.delete(name)
    // What is not there is not kept: names are anybody's to choose.
    made.then((file) => file ?? forget(), forget)
    return made
  }
  const answer = async (exchange: Exchange, name: string): Promise<void> => {
    if (isHeldBack(net, floods, exchange)) return
    const file = await fileOf(name)
    if (!file) {
      const headers = { ...SECURE, 'content-type': TYPES.html }
      return exchange.respond(404, headers, await missing(net))
    }
    sendPage(exchange, file, PAGE_CACHE)
  }
  return [
    { method: 'GET', path: '/docs', handle: (exchange) => answer(exchange, '') },
    { method: 'GET', path: '/docs/', handle: (exchange) => answer(exchange, '') },
    {
      method: 'GET',
      path: '/docs/:page',
      handle: (exchange, { page }) => answer(exchange, page),
    },
  ]
}
