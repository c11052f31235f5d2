/** Waiting for a database that does not answer: the log and the final error. */
import { expect, test } from 'vitest'
import { waitForDatabase } from '../../../storage/db.ts'

/** No server listens on port 1. */
const NOWHERE = { url: 'postgres://someone:secret@127.0.0.1:1/world', schema: 'orrery' }

/** Returns the message of the error with which waiting ends. */
const messageOf = (options: object): Promise<string> =>
  waitForDatabase(NOWHERE, { timeoutMs: 0, ...options }).then(
    () => '',
    (error: Error) => error.message,
  )

test('the error names the setting that named the database, without its password', async () => {
  expect(await messageOf({})).toMatch(
    /at 127\.0\.0\.1:1\/world .*correct DATABASE_URL, or leave that/,
  )
  const message = await messageOf({ namedBy: '--to' })
  expect(message).toMatch(/^no database at 127\.0\.0\.1:1\/world .*: start it, or correct --to$/)
  expect(message).not.toContain('secret')
})

test('a wait of several seconds is logged once', async () => {
  const log: string[] = []
  await messageOf({ timeoutMs: 3_500, log: (text: string) => void log.push(text) })
  expect(log).toEqual([expect.stringMatching(/^waiting for the database at 127\.0\.0\.1:1/)])
})
