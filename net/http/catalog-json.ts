/**
 * The bulk catalogue file, made once of the world's answer. Source: spec (Catalog bulk download),
 * accounts.md 11.
 */
import type { Outcome } from '../../core/errors.ts'
import { isObject } from '../validate.ts'
import { fileOnce, type StaticFile, staticFile } from './static-file.ts'

/** Clients fetch the file once a version. */
export const CATALOG_CACHE = 'public, max-age=3600'

/** The internal query whose result is the file, but for the version. */
export const CATALOG_QUERY = 'internal:catalog'

/** Gives the file; it is made at the first call, and again after a failure. */
export function createCatalogJson(
  ask: () => Promise<Outcome<unknown>>,
  version: string,
): () => Promise<StaticFile> {
  return fileOnce(() => build(ask, version))
}

async function build(ask: () => Promise<Outcome<unknown>>, version: string): Promise<StaticFile> {
  const outcome = await ask()
  if (!outcome.ok || !isObject(outcome.result)) throw new Error('there is no catalogue')
  return staticFile(JSON.stringify({ version, ...outcome.result }), 'application/json')
}
