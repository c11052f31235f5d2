/** The guides of `get_guide` as one page. */
import { GUIDES } from '../../core/catalog/guides.ts'
import type { DocsPage } from './page.ts'

const LIST_ITEM = /^(?:-|\d+\.) /

/**
 * Returns a guide as Markdown of this page: headings one level down, and as code the lines that
 * begin with two blanks, which guides set apart by nothing else. Below a list item such a line goes
 * on with it, until a blank line or one that begins at the margin ends the list.
 */
function asMarkdown(content: string): string {
  const lines: string[] = []
  let isCode = false
  let isList = false
  for (const line of content.trim().split('\n')) {
    const isItem = LIST_ITEM.test(line)
    const isIndented = line.startsWith('  ')
    // Without a blank line Markdown would take a paragraph below a list for more of its last item.
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
