/** The source tree as text, with its imports and exports, for the tests of this folder. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

const ROOT = process.cwd()
const FOLDERS = [
  'core',
  'engine',
  'systems',
  'net',
  'storage',
  'cli',
  'bench',
  'test',
  'docs',
  'web',
]

export interface Source {
  readonly path: string
  readonly text: string
  readonly lines: readonly string[]
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return sourcesIn(path)
    return /\.tsx?$/.test(name) ? [path] : []
  })
}

export const SOURCES: Source[] = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.ts')),
  ...FOLDERS.flatMap((folder) => sourcesIn(join(ROOT, folder)).map((path) => relative(ROOT, path))),
].map((path) => {
  const text = readFileSync(join(ROOT, path), 'utf8')
  return { path, text, lines: text.split('\n') }
})

export const under = (...folders: string[]): Source[] =>
  SOURCES.filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)))

interface Import {
  readonly line: number
  readonly from: string
  /** Path from the root of the file that is imported, or the name of a package. */
  readonly target: string
}

export function importsOf({ path, lines }: Source): Import[] {
  const found: Import[] = []
  for (const [index, line] of lines.entries()) {
    const match =
      /^(?:import|export|\}).*\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/.exec(line)
    if (!match) continue
    const from = match[1] ?? match[2] ?? match[3]
    const target = from.startsWith('.') ? relative(ROOT, join(ROOT, path, '..', from)) : from
    found.push({ line: index + 1, from, target })
  }
  return found
}

/** Lists the imports that break a rule, as "file:line: what"; `breaks` says what is wrong. */
export function breaches(
  sources: Source[],
  breaks: (source: Source, found: Import) => string | undefined,
) {
  return sources.flatMap((source) =>
    importsOf(source).flatMap((found) => {
      const what = breaks(source, found)
      return what ? [`${source.path}:${found.line}: ${what}`] : []
    }),
  )
}

/** Returns the names that a file declares and exports. */
function exportsIn({ text }: Source): string[] {
  const declared =
    /^export (?:declare )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm
  return [...text.matchAll(declared)].map(([, name]) => name)
}

/** Returns the files imported as a whole: by `import *`, by a dynamic import, or as a thread. */
const importedWhole = ({ path, text }: Source): string[] =>
  [
    /import \* as \w+ from '(\.[^']+)'/g,
    /\bimport\('(\.[^']+)'\)/g,
    /new URL\('(\.[^']+)', import\.meta\.url\)/g,
  ].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, from]) =>
      relative(ROOT, join(ROOT, path, '..', from)).replace(/\.js$/, '.ts'),
    ),
  )

/** Lists exports that no other file imports, as "file: name". */
export function deadExports(): string[] {
  const byPath = new Map(SOURCES.map((source) => [source.path, new Set(exportsIn(source))]))
  const forwards = new Map<string, string[]>()
  const used = new Set<string>()
  const whole = new Set(SOURCES.flatMap(importedWhole))
  const lists = SOURCES.flatMap(({ path, text }) =>
    [...text.matchAll(/^(import|export) (?:type )?(\*|\{[^}]*\}) from '(\.[^']+)'/gm)].map(
      ([, verb, names, from]) => ({
        path,
        verb,
        names,
        target: relative(ROOT, join(ROOT, path, '..', from)),
      }),
    ),
  )
  for (const { path, names, target } of lists) {
    if (names === '*') forwards.set(path, [...(forwards.get(path) ?? []), target])
  }
  const markUsed = (path: string, name: string): void => {
    if (byPath.get(path)?.has(name)) used.add(`${path}: ${name}`)
    else for (const source of forwards.get(path) ?? []) markUsed(source, name)
  }
  for (const { names, target } of lists) {
    for (const name of names.match(/\w+(?= as )|(?<! as )\b\w+/g) ?? []) markUsed(target, name)
  }
  return [...byPath].flatMap(([path, names]) =>
    whole.has(path)
      ? []
      : [...names].map((name) => `${path}: ${name}`).filter((entry) => !used.has(entry)),
  )
}
