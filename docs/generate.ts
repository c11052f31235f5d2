/**
 * Generates the pages of net/docs, metrics.md, layout.md and balance.md from the registry, the
 * errors, the bounds, the metrics, the columns and the last measurement of careers, and the served
 * pages as HTML in docs/html. The files are checked in; a test fails when they are stale.
 * Run by `npm run gen`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { newTool } from '../cli/command-line.ts'
import { assetUrl } from '../core/module-url.ts'
import { createRegistry, type Registry } from '../core/registry.ts'
import { CORE_TABLES } from '../engine/start.ts'
import { commandPagePieces, documentedCommands } from '../net/docs/commands-page.ts'
import { anchorOf, type DocsPage, joinPieces, spokenPieces } from '../net/docs/page.ts'
import { GENERATED_PAGES, WRITTEN_PAGES } from '../net/docs/pages.ts'
import { COMMAND_PAGES, EXAMPLES_MARK, pageMark } from '../net/docs/rendered.ts'
import { DOMAINS } from '../systems/registry.ts'
import { balancePieces } from './balance.ts'
import { layoutPage } from './layout.ts'
import { type CommandPages, renderPieces } from './markdown.ts'
import { metricsDocument } from './metrics.ts'

const NOTE = '<!-- Written by docs/generate.ts from the definitions; do not edit. -->'

/** The page of measured results; it is listed with the hand-written pages. */
const BALANCE = { name: 'balance', pieces: balancePieces }

/** Returns every generated document by file name. */
function generateDocs(registry: Registry): Record<string, string> {
  return {
    ...Object.fromEntries(
      GENERATED_PAGES.map((page) => [`${page.name}.md`, markdownOf(page, registry)]),
    ),
    'metrics.md': metricsDocument(registry, NOTE),
    'balance.md': markdownOf(BALANCE, registry),
    'layout.md': layoutPage([...CORE_TABLES, ...registry.tables], NOTE),
    ...htmlFiles(registry),
  }
}

/** Returns a page as Markdown, with the note after its title. */
function markdownOf(page: Pick<DocsPage, 'pieces'>, registry: Registry): string {
  const [title, ...pieces] = spokenPieces(page.pieces({ registry }), registry)
  return joinPieces([title, NOTE, ...pieces])
}

/** Returns the pages as HTML by file name; the pages of commands are in one file. */
function htmlFiles(registry: Registry): Record<string, string> {
  const sources = { registry, isServed: true } as const
  const commands = documentedCommands(sources)
  const links: CommandPages = new Map(
    commands.map(({ heading, page }) => [anchorOf(heading), page]),
  )
  const htmlOf = (pieces: Iterable<string>): string =>
    renderPieces(spokenPieces(pieces, registry), links)
  const commandPages = commands.map((command) => {
    const { head, tail } = commandPagePieces(command, sources)
    return [pageMark(command.page), htmlOf(head), EXAMPLES_MARK, htmlOf(tail)].join('')
  })
  const generated = GENERATED_PAGES.map((page) => {
    const pieces = page.listing?.(sources) ?? page.pieces(sources)
    return [`html/${page.name}.html`, htmlOf(pieces)]
  })
  const written = WRITTEN_PAGES.map(({ name }) => {
    if (name === BALANCE.name) return [`html/${name}.html`, htmlOf(BALANCE.pieces())]
    const text = readFileSync(join(FOLDER, `${name}.md`), 'utf8')
    return [`html/${name}.html`, htmlOf(text.split(/\n(?=## )/))]
  })
  return {
    ...Object.fromEntries([...generated, ...written]),
    [`html/${COMMAND_PAGES}.html`]: commandPages.join(''),
  }
}

/** The folder of the checked-in documents. */
const FOLDER = fileURLToPath(assetUrl(import.meta.url, '../docs'))

/** Returns the names of documents that are not as generated from the registry. */
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
  newTool('npm run gen --', 'Writes the generated pages of docs/.').parse()
  const registry = createRegistry(DOMAINS)
  mkdirSync(join(FOLDER, 'html'), { recursive: true })
  for (const [name, text] of Object.entries(generateDocs(registry)))
    writeFileSync(join(FOLDER, name), text)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
