/** The guides of `get_guide` as one page. */
import { GUIDES } from '../../core/catalog/guides.ts'
import type { DocsPage } from './page.ts'

const LIST_ITEM = /^(?:-|\d+\.) /

/**
 * Converts a guide to Markdown for this page. Headings move one level down. Lines indented by two
 * spaces become code, except below a list item, which they continue until a blank or unindented
 * line ends the list.
 */
function asMarkdown(content: string): string {
  const lines: string[] = []
  let isCode = false
  let isList = false
  for (const line of content.trim().split('\n')) {
    const isItem = LIST_ITEM.test(line)
    const isIndented = line.startsWith('  ')
    // Without a blank line Markdown would add a paragraph after a list to its last item.
    if (isList && !isItem && !isIndented) lines.push('')
    isList = isItem || (isList && isIndented)
    if ((isIndented && !isList) !== isCode) {
      isCode = !isCode
      // A blank line on each side separates the fence from its neighbours.
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
  summary: 'How to play: all guides of get_guide on one page.',
  pieces: () => [
    '# Guides',
    'The same texts as the answers of [get_guide](commands.md#get_guide) and `/mcp/docs`.',
    ...GUIDES.map(({ content }) => asMarkdown(content)),
  ],
}
