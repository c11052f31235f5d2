/** The page at /docs: a list of all pages, and links to the explorers and data files. */
import { escapeHtml } from './page.ts'
import { PAGES } from './pages.ts'

const pageItem = ({ name, title, summary }: (typeof PAGES)[number]): string =>
  `<li><a href="/docs/${name}">${title}</a>: ${escapeHtml(summary)}</li>`

/** Returns the inner part of the page. */
export const indexHtml = (): string =>
  [
    '<h1 id="documentation">Documentation</h1>',
    '<p>How programs play: two WebSockets, two HTTP APIs and MCP, one set of commands.</p>',
    `<ul>${PAGES.map(pageItem).join('')}</ul>`,
    '<h2 id="try-it">Try it</h2><ul>',
    '<li><a href="/api/v2/docs">Explorer of HTTP v2</a> and <a href="/api/docs">of v1</a>: every ',
    'command with a form</li>',
    '<li>OpenAPI 3.1: <a href="/api/v2/openapi.json">v2</a>, <a href="/api/openapi.json">v1</a>, ',
    'once a minute each</li>',
    '<li><a href="/api/catalog.json">The catalogue</a>, once a minute; <a href="/api/map">map</a>, ',
    '<a href="/api/stations">stations</a>, <a href="/api/stats">statistics</a></li>',
    '<li><code>/mcp/docs</code>: the same for language models, by MCP. Every page here is Markdown ',
    'too, with <code>.md</code>.</li></ul>',
  ].join('')
