/**
 * POST over keep-alive connections with node:http: in a load of thousands of requests, fetch and
 * its streams would take a third of the time of this client.
 */
import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface Posted {
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const agent = new Agent({ keepAlive: true })

/** Sends a JSON body; rejects if the connection ends before the answer. */
export function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const all = { 'content-type': 'application/json', ...headers }
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request(url, { method: 'POST', agent, headers: { ...all, ...length } })
    sent.once('error', reject)
    sent.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () =>
        resolve({ headers: response.headers, text: Buffer.concat(chunks).toString() }),
      )
    })
    sent.end(body)
  })
}
