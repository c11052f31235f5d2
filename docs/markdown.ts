/**
 * Markdown pieces as HTML: headings with anchors, links of files as addresses. Of the HTML that
 * Markdown may hold only what our own pages use gets through.
 */
import { Marked, type RendererObject } from 'marked'
import { anchorOf, escapeHtml } from '../net/docs/page.ts'

/** Pages of single commands by their anchors in commands.md. */
export type CommandPages = ReadonlyMap<string, string>

/**
 * Returns the address of a link: `events.md#mined` becomes `/docs/events#mined`, `commands.md#buy`
 * the page of that command; what leads out of this server is no link.
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

/** Lets the tags of our own pages through, drops comments, shows everything else as text. */
const cleanHtml = (raw: string): string =>
  raw
    .replace(COMMENTS, '')
    .split(OUR_TAGS)
    .map((part, index) => (index % 2 === 1 ? part : escapeHtml(part)))
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

function renderer(commandPages: CommandPages): RendererObject {
  const idOf = createIds()
  return {
    heading({ tokens, depth, text }) {
      const said = plain(text)
      const id = idOf(said)
      const inner = this.parser.parseInline(tokens)
      const label = escapeHtml(`Link to ${said}`)
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

/** A piece in a section of its own where it begins with a heading below the first. */
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
