/**
 * Writes docs/commands.md, events.md, errors.md and layout.md from the registry, the error table
 * and the columns. The files are checked in; a test fails when they are stale. Run by `npm run gen`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ERRORS } from '../core/errors.ts'
import type { EventDef } from '../core/event.ts'
import { createRegistry, type Registry } from '../core/registry.ts'
import {
  type CommandView,
  errorsOf,
  publicEvents,
  sentence,
  signatureOf,
  typeName,
  v1Commands,
  v2Commands,
} from '../net/command-view.ts'
import { DOMAINS } from '../systems/registry.ts'
import { CORE_TABLES } from '../world-start.ts'
import { layoutPage } from './layout.ts'

const NOTE = '<!-- Written by docs/generate.ts from the registry; do not edit. -->'

/** Every generated document by file name. */
export function generateDocs(registry: Registry): Record<string, string> {
  return {
    'commands.md': commandsPage(registry),
    'events.md': eventsPage(registry),
    'errors.md': errorsPage(registry),
    'layout.md': layoutPage([...CORE_TABLES, ...registry.tables], NOTE),
  }
}

/** A table cell: one line, no bars. */
const cell = (text: string): string => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')

function commandsPage(registry: Registry): string {
  const v1 = v1Commands(registry)
  const v2 = v2Commands(registry)
  const only2 = v2.filter((view) => view.def.v1 === false)
  const categories = [...new Set([...v1, ...only2].map((view) => view.def.category))]
  const lines = [
    '# Commands',
    '',
    NOTE,
    '',
    `${v1.length} commands on v1, ${v2.length} actions on v2. [M] marks a mutation: it takes the slot of a tick.`,
    'Where v2 calls a parameter differently, its name stands after the arrow; v2 takes both.',
  ]
  for (const category of categories) {
    lines.push('', `## ${category}`)
    for (const view of v1) if (view.def.category === category) lines.push(...commandSection(view))
    for (const view of only2)
      if (view.def.category === category) lines.push(...commandSection(view))
  }
  return `${lines.join('\n')}\n`
}

function commandSection(view: CommandView): string[] {
  const { def } = view
  const mark = view.mutation ? ' [M]' : ''
  const v2 = def.v2
    ? `v2: \`${def.v2.tool}${def.v2.action ? `/${def.v2.action}` : ''}\``
    : 'v1 only'
  const facts = [v2, def.open ? 'before login too' : '']
  if (view.mutation && 'changes' in def && def.changes && def.changes.length > 0)
    facts.push(`changes ${def.changes.join(', ')}`)
  const lines = [
    '',
    `### ${signatureOf(view)}${mark}`,
    '',
    `${sentence(def.summary)} (${facts.filter((fact) => fact !== '').join('; ')})`,
  ]
  if (view.params.length > 0) {
    lines.push('', '| Parameter | Type | Needed | Meaning |', '|---|---|---|---|')
    for (const param of view.params) {
      const renamed = def.v2?.rename?.[param.v1Name]
      const shown = renamed && def.v1 !== false ? `${param.name} → ${renamed}` : param.name
      const meaning = (param.schema as { description?: string }).description ?? ''
      lines.push(
        `| ${shown} | ${cell(typeName(param.schema))} | ${param.required ? 'yes' : 'no'} | ${cell(meaning)} |`,
      )
    }
  }
  const codes = errorsOf(def)
  if (codes.length > 0) lines.push('', `Errors: ${codes.map((code) => `\`${code}\``).join(', ')}`)
  return lines
}

function eventsPage(registry: Registry): string {
  const events = publicEvents(registry).sort((a, b) => (a.type < b.type ? -1 : 1))
  const lines = [
    '# Events',
    '',
    NOTE,
    '',
    'Pushed on a WebSocket as `{type, payload}`; queued for HTTP and MCP under the category named here.',
  ]
  for (const event of events) lines.push(...eventSection(event))
  return `${lines.join('\n')}\n`
}

function eventSection(event: EventDef): string[] {
  const required = new Set<string>(event.fields.required ?? [])
  const names = Object.entries(event.fields.properties).map(
    ([name, schema]) => `${name}${required.has(name) ? '' : '?'} (${typeName(schema)})`,
  )
  return [
    '',
    `## ${event.type}`,
    '',
    `${sentence(event.summary)} Category: ${event.queue}.${event.channel ? '' : ' Cannot be muted.'}`,
    '',
    `Fields: ${names.length > 0 ? names.join(', ') : 'none'}`,
  ]
}

function errorsPage(registry: Registry): string {
  const users = new Map<string, string[]>()
  for (const def of registry.commands.values()) {
    if (def.category === 'internal') continue
    for (const code of errorsOf(def)) {
      const names = users.get(code) ?? []
      if (!names.includes(def.name)) names.push(def.name)
      users.set(code, names)
    }
  }
  const lines = [
    '# Errors',
    '',
    NOTE,
    '',
    '| Code | Status | Sentence | Commands |',
    '|---|---|---|---|',
  ]
  for (const [code, entry] of Object.entries(ERRORS).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const names = users.get(code) ?? []
    const shown =
      names.length > 12
        ? `${names.slice(0, 12).join(', ')} and ${names.length - 12} more`
        : names.join(', ')
    lines.push(`| ${code} | ${entry.status} | ${cell(entry.message)} | ${shown} |`)
  }
  return `${lines.join('\n')}\n`
}

/** The folder of the checked-in documents, seen from dist/docs as from docs. */
export function docsFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  return here.replace(/[\\/]dist[\\/]docs$/, `${here.includes('\\') ? '\\' : '/'}docs`)
}

/** Names of documents that differ from what the registry says. */
export function staleDocs(registry: Registry, folder: string = docsFolder()): string[] {
  return Object.entries(generateDocs(registry))
    .filter(([name, text]) => readIfThere(join(folder, name)) !== text)
    .map(([name]) => name)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function main(): void {
  const registry = createRegistry(DOMAINS)
  for (const [name, text] of Object.entries(generateDocs(registry)))
    writeFileSync(join(docsFolder(), name), text)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
