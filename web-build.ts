/**
 * Bundles the page of `web/` into `dist/web`: files named by a hash of their content, each with a
 * gzip file, and a stamp of the sources. An unchanged stamp skips the build. Source: WEB 5.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { argv, pid } from 'node:process'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { assetUrl } from './core/module-url.ts'

const ROOT = fileURLToPath(assetUrl(import.meta.url, './'))
const SOURCE = join(ROOT, 'web')
const OUT = join(ROOT, 'dist/web')
const STAMP = join(OUT, 'stamp')

/** Packages that the page is built from, besides its own sources. */
const PACKAGES = ['preact', '@preact/signals', 'uplot', 'd3-delaunay', 'minisearch', 'esbuild']

/** Where the built page is, and where its sources are. */
export const PAGE = { out: OUT, source: SOURCE, stamp: STAMP }

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesIn(path) : [path]
  })
}

/** Returns a package with its installed version, without loading it. */
const versionOf = (name: string): string => {
  const path = join(ROOT, 'node_modules', name, 'package.json')
  if (!existsSync(path)) return `${name} is missing`
  return `${name} ${/"version":\s*"([^"]+)"/.exec(readFileSync(path, 'utf8'))?.[1]}`
}

/** Returns the stamp of an up-to-date page. */
export function sourceStamp(): string {
  const hash = createHash('sha256')
  for (const path of [...filesIn(SOURCE).sort(), join(ROOT, 'web-build.ts')]) {
    hash.update(path.slice(ROOT.length)).update('\0').update(readFileSync(path)).update('\0')
  }
  for (const name of PACKAGES) hash.update(`${versionOf(name)}\n`)
  return hash.digest('hex')
}

const isFresh = (): boolean => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourceStamp()

async function bundle(out: string): Promise<void> {
  const { build } = await import('esbuild')
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['web/main.tsx'],
    outdir: join(out, 'assets'),
    entryNames: '[name].[hash]',
    chunkNames: '[name].[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['es2022', 'chrome123', 'firefox121', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    metafile: true,
    legalComments: 'none',
    logLevel: 'silent',
    tsconfigRaw: {},
  })
  const [path, main] = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === 'web/main.tsx',
  )!
  const preloads = main.imports
    .filter(({ kind }) => kind === 'import-statement')
    .map((chunk) => `<link rel="modulepreload" href="/assets/${basename(chunk.path)}">\n`)
  const html = readFileSync(join(SOURCE, 'index.html'), 'utf8')
    .replace('{script}', `/assets/${basename(path)}`)
    .replace('{preloads}', preloads.join(''))
    .replace('{style}', `/assets/${basename(main.cssBundle!)}`)
  writeFileSync(join(out, 'index.html'), html)
  for (const file of filesIn(out)) {
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))
  }
}

/**
 * Brings `dist/web` up to date and returns what was done. A published package contains the built
 * page and no sources. Throws if esbuild is missing or the sources do not bundle.
 */
export async function buildPage(): Promise<'built' | 'fresh' | 'no sources'> {
  if (!existsSync(SOURCE)) return 'no sources'
  if (isFresh()) return 'fresh'
  const stamp = sourceStamp()
  const making = `${OUT}.${pid}`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { recursive: true })
  try {
    await bundle(making)
    writeFileSync(join(making, 'stamp'), stamp)
    // Only what the bundle replaces is removed: modules of the page that tests import are in the
    // same folder.
    rmSync(STAMP, { force: true })
    mkdirSync(OUT, { recursive: true })
    for (const name of readdirSync(making).sort()) {
      rmSync(join(OUT, name), { recursive: true, force: true })
      renameSync(join(making, name), join(OUT, name))
    }
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
  return 'built'
}

/** Returns whether esbuild runs here: it is optional, as it does not exist for every platform. */
export const hasBundler = async (): Promise<boolean> => {
  try {
    const { transform } = await import('esbuild')
    await transform('')
    return true
  } catch {
    return false
  }
}

// A package is never built without the page (`--needed`).
if (argv[1] === fileURLToPath(import.meta.url)) {
  if (argv.includes('--needed') || (await hasBundler())) await buildPage()
  else console.error('esbuild does not run here: the server will show its plain start page.')
}
