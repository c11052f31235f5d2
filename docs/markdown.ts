/**
 * Renders Markdown pieces as HTML: headings get anchors, links to files become addresses. Of the
 * HTML in the Markdown, only the tags that our own pages use are kept.
 */
import { Marked, type RendererObject } from 'marked'
import { anchorOf, escapeHtml } from '../net/docs/page.ts'

/** The pages of single commands by their anchors in commands.md. */
export type CommandPages = ReadonlyMap<string, string>

/**
 * Returns the address of a link: `events.md#mined` becomes `/docs/events#mined`, `commands.md#buy`
 * the page of that command; undefined for links to other servers.
 */
function hrefOf(href: string, commandPages: CommandPages): string | undefined {
  const [, page, anchor] = /^([a-z-]+)\.md(?:#(.*))?$/.exec(href) ?? []
  if (!page) return /^(#|\/(?!\/))/.test(href) ? href : undefined
  const commandPage = page === 'commands' && anchor ? commandPages.get(anchor) : undefined
  if (commandPage) return `/docs/commands/${commandPage}`
  return `/docs/${page}${anchor ? `#${anchor}` : ''}`
}

const COMMENTS = /<!--[\s\S]*?-->/g
const OUR_TAGS = /(<\/?(?:details|summary)>|<a id="[a-z0-9_-]+">|<\/a>)/

/** Keeps the tags of our own pages, removes comments, and escapes everything else. */
const cleanHtml = (raw: string): string =>
  raw
    .replace(COMMENTS, '')
    .split(OUR_TAGS)
    .map((part, index) => (index % 2 === 1 ? part : escapeHtml(part)))
    .join('')

const plain = (markdown: string): string =>
  markdown.replace(/`/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')

/** Makes ids for headings; a repeated id gets a number, as on GitHub. */
function createIds(): (text: string) => string {
  const seen = new Map<string, number>()
  return (text) => {
    const id = anchorOf(text)
    const same = seen.get(id) ?? 0
    seen.set(id, same + 1)
    return same === 0 ? id : `${id}-${same}`
  }
}

function renderer(commandPages: CommandPages): RendererObject {
  const idOf = createIds()
  return {
    heading({ tokens, depth, text }) {
      const title = plain(text)
      const id = idOf(title)
      const inner = this.parser.parseInline(tokens)
      const label = escapeHtml(`Link to ${title}`)
      const mark = depth > 1 ? `<a class="mark" href="#${id}" aria-label="${label}">#</a>` : ''
      return `<h${depth} id="${id}">${inner}${mark}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens)
      const to = hrefOf(href, commandPages)
      return to === undefined ? inner : `<a href="${escapeHtml(to)}">${inner}</a>`
    },
    html: ({ text }) => cleanHtml(text),
    image: ({ text }) => escapeHtml(text),
    code({ text, lang }) {
      const kind = lang ? ` data-lang="${escapeHtml(lang)}"` : ''
      return `<pre tabindex="0"${kind}><code>${escapeHtml(text)}</code></pre>\n`
    },
  }
}

/** Wraps a piece in a section if it begins with a heading below the first level. */
const inSection = (piece: string, html: string): string =>
  /^#{2,3} /.test(piece) ? `<section>${html}</section>\n` : html

/** Renders the pieces of a page. */
export function renderPieces(
  pieces: Iterable<string>,
  commandPages: CommandPages = new Map(),
): string {
  const marked = new Marked({ gfm: true, renderer: renderer(commandPages) })
  return Array.from(pieces, (piece) => {
    const html = marked.parse(piece, { async: false })
    const wide = html.replaceAll('<table>', '<div class="wide"><table>')
    return inSection(piece, wide.replaceAll('</table>', '</table></div>'))
  }).join('')
}
