/** The guides of `get_guide` as one page. */
import { GUIDES } from '../../core/catalog/guides.ts'
import type { DocsPage } from './page.ts'

/**
 * A guide as Markdown of this page: headings one level down, and lines that begin with two blanks,
 * which guides set apart by nothing else, as code.
 */
function asMarkdown(content: string): string {
  const lines: string[] = []
  let isCode = false
  for (const line of content.trim().split('\n')) {
    const isIndented = line.startsWith('  ')
    if (isIndented !== isCode) {
      // A blank line on each side keeps the fence apart from what is beside it.
      lines.push(...(isIndented ? ['', '```'] : ['```', '']))
      isCode = isIndented
    }
    lines.push(isCode ? line.slice(2) : line.replace(/^(#+) /, '#$1 '))
  }
  if (isCode) lines.push('```')
  return lines.join('\n')
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
