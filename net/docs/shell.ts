/** The frame around every page: navigation, search, contents, stylesheet, scripts. */
import { pagePolicy } from '../http/page-headers.ts'
import { escapeHtml } from './page.ts'
import { PAGES } from './pages.ts'
import type { Heading } from './rendered.ts'

/** Headers of the pages, which load content only from this server. */
export const SECURE = {
  'content-security-policy': pagePolicy(
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
  ),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const

interface Page {
  readonly title: string
  /** Path of the page, which the navigation marks as current. */
  readonly path: string
  readonly version: string
  /** Inner part of the page. */
  readonly html: string
  readonly headings?: readonly Heading[]
  /** Script of the page; absent: that of the documents. */
  readonly script?: string
  /** CSS class of the content. */
  readonly kind?: string
}

/** Entries from which a page has a field to find one in. */
const FILTER_FROM = 30

const NAVIGATION: readonly (readonly [href: string, title: string])[] = [
  ...PAGES.map(({ name, title }) => [`/docs/${name}`, title] as const),
  ['/api/v2/docs', 'Explorer v2'],
  ['/api/docs', 'Explorer v1'],
]

const link = (href: string, text: string, path: string): string => {
  const isHere = href === path ? ' aria-current="page"' : ''
  return `<a href="${href}"${isHere}>${escapeHtml(text)}</a>`
}

/** Hidden until its script has loaded. */
const SEARCH = [
  '<div class="search" role="search" hidden><input id="search" type="search" role="combobox" ',
  'placeholder="Search ( / )" aria-label="Search the documentation" aria-keyshortcuts="/" ',
  'aria-autocomplete="list" aria-controls="found" aria-expanded="false" autocomplete="off" ',
  'spellcheck="false"><div class="found" hidden><ul id="found" role="listbox" ',
  'aria-label="Results"></ul><p role="status"></p></div></div>',
].join('')

function contents(headings: readonly Heading[]): string {
  if (headings.length < 2) return ''
  const items = headings.map(
    ({ depth, id, text }) => `<li class="d${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  )
  const filter =
    headings.length < FILTER_FROM
      ? ''
      : '<input id="find" type="search" placeholder="Find on this page" ' +
        'aria-label="Find on this page" autocomplete="off"><p id="none" hidden>No results.</p>'
  return [
    `<details class="toc"><summary>On this page</summary>${filter}`,
    `<nav aria-label="On this page"><ul>${items.join('')}</ul></nav></details>`,
  ].join('')
}

/** Returns the whole page. */
export function shellPage(page: Page): string {
  const { title, path, version, html, headings = [], script = 'docs.js', kind = '' } = page
  const toc = contents(headings)
  const layout = ['page', toc ? '' : 'alone', kind].filter((name) => name !== '').join(' ')
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escapeHtml(title)} · Orrery</title><link rel="stylesheet" href="/docs/style.css">`,
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<script type="module" src="/docs/search.js"></script>',
    `<script type="module" src="/docs/${script}"></script>`,
    '</head><body><a class="skip" href="#content">Skip to content</a>',
    `<header><strong>${link('/docs', 'Orrery', path)}</strong>${SEARCH}`,
    `<span class="dim">${escapeHtml(version)}</span></header><nav class="pages" aria-label="Pages">`,
    `${NAVIGATION.map(([href, text]) => link(href, text, path)).join('')}</nav>`,
    `<div class="${layout}">${toc}<main id="content" tabindex="-1">${html}</main></div>`,
    '</body></html>\n',
  ].join('')
}
