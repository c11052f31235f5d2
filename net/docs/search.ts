/**
 * Records for the search of the pages: one for every command, event, error, type and guide, and for
 * every section of the other pages. The browser builds its index from them.
 */
import { ERRORS } from '../../core/errors.ts'
import type { Registry } from '../../core/registry.ts'
import { sentence } from '../command-view.ts'
import { namesOf } from '../names.ts'
import { type DocumentedCommand, documentedCommands } from './commands-page.ts'
import { PAGES } from './pages.ts'
import { readHtml, sectionsOf } from './rendered.ts'

interface SearchRecord {
  readonly href: string
  readonly title: string
  /** Its kind, in one word. */
  readonly kind: string
  readonly text: string
}

function commandRecord({ def, heading, page, v1, v2 }: DocumentedCommand): SearchRecord {
  const params = (v1 ?? v2)?.params ?? []
  const texts = params.map(({ name, schema }) => {
    const { description = '' } = schema as { description?: string }
    return `${name}: ${description}`
  })
  const address = v2 && v2.address !== heading ? ` ${v2.address}` : ''
  const text = `${sentence(def.summary)}${address} ${texts.join(' ')}`
  return { href: `/docs/commands/${page}`, title: heading, kind: 'command', text: text.trim() }
}

const errorRecords = (): SearchRecord[] =>
  Object.entries(ERRORS).map(([code, { message }]) => {
    return { href: `/docs/errors#${code}`, title: code, kind: 'error', text: message }
  })

/** Kinds of the sections of pages, where it is not the title of the page. */
const KINDS: Readonly<Record<string, string>> = {
  events: 'event',
  types: 'type',
  guides: 'guide',
}

async function pageRecords({ name, title }: (typeof PAGES)[number]): Promise<SearchRecord[]> {
  const kind = KINDS[name] ?? title
  return sectionsOf(await readHtml(name)).map((section) => {
    const { id, title, text } = section
    return { href: `/docs/${name}#${id}`, title, kind, text }
  })
}

/** Returns all records; the kinds that are searched most come first. */
export async function searchRecords(registry: Registry): Promise<readonly SearchRecord[]> {
  const commands = documentedCommands({ registry }).map(commandRecord)
  // Each row of these two is a record already.
  const others = PAGES.filter(({ name }) => name !== 'commands' && name !== 'errors')
  const sections = await Promise.all(others.map(pageRecords))
  return namesOf(registry).value(1, [...commands, ...errorRecords(), ...sections.flat()])
}
