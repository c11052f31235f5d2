/**
 * What a page of the documentation is: Markdown in pieces, made of the registry. The same pieces
 * are written to docs/*.md and served as HTML at /docs, so neither can be behind the other.
 */
import type { Registry } from '../../core/registry.ts'
import { namesOf } from '../names.ts'
import type { Example } from './examples.ts'

export interface DocsSources {
  readonly registry: Registry
  /** True where the pages are served beside the explorers, which they link to then. */
  readonly isServed?: true
}

export interface DocsPage {
  /** Last part of the address, and name of the file without `.md`. */
  readonly name: string
  readonly title: string
  /** One sentence for the index. */
  readonly summary: string
  /** Markdown. A piece begins with a heading or a paragraph and is whole by itself. */
  pieces(sources: DocsSources): Iterable<string>
  /** Frames and requests shown on the page, in their order: a test plays them. */
  examples?(sources: DocsSources): readonly Example[]
}

export interface Heading {
  readonly depth: number
  readonly id: string
  readonly text: string
}

/** A page as HTML, with the headings of its contents. */
export interface Rendered {
  readonly html: string
  readonly headings: readonly Heading[]
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** Address of a heading, as GitHub makes it: lower case, no punctuation, dashes for blanks. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

/** A table cell: one line, no bars. */
export const cell = (text: string): string => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')

export const code = (text: string): string => `\`${text}\``

/** A table as Markdown. Cells must be free of bars. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

/** The pieces of a page, with commands under their names of v1. */
export function* piecesOf(page: DocsPage, sources: DocsSources): Generator<string> {
  const names = namesOf(sources.registry)
  for (const piece of page.pieces(sources)) yield names.text(1, piece)
}

/** Pieces as one Markdown document. */
export const joinPieces = (pieces: Iterable<string>): string => `${[...pieces].join('\n\n')}\n`

/** `1,000,000`: the same in every locale. */
export const grouped = (value: number): string =>
  String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',')

const KIB = 1024

/** Bytes in the largest unit that divides them. */
export function bytesText(bytes: number): string {
  if (bytes % (KIB * KIB) === 0) return `${bytes / (KIB * KIB)} MiB`
  return bytes % KIB === 0 ? `${bytes / KIB} KiB` : `${grouped(bytes)} B`
}

/** Milliseconds in the largest unit that divides them. */
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
