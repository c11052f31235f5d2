/**
 * The rules of the source tree: which folder may import which, sizes, and what determinism forbids.
 * A failure names file and line. The rules among domains are in house.test.ts.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { breaches, deadExports, SOURCES, type Source, under } from './sources.ts'

const FILE_LINES_MAX = 400
const FUNCTION_LINES_MAX = 70
const LINE_COLUMNS_MAX = 100

const onlyImporter = (name: string, ...allowed: string[]): string[] =>
  breaches(SOURCES, ({ path }, { from }) =>
    from === name && !allowed.some((place) => path === place || path.startsWith(`${place}/`))
      ? `only ${allowed.join(', ')} may import ${name}`
      : undefined,
  )

describe('imports between folders', () => {
  test('core imports its own files, typebox, and three libraries in one file each', () => {
    const soleImporters: Record<string, string> = {
      bitecs: 'core/query.ts',
      piscina: 'core/parallel.ts',
      '@nats-io/transport-node': 'storage/bus.ts',
    }
    const found = breaches(under('core'), ({ path }, { target }) => {
      if (target.startsWith('core/') || /^typebox(\/|$)/.test(target)) return undefined
      return soleImporters[target] === path ? undefined : `core may not import ${target}`
    })
    expect(found).toEqual([])
  })

  test('net imports no storage and no domain, only the registry', () => {
    const found = breaches(under('net'), (_, { target }) =>
      target.startsWith('storage/') ||
      (target.startsWith('systems/') && target !== 'systems/registry.ts')
        ? `net may not import ${target}`
        : undefined,
    )
    expect(found).toEqual([])
  })

  test('storage imports neither systems nor net', () => {
    const found = breaches(under('storage'), (_, { target }) =>
      /^(systems|net)\//.test(target) ? `storage may not import ${target}` : undefined,
    )
    expect(found).toEqual([])
  })

  test('only listed files import sockets and threads', () => {
    expect(onlyImporter('uWebSockets.js', 'net/server.ts', 'net/ws/native.ts')).toEqual([])
    expect(
      onlyImporter(
        'node:worker_threads',
        'server.ts',
        'engine/spawn.ts',
        'engine/thread.ts',
        'engine/run-world.ts',
        'kernel-thread.ts',
        'cli.ts',
        'net/world-link.ts',
        'storage/packer.ts',
        'storage/packer-thread.ts',
        'test',
        'bench',
      ),
    ).toEqual([])
  })
})

describe('the live page', () => {
  test('imports from the server only types of public data, and how differences of it are applied', () => {
    const shared = ['core/public/difference.ts']
    const found = breaches(under('web'), ({ lines }, { line, target }) => {
      if (!/^(core|engine|systems|net|storage|cli|bench|test|docs)\//.test(target)) return undefined
      if (shared.includes(target)) return undefined
      // The list of names may begin some lines above the one that names the file.
      const start = lines.slice(0, line).findLastIndex((text) => /^(import|export)\b/.test(text))
      const isType = /^import type\b/.test(lines[start])
      return isType && target.startsWith('core/public/')
        ? undefined
        : `web may not import ${target}`
    })
    expect(found).toEqual([])
  })

  test('turns no text into markup or code', () => {
    const banned =
      /\beval\(|\bnew Function\b|\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write/
    const found = under('web').flatMap(({ path, lines }) =>
      lines.flatMap((line, index) => (banned.test(line) ? [`${path}:${index + 1}: ${line}`] : [])),
    )
    expect(found).toEqual([])
  })
})

test('the server renders no Markdown: npm run gen has written docs/html', () => {
  expect(onlyImporter('marked', 'docs/markdown.ts')).toEqual([])
  const served = SOURCES.filter(({ path }) => !/^(docs|test)\//.test(path))
  const found = breaches(served, (_, { target }) =>
    target.startsWith('docs/') ? `only docs and test may import ${target}` : undefined,
  )
  expect(found).toEqual([])
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(dependencies).not.toHaveProperty('marked')
  expect(devDependencies).toHaveProperty('marked')
})

test('only cli/command-line.ts parses command lines', () => {
  const found = SOURCES.filter(
    ({ path, text }) =>
      path !== 'cli/command-line.ts' &&
      !path.startsWith('test/tidy/') &&
      /\bparseArgs\b|\bnew Command\(/.test(text),
  )
  expect(found.map(({ path }) => path)).toEqual([])
})

test('every export but a kernel is imported elsewhere; threads find kernels by name', () => {
  const kernels = new Set(
    SOURCES.flatMap(({ path, text }) =>
      [...text.matchAll(/^export const (\w+)(?:: \w+)? = (?:kernel|work)\(/gm)].map(
        ([, name]) => `${path}: ${name}`,
      ),
    ),
  )
  expect(deadExports().filter((entry) => !kernels.has(entry))).toEqual([])
})

describe('determinism in core and systems', () => {
  const banned: [RegExp, string][] = [
    [/\bDate\b/, 'reads the clock or the locale: core/time.ts does not'],
    [/\bMath\.random\b/, 'draws unseeded'],
    [/\bperformance\.now\b/, 'reads the clock'],
    [/\bset(Timeout|Interval|Immediate)\b/, 'uses a timer'],
    [/\.(toLocale[A-Z]\w*|localeCompare)\b/, 'depends on a locale'],
    [
      /\bMath\.(sin|cos|tan|a?tan2?|asin|acos|exp|log\w*|pow|sqrt|cbrt|hypot)\b/,
      'uses a float function',
    ],
    [/\basync\b|\bawait\b/, 'is asynchronous'],
  ]
  /** Starts kernels before the first tick; nothing in it is asynchronous within a batch. */
  const asynchronous = ['core/parallel.ts']

  test('no code reads a clock or locale, draws unseeded, uses float functions or is async', () => {
    const found = under('core', 'systems').flatMap(({ path, lines }) =>
      lines.flatMap((line, index) => {
        const code = line.replace(/\/\/.*$|^\s*\/?\*.*$/, '').replace(/'(?:[^'\\]|\\.)*'/g, "''")
        return banned.flatMap(([pattern, what]) => {
          if (!pattern.test(code)) return []
          if (
            what === 'is asynchronous' &&
            (asynchronous.includes(path) || (/ async /.test(code) === false && /async:/.test(code)))
          )
            return []
          return [`${path}:${index + 1}: ${what}`]
        })
      }),
    )
    expect(found).toEqual([])
  })
})

/** Vitest loads the default exports of these. */
const NAMED_BY_VITEST = new Set(['test/closing-reporter.ts', 'test/test-run.ts'])

describe('sizes and style', () => {
  test('a file has at most 400 lines', () => {
    const long = SOURCES.filter(({ lines }) => lines.length > FILE_LINES_MAX + 1)
    expect(long.map(({ path, lines }) => `${path}: ${lines.length} lines`)).toEqual([])
  })

  test('a function has at most 70 lines', () => {
    const found = SOURCES.filter(({ path }) => !path.startsWith('test/')).flatMap(longFunctions)
    expect(found).toEqual([])
  })

  /** Files whose templates hold pages of prose: those lines may be longer. */
  const prose = ['net/websocket-protocol.ts']

  test('a line of code has at most 100 columns', () => {
    const code = SOURCES.filter(({ path }) => !prose.includes(path))
    const found = code.flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        line.length > LINE_COLUMNS_MAX && !/['"`]/.test(line)
          ? [`${path}:${index + 1}: ${line.length} columns`]
          : [],
      ),
    )
    expect(found).toEqual([])
  })

  test('every file has a header, and nothing is unfinished or switched off', () => {
    const found = SOURCES.flatMap(({ path, text, lines }) => {
      const problems: string[] = []
      if (!/^(#!.*\n)?\/\*\*/.test(text)) problems.push(`${path}: no header`)
      for (const [index, line] of lines.entries()) {
        if (path.startsWith('test/tidy/')) continue
        if (/\b(TODO|FIXME|XXX)\b|\.(skip|only|todo)\(|@ts-(ignore|nocheck)/.test(line)) {
          problems.push(`${path}:${index + 1}: unfinished`)
        }
        if (/^export default\b/.test(line) && !NAMED_BY_VITEST.has(path))
          problems.push(`${path}:${index + 1}: default export`)
      }
      return problems
    })
    expect(found).toEqual([])
  })
})

/**
 * Finds long top-level functions by indentation: from `function` at the margin to the brace at the
 * margin.
 */
function longFunctions({ path, lines }: Source): string[] {
  const found: string[] = []
  let start = -1
  for (const [index, line] of lines.entries()) {
    if (/^(export )?(async )?function\b/.test(line)) start = index
    if (start < 0 || !line.startsWith('}')) continue
    const length = index - start + 1
    if (length > FUNCTION_LINES_MAX) found.push(`${path}:${start + 1}: ${length} lines`)
    start = -1
  }
  return found
}
