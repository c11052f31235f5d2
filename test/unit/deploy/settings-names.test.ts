/** Files in deploy/ set only settings that exist, and start the launcher of the package. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig, SETTINGS } from '../../../config.ts'
import { BLOCKED_REQUEST_MS } from '../../../core/limits.ts'

const read = (file: string): string => readFileSync(`deploy/${file}`, 'utf8')
/** Settings of Node and of the image of PostgreSQL. */
const FOREIGN = /^(NODE_ENV|POSTGRES_\w+)$/
const known = new Set(SETTINGS.map(({ name }) => name))

test.each([
  ['Dockerfile', /\b([A-Z_]+)=/g],
  ['orrery.service', /(?<=^#?Environment=.*)\b([A-Z_]+)=/gm],
  ['compose.yaml', /^ {6}([A-Z_]+):/gm],
  ['compose.cluster.yaml', /^ {6}([A-Z_]+):/gm],
])('%s sets only settings that exist', (file, setting) => {
  const names = [...read(file).matchAll(setting)].map(([, name]) => name)
  const ours = names.filter((name) => !FOREIGN.test(name))
  expect(ours.length).toBeGreaterThan(0)
  expect(ours.filter((name) => !known.has(name))).toEqual([])
})

/** Returns the environments of services, by the names of settings. */
const environmentsIn = (text: string): Record<string, string>[] =>
  [...text.matchAll(/^ {4}environment:.*\n((?: {6}.*\n)+)/gm)].map(([, lines]) =>
    Object.fromEntries(
      [...lines.matchAll(/^ {6}([A-Z_]+): "?([^"\n]*)"?$/gm)].map(([, name, value]) => [
        name,
        value,
      ]),
    ),
  )

test('processes of compose.cluster.yaml start with the values set there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-secrets-'))
  const secret = (value: string, path: string): string => {
    const file = join(folder, path.replaceAll('/', '_'))
    writeFileSync(file, `${value}\n`)
    return file
  }
  const values: Record<string, string> = {
    DATABASE_URL_FILE: 'postgres://orrery:a@database/orrery',
    BUS_URL_FILE: 'nats://orrery:b@bus:4222',
    METRICS_TOKEN_FILE: 'c'.repeat(48),
  }
  try {
    const nodes = environmentsIn(read('compose.cluster.yaml')).filter(({ ROLE }) => ROLE)
    const configs = nodes.map((node) => {
      const settings = Object.entries(node).map(([name, value]) => [
        name,
        name.endsWith('_FILE') ? secret(values[name], value) : value,
      ])
      return loadConfig(Object.fromEntries(settings), [])
    })
    // The two gateways share one environment.
    expect(configs.map(({ role }) => role)).toEqual(['standby', 'standby', 'gateway'])
    for (const { busUrl, databaseUrl } of configs) {
      expect([busUrl, databaseUrl]).toEqual([values.BUS_URL_FILE, values.DATABASE_URL_FILE])
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the balancer waits longer than a gateway holds a mutation open', () => {
  const text = read('compose.cluster.yaml')
  const seconds = [...text.matchAll(/timeout (?:client|server) (\d+)s$/gm)].map(([, s]) =>
    Number(s),
  )
  expect(seconds.length).toBe(2)
  for (const s of seconds) expect(s * 1_000).toBeGreaterThan(BLOCKED_REQUEST_MS)
})

test('the balancer checks readiness by HTTP/1.1', () => {
  const text = read('compose.cluster.yaml')
  expect(text).toMatch(/^ +option httpchk$/m)
  expect(text).toMatch(/http-check send meth GET uri \/readyz ver HTTP\/1\.1 hdr Host \w+$/m)
})

test('the image and the unit start the launcher of the package', () => {
  expect(existsSync('bin/orrery.mjs')).toBe(true)
  expect(read('Dockerfile')).toContain('"bin/orrery.mjs"]\nCMD ["start"]')
  expect(read('orrery.service')).toMatch(
    /^ExecStart=.* node_modules\/orrery\/bin\/orrery.mjs start$/m,
  )
})

test.each(['compose.yaml', 'compose.cluster.yaml'])(
  'every secret of %s is declared, and kept out of image and repository',
  (file) => {
    const [services, declared] = read(file).split(/^secrets:$/m)
    const used = [...services.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, name]) => name)
    const files = [...declared.matchAll(/^ {2}(\w+):\n {4}file: \.\/secrets\/(\w+)$/gm)]
    expect(files.map(([, name]) => name).toSorted()).toEqual([...new Set(used)].toSorted())
    for (const [, name, from] of files) expect(from).toBe(name)
    expect(readFileSync('.gitignore', 'utf8').split('\n')).toContain('deploy/secrets/')
    expect(readFileSync('.dockerignore', 'utf8').split('\n')).toContain('deploy')
  },
)
