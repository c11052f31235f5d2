/**
 * Bundles the compiled server into `dist/bundle`: loading its 1,200 modules one by one takes each
 * thread longer than all else it does to start. Without the bundle, or once anything was compiled
 * after it, programs run from `dist` (bin/launch.mjs). Names of functions stay, and a comment above
 * each module names its file.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'
import { assetUrl } from './core/module-url.ts'
import { hasBundler } from './web-build.ts'

const ROOT = fileURLToPath(assetUrl(import.meta.url, './'))
const DIST = join(ROOT, 'dist')
const OUT = join(DIST, 'bundle')
/** Written last: bin/launch.mjs uses the bundle if this is newer than what was compiled. */
const STAMP = join(OUT, 'stamp')

/** Programs and threads. Kernels, which threads import by their URL, come on top. */
const ENTRIES = ['main', 'cli', 'engine/thread', 'kernel-thread', 'storage/packer']
/** The package that is bundled too: it has 400 modules. */
const BUNDLED = 'typebox'
/** How long files of earlier bundles stay: servers that run from them load some only at need. */
const KEPT_MS = 24 * 60 * 60 * 1000

const slashed = (path: string): string => path.replaceAll('\\', '/')

const read = (path: string): string => readFileSync(path, 'utf8')

/** Lists the modules below a folder. */
const modulesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(folder, name))

const kernelFiles = (): string[] =>
  modulesIn(join(DIST, 'systems')).filter(
    (path) => path.endsWith('kernels.js') && read(path).includes('kernelsFile ='),
  )

/** Stands for the URL of a file until it is known which file of the bundle names it. */
const mark = (path: string): string => `moduleUrlOf("${slashed(relative(OUT, path))}")`
const MARKS = /\bmoduleUrlOf\("([^"]+)"\)/g

/** A module finds threads and kernels beside itself in the bundle, and assets from where it was. */
const keepUrls: Plugin = {
  name: 'keep-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const text = read(path)
      if (!path.startsWith(DIST) || !text.includes('import.meta.url')) return undefined
      const contents = text
        .replaceAll('assetUrl(import.meta.url', `assetUrl(${mark(path)}`)
        .replaceAll('import.meta.url', mark(join(OUT, relative(DIST, path))))
      return { contents }
    })
  },
}

/**
 * Makes a constant of each variable at the top of a file that nothing else assigns: esbuild turns
 * constants into variables, whose values V8 does not build into the code of the simulation.
 */
const withConstants = (text: string): string =>
  text.replace(/^var ([\w$]+) = /gm, (declaration, name: string) => {
    const word = name.replaceAll('$', '\\$')
    const assigned = `(?<![.\\w$])${word}\\s*(?:[-+*/%&|^]|\\*\\*|<<|>>>?|\\?\\?|\\|\\||&&)?=(?![=>])`
    const stepped = `(?<![.\\w$])${word}(?:\\+\\+|--)|(?:\\+\\+|--)${word}(?![\\w$])`
    const writes = text.match(new RegExp(`${assigned}|${stepped}`, 'g')) ?? []
    return writes.length === 1 ? `const ${name} = ` : declaration
  })

async function bundle(): Promise<Map<string, string>> {
  const { build } = await import('esbuild')
  const { dependencies, optionalDependencies } = JSON.parse(read(join(ROOT, 'package.json')))
  const packages = Object.keys({ ...dependencies, ...optionalDependencies })
  const { outputFiles } = await build({
    absWorkingDir: DIST,
    entryPoints: [...ENTRIES.map((entry) => `${entry}.js`), ...kernelFiles()],
    outdir: OUT,
    outbase: DIST,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.11',
    external: packages.filter((name) => name !== BUNDLED),
    write: false,
    logLevel: 'silent',
    plugins: [keepUrls],
  })
  const texts = outputFiles.map(({ path, text }) => {
    const up = '../'.repeat(slashed(relative(OUT, path)).split('/').length - 1)
    const urls = (_: string, at: string): string => `new URL("${up}${at}", import.meta.url).href`
    return [path, withConstants(text).replace(MARKS, urls)] as const
  })
  return new Map(texts)
}

async function writeBundle(): Promise<void> {
  const made = await bundle()
  mkdirSync(OUT, { recursive: true })
  rmSync(STAMP, { force: true })
  for (const [path, text] of made) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  for (const path of modulesIn(OUT)) {
    if (!made.has(path) && Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path)
  }
  writeFileSync(STAMP, '')
}

// Importing this module is running it: bin/launch.mjs does so after it has compiled.
if (await hasBundler()) await writeBundle()
