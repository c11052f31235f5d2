/**
 * The page of the server: what `npm run build` has put into dist/web, at / and at the address of
 * every view; without it the plain start page. Source: WEB 4.
 */
import { readFile } from 'node:fs/promises'
import { fail } from '../../core/errors.ts'
import { assetUrl } from '../../core/module-url.ts'
import { startPage } from '../docs/entry-routes.ts'
import { sendPage, TYPES } from '../docs/routes.ts'
import { respondLimited } from '../http/answers.ts'
import type { Exchange, Headers } from '../http/exchange.ts'
import { operationsOf } from '../http/explorer.ts'
import { ipOf } from '../http/http.ts'
import { pagePolicy } from '../http/page-headers.ts'
import {
  fileOnce,
  fileReply,
  latestFile,
  type StaticFile,
  staticFile,
} from '../http/static-file.ts'
import type { Route } from '../router.ts'
import { addressRefusal } from '../session/limited.ts'
import type { Net } from '../session/types.ts'
import { PAGE_PATHS } from './page-paths.ts'
import { refuse } from './routes.ts'

const PAGE_HEADERS: Headers = {
  'content-security-policy': pagePolicy(
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
  ),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

/** Names carry a hash of the content. */
const FOR_EVER = 'public, max-age=31536000, immutable'
const AN_HOUR = 'public, max-age=3600'

const ASSET_TYPES = { js: TYPES.js, css: TYPES.css } as const
const ASSET = /^[\w-]+\.[\w-]{6,64}\.(js|css)$/
/** More than a build has. */
const ASSETS_MAX = 64

/** The folder of the built page. */
const BUILT = assetUrl(import.meta.url, '../../dist/web/')

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Reads files once; what is not there is not remembered, since names are anybody's to choose. */
function filesOf(folder: URL) {
  const files = new Map<string, StaticFile>()
  return async (name: string, type: string): Promise<StaticFile | undefined> => {
    const known = files.get(name)
    if (known) return known
    try {
      const file = await staticFile(await readFile(new URL(name, folder)), type)
      if (files.size < ASSETS_MAX) files.set(name, file)
      return file
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }
}

const conditionsOf = (exchange: Exchange) => ({
  ifNoneMatch: exchange.header('if-none-match'),
  acceptEncoding: exchange.header('accept-encoding'),
})

/** Sends a file under headers of its own. */
function send(exchange: Exchange, file: StaticFile, cache: string, more: Headers = {}): void {
  const { status, headers, body = '' } = fileReply(file, conditionsOf(exchange), cache)
  exchange.respond(status, { ...headers, ...more }, body)
}

/** Returns the routes of the page and its files. `folder`: where they are built (tests). */
export function pageRoutes(net: Net, folder: URL = BUILT): Route[] {
  const fileOf = filesOf(folder)
  const plainOf = latestFile(TYPES.html)
  const consoleFile = fileOnce(async () =>
    staticFile(JSON.stringify({ operations: operationsOf(net.registry, 2) }), TYPES.json),
  )
  const isOver = (exchange: Exchange): boolean => {
    const over = addressRefusal(net.gate, 'page', ipOf(net, exchange))
    if (over) respondLimited(net, exchange, over)
    return over !== undefined
  }
  const plain = async (exchange: Exchange): Promise<void> => {
    if (!isOver(exchange)) sendPage(exchange, await plainOf(startPage(net)), 'no-cache')
  }
  const page = async (exchange: Exchange): Promise<void> => {
    const built = await fileOf('index.html', TYPES.html)
    if (!built) return plain(exchange)
    if (!isOver(exchange)) send(exchange, built, 'no-cache', PAGE_HEADERS)
  }
  const asset = async (exchange: Exchange, name: string): Promise<void> => {
    if (isOver(exchange)) return
    const [, kind] = ASSET.exec(name) ?? []
    const type = kind && ASSET_TYPES[kind as keyof typeof ASSET_TYPES]
    const file = type ? await fileOf(`assets/${name}`, type) : undefined
    if (file) send(exchange, file, FOR_EVER, { 'x-content-type-options': 'nosniff' })
    else refuse(net, exchange, fail('not_found'))
  }
  return [
    ...PAGE_PATHS.map((path): Route => ({ method: 'GET', path, handle: page })),
    { method: 'GET', path: '/start', handle: plain },
    {
      method: 'GET',
      path: '/assets/:name',
      handle: (exchange, { name }) => asset(exchange, name),
    },
    {
      method: 'GET',
      path: '/api/console.json',
      handle: async (exchange) => {
        if (!isOver(exchange)) send(exchange, await consoleFile(), AN_HOUR)
      },
    },
  ]
}
