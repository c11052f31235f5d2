/** Requests as the native HTTP library hands them over: their headers and bodies. */
import { describe, expect, test } from 'vitest'
import { type BodyTerms, createBodies } from '../../../net/http/body.ts'
import {
  type Door,
  type Exchange,
  headersOf,
  type NativeResponse,
  type RequestHead,
  serveNative,
} from '../../../net/http/exchange.ts'

test('a header sent twice is joined into one list, so that neither line hides the other', () => {
  const lines = [
    ['x-forwarded-for', '6.6.6.6'],
    ['host', 'a'],
    ['x-forwarded-for', '1.1.1.1'],
  ]
  const headers = headersOf({
    forEach: (handler) => {
      for (const [name, value] of lines) handler(name, value)
    },
  })
  expect([...headers]).toEqual([
    ['x-forwarded-for', '6.6.6.6, 1.1.1.1'],
    ['host', 'a'],
  ])
})

describe('the body of a request', () => {
  const HEAD: RequestHead = {
    method: 'POST',
    path: '/',
    query: new URLSearchParams(),
    remote: '',
    requestId: 'a',
    header: (name) => (name === 'transfer-encoding' ? 'chunked' : ''),
  }

  /** Returns whether the body of a request that `serve` handles is read. */
  function isRead(serve: (exchange: Exchange) => void): boolean {
    let isListening = false
    const ignore = (): void => undefined
    const res = {
      onAborted: ignore,
      cork: (send: () => void) => send(),
      writeStatus: ignore,
      writeHeader: ignore,
      end: ignore,
      close: ignore,
      onData: () => {
        isListening = true
      },
    } as unknown as NativeResponse
    const bodyTerms = (): BodyTerms => ({
      address: 'a',
      share: 'a',
      pace: 'a',
      bytesMax: 1,
      charge: () => true,
    })
    const door = { bodies: createBodies(), bodyTerms } as unknown as Door
    serveNative({ res, head: HEAD, door }, serve)
    return isListening
  }

  test('is not read once the request has been answered', () => {
    // A client beyond its limit could otherwise cost a call for each byte that it sends.
    expect(isRead((exchange) => exchange.respond(429, {}, 'later'))).toBe(false)
    expect(isRead(() => undefined)).toBe(true)
  })
})
