/**
 * A load run against a server and a database of its own, as the README starts it: TICK_MS=1000,
 * LIMITS=off. Everything after it goes to load.ts: `node dist/bench/load-alone.js --minutes 3`.
 */
import { spawn } from 'node:child_process'
import { embeddedDatabase } from '../test/databases.ts'
import { startChild } from '../test/servers.ts'

const LOAD = new URL('./load.js', import.meta.url).pathname

const database = await embeddedDatabase()
const server = await startChild({
  DATABASE_URL: database.url,
  DATABASE_SCHEMA: database.schema(),
  TICK_MS: '1000',
  LIMITS: 'off',
})
const args = [LOAD, ...process.argv.slice(2), '--url', server.url]
const load = spawn(process.execPath, args, { stdio: 'inherit' })
const code = await new Promise<number>((resolve) => {
  load.once('close', (ended) => resolve(ended ?? 1))
})
server.process.kill('SIGTERM')
const stopped = await server.ended
if (stopped !== 0) console.log(`the server ended with ${stopped}: ${server.log().slice(-2_000)}`)
await database.close()
process.exit(code === 0 && stopped === 0 ? 0 : 1)
