/** Entry points for visitors: the plain page, the icon, and the texts for agents and crawlers. */
import type { HttpFloods } from '../http/http.ts'
import { fileOnce, staticFile } from '../http/static-file.ts'
import type { Route } from '../router.ts'
import type { Net } from '../session/types.ts'
import { ICON_SVG, iconFile } from './icon.ts'
import { llmsText, ROBOTS } from './llms.ts'
import { PAGE_CACHE, refuseFlood, sendPage, TYPES } from './routes.ts'
import { shellPage } from './shell.ts'
import { skillText } from './skill.ts'
import { startHtml } from './start-page.ts'

const TEXT = 'text/plain; charset=utf-8'
const ICON_CACHE = 'public, max-age=86400'

interface Entry {
  readonly path: string
  readonly type: string
  readonly cache: string
  content(net: Net): string | Buffer | Promise<string>
}

const ENTRIES: readonly Entry[] = [
  { path: '/favicon.svg', type: 'image/svg+xml', cache: ICON_CACHE, content: () => ICON_SVG },
  { path: '/favicon.ico', type: 'image/x-icon', cache: ICON_CACHE, content: iconFile },
  { path: '/robots.txt', type: TEXT, cache: PAGE_CACHE, content: () => ROBOTS },
  {
    path: '/llms.txt',
    type: TEXT,
    cache: PAGE_CACHE,
    content: (net) => llmsText(net.config.website),
  },
  {
    path: '/skill.md',
    type: TYPES.markdown,
    cache: PAGE_CACHE,
    content: ({ config, link }) =>
      skillText({
        base: config.website,
        tickMs: link.state().tickMs,
        registration: config.registration,
      }),
  },
]

function entryRoute(net: Net, floods: HttpFloods, entry: Entry): Route {
  const file = fileOnce(async () => staticFile(await entry.content(net), entry.type))
  return {
    method: 'GET',
    path: entry.path,
    handle: async (exchange) => {
      if (refuseFlood(net, floods, exchange)) return
      sendPage(exchange, await file(), entry.cache)
    },
  }
}

/** Returns the HTML of the plain start page, shown at / by a server without the built page. */
export function startPage(net: Net): string {
  const { version, release } = net.config
  const { tick, tickMs } = net.link.state()
  const html = startHtml({
    tick,
    tickMs,
    version,
    release,
    playersOnline: net.bindings.players.size,
  })
  return shellPage({ html, title: 'Welcome', path: '/', version })
}

export function entryRoutes(net: Net, floods: HttpFloods): Route[] {
  return ENTRIES.map((entry) => entryRoute(net, floods, entry))
}
