/** Waiting for a database that does not answer: what is said meanwhile, and at the end. */
import { expect, test } from 'vitest'
import { waitForDatabase } from '../../../storage/db.ts'

/** Nothing listens there. */
const NOWHERE = { url: 'postgres://someone:secret@127.0.0.1:1/world', schema: 'orrery' }

const said = (options: object): Promise<string> =>
  waitForDatabase(NOWHERE, { timeoutMs: 0, ...options }).then(
    () => '',
    (error: Error) => error.message,
  )

test('what is to be corrected is what named the database', async () => {
  expect(await said({})).toMatch(/at 127\.0\.0\.1:1\/world .*correct DATABASE_URL, or leave that/)
  const other = await said({ namedBy: '--to' })
  expect(other).toMatch(/^no database at 127\.0\.0\.1:1\/world .*: start it, or correct --to$/)
  expect(other).not.toContain('secret')
})

test('one that does not answer soon is told of once', async () => {
  const log: string[] = []
  await said({ timeoutMs: 3_500, log: (text: string) => void log.push(text) })
  expect(log).toEqual([expect.stringMatching(/^waiting for the database at 127\.0\.0\.1:1/)])
})
