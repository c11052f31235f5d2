/**
 * Markdown pieces as a page of HTML: headings with anchors, a table of contents, links of files as
 * addresses. Of the HTML that Markdown may hold only what our own pages use gets through.
 */
import { Marked, type RendererObject } from 'marked'
import { PUBLISH_SLICE_MS } from '../../core/limits.ts'
import { anchorOf, escapeHtml, type Heading, type Rendered } from './page.ts'

/** `commands.md#buy` becomes `/docs/commands#buy`; what leads out of this server is no link. */
export function hrefOf(href: string): string | undefined {
  const page = /^([a-z-]+)\.md(#.*)?$/.exec(href)
  if (page) return `/docs/${page[1]}${page[2] ?? ''}`
  return /^(#|\/(?!\/))/.test(href) ? href : undefined
}

const COMMENTS = /<!--[\s\S]*?-->/g
const OUR_TAGS = /(<\/?(?:details|summary)>|<a id="[a-z0-9_-]+">|<\/a>)/

/** Lets the tags of our own pages through, drops comments, shows everything else as text. */
const cleanHtml = (raw: string): string =>
  raw
    .replace(COMMENTS, '')
    .split(OUR_TAGS)
    .map((part, at) => (at % 2 === 1 ? part : escapeHtml(part)))
    .join('')

const plain = (markdown: string): string =>
  markdown.replace(/`/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')

/** Gives headings their addresses; one that is there already gets a number, as on GitHub. */
function createIds(): (text: string) => string {
  const seen = new Map<string, number>()
  return (text) => {
    const id = anchorOf(text)
    const same = seen.get(id) ?? 0
    seen.set(id, same + 1)
    return same === 0 ? id : `${id}-${same}`
  }
}

function renderer(headings: Heading[]): RendererObject {
  const idOf = createIds()
  return {
    heading({ tokens, depth, text }) {
      const said = plain(text)
      const id = idOf(said)
      if (depth > 1) headings.push({ depth, id, text: said })
      const inner = this.parser.parseInline(tokens)
      const mark =
        depth > 1 ? `<a class="mark" href="#${id}" aria-label="Link to ${said}">#</a>` : ''
      return `<h${depth} id="${id}">${inner}${mark}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens)
      const to = hrefOf(href)
      return to === undefined ? inner : `<a href="${escapeHtml(to)}">${inner}</a>`
    },
    html({ text }) {
      const id = /^<a id="([a-z0-9_-]+)">/.exec(text)?.[1]
      if (id) headings.push({ depth: 3, id, text: id })
      return cleanHtml(text)
    },
    image: ({ text }) => escapeHtml(text),
    code({ text, lang }) {
      const kind = lang ? ` data-lang="${escapeHtml(lang)}"` : ''
      return `<pre tabindex="0"${kind}><code>${escapeHtml(text)}</code></pre>\n`
    },
  }
}

/** A piece in a section of its own where it begins with a heading below the first. */
const inSection = (piece: string, html: string): string =>
  /^#{2,3} /.test(piece) ? `<section>${html}</section>\n` : html

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Renders pieces, letting others have their turn in between: the page of commands is long. */
export async function renderPieces(
  pieces: Iterable<string>,
  monoMs: () => number,
): Promise<Rendered> {
  const headings: Heading[] = []
  const marked = new Marked({ gfm: true, renderer: renderer(headings) })
  const html: string[] = []
  let sinceMs = monoMs()
  for (const piece of pieces) {
    const made = marked.parse(piece, { async: false })
    const wide = made.replaceAll('<table>', '<div class="wide"><table>')
    html.push(inSection(piece, wide.replaceAll('</table>', '</table></div>')))
    if (monoMs() - sinceMs < PUBLISH_SLICE_MS) continue
    await nextTurn()
    sinceMs = monoMs()
  }
  return { html: html.join(''), headings }
}
