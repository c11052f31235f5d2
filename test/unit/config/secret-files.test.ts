/** Secrets read from files, which settings named `NAME_FILE` name. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadConfig, readSettings, SETTINGS } from '../../../config.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileWith(name: string, content: string): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

const URL_OF_DATABASE = 'postgres://orrery:word@db/orrery'
const SECRETS = SETTINGS.filter(({ secret }) => secret).map(({ name }) => name)

describe('a file of a secret', () => {
  it('is named by the environment or a flag, and loses the newline at its end', () => {
    const url = fileWith('url', `${URL_OF_DATABASE}\n`)
    const token = fileWith('token', ' a b \r\n')
    const config = loadConfig({ DATABASE_URL_FILE: url }, ['--metrics-token-file', token])
    expect(config).toMatchObject({ databaseUrl: URL_OF_DATABASE, metricsToken: ' a b ' })
  })

  it('can be given for every secret setting', () => {
    expect(SECRETS).toEqual(['DATABASE_URL', 'BUS_URL', 'METRICS_TOKEN'])
    for (const name of SECRETS) {
      const value = name === 'BUS_URL' ? 'nats://orrery:a@bus:4222' : URL_OF_DATABASE
      const file = fileWith(`every ${name}`, value)
      expect(readSettings({ [`${name}_FILE`]: file }, []).get(name)).toBe(value)
    }
  })

  it('counts as absent if its name is empty, as an empty secret does', () => {
    const url = fileWith('beside-empty', URL_OF_DATABASE)
    expect(loadConfig({ DATABASE_URL: '', DATABASE_URL_FILE: url }, []).databaseUrl).toBe(
      URL_OF_DATABASE,
    )
    expect(loadConfig({ METRICS_TOKEN: 'abc', METRICS_TOKEN_FILE: '' }, []).metricsToken).toBe(
      'abc',
    )
  })
})

describe('a secret file that cannot be used is reported in a sentence', () => {
  const refusalOf = (env: Record<string, string>, args: string[] = []): string => {
    try {
      loadConfig(env, args)
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}`
    }
    throw new Error('nothing was refused')
  }

  it('when the secret is given too, in the environment or by a flag', () => {
    const message =
      'ConfigError: METRICS_TOKEN and METRICS_TOKEN_FILE are both given: leave one of them out.'
    const file = fileWith('both', 'abc')
    expect(refusalOf({ METRICS_TOKEN: 'abc', METRICS_TOKEN_FILE: file })).toBe(message)
    expect(refusalOf({ METRICS_TOKEN_FILE: file }, ['--metrics-token', 'abc'])).toBe(message)
  })

  it('when it is missing, or a folder', () => {
    const missing = join(folder, 'missing')
    expect(refusalOf({ METRICS_TOKEN_FILE: missing })).toBe(
      `ConfigError: METRICS_TOKEN_FILE cannot be used. ${missing}: there is no such file or folder. Check the path.`,
    )
    expect(refusalOf({ METRICS_TOKEN_FILE: folder })).toContain(
      `${folder}: it is a folder, not a file.`,
    )
  })

  it.each(['', '\n', ' \n'])('when it is empty: %j', (content) => {
    const file = fileWith('empty', content)
    expect(refusalOf({ DATABASE_URL_FILE: file })).toBe(
      `ConfigError: DATABASE_URL_FILE=${file} is an empty file.`,
    )
  })

  it('when its content is refused, without showing it', () => {
    const file = fileWith('bad', 'no url\n')
    expect(refusalOf({ DATABASE_URL_FILE: file })).toBe(
      'ConfigError: DATABASE_URL cannot be used: it must be a URL, or absent.',
    )
  })
})
