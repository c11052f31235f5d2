/** Bodies under way: one growing buffer each, bounded in every direction. */
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

function terms(more: Partial<BodyTerms> = {}): BodyTerms {
  return { address: 'a', share: 'a', pace: 'a', bytesMax: 16 * KIB, charge: () => true, ...more }
}

/** Feeds chunks to a body; undefined while it is not settled. */
function feed(bodies: Bodies, given: BodyTerms, chunks: readonly string[], isEnded = true) {
  const { gather, body } = gatherBody(bodies, given)
  const results: { body?: Body } = {}
  void body.then((settled) => {
    results.body = settled
  })
  for (const chunk of chunks) addChunk(bodies, gather, Buffer.from(chunk), false)
  if (isEnded) addChunk(bodies, gather, Buffer.alloc(0), true)
  return results
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a body', () => {
  test('is what came, whole, however it was cut', async () => {
    const bodies = createBodies()
    const text = 'x'.repeat(5_000)
    const results = [feed(bodies, terms(), [text]), feed(bodies, terms(), [...text])]
    const empty = feed(bodies, terms(), [])
    await settled()
    expect(results.map(({ body }) => String(body))).toEqual([text, text])
    expect(String(empty.body)).toBe('')
    expect([bodies.heldBytes, bodies.heldByShare.size, bodies.underWay.size]).toEqual([0, 0, 0])
  })

  test('holds no more than twice what has come, in one buffer', () => {
    const bodies = createBodies()
    feed(bodies, terms(), Array(5_000).fill('x'), false)
    expect(bodies.heldBytes).toBe(8 * KIB)
  })

  test('is refused beyond its bound, to the byte, and lets go of what it held', async () => {
    const bodies = createBodies()
    const whole = feed(bodies, terms(), ['x'.repeat(16 * KIB)])
    const large = feed(bodies, terms(), ['x'.repeat(16 * KIB), 'x'], false)
    await settled()
    expect((whole.body as Buffer).byteLength).toBe(16 * KIB)
    expect(large.body).toBe('too_large')
    expect(bodies.heldBytes).toBe(0)
  })

  test('may turn out to be that of a player by its first bytes, checked once', async () => {
    const bodies = createBodies()
    const asked: number[] = []
    const larger = (read: string): number => {
      asked.push(read.length)
      return read.startsWith('{"session_id"') ? 64 * KIB : 16 * KIB
    }
    const chunk = 'x'.repeat(4 * KIB)
    const known = feed(bodies, terms({ larger }), ['{"session_id"', ...Array(12).fill(chunk)])
    const atOnce = feed(bodies, terms({ larger }), [`{"session_id"${chunk.repeat(12)}`])
    const unknown = feed(bodies, terms({ larger }), Array(12).fill(chunk))
    await settled()
    for (const { body } of [known, atOnce]) expect((body as Buffer).byteLength).toBe(48 * KIB + 13)
    expect(unknown.body).toBe('too_large')
    expect(asked).toEqual([16 * KIB, 16 * KIB, 16 * KIB])
  })

  test('counts each chunk for at least so much, and is refused beyond the pace', async () => {
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

  test('counts bytes after a refusal, which cost as much', async () => {
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

  test('beyond the rate affects all exchanges of that rate, and no others', async () => {
    const bodies = createBodies()
    const own = feed(bodies, terms(), ['x'], false)
    const other = feed(bodies, terms({ pace: 'b' }), ['x'], false)
    feed(bodies, terms({ charge: () => false }), ['x'], false)
    await settled()
    expect([own.body, other.body]).toEqual(['too_fast', undefined])
  })

  test('is given up when it is not whole in time', async () => {
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

  test('takes from the share of its address, and addresses share the total', async () => {
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
