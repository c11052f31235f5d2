/**
 * The web page of the server: the files that `npm run build` writes to dist/web, at / and at the
 * path of every view. Without them, the plain start page. Source: WEB 4.
 */
import { readdir, readFile } from 'node:fs/promises'
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
  conditionsOf,
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

/** For files with a hash of their content in the name. */
const FOREVER = 'public, max-age=31536000, immutable'
const ONE_HOUR = 'public, max-age=3600'

const ASSET_TYPES = { js: TYPES.js, css: TYPES.css } as const
const ASSET = /^[\w-]+\.[\w-]{6,64}\.(js|css)$/
/** More files than a build has. */
const ASSETS_MAX = 64

/** The folder of the built page. */
const BUILT = assetUrl(import.meta.url, '../../dist/web/')

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

const INDEX = 'index.html'

async function readBuilt(folder: URL): Promise<ReadonlyMap<string, StaticFile>> {
  const files = new Map<string, StaticFile>()
  const read = async (name: string, path: string, type: string) => {
    files.set(name, await staticFile(await readFile(new URL(path, folder)), type))
  }
  await read(INDEX, INDEX, TYPES.html)
  for (const name of await readdir(new URL('assets/', folder))) {
    const [, kind] = ASSET.exec(name) ?? []
    if (!kind || files.size > ASSETS_MAX) continue
    await read(name, `assets/${name}`, ASSET_TYPES[kind as keyof typeof ASSET_TYPES])
  }
  return files
}

/**
 * Reads the page with all its files at the first request, because a build beside a running server
 * removes files that the page refers to. If there is no build yet, the next request tries again.
 */
function filesOf(folder: URL) {
  let files: Promise<ReadonlyMap<string, StaticFile>> | undefined
  return async (name: string): Promise<StaticFile | undefined> => {
    files ??= readBuilt(folder)
    try {
      return (await files).get(name)
    } catch (error) {
      files = undefined
      if (isMissing(error)) return undefined
      throw error
    }
  }
}

/** Sends a file with additional headers. */
function send(exchange: Exchange, file: StaticFile, cache: string, more: Headers = {}): void {
  const { status, headers, body = '' } = fileReply(file, conditionsOf(exchange), cache)
  exchange.respond(status, { ...headers, ...more }, body)
}

/** Returns the routes of the page and its files. `folder`: where the build is (tests). */
export function pageRoutes(net: Net, folder: URL = BUILT): Route[] {
  const fileOf = filesOf(folder)
  const plainOf = latestFile(TYPES.html)
  const consoleFile = fileOnce(async () =>
    staticFile(JSON.stringify({ operations: operationsOf(net.registry, 2) }), TYPES.json),
  )
  const refusesLimited = (exchange: Exchange): boolean => {
    const over = addressRefusal(net.gate, 'page', ipOf(net, exchange))
    if (over) respondLimited(net, exchange, over)
    return over !== undefined
  }
  const plain = async (exchange: Exchange): Promise<void> => {
    if (!refusesLimited(exchange)) sendPage(exchange, await plainOf(startPage(net)), 'no-cache')
  }
  const page = async (exchange: Exchange): Promise<void> => {
    if (refusesLimited(exchange)) return
    const built = await fileOf(INDEX)
    if (built) send(exchange, built, 'no-cache', PAGE_HEADERS)
    else sendPage(exchange, await plainOf(startPage(net)), 'no-cache')
  }
  const asset = async (exchange: Exchange, name: string): Promise<void> => {
    if (refusesLimited(exchange)) return
    const file = ASSET.test(name) ? await fileOf(name) : undefined
    if (file) send(exchange, file, FOREVER, { 'x-content-type-options': 'nosniff' })
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
        if (!refusesLimited(exchange)) send(exchange, await consoleFile(), ONE_HOUR)
      },
    },
  ]
}
