/**
 * Reads the HTML pages that `npm run gen` has written: the headings of a page, its sections as
 * text. The files are our own, so regular expressions are sufficient.
 */
import { readFile } from 'node:fs/promises'
import { assetUrl } from '../../core/module-url.ts'

export interface Heading {
  readonly depth: number
  readonly id: string
  readonly text: string
}

/** A part of a page, from a heading to the next. */
interface Section {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** The folder `docs`. */
const FOLDER = assetUrl(import.meta.url, '../../docs/')

/** Returns the content of a file of `docs`. */
export const readDocs = (path: string): Promise<string> => readFile(new URL(path, FOLDER), 'utf8')

/** Returns the HTML of a page. */
export const readHtml = (page: string): Promise<string> => readDocs(`html/${page}.html`)

/** Name of the file with the pages of all commands. */
export const COMMAND_PAGES = 'command-pages'
/** Returns the line that precedes a page. */
export const pageMark = (page: string): string => `<!-- page ${page} -->\n`
/**
 * Marks where the examples of a command are inserted when served, as they contain the server's
 * address.
 */
export const EXAMPLES_MARK = '<!-- examples -->\n'

/** Splits the file of command pages into HTML by name of the page. */
export const splitCommandPages = (file: string): Map<string, string> =>
  new Map(
    file.split(/^<!-- page (?=\w+ -->\n)/m).flatMap((part) => {
      const end = part.indexOf(' -->\n')
      return end < 0 ? [] : [[part.slice(0, end), part.slice(end + ' -->\n'.length)] as const]
    }),
  )

const NAMED_ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }

/** Returns the visible text of a piece of HTML, in one line. */
const textOf = (html: string): string =>
  html
    .replace(/<a class="mark".*?<\/a>/g, '')
    .replace(/<[^>]*>/g, (tag) => (/^<\/?(?:a|code|em|strong)\b/.test(tag) ? '' : ' '))
    .replace(/&(?:#(\d+)|(\w+));/g, (whole, number: string | undefined, name: string) =>
      number === undefined ? (NAMED_ENTITIES[name] ?? whole) : String.fromCharCode(Number(number)),
    )
    .replace(/\s+/g, ' ')
    .trim()

const HEADING_OR_ROW =
  /<h([23]) id="([^"]+)">(.*?)<\/h\1>|<a id="([^"]+)"><\/a>(?:<a [^>]*>)?(?:<code>(.*?)<\/code>)?/g

/** Returns the headings after the first, and the anchors of rows. */
export const headingsOf = (html: string): Heading[] =>
  [...html.matchAll(HEADING_OR_ROW)].map(([, depth, id, inner, anchor, name]) =>
    anchor === undefined
      ? { depth: Number(depth), id, text: textOf(inner) }
      : { depth: 3, id: anchor, text: textOf(name ?? anchor) },
  )

/** Returns the sections of a page. */
export const sectionsOf = (html: string): Section[] =>
  html.split(/(?=<h[1-3] id=")/).flatMap((part) => {
    const [heading, id, inner] = /^<h[1-3] id="([^"]+)">(.*?)<\/h[1-3]>/.exec(part) ?? []
    if (heading === undefined) return []
    return [{ id, title: textOf(inner), text: textOf(part.slice(heading.length)) }]
  })
