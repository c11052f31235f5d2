/** Request bodies while they arrive: one growing buffer each, bounded in bytes, pace and time. */
import { describe, expect, test } from 'vitest'
import {
  BODY_BYTES_UNDER_WAY_MAX,
  BODY_BYTES_UNDER_WAY_PER_ADDRESS_MAX,
  BODY_CHUNK_BYTES_MIN,
  BODY_WHOLE_MS,
} from '../../../core/limits.ts'
import {
  addChunk,
  type Bodies,
  type Body,
  type BodyTerms,
  createBodies,
  gatherBody,
  sweepBodies,
} from '../../../net/http/body.ts'

const KIB = 1024

function terms(overrides: Partial<BodyTerms> = {}): BodyTerms {
  const defaults = { address: 'a', share: 'a', pace: 'a', bytesMax: 16 * KIB, charge: () => true }
  return { ...defaults, ...overrides }
}

/** Feeds chunks to a body. The result has no `body` until that is settled. */
function feed(bodies: Bodies, given: BodyTerms, chunks: readonly string[], isEnded = true) {
  const { gather, body } = gatherBody(bodies, given)
  const result: { body?: Body } = {}
  void body.then((settled) => {
    result.body = settled
  })
  for (const chunk of chunks) addChunk(bodies, gather, Buffer.from(chunk), false)
  if (isEnded) addChunk(bodies, gather, Buffer.alloc(0), true)
  return result
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a body', () => {
  test('holds all bytes received, however they are cut into chunks', async () => {
    const bodies = createBodies()
    const text = 'x'.repeat(5_000)
    const results = [feed(bodies, terms(), [text]), feed(bodies, terms(), [...text])]
    const empty = feed(bodies, terms(), [])
    await settled()
    expect(results.map(({ body }) => String(body))).toEqual([text, text])
    expect(String(empty.body)).toBe('')
    expect([bodies.heldBytes, bodies.heldByShare.size, bodies.underWay.size]).toEqual([0, 0, 0])
  })

  test('takes at most twice the bytes received, in one buffer', () => {
    const bodies = createBodies()
    feed(bodies, terms(), Array(5_000).fill('x'), false)
    expect(bodies.heldBytes).toBe(8 * KIB)
  })

  test('is refused at one byte beyond its bound, and frees its buffer', async () => {
    const bodies = createBodies()
    const whole = feed(bodies, terms(), ['x'.repeat(16 * KIB)])
    const large = feed(bodies, terms(), ['x'.repeat(16 * KIB), 'x'], false)
    await settled()
    expect((whole.body as Buffer).byteLength).toBe(16 * KIB)
    expect(large.body).toBe('too_large')
    expect(bodies.heldBytes).toBe(0)
  })

  test('gets a larger bound if its first bytes name a session, checked once', async () => {
    const bodies = createBodies()
    const opening = '{"session_id"'
    const checked: number[] = []
    const larger = (read: string): number => {
      checked.push(read.length)
      return read.startsWith(opening) ? 64 * KIB : 16 * KIB
    }
    const chunk = 'x'.repeat(4 * KIB)
    const known = feed(bodies, terms({ larger }), [opening, ...Array(12).fill(chunk)])
    const atOnce = feed(bodies, terms({ larger }), [`${opening}${chunk.repeat(12)}`])
    const unknown = feed(bodies, terms({ larger }), Array(12).fill(chunk))
    await settled()
    for (const { body } of [known, atOnce])
      expect((body as Buffer).byteLength).toBe(48 * KIB + opening.length)
    expect(unknown.body).toBe('too_large')
    expect(checked).toEqual([16 * KIB, 16 * KIB, 16 * KIB])
  })

  test('is charged a minimum for each chunk, and refused beyond its pace', async () => {
    const charged: number[] = []
    const charge = (bytes: number): boolean => charged.push(bytes) < 4
    const results = feed(
      createBodies(),
      terms({ charge }),
      ['x', 'x'.repeat(1_000), 'x', 'x'],
      false,
    )
    await settled()
    expect(charged).toEqual([BODY_CHUNK_BYTES_MIN, 1_000, BODY_CHUNK_BYTES_MIN, 256])
    expect(results.body).toBe('too_fast')
  })

  test('is charged for the bytes that arrive after its refusal', async () => {
    const charged: number[] = []
    const charge = (bytes: number): boolean => charged.push(bytes) > 0
    const results = feed(
      createBodies(),
      terms({ charge, bytesMax: 1 }),
      ['x', 'x', 'x', 'x'],
      false,
    )
    await settled()
    expect(charged).toHaveLength(4)
    expect(results.body).toBe('too_large')
  })

  test('beyond its pace refuses all bodies of that pace, and no others', async () => {
    const bodies = createBodies()
    const own = feed(bodies, terms(), ['x'], false)
    const other = feed(bodies, terms({ pace: 'b' }), ['x'], false)
    feed(bodies, terms({ charge: () => false }), ['x'], false)
    await settled()
    expect([own.body, other.body]).toEqual(['too_fast', undefined])
  })

  test('is refused as too slow when it is not whole in time', async () => {
    const bodies = createBodies()
    const slow = feed(bodies, terms(), ['x'], false)
    sweepBodies(bodies, BODY_WHOLE_MS - 1)
    await settled()
    expect(slow.body).toBeUndefined()
    sweepBodies(bodies, 1)
    await settled()
    expect(slow.body).toBe('too_slow')
    expect(bodies.heldBytes).toBe(0)
  })

  test('uses up the share of its address, and all addresses share the total', async () => {
    const bodies = createBodies()
    const bytesMax = 512 * KIB
    const fill = (address: string) =>
      feed(bodies, terms({ share: address, bytesMax }), ['x'.repeat(bytesMax)], false)
    const perAddress = BODY_BYTES_UNDER_WAY_PER_ADDRESS_MAX / bytesMax
    const own = Array.from({ length: perAddress + 1 }, () => fill('a'))
    await settled()
    expect(own.map(({ body }) => body).filter(Boolean)).toEqual(['too_many'])
    const addresses = BODY_BYTES_UNDER_WAY_MAX / BODY_BYTES_UNDER_WAY_PER_ADDRESS_MAX
    for (let address = 1; address < addresses; address++)
      for (let i = 0; i < perAddress; i++) fill(`b${address}`)
    // The largest holder is cut off in favour of a small one.
    const last = fill('c')
    await settled()
    expect(last.body).toBeUndefined()
    expect(own.map(({ body }) => body).filter(Boolean)).toHaveLength(2)
    expect(bodies.heldBytes).toBe(BODY_BYTES_UNDER_WAY_MAX)
  })
})
