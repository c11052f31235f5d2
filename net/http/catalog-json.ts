/**
 * The bulk catalogue file, built once from an answer of the world. Source: spec (Catalog bulk
 * download), accounts.md 11.
 */
import type { Outcome } from '../../core/errors.ts'
import { isObject } from '../validate.ts'
import { fileOnce, type StaticFile, staticFile } from './static-file.ts'

/** Clients fetch the file once per version. */
export const CATALOG_CACHE = 'public, max-age=3600'

/** The internal query whose result is the file without the version. */
export const CATALOG_QUERY = 'internal:catalog'

/**
 * Returns a function that resolves with the file, built at the first call and again after a
 * failure.
 */
export function createCatalogJson(
  query: () => Promise<Outcome<unknown>>,
  version: string,
): () => Promise<StaticFile> {
  return fileOnce(() => build(query, version))
}

async function build(query: () => Promise<Outcome<unknown>>, version: string): Promise<StaticFile> {
  const outcome = await query()
  if (!outcome.ok || !isObject(outcome.result)) throw new Error('there is no catalogue')
  return staticFile(JSON.stringify({ version, ...outcome.result }), 'application/json')
}
