/**
 * Writes the pages of net/docs, metrics.md and layout.md, from the registry, the error table, the
 * bounds, the metrics and the columns. The files are checked in; a test fails when they are stale.
 * Run by `npm run gen`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { newTool } from '../cli/command-line.ts'
import { assetUrl } from '../core/module-url.ts'
import { createRegistry, type Registry } from '../core/registry.ts'
import { CORE_TABLES } from '../engine/start.ts'
import { type DocsPage, joinPieces, piecesOf } from '../net/docs/page.ts'
import { GENERATED_PAGES } from '../net/docs/pages.ts'
import { DOMAINS } from '../systems/registry.ts'
import { layoutPage } from './layout.ts'
import { metricsDocument } from './metrics.ts'

const NOTE = '<!-- Written by docs/generate.ts from the definitions; do not edit. -->'

/** Every generated document by file name. */
function generateDocs(registry: Registry): Record<string, string> {
  return {
    ...Object.fromEntries(
      GENERATED_PAGES.map((page) => [`${page.name}.md`, markdownOf(page, registry)]),
    ),
    'metrics.md': metricsDocument(registry, NOTE),
    'layout.md': layoutPage([...CORE_TABLES, ...registry.tables], NOTE),
  }
}

/** A page with the note behind its title. */
function markdownOf(page: DocsPage, registry: Registry): string {
  const [title, ...pieces] = piecesOf(page, { registry })
  return joinPieces([title, NOTE, ...pieces])
}

/** The folder of the checked-in documents. */
const FOLDER = fileURLToPath(assetUrl(import.meta.url, '../docs'))

/** Names of documents that differ from what the registry says. */
export function staleDocs(registry: Registry, folder: string = FOLDER): string[] {
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
  newTool('npm run gen --', 'Writes the pages of docs/ that follow from the definitions.').parse()
  const registry = createRegistry(DOMAINS)
  for (const [name, text] of Object.entries(generateDocs(registry)))
    writeFileSync(join(FOLDER, name), text)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
