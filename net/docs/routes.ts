/**
 * GET /docs and its pages. Each is assembled at its first request from the files that `npm run gen`
 * has written to docs, and cached in compressed form with its ETag.
 */
import { readFile } from 'node:fs/promises'
import type { Registry } from '../../core/registry.ts'
import { respondLimited } from '../http/answers.ts'
import type { Exchange } from '../http/exchange.ts'
import { type HttpFloods, ipOf, passRequest } from '../http/http.ts'
import { conditionsOf, fileReply, type StaticFile, staticFile } from '../http/static-file.ts'
import type { Route } from '../router.ts'
import { limited } from '../session/limited.ts'
import type { Net } from '../session/types.ts'
import { examplePieces, examplesHtml } from './command-examples.ts'
import { commandPagePieces, type DocumentedCommand, documentedCommands } from './commands-page.ts'
import { indexHtml } from './index-page.ts'
import { joinPieces, spokenPieces } from './page.ts'
import { PAGES } from './pages.ts'
import {
  COMMAND_PAGES,
  EXAMPLES_MARK,
  headingsOf,
  readDocs,
  readHtml,
  splitCommandPages,
} from './rendered.ts'
import { searchRecords } from './search.ts'
import { SECURE, shellPage } from './shell.ts'

/** Short, because a development server restarts often. */
export const PAGE_CACHE = 'public, max-age=60'
export const TYPES = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
} as const

/** Files that the pages load, by the last part of the path: type and content. */
const PARTS: Readonly<Record<string, readonly [type: string, content: (net: Net) => Content]>> = {
  'style.css': [TYPES.css, () => readDocs('assets/style.css')],
  'docs.js': [TYPES.js, () => readDocs('assets/docs.js')],
  'search.js': [TYPES.js, () => readDocs('assets/search.js')],
  'explorer.js': [TYPES.js, () => readDocs('assets/explorer.js')],
  'minisearch.js': [TYPES.js, () => readFile(searchLibrary(), 'utf8')],
  'search.json': [TYPES.json, async (net) => JSON.stringify(await searchRecords(net.registry))],
}

type Content = Promise<string>

/** Returns the browser build of the package, a single file. */
const searchLibrary = (): URL => new URL('../umd/index.js', import.meta.resolve('minisearch'))

/** Returns a page by the last part of its path; undefined if there is none. */
async function pageFile(net: Net, name: string): Promise<StaticFile | undefined> {
  if (Object.hasOwn(PARTS, name)) {
    const [type, content] = PARTS[name]
    return staticFile(await content(net), type)
  }
  const { version } = net.config
  if (name === '') {
    const html = indexHtml()
    return staticFile(
      shellPage({ title: 'Documentation', path: '/docs', version, html }),
      TYPES.html,
    )
  }
  const isMarkdown = name.endsWith('.md')
  const wanted = isMarkdown ? name.slice(0, -3) : name
  const page = PAGES.find(({ name: pageName }) => pageName === wanted)
  if (!page) return undefined
  if (isMarkdown) return staticFile(await readDocs(name), TYPES.markdown)
  const html = await readHtml(wanted)
  const { title } = page
  const headings = headingsOf(html)
  return staticFile(
    shellPage({ title, path: `/docs/${wanted}`, version, html, headings }),
    TYPES.html,
  )
}

/** The sources of the command pages, read at the first request of one. */
interface CommandBook {
  readonly commands: ReadonlyMap<string, DocumentedCommand>
  readonly html: ReadonlyMap<string, string>
}

async function readCommands(registry: Registry): Promise<CommandBook> {
  const html = splitCommandPages(await readHtml(COMMAND_PAGES))
  const commands = documentedCommands({ registry }).map(
    (documentedCommand) => [documentedCommand.page, documentedCommand] as const,
  )
  return { commands: new Map(commands), html }
}

/** Returns the page of a command, or its Markdown; undefined if there is none. */
async function commandFile(
  net: Net,
  book: CommandBook,
  name: string,
): Promise<StaticFile | undefined> {
  const isMarkdown = name.endsWith('.md')
  const page = isMarkdown ? name.slice(0, -3) : name
  const command = book.commands.get(page)
  const made = book.html.get(page)
  if (!command || made === undefined) return undefined
  const { version, website } = net.config
  if (isMarkdown) {
    const sources = { registry: net.registry, isServed: true } as const
    const { head, tail } = commandPagePieces(command, sources)
    const pieces = spokenPieces(
      [...head, ...examplePieces(command, website), ...tail],
      net.registry,
    )
    return staticFile(joinPieces(pieces).replace(/\]\((\w+)\.md/g, '](../$1.md'), TYPES.markdown)
  }
  const html = made.replace(EXAMPLES_MARK, () => examplesHtml(command, website))
  const title = command.heading
  return staticFile(shellPage({ title, path: '/docs/commands', version, html }), TYPES.html)
}

function missing(net: Net): string {
  const html = '<h1>There is no such page</h1><p>All pages are listed above.</p>'
  return shellPage({ html, title: 'No such page', path: '', version: net.config.version })
}

/**
 * Answers 429 and returns true if the flood guard of the address is used up; pages have no other
 * limit.
 */
export function refuseFlood(net: Net, floods: HttpFloods, exchange: Exchange): boolean {
  const wait = net.gate.isLimited ? passRequest(net, floods, `docs ${ipOf(net, exchange)}`) : 0
  if (wait > 0) respondLimited(net, exchange, limited('requests', wait))
  return wait > 0
}

/** Sends a file with the headers of a page, or 304 if the client has it. */
export function sendPage(exchange: Exchange, file: StaticFile, cache: string): void {
  const { status, headers, body = '' } = fileReply(file, conditionsOf(exchange), cache)
  exchange.respond(status, { ...headers, ...SECURE }, body)
}

/** Wraps a function that builds files, with a cache. */
function cached(
  make: (name: string) => Promise<StaticFile | undefined>,
): (name: string) => Promise<StaticFile | undefined> {
  const files = new Map<string, Promise<StaticFile | undefined>>()
  return (name) => {
    const known = files.get(name)
    if (known) return known
    const made = make(name)
    files.set(name, made)
    const forget = (): void => void files.delete(name)
    // Missing files are not cached, since clients can choose any name.
    made.then((file) => file ?? forget(), forget)
    return made
  }
}

/** Returns the routes of the documentation. */
export function docsRoutes(net: Net, floods: HttpFloods): Route[] {
  const pageOf = cached((name) => pageFile(net, name))
  let book: CommandBook | undefined
  const commandOf = cached(async (name) => {
    book ??= await readCommands(net.registry)
    return commandFile(net, book, name)
  })
  const answer = async (
    exchange: Exchange,
    fileOf: ReturnType<typeof cached>,
    name: string,
  ): Promise<void> => {
    if (refuseFlood(net, floods, exchange)) return
    const file = await fileOf(name)
    if (file) return sendPage(exchange, file, PAGE_CACHE)
    exchange.respond(404, { ...SECURE, 'content-type': TYPES.html }, missing(net))
  }
  const route = (path: string, fileOf: ReturnType<typeof cached>): Route => {
    return {
      method: 'GET',
      path,
      handle: (exchange, { page = '' }) => answer(exchange, fileOf, page),
    }
  }
  return [
    route('/docs', pageOf),
    route('/docs/', pageOf),
    route('/docs/:page', pageOf),
    route('/docs/commands/:page', commandOf),
  ]
}
