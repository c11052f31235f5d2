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

/** Pages written by hand in the folder `docs`; a page whose file is missing is not listed. */
export const WRITTEN_PAGES: readonly Omit<DocsPage, 'pieces'>[] = [
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
