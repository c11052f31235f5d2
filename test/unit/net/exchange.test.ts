/** Requests of the native library. */
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

test('a header sent twice is one list, so that no line hides another', () => {
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

describe('a body that comes with an answer', () => {
  const HEAD: RequestHead = {
    method: 'POST',
    path: '/',
    query: new URLSearchParams(),
    remote: '',
    requestId: 'a',
    header: (name) => (name === 'transfer-encoding' ? 'chunked' : ''),
  }

  /** Returns whether the body of a request that is served like this is read. */
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

  test('is not read once the limit is used up: each byte of it may cost a call', () => {
    expect(isRead((exchange) => exchange.respond(429, {}, 'later'))).toBe(false)
    expect(isRead(() => undefined)).toBe(true)
  })
})
