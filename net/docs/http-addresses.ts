/**
 * All HTTP addresses, for the HTTP page. A test compares them with the routes of the server in both
 * directions.
 */
import { INTEL_ROWS } from '../http/intel-rows.ts'
import { LIVE_ROWS } from '../public/live-table.ts'
import { PAGE_PATHS } from '../public/page-paths.ts'
import { PUBLIC_ROWS } from '../public/table.ts'
import type { Method } from '../router.ts'

export interface HttpAddress {
  readonly method: Method
  readonly path: string
  readonly about: string
}

const row = (method: Method, path: string, about: string): HttpAddress => ({ method, path, about })

export const GAME_ADDRESSES: readonly HttpAddress[] = [
  row('POST', '/api/v1/session', 'creates a session of v1'),
  row('POST', '/api/v1/:command', 'runs a command'),
  row('POST', '/api/v2/session', 'creates a session of v2'),
  row('POST', '/api/v2/:tool/:action', 'runs an action'),
  row('POST', '/api/v2/:tool', 'the same with `action` in the body; game_catalog has no actions'),
  row('GET', '/api/v2/:tool/help', 'the actions of a tool; `?topic=` for one of them'),
  row('GET', '/api/v2/notifications', 'reads the queue: `?limit=`, `?clear=`, `?types=`'),
]

/** Addresses that OpenAPI does not list: pages for people, files, and data for operators. */
export const PAGE_ADDRESSES: readonly HttpAddress[] = [
  row('GET', '/', 'the live page; `/map` and the other paths of its views serve the same page'),
  ...PAGE_PATHS.filter((path) => path !== '/').map((path) => row('GET', path, 'the live page')),
  row('GET', '/assets/:name', 'its scripts and styles'),
  row('GET', '/start', 'a plain page: the state of the server, and where to go next'),
  row('GET', '/skill.md', 'a skill file for agents: how to register, connect and play'),
  row('GET', '/llms.txt', 'this documentation as an index for language models'),
  row('GET', '/robots.txt', 'what crawlers may read'),
  row('GET', '/favicon.ico', 'the icon'),
  row('GET', '/favicon.svg', 'the same as SVG'),
  row('GET', '/api/openapi.json', 'OpenAPI 3.1 of v1'),
  row('GET', '/api/v1/openapi.json', 'the same'),
  row('GET', '/api/v2/openapi.json', 'OpenAPI 3.1 of v2'),
  row('GET', '/api/docs', 'explorer of v1'),
  row('GET', '/api/v1/docs', 'the same'),
  row('GET', '/api/v2/docs', 'explorer of v2'),
  row('GET', '/docs', 'this documentation'),
  row('GET', '/docs/', 'the same'),
  row('GET', '/docs/:page', 'a page of it; with `.md` appended as Markdown'),
  row('GET', '/docs/commands/:page', 'the page of a command, likewise'),
  row('GET', '/link', 'the page where a person approves a login link; `?code=`'),
  row('GET', '/.well-known/jwks.json', 'public keys of the account tokens that this server issues'),
  row('GET', '/healthz', 'the same as `/health`'),
  row('GET', '/livez', '200 as long as the process answers'),
  row('GET', '/readyz', 'whether it serves players: 200, or 503 with the reasons'),
  row('GET', '/metrics', 'metrics for operators: from loopback, or with their token'),
  row('GET', '/metrics/slow-ticks', 'likewise: the slowest ticks since the world thread started'),
]

export const PUBLIC_ADDRESSES: readonly HttpAddress[] = [
  row('GET', '/api/catalog.json', 'the whole catalogue, changed by releases only'),
  row('GET', '/health', 'status, tick, estimated_next_tick, version; also while the world is down'),
  ...PUBLIC_ROWS.map(({ path, about }) => row('GET', path, about)),
  ...LIVE_ROWS.map(({ path, about }) => row('GET', path, about)),
  ...PAGE_ADDRESSES,
]

export const MCP_ADDRESSES: readonly HttpAddress[] = ['/mcp', '/mcp/v2', '/mcp/docs'].flatMap(
  (path) => (['POST', 'GET', 'DELETE'] as const).map((method) => row(method, path, 'MCP')),
)

export const ACCOUNT_ADDRESSES: readonly HttpAddress[] = [
  row('GET', '/api/me', 'the account: clerk_id, email, username'),
  row('GET', '/api/newsletter', 'subscribed, status'),
  row('POST', '/api/newsletter', 'body `{consent: boolean}`'),
  row('GET', '/api/registration-code', 'the current code, and the players of the account'),
  row('POST', '/api/registration-code/rotate', 'a new code; the old one becomes invalid'),
  row('GET', '/api/players', 'the players of the account'),
  row('GET', '/api/player/:id', 'the state of one of them'),
  row('GET', '/api/player/:id/log', 'its log'),
  row('POST', '/api/player/:id/reset-password', 'a new password, shown once; ends all its logins'),
  row('POST', '/api/player/:id/ws-token', 'a token that logs in once, within five minutes'),
  row('POST', '/api/auth/create-key', 'body `{name}`: an API key, shown once'),
  row('GET', '/api/auth/keys', 'the API keys of the account'),
  row('POST', '/api/auth/delete-key', 'body `{id}`: deletes a key'),
  row('GET', '/api/link/:code', 'the state of a login link'),
  row('POST', '/api/link/:code', 'body `{approve, player_id}`: decides it'),
  row('POST', '/api/link/approve', 'body `{user_code, player_id}`'),
  row('POST', '/api/link/deny', 'body `{user_code}`'),
  ...INTEL_ROWS.map(({ path, about }) => row('GET', path, about)),
]

export const ALL_ADDRESSES: readonly HttpAddress[] = [
  ...GAME_ADDRESSES,
  ...PUBLIC_ADDRESSES,
  ...MCP_ADDRESSES,
  ...ACCOUNT_ADDRESSES,
]
