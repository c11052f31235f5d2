/**
 * A page of the documentation: Markdown in pieces, made from the registry. `npm run gen` writes
 * pages to docs/*.md and, as HTML, to docs/html, which /docs serves.
 */
import type { Registry } from '../../core/registry.ts'
import { namesOf } from '../names.ts'
import type { Example } from './examples.ts'

export interface DocsSources {
  readonly registry: Registry
  /** True if the pages are served beside the explorers and link to them. */
  readonly isServed?: true
}

export interface DocsPage {
  /** Last part of the path, and name of the file without `.md`. */
  readonly name: string
  readonly title: string
  /** One sentence for the index. */
  readonly summary: string
  /** Returns the Markdown. A piece starts with a heading or a paragraph and is self-contained. */
  pieces(sources: DocsSources): Iterable<string>
  /**
   * Returns the pieces served as HTML in place of all: a list of entries that have their own pages.
   */
  listing?(sources: DocsSources): Iterable<string>
  /** Returns the frames and requests shown on the page, in order: a test runs them. */
  examples?(sources: DocsSources): readonly Example[]
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** Returns the anchor of a heading as on GitHub: lower case, no punctuation, dashes. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

/** Returns a table cell: one line, with bars escaped. */
export const cell = (text: string): string => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')

export const code = (text: string): string => `\`${text}\``

/** Returns a table as Markdown. Cells must be free of bars. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

/** Returns pieces with the v1 names of commands. */
export const spokenPieces = (pieces: Iterable<string>, registry: Registry): string[] =>
  Array.from(pieces, (piece) => namesOf(registry).text(1, piece))

/** Joins pieces to one Markdown document. */
export const joinPieces = (pieces: readonly string[]): string => `${pieces.join('\n\n')}\n`

/** Writes a number with commas, the same in every locale: `1,000,000`. */
export const grouped = (value: number): string =>
  String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',')

const KIB = 1024

/** Writes bytes in the largest unit that divides them. */
export function bytesText(bytes: number): string {
  if (bytes % (KIB * KIB) === 0) return `${bytes / (KIB * KIB)} MiB`
  return bytes % KIB === 0 ? `${bytes / KIB} KiB` : `${grouped(bytes)} B`
}

/** Writes milliseconds in the largest unit that divides them. */
export function spanText(ms: number): string {
  const units: readonly [number, string][] = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1_000, 'second'],
  ]
  const [size, unit] = units.find(([span]) => ms % span === 0) ?? [1, 'millisecond']
  const count = ms / size
  return `${grouped(count)} ${unit}${count === 1 ? '' : 's'}`
}
