/**
 * The bulk catalogue file, made once of the world's answers. Source: spec (Catalog bulk download),
 * accounts.md 11.
 */
import type { Outcome } from '../core/errors.ts'
import { field, listOf } from './render/table.ts'
import { type StaticFile, staticFile } from './static-file.ts'

/**
 * Members of the file, in this order; each is a type that `internal:catalog` answers with `items`.
 */
export const CATALOG_TYPES = [
  'ships',
  'skills',
  'recipes',
  'items',
  'facilities',
  'achievements',
  'faction_achievements',
] as const
export type CatalogType = (typeof CATALOG_TYPES)[number]

/** Clients fetch the file once a version. */
export const CATALOG_CACHE = 'public, max-age=3600'

/** Secret entries are only counted: the answer for these types carries `hidden_count`. */
const COUNTED: Partial<Record<CatalogType, string>> = {
  achievements: 'hidden_achievement_count',
  faction_achievements: 'hidden_faction_achievement_count',
}

type Ask = (type: CatalogType) => Promise<Outcome<unknown>>

/**
 * Gives the file; it is made at the first call, and again after a failure. `ask` is the internal
 * query of one type.
 */
export function createCatalogJson(ask: Ask, version: string): () => Promise<StaticFile> {
  let made: Promise<StaticFile> | undefined
  return () => {
    made ??= build(ask, version).catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

async function build(ask: Ask, version: string): Promise<StaticFile> {
  const content: Record<string, unknown> = { version }
  for (const type of CATALOG_TYPES) {
    const outcome = await ask(type)
    if (!outcome.ok) throw new Error(`the catalogue has no ${type}: ${outcome.code}`)
    content[type] = listOf(outcome.result, 'items')
    const counted = COUNTED[type]
    if (counted) content[counted] = field(outcome.result, 'hidden_count') ?? 0
  }
  return staticFile(JSON.stringify(content), 'application/json')
}
