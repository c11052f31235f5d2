/** Headers of pages that contain their own style and script, and connect only to this server. */
import { createHash } from 'node:crypto'

/** Returns the Content-Security-Policy of a page: only the named sources, and no framing. */
export const pagePolicy = (...sources: readonly string[]): string =>
  [
    "default-src 'none'",
    ...sources,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Returns the headers of a page with inline style and script: only these two may run. */
export const inlinePageHeaders = (style: string, script: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy(
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    "connect-src 'self'",
  ),
  'x-content-type-options': 'nosniff',
})
