/** The search index: systems, stations, items, views and players seen. Loaded on first use. */

import MiniSearch from 'minisearch'
import type { ItemsBody, MapBody, StationsBody } from '../../core/public/world.ts'
import { itemHref, playerHref, stationHref, systemHref } from '../hrefs.ts'
import { recent } from '../stream.ts'
import { findView, pathOf, viewRows } from '../view-rows.ts'

export interface Found {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly href: string
}

const SHOWN_MAX = 12
const NAMES_MAX = 500
/** When names are reloaded, normally and after a failure. */
const RENEW_MS = 3_600_000
const RETRY_MS = 5_000

const index = new MiniSearch<Found>({
  fields: ['name', 'kind'],
  storeFields: ['name', 'kind', 'href'],
  searchOptions: { prefix: true, fuzzy: 0.2, boost: { name: 2 }, combineWith: 'AND' },
})

const add = (kind: string, name: string, href: string): void => {
  if (!findView(href)) return
  const row = { id: href, name, kind, href }
  if (index.has(href)) index.replace(row)
  else index.add(row)
}

async function read<T>(path: string): Promise<T | undefined> {
  const response = await fetch(path, { credentials: 'omit' }).catch(() => undefined)
  const body = response?.ok ? await response.json().catch(() => undefined) : undefined
  if (body === undefined) dueMs = Math.min(dueMs, Date.now() + RETRY_MS)
  return body as T | undefined
}

let filled: Promise<void> | undefined
let dueMs = 0

async function fill(): Promise<void> {
  for (const view of viewRows()) add('View', view.title, pathOf(view))
  // The catalogue is large, so the search does not wait for it.
  void fillItems()
  const [map, stations] = await Promise.all([
    read<MapBody>('/api/map'),
    read<StationsBody>('/api/stations'),
  ])
  for (const { id, name } of map?.systems ?? []) add('System', name, systemHref(id))
  for (const { id, name } of stations?.stations ?? []) add('Station', name, stationHref(id))
}

async function fillItems(): Promise<void> {
  const items = await read<ItemsBody>('/api/items')
  for (const { id, name } of Object.values(items?.items ?? {})) add('Item', name, itemHref(id))
}

/** Addresses of the players in the index, oldest first. */
const players = new Set<string>()

function addPlayer(name: string): void {
  const href = playerHref(name)
  if (players.has(href)) return
  add('Player', name, href)
  players.add(href)
  const [oldest] = players
  if (players.size <= NAMES_MAX) return
  players.delete(oldest)
  if (index.has(oldest)) index.discard(oldest)
}

/** Adds players recently named in the feed, since there is no list of all players. */
function addNamesSeen(): void {
  const names = recent.value.flatMap((message) =>
    'player_info' in message ? Object.keys(message.player_info as object) : [],
  )
  for (const name of names.slice(-NAMES_MAX)) addPlayer(name)
}

export async function find(text: string): Promise<readonly Found[]> {
  if (Date.now() >= dueMs) {
    dueMs = Date.now() + RENEW_MS
    filled = fill()
  }
  await filled
  addNamesSeen()
  const words = text.trim()
  if (words === '') return []
  const found = index.search(words).slice(0, SHOWN_MAX) as unknown as Found[]
  const href = playerHref(words)
  const isListed = found.some((row) => row.href.toLowerCase() === href.toLowerCase())
  if (isListed || !findView(href)) return found
  // Last: players whom the feed has not named are found by their whole name only.
  return [...found, { id: href, name: words, kind: 'Player, by this exact name', href }]
}
