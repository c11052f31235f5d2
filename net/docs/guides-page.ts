/** The guides of `get_guide` as one page. */
import { GUIDES } from '../../core/catalog/guides.ts'
import type { DocsPage } from './page.ts'

const LIST_ITEM = /^(?:-|\d+\.) /

/**
 * Returns a guide as Markdown for this page. Headings go one level down. Lines that are indented by
 * two blanks become code, except below a list item: there they continue the item, until a blank
 * line, or one at the margin, ends the list.
 */
function asMarkdown(content: string): string {
  const lines: string[] = []
  let isCode = false
  let isList = false
  for (const line of content.trim().split('\n')) {
    const isItem = LIST_ITEM.test(line)
    const isIndented = line.startsWith('  ')
    // Without a blank line Markdown would add a paragraph below a list to its last item.
    if (isList && !isItem && !isIndented) lines.push('')
    isList = isItem || (isList && isIndented)
    if ((isIndented && !isList) !== isCode) {
      isCode = !isCode
      // A blank line on each side keeps the fence apart from what is beside it.
      lines.push(...(isCode ? ['', '```'] : ['```', '']))
    }
    lines.push(isCode ? line.slice(2) : line.replace(/^(#+) /, '#$1 '))
  }
  if (isCode) lines.push('```')
  return lines.join('\n').replace(/\n{3,}/g, '\n\n')
}

export const GUIDES_PAGE: DocsPage = {
  name: 'guides',
  title: 'Guides',
  summary: 'How to play: the guides that get_guide gives, one after the other.',
  pieces: () => [
    '# Guides',
    'The same texts that [get_guide](commands.md#get_guide) answers with, and `/mcp/docs` too.',
    ...GUIDES.map(({ content }) => asMarkdown(content)),
  ],
}
