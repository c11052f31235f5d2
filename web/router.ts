/**
 * The address of the page. Every view and every moment has one: the path names the view, `t` the
 * tick (absent: live), `at` the camera; the rest of the query are filters. Source: WEB 4.
 */
import { computed, signal } from '@preact/signals'

type Query = Readonly<Record<string, string>>
type QueryChange = Readonly<Record<string, string | undefined>>
export type Params = Readonly<Record<string, string>>

interface Place {
  readonly path: string
  readonly query: Query
}

const readPlace = (): Place => ({
  path: location.pathname,
  query: Object.fromEntries(new URLSearchParams(location.search)),
})

const place = signal<Place>(readPlace())

/** Browsers accept some 200 changes of the address in 10 s, and then ignore them or throw. */
const WRITE_MS_MIN = 250
let writtenMs = Number.NEGATIVE_INFINITY
let writing: ReturnType<typeof setTimeout> | undefined

const hrefHere = (): string => hrefOf(place.peek().path, place.peek().query)

/** Writes the address into the browser's address bar. */
function writeAddress(): void {
  clearTimeout(writing)
  writing = undefined
  const href = hrefHere()
  if (href === location.pathname + location.search) return
  writtenMs = performance.now()
  try {
    history.replaceState(history.state, '', href)
  } catch {
    // The browser limits changes; the page itself already shows the new address.
  }
}

const flush = (): void => {
  if (writing !== undefined) writeAddress()
}

/**
 * Writes the address soon: changes in quick succession are combined; the last is always written.
 */
function writeSoon(): void {
  const waitMs = writtenMs + WRITE_MS_MIN - performance.now()
  if (waitMs <= 0) writeAddress()
  else writing ??= setTimeout(writeAddress, waitMs)
}

export const path = computed(() => place.value.path)
export const query = computed(() => place.value.query)

/** No world reaches later ticks, and their times are beyond what a date can hold. */
const TICK_MAX = 1e10

/** Returns the tick that the address names; undefined: live. */
export const pastTick = computed<number | undefined>(() => {
  const tick = Number(place.value.query.t)
  return Number.isSafeInteger(tick) && tick > 0 && tick <= TICK_MAX ? tick : undefined
})

/** Returns an address within the page; a filter that is undefined or empty is left out. */
export function hrefOf(where: string, filters: QueryChange = {}): string {
  const kept = Object.entries(filters).filter((pair): pair is [string, string] => Boolean(pair[1]))
  const text = new URLSearchParams(kept).toString().replaceAll('%2C', ',')
  return text ? `${where}?${text}` : where
}

/** Returns the address of a view, at the moment that is shown now. */
export const hrefNow = (where: string, filters: QueryChange = {}): string =>
  hrefOf(where, { t: query.value.t, ...filters })

/** How far down the page a place was left that has been returned to; undefined: the first one. */
let returnY: number | undefined
export const arrivalY = (): number | undefined => returnY

/** Goes to an address of the page and adds it to the browser's history. */
export function go(href: string): void {
  flush()
  if (href === location.pathname + location.search) return
  history.replaceState({ y: scrollY }, '')
  history.pushState(null, '', href)
  returnY = 0
  place.value = readPlace()
}

/**
 * Changes some filters of this address. `replace` is for continuous changes (a camera, a replay);
 * `push` for addresses that a reader would want to come back to.
 */
export function changeQuery(changes: QueryChange, how: 'push' | 'replace' = 'replace'): void {
  const href = hrefOf(place.value.path, { ...place.value.query, ...changes })
  if (href === hrefHere()) return
  if (how === 'push') {
    go(href)
    return
  }
  const filters = new URLSearchParams(href.split('?')[1])
  place.value = { path: place.value.path, query: Object.fromEntries(filters) }
  writeSoon()
}

/** Returns the parameters of a path that matches a pattern such as `/system/:id`. */
export function matchPath(pattern: string, where: string): Params | undefined {
  const wanted = pattern.split('/')
  const given = where.split('/')
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const text = given[index]
    if (part.startsWith(':')) {
      const isOptional = part.endsWith('?')
      if (!text && !isOptional) return undefined
      if (text) params[part.replace(/[:?]/g, '')] = decoded(text)
    } else if (part !== text) return undefined
  }
  return given.length <= wanted.length ? params : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Follows links within the page without reloading it; `isPage` returns whether a path is one. */
export function startRouter(isPage: (path: string) => boolean): void {
  addEventListener('pagehide', flush)
  addEventListener('popstate', ({ state }) => {
    clearTimeout(writing)
    writing = undefined
    returnY = Number(state?.y) || 0
    place.value = readPlace()
  })
  document.addEventListener('click', (event) => {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey)
    const link = (event.target as Element).closest?.('a[href]') as HTMLAnchorElement | null
    if (!link || !isPlain || event.altKey || event.defaultPrevented || link.target) return
    if (link.origin !== location.origin || link.hasAttribute('download')) return
    if (link.hash || !isPage(link.pathname)) return
    event.preventDefault()
    go(link.pathname + link.search)
  })
}
