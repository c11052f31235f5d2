/** What stands around every page of the documentation: navigation, contents, stylesheet, script. */
import { pagePolicy } from '../http/page-headers.ts'
import { escapeHtml, type Heading, type Rendered } from './page.ts'

/** Headers of the pages: their own stylesheet and script, nothing else, from nowhere else. */
export const DOCS_CSP = pagePolicy("style-src 'self'", "script-src 'self'")

interface NavEntry {
  readonly name: string
  readonly title: string
}

interface ShellParts extends Rendered {
  readonly title: string
  /** Name of this page; empty for the index. */
  readonly name: string
  readonly version: string
  readonly nav: readonly NavEntry[]
}

/** Entries from which a page has a field to find one in. */
const FILTER_FROM = 30

const link = (href: string, text: string, isHere: boolean): string =>
  `<a href="${href}"${isHere ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a>`

function contents(headings: readonly Heading[]): string {
  if (headings.length < 2) return ''
  const items = headings.map(
    ({ depth, id, text }) => `<li class="d${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  )
  const filter =
    headings.length < FILTER_FROM
      ? ''
      : '<input id="find" type="search" placeholder="Find on this page" ' +
        'aria-label="Find on this page" autocomplete="off"><p id="none" hidden>Nothing is found.</p>'
  return [
    `<details class="toc"><summary>On this page</summary>${filter}`,
    `<nav aria-label="On this page"><ul>${items.join('')}</ul></nav></details>`,
  ].join('')
}

/** The whole page. */
export function shellPage(parts: ShellParts): string {
  const { title, name, nav, version, html, headings } = parts
  const pages = nav.map((entry) => link(`/docs/${entry.name}`, entry.title, entry.name === name))
  const toc = contents(headings)
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escapeHtml(title)} · Orrery</title><link rel="stylesheet" href="/docs/style.css">`,
    '</head><body><a class="skip" href="#content">To the content</a>',
    `<header><strong>${link('/docs', 'Orrery', name === '')}</strong>`,
    `<nav aria-label="Pages">${pages.join('')}${link('/api/v2/docs', 'Explorer v2', false)}`,
    `${link('/api/docs', 'Explorer v1', false)}</nav>`,
    `<span class="dim">${escapeHtml(version)}</span></header>`,
    `<div class="${toc ? 'page' : 'page alone'}">${toc}`,
    `<main id="content" tabindex="-1">${html}</main></div>`,
    '<script src="/docs/docs.js"></script></body></html>\n',
  ].join('')
}

export const STYLE = `
:root{color-scheme:light dark;--text:#1d2330;--dim:#5b6475;--line:#d9dde5;--back:#fff;
--soft:#f4f6f9;--link:#1f5fbf;--mark:#fff3c4}
@media (prefers-color-scheme:dark){:root{--text:#dfe4ee;--dim:#97a1b5;--line:#2d3442;--back:#12161e;
--soft:#1a202b;--link:#8ab8ff;--mark:#4a3f12}}
*{box-sizing:border-box}
html{scroll-padding-top:4.5rem}
body{margin:0;background:var(--back);color:var(--text);font:16px/1.6 system-ui,sans-serif}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:.15em}
a:has(>code){text-decoration:none}
a:has(>code):hover{text-decoration:underline}
.dim{color:var(--dim)}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;z-index:3;background:var(--back);padding:.3rem .6rem}
header{position:sticky;top:0;z-index:2;display:flex;gap:.4rem 1.2rem;align-items:baseline;
padding:.65rem 1.2rem;background:var(--back);border-bottom:1px solid var(--line)}
header strong a{color:inherit;text-decoration:none;font-size:1.1rem}
header nav{display:flex;flex:1;gap:.2rem 1rem;flex-wrap:wrap}
header nav a{text-decoration:none}
header nav a[aria-current]{color:var(--text);font-weight:600;border-bottom:2px solid var(--link)}
.page{display:grid;grid-template-columns:17rem minmax(0,1fr);gap:2.5rem;max-width:82rem;
margin:auto;padding:0 1.2rem}
.page.alone{grid-template-columns:minmax(0,1fr);max-width:54rem}
.toc{position:sticky;top:3.6rem;align-self:start;max-height:calc(100vh - 4rem);overflow:auto;
padding:1.2rem 0;font-size:.88rem}
.toc summary{font-weight:600;margin-bottom:.5rem;cursor:pointer}
.toc ul{list-style:none;margin:0;padding:0}
.toc li a{display:block;padding:.12rem 0;text-decoration:none;color:var(--dim);
overflow-wrap:anywhere}
.toc li a:hover{color:var(--link)}
.toc .d2 a{color:var(--text);margin-top:.35rem}
.toc .d3{padding-left:.9rem}
#find{width:100%;margin-bottom:.6rem;padding:.35rem .6rem;font:inherit;color:inherit;
background:var(--soft);border:1px solid var(--line);border-radius:.4rem}
main{padding:1.4rem 0 6rem;max-width:58rem;outline:0}
h1{font-size:1.9rem;line-height:1.2;margin:.4rem 0 1rem}
h2{font-size:1.4rem;margin:2.6rem 0 .8rem;padding-bottom:.25rem;border-bottom:1px solid var(--line)}
h3{font-size:1.1rem;margin:2.2rem 0 .6rem}
h2,h3{overflow-wrap:anywhere}
.mark{margin-left:.5rem;color:var(--dim);text-decoration:none;opacity:0}
h2:hover .mark,h3:hover .mark,.mark:focus{opacity:1}
h2:target,h3:target,tr:has(a:target){background:var(--mark)}
code{font:.88em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--soft);
padding:.1em .3em;border-radius:.25rem;overflow-wrap:anywhere}
pre{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.7rem .9rem;
overflow:auto;max-height:32rem}
.block{position:relative}
.block button{position:absolute;top:.4rem;right:.4rem;padding:.1rem .6rem;font:inherit;
font-size:.8rem;color:var(--dim);background:var(--back);border:1px solid var(--line);
border-radius:.3rem;cursor:pointer;opacity:0}
.block:hover button,.block button:focus{opacity:1}
@media (hover:none){.block button{opacity:1}}
pre code{background:none;padding:0;overflow-wrap:normal}
pre[data-lang=http]{border-left:3px solid var(--link);margin-bottom:.4rem}
.wide{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;width:100%;font-size:.93rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .7rem;border-bottom:1px solid var(--line)}
th{color:var(--dim);font-weight:600;white-space:nowrap}
td:first-child code{overflow-wrap:normal}
td>a[id]{scroll-margin-top:5rem}
main details{margin:.8rem 0}
main details summary{cursor:pointer;color:var(--link)}
[hidden]{display:none!important}
@media (max-width:64rem){.page{grid-template-columns:minmax(0,1fr);gap:0}
.toc{position:static;max-height:none;padding:.8rem 0;border-bottom:1px solid var(--line)}
.toc nav{max-height:50vh;overflow:auto}
.toc li a{padding:.3rem 0}}
@media (max-width:40rem){header{position:static;flex-wrap:wrap;justify-content:space-between}
header nav{order:1;flex-basis:100%}
html{scroll-padding-top:1rem}
.wide table{min-width:36rem}
h1{font-size:1.6rem}th,td{padding:.35rem .5rem}}
@media print{header,.toc,.block button{display:none}.page{display:block}
pre{max-height:none;white-space:pre-wrap}}
`

/**
 * Opens the contents where there is room, hides what the words of the field are not in, and copies
 * blocks of code.
 */
export const SCRIPT = `
const toc = document.querySelector('.toc')
const roomy = matchMedia('(min-width: 64.01rem)')
const fit = () => { if (toc) toc.open = roomy.matches }
fit()
roomy.addEventListener('change', fit)
const find = document.getElementById('find')
if (find) {
  const entryOf = (link) => {
    const target = document.getElementById(link.hash.slice(1))
    return target.closest('tr') ?? target.closest('section')
  }
  const textOf = (entry) => {
    if (entry.matches('tr')) return entry.textContent
    const [head, first] = entry.children
    return head.textContent + ' ' + (first?.textContent ?? '')
  }
  const entries = [...document.querySelectorAll('.toc li a')].map((link) => {
    const entry = entryOf(link)
    const isGroup = entry.matches('section') && entry.children.length === 1
    return { item: link.parentElement, entry, isGroup, text: textOf(entry).toLowerCase() }
  })
  find.addEventListener('input', () => {
    const words = find.value.toLowerCase().split(/\\s+/).filter((word) => word !== '')
    let found = 0
    for (const { item, entry, isGroup, text } of entries) {
      const isShown = words.length === 0 || (!isGroup && words.every((word) => text.includes(word)))
      item.hidden = !isShown
      entry.hidden = !isShown
      found += isShown ? 1 : 0
    }
    document.getElementById('none').hidden = found > 0
  })
  addEventListener('hashchange', () => {
    const target = document.getElementById(location.hash.slice(1))
    if (!target?.closest('[hidden]')) return
    find.value = ''
    find.dispatchEvent(new Event('input'))
    target.scrollIntoView()
  })
}
// Browsers have a clipboard where the page is safe from listeners: by https, or on this machine.
for (const block of navigator.clipboard ? document.querySelectorAll('main pre') : []) {
  const button = document.createElement('button')
  const frame = document.createElement('div')
  const label = (text) => { button.textContent = text }
  button.type = 'button'
  frame.className = 'block'
  label('Copy')
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent).then(
      () => label('Copied'),
      () => label('Not copied'),
    )
    setTimeout(label, 2000, 'Copy')
  })
  block.replaceWith(frame)
  frame.append(block, button)
}
`
