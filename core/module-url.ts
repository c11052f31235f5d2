/**
 * Locates other files of this project, which runs from its sources, where Node strips the types, or
 * from `dist`, which holds the same tree compiled, one folder deeper.
 */

/** Returns the URL of a module beside another: `moduleUrl(import.meta.url, './thread')`. */
export const moduleUrl = (from: string, path: string): URL =>
  new URL(`${path}${from.endsWith('.ts') ? '.ts' : '.js'}`, from)

/** Returns the URL of a file that is not compiled; `path` is relative to the source file. */
export const assetUrl = (from: string, path: string): URL =>
  new URL(from.endsWith('.ts') ? path : `../${path}`, from)
