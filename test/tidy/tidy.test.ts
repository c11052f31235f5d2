/**
 * The rules of the source tree: who may import whom, sizes, and what determinism forbids. Runs on
 * the sources, so a breach names file and line. The floors of the domains: house.test.ts.
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

describe('who may import whom', () => {
  test('core imports its own files, typebox, and one library behind each of two doors', () => {
    const doors: Record<string, string> = {
      bitecs: 'core/query.ts',
      piscina: 'core/parallel.ts',
      '@nats-io/transport-node': 'storage/bus.ts',
    }
    const found = breaches(under('core'), ({ path }, { target }) => {
      if (target.startsWith('core/') || /^typebox(\/|$)/.test(target)) return undefined
      return doors[target] === path ? undefined : `core may not import ${target}`
    })
    expect(found).toEqual([])
  })

  test('net imports core and the registry, never storage or a domain', () => {
    const found = breaches(under('net'), (_, { target }) =>
      target.startsWith('storage/') ||
      (target.startsWith('systems/') && target !== 'systems/registry.ts')
        ? `net may not import ${target}`
        : undefined,
    )
    expect(found).toEqual([])
  })

  test('storage imports core, never systems or net', () => {
    const found = breaches(under('storage'), (_, { target }) =>
      /^(systems|net)\//.test(target) ? `storage may not import ${target}` : undefined,
    )
    expect(found).toEqual([])
  })

  test('sockets and threads have one importer each', () => {
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
  test('takes of the server only the types of what strangers may read', () => {
    const found = breaches(under('web'), ({ lines }, { line, target }) => {
      if (!/^(core|engine|systems|net|storage|cli|bench|test|docs)\//.test(target)) return undefined
      // The list of names may stand above the line that says where from.
      const start = lines.slice(0, line).findLastIndex((text) => /^(import|export)\b/.test(text))
      const isType = /^import type\b/.test(lines[start])
      return isType && target.startsWith('core/public/')
        ? undefined
        : `web may not import ${target}`
    })
    expect(found).toEqual([])
  })

  test('makes no markup or code of text', () => {
    const banned =
      /\beval\(|\bnew Function\b|\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write/
    const found = under('web').flatMap(({ path, lines }) =>
      lines.flatMap((line, index) => (banned.test(line) ? [`${path}:${index + 1}: ${line}`] : [])),
    )
    expect(found).toEqual([])
  })
})

test('the server renders no Markdown: docs/html holds what npm run gen has made of it', () => {
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

test('command lines are read by one parser: cli/command-line.ts', () => {
  const found = SOURCES.filter(
    ({ path, text }) =>
      path !== 'cli/command-line.ts' &&
      !path.startsWith('test/tidy/') &&
      /\bparseArgs\b|\bnew Command\(/.test(text),
  )
  expect(found.map(({ path }) => path)).toEqual([])
})

test('every export is imported elsewhere, but for kernels, which threads find by name', () => {
  const kernels = new Set(
    SOURCES.flatMap(({ path, text }) =>
      [...text.matchAll(/^export const (\w+)(?:: \w+)? = (?:kernel|work)\(/gm)].map(
        ([, name]) => `${path}: ${name}`,
      ),
    ),
  )
  expect(deadExports().filter((at) => !kernels.has(at))).toEqual([])
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
  /** Brings kernels up before the first tick; nothing of it runs in a batch. */
  const asynchronous = ['core/parallel.ts']

  test('no clock, no unseeded randomness, no float functions, no locale, nothing asynchronous', () => {
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

/** Vitest takes what they export by default. */
const NAMED_BY_VITEST = new Set(['test/closing-reporter.ts', 'test/test-run.ts'])

describe('sizes and manners', () => {
  test('files', () => {
    const long = SOURCES.filter(({ lines }) => lines.length > FILE_LINES_MAX + 1)
    expect(long.map(({ path, lines }) => `${path}: ${lines.length} lines`)).toEqual([])
  })

  test('functions', () => {
    const found = SOURCES.filter(({ path }) => !path.startsWith('test/')).flatMap(longFunctions)
    expect(found).toEqual([])
  })

  /** Pages of text in a template: their lines are prose. */
  const prose = ['net/websocket-protocol.ts']

  test('lines', () => {
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

  test('every file says at its top what it owns; nothing is left unfinished or switched off', () => {
    const found = SOURCES.flatMap(({ path, text, lines }) => {
      const said: string[] = []
      if (!/^(#!.*\n)?\/\*\*/.test(text)) said.push(`${path}: no header`)
      for (const [index, line] of lines.entries()) {
        if (path.startsWith('test/tidy/')) continue
        if (/\b(TODO|FIXME|XXX)\b|\.(skip|only|todo)\(|@ts-(ignore|nocheck)/.test(line)) {
          said.push(`${path}:${index + 1}: unfinished`)
        }
        if (/^export default\b/.test(line) && !NAMED_BY_VITEST.has(path))
          said.push(`${path}:${index + 1}: default export`)
      }
      return said
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
