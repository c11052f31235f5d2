/**
 * Where other files of this project stand. It runs from its sources, where Node strips types, or
 * from what `dist` holds of them: the same tree, one folder deeper.
 */

/** Returns the URL of a module beside another: `moduleUrl(import.meta.url, './thread')`. */
export const moduleUrl = (from: string, path: string): URL =>
  new URL(`${path}${from.endsWith('.ts') ? '.ts' : '.js'}`, from)

/** Returns the URL of a file that is not compiled; `path` as it is written in the sources. */
export const assetUrl = (from: string, path: string): URL =>
  new URL(from.endsWith('.ts') ? path : `../${path}`, from)
