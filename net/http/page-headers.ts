/** Headers of pages that bring their own style and script, and ask nobody but this server. */
import { createHash } from 'node:crypto'

/**
 * Returns the Content-Security-Policy of a page: what `sources` name and nothing else; nobody
 * frames it.
 */
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

/** Headers of a page that holds its style and script: only these two run. */
export const inlinePageHeaders = (style: string, script: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy(
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    "connect-src 'self'",
  ),
  'x-content-type-options': 'nosniff',
})
