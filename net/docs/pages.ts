/** Lists the pages of the documentation, in the order of the navigation. */
import { COMMANDS_PAGE } from './commands-page.ts'
import { ERRORS_PAGE } from './errors-page.ts'
import { EVENTS_PAGE } from './events-page.ts'
import { GUIDES_PAGE } from './guides-page.ts'
import { HTTP_PAGE } from './http-page.ts'
import type { DocsPage } from './page.ts'
import { TYPES_PAGE } from './types-page.ts'
import { WEBSOCKET_PAGE } from './websocket-page.ts'

/** Pages generated from the registry. */
export const GENERATED_PAGES: readonly DocsPage[] = [
  WEBSOCKET_PAGE,
  HTTP_PAGE,
  COMMANDS_PAGE,
  EVENTS_PAGE,
  ERRORS_PAGE,
  TYPES_PAGE,
  GUIDES_PAGE,
]

/** The fields of a page in lists. */
type ListedPage = Pick<DocsPage, 'name' | 'title' | 'summary'>

/** Pages in the folder `docs` that are written by hand or generated from measurements. */
export const WRITTEN_PAGES: readonly ListedPage[] = [
  { name: 'balance', title: 'Balance', summary: 'What an hour of each career pays, as measured.' },
  { name: 'mcp', title: 'MCP', summary: 'Tools, sessions and revisions of the MCP endpoints.' },
  {
    name: 'messagepack',
    title: 'MessagePack',
    summary: 'Frames of the WebSocket as MessagePack, and feeds as patches.',
  },
  {
    name: 'sockets',
    title: 'Socket libraries',
    summary:
      'Native builds of the WebSocket library: which one is loaded, and where they come from.',
  },
]

export const PAGES: readonly ListedPage[] = [...GENERATED_PAGES, ...WRITTEN_PAGES]
