/** What a tool says when the running server does not give it the figures of its ticks. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { phasesOfServer } from '../../../cli/phases.ts'
import { slowTicksReport } from '../../../cli/slow-ticks.ts'
import { loadConfig } from '../../../config.ts'

/** Starts a server that answers everything with this status and an empty page. */
async function configOfServer(status: number) {
  const server = createServer((_, response) => response.writeHead(status).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return loadConfig({ HOST: '127.0.0.1', PORT: String(port) }, [], true)
}

test('a server that refuses is told from one that does not answer', async () => {
  const refusing = await configOfServer(401)
  const address = `127.0.0.1:${refusing.port}`
  const status = 'answers with status 401: give this tool its METRICS_TOKEN'
  const refused = `The server at ${address} ${status}.`
  expect(await phasesOfServer(refusing)).toBe(refused)
  await expect(slowTicksReport(refusing, 1)).rejects.toThrow(refused)
  expect(await phasesOfServer(await configOfServer(503))).toMatch(/answers with status 503\.$/)
  const silent = loadConfig({ HOST: '127.0.0.1', PORT: '1' }, [], true)
  expect(await phasesOfServer(silent)).toMatch(/^No server answers at 127\.0\.0\.1:1: .*PORT\.$/)
})

test('a server without a tick is told from one that does not answer', async () => {
  expect(await phasesOfServer(await configOfServer(200))).toMatch(/^No tick has run/)
})
