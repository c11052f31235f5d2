/** What the search finds: systems, stations, items, views, names seen. Loaded when first used. */
import MiniSearch from 'minisearch'
import type { ItemsBody, MapBody, StationsBody } from '../../core/public/world.ts'
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

const index = new MiniSearch<Found>({
  fields: ['name', 'kind'],
  storeFields: ['name', 'kind', 'href'],
  searchOptions: { prefix: true, fuzzy: 0.2, boost: { name: 2 }, combineWith: 'AND' },
})

const add = (kind: string, name: string, href: string): void => {
  if (!index.has(href) && findView(href)) index.add({ id: href, name, kind, href })
}

async function read<T>(path: string): Promise<T | undefined> {
  const response = await fetch(path, { credentials: 'omit' }).catch(() => undefined)
  return response?.ok ? ((await response.json()) as T) : undefined
}

let isFilled: Promise<void> | undefined

async function fill(): Promise<void> {
  for (const view of viewRows()) add('View', view.title, pathOf(view))
  // The catalogue is large: what is there already is found before it has come.
  void fillItems()
  const [map, stations] = await Promise.all([
    read<MapBody>('/api/map'),
    read<StationsBody>('/api/stations'),
  ])
  for (const { id, name } of map?.systems ?? []) add('System', name, `/system/${id}`)
  for (const { id, name } of stations?.stations ?? []) add('Station', name, `/stations/${id}`)
}

async function fillItems(): Promise<void> {
  const items = await read<ItemsBody>('/api/items')
  for (const { id, name } of Object.values(items?.items ?? {}))
    add('Item', name, `/market/item/${id}`)
}

/** Players named in the feed lately: there is no list of all. */
function addNamesSeen(): void {
  const names = recent.value.flatMap((message) =>
    'player_info' in message ? Object.keys(message.player_info as object) : [],
  )
  for (const name of names.slice(-NAMES_MAX))
    add('Player', name, `/player/${encodeURIComponent(name)}`)
}

export async function find(text: string): Promise<readonly Found[]> {
  isFilled ??= fill()
  await isFilled
  addNamesSeen()
  const words = text.trim()
  if (words === '') return []
  const found = index.search(words).slice(0, SHOWN_MAX) as unknown as Found[]
  const href = `/player/${encodeURIComponent(words)}`
  if (found.length > 0 || !findView(href)) return found
  return [{ id: href, name: words, kind: 'Player, by this exact name', href }]
}
