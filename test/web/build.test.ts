/** The built page: up to date, small, and without requests to other origins. Source: WEB 4, 5. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildPage, PAGE, sourceStamp } from '../../web-build.ts'

const FIRST_VIEW_BYTES_MAX = 60 * 1024
const ALL_BYTES_MAX = 100 * 1024
/** Maximum sizes of chunks that are loaded only with their view and counted separately. */
const OWN_CHUNKS = { 'market-chart': 26 * 1024, play: 16 * 1024, ops: 6 * 1024, intel: 5 * 1024 }

const html = (): string => readFileSync(join(PAGE.out, 'index.html'), 'utf8')
const assets = (): string[] =>
  readdirSync(join(PAGE.out, 'assets')).filter((name) => !name.endsWith('.gz'))
const gzipBytes = (name: string): number => statSync(join(PAGE.out, `${name}.gz`)).size

/** Lists the assets that the HTML names, which are all that the first view loads. */
const namedAssets = (): string[] =>
  [...html().matchAll(/(?:href|src)="\/(assets\/[^"]+)"/g)].map(([, name]) => name)

test('the page passes the type checker', () => {
  const { status, stdout } = spawnSync('node', [
    'node_modules/typescript/bin/tsc',
    '-p',
    'web/tsconfig.json',
  ])
  expect(String(stdout)).toBe('')
  expect(status).toBe(0)
})

test('the build of the page is up to date and not repeated', async () => {
  expect(readFileSync(PAGE.stamp, 'utf8')).toBe(sourceStamp())
  expect(await buildPage()).toBe('fresh')
})

test('the page names existing files, each with a hash of its content', () => {
  expect(namedAssets().length).toBeGreaterThan(1)
  for (const name of namedAssets()) expect(existsSync(join(PAGE.out, name)), name).toBe(true)
  for (const name of assets()) expect(name).toMatch(/^[\w-]+\.[A-Z0-9]{8}\.(js|css)$/)
  const contents = assets().map((name) => readFileSync(join(PAGE.out, 'assets', name)))
  const hashes = contents.map((bytes) => createHash('sha256').update(bytes).digest('hex'))
  expect(new Set(hashes).size).toBe(hashes.length)
  for (const [index, name] of assets().entries()) {
    const packed = readFileSync(join(PAGE.out, 'assets', `${name}.gz`))
    expect(gunzipSync(packed).equals(contents[index])).toBe(true)
  }
})

test('the first view and the whole page stay within their size limits', () => {
  const first = ['index.html', ...namedAssets()].map(gzipBytes)
  const chunkOf = (name: string) =>
    Object.entries(OWN_CHUNKS).find(([own]) => name.startsWith(`${own}.`))
  for (const name of assets()) {
    const [own, bytesMax] = chunkOf(name) ?? []
    if (own) expect(gzipBytes(join('assets', name)), own).toBeLessThanOrEqual(bytesMax ?? 0)
  }
  const shared = assets().filter((name) => !chunkOf(name))
  expect(assets().length - shared.length).toBe(Object.keys(OWN_CHUNKS).length)
  const all = ['index.html', ...shared.map((name) => join('assets', name))].map(gzipBytes)
  const sum = (sizes: number[]) => sizes.reduce((whole, size) => whole + size, 0)
  expect(sum(first)).toBeLessThanOrEqual(FIRST_VIEW_BYTES_MAX)
  expect(sum(all)).toBeLessThanOrEqual(ALL_BYTES_MAX)
})

test('the page names no other origin', () => {
  const foreign = assets().flatMap((name) => {
    const text = readFileSync(join(PAGE.out, 'assets', name), 'utf8')
    const urls = text.match(/(?:https?:)?\/\/[\w-]+(?:\.[\w-]+)+[^\s"'`)]*/g) ?? []
    // These are names of markup namespaces, which are never requested.
    return urls.filter((url) => !/^http:\/\/www\.w3\.org\//.test(url))
  })
  expect(foreign).toEqual([])
  expect(html()).not.toMatch(/(?:href|src)="(?!\/)/)
})

test('without scripts the page says where else to read its data', () => {
  expect(html()).toMatch(/<noscript>[\s\S]*\/api\/stats[\s\S]*\/docs[\s\S]*<\/noscript>/)
  expect(html()).not.toMatch(/<style|style=|<script>|\son\w+=/)
})
