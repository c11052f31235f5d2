/**
 * The rules of `systems/`: the kind of a file decides its floor. A file imports from lower floors,
 * and on its own floor only from domains that come earlier in the order. No imports form a circle.
 */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { FLOORS, ORDER } from '../../systems/order.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { breaches, importsOf, SOURCES, type Source, under } from './sources.ts'

const KINDS = FLOORS.flatMap(({ name, kinds }) => (name === 'index' ? [] : kinds))
const KIND = new RegExp(`^systems/([a-z]+)/(?:([a-z]+(?:-[a-z]+)*)-)?(${KINDS.join('|')})\\.ts$`)
const INDEX = /^systems\/([a-z]+)\/index\.ts$/
const ROOTS = ['systems/registry.ts', 'systems/order.ts']
const TOPICS_BANNED = /(^|-)(more|deep|misc|parts|words|helpers?|utils?|common)$/
/** Floors on which the order of domains counts; the two below need only be free of circles. */
const ORDERED = ['model', 'rules', 'views', 'needs']
/** Helpers of core that load nothing heavy: a kernel thread also loads all that they import. */
const KERNEL_HELPERS = ['columns', 'rng', 'math', 'assert', 'system', 'limits', 'goods', 'ledger']
  .concat('types', 'occurrence', 'catalog/mining')
  .map((name) => `core/${name}.ts`)

interface Room {
  readonly domain: string
  readonly kind: string
  readonly topic: string
}

function roomOf(path: string): Room | undefined {
  const index = INDEX.exec(path)
  if (index) return { domain: index[1], kind: 'index', topic: '' }
  const found = KIND.exec(path)
  if (!found) return undefined
  const [, domain, topic = '', kind] = found
  return { domain, kind, topic }
}

/** Returns the files given, the files and packages they load, and what these load in turn. */
function loadedBy(paths: readonly string[]): string[] {
  const loaded = new Set(paths)
  for (const path of loaded) {
    const source = SOURCES.find((candidate) => candidate.path === path)
    for (const { line, target } of source ? importsOf(source) : []) {
      const starts = source?.lines.slice(0, line).findLast((text) => /^(?:im|ex)port\b/.test(text))
      if (!starts?.startsWith('import type ')) loaded.add(target)
    }
  }
  return [...loaded]
}

const floorOf = ({ kind }: Room): number => FLOORS.findIndex(({ kinds }) => kinds.includes(kind))
const orderOf = ({ domain }: Room): number => (ORDER as readonly string[]).indexOf(domain)

/** Says why a file of a room may not import one of another; undefined where it may. */
function whyForbidden(from: Room, to: Room): string | undefined {
  const floor = floorOf(from)
  if (floorOf(to) > floor) return `${from.kind} may not import ${to.kind}`
  if (from.domain === to.domain) return undefined
  if (from.kind === 'index') return 'an index imports its own domain alone'
  if (FLOORS[floorOf(to)].name === 'play') return `${to.kind} are private to their domain`
  const isUp = floorOf(to) === floor && orderOf(to) > orderOf(from)
  return isUp && ORDERED.includes(FLOORS[floor].name) ? `${to.kind} of a later domain` : undefined
}

describe('rooms', () => {
  test('every file in systems has a kind and no vague topic', () => {
    const found = under('systems').flatMap(({ path }) => {
      if (ROOTS.includes(path)) return []
      const room = roomOf(path)
      if (!room) return [`${path}: no kind`]
      return TOPICS_BANNED.test(room.topic) ? [`${path}: "${room.topic}" says nothing`] : []
    })
    expect(found).toEqual([])
  })

  test('the order names every domain once', () => {
    const folders = new Set(under('systems').flatMap(({ path }) => roomOf(path)?.domain ?? []))
    expect([...ORDER].sort()).toEqual([...folders].sort())
    expect(DOMAINS.length).toBeGreaterThanOrEqual(ORDER.length)
  })

  test('a file imports from lower floors, and on its own floor from earlier domains', () => {
    const found = breaches(under('systems'), ({ path }, { target }) => {
      if (target.startsWith('core/') || /^typebox(\/|$)/.test(target)) return undefined
      if (ROOTS.includes(path)) return INDEX.test(target) ? undefined : `${target}?`
      const [from, to] = [roomOf(path), roomOf(target)]
      if (!from || !to) return `${path} may not import ${target}`
      return whyForbidden(from, to)
    })
    expect(found).toEqual([])
  })

  test('kernels import only core helpers, state, kernels and the model of their domain', () => {
    const kernels = under('systems').filter(({ path }) => roomOf(path)?.kind === 'kernels')
    const found = breaches(kernels, ({ path }, { target }) => {
      if (KERNEL_HELPERS.includes(target)) return undefined
      const [from, to] = [roomOf(path), roomOf(target)]
      const isOwn = from?.domain === to?.domain && to?.kind === 'model'
      return isOwn || to?.kind === 'state' || to?.kind === 'kernels' ? undefined : `${target}?`
    })
    expect(found).toEqual([])
  })

  test('a kernel thread loads no schemas, and only the mining rules of the catalogue', () => {
    const kernels = under('systems').filter(({ path }) => roomOf(path)?.kind === 'kernels')
    const loaded = loadedBy(['kernel-thread.ts', ...kernels.map(({ path }) => path)])
    expect(loaded).toContain('core/catalog/mining.ts')
    const unneeded =
      /^typebox|^core\/(?:params|reference|error)|^core\/catalog\/(?!(?:mining|freeze)\.ts$)/
    expect(loaded.filter((path) => unneeded.test(path))).toEqual([])
  })
})

describe('CONTRIBUTING.md', () => {
  test('names files that exist', () => {
    const text = readFileSync('CONTRIBUTING.md', 'utf8')
    const named = [...text.matchAll(/`((?:core|systems)\/[^`]+\.ts)`/g)].map(([, path]) => path)
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((path) => candidatesFor(path).length === 0)).toEqual([])
  })

  test('lists every file that names its example of each kind of definition', () => {
    const text = readFileSync('CONTRIBUTING.md', 'utf8')
    const examples = [...text.matchAll(/\| `(\w+)`: ((?:`[^`|]+` ?)+) *\|$/gm)]
    expect(examples.length).toBe(6)
    for (const [, name, files] of examples) {
      const word = new RegExp(`\\b${name}\\b`)
      const folders = ['core', 'systems', 'net', 'storage']
      const naming = under(...folders).filter((source) => word.test(source.text))
      const stated = [...files.matchAll(/`([^`]+)`/g)].map(([, path]) => path)
      expect(stated.sort(), name).toEqual(naming.map(({ path }) => path).sort())
    }
  })
})

/** Returns the files that a path on the page may mean: `<domain>` stands for any domain. */
function candidatesFor(path: string): string[] {
  const domains = path.includes('<domain>') ? ORDER : ['']
  return domains
    .map((domain) => path.replace('<domain>', domain))
    .filter((candidate) => existsSync(candidate))
}

describe('core', () => {
  test('only the phrases of refusals import the catalogue', () => {
    const kernel = under('core').filter(({ path }) => !path.startsWith('core/catalog/'))
    const found = breaches(kernel, ({ path }, { target }) =>
      target.startsWith('core/catalog/') && path !== 'core/error-phrase.ts'
        ? `the kernel may not import ${target}`
        : undefined,
    )
    expect(found).toEqual([])
  })

  test('the catalogue imports only itself and core files that import nothing of the game', () => {
    const leaves = ['assert', 'rng', 'say', 'time'].map((name) => `core/${name}.ts`)
    const found = breaches(under('core/catalog'), (_, { target }) =>
      target.startsWith('core/catalog/') || leaves.includes(target)
        ? undefined
        : `the catalogue may not import ${target}`,
    )
    expect(found).toEqual([])
  })
})

describe('folders', () => {
  test('engine imports only core, storage and the registry', () => {
    const isOpen = (target: string): boolean =>
      /^(core|engine|storage)\//.test(target) || target === 'systems/registry.ts'
    const found = breaches(under('engine'), ({ path }, { target }) => {
      if (!target.endsWith('.ts') || isOpen(target)) return undefined
      // The one exception: the world thread writes the v2 messages of answers.
      if (path === 'engine/run-world.ts' && target === 'net/publish/frames.ts') return undefined
      return `engine may not import ${target}`
    })
    expect(found).toEqual([])
  })

  test('no imports form a circle, type imports included', () => {
    expect(circlesOf(SOURCES.filter(({ path }) => !path.startsWith('test/')))).toEqual([])
  })
})

/**
 * Returns the files whose imports form a circle: those that remain when files without imports have
 * been removed again and again.
 */
function circlesOf(sources: readonly Source[]): string[] {
  const known = new Set(sources.map(({ path }) => path))
  const importsByFile = new Map(
    sources.map((source) => [
      source.path,
      new Set(importsOf(source).flatMap(({ target }) => (known.has(target) ? [target] : []))),
    ]),
  )
  const users = new Map<string, string[]>()
  for (const [path, targets] of importsByFile)
    for (const target of targets) users.set(target, [...(users.get(target) ?? []), path])
  const free = [...importsByFile].flatMap(([path, targets]) => (targets.size === 0 ? [path] : []))
  for (let path = free.pop(); path !== undefined; path = free.pop()) {
    importsByFile.delete(path)
    for (const user of users.get(path) ?? []) {
      const targets = importsByFile.get(user)
      if (targets?.delete(path) && targets.size === 0) free.push(user)
    }
  }
  const imported = new Set([...importsByFile.values()].flatMap((targets) => [...targets]))
  return [...importsByFile.keys()].filter((path) => imported.has(path))
}
