/**
 * Request bodies being received: one growing buffer each, limited in size, rate, duration, and
 * memory per address and in total. A body that exceeds a limit is abandoned at once: its bytes are
 * freed and the rest is discarded. Source: RELIABILITY 5 (A1), DESIGN 5.
 */
import {
  BODY_BYTES_UNDER_WAY_MAX,
  BODY_BYTES_UNDER_WAY_PER_ADDRESS_MAX,
  BODY_CHUNK_BYTES_MIN,
  BODY_WHOLE_MS,
} from '../../core/limits.ts'

/** Why there is no body: its client is gone, or it exceeded the limit of that name. */
export type BodyRefusal = 'aborted' | 'too_large' | 'too_slow' | 'too_fast' | 'too_many'
export type Body = Buffer | BodyRefusal

/** Limits of a body, derived from the head of its request. */
export interface BodyTerms {
  /** Key of the client's address. */
  readonly address: string
  /** Key of the memory share it counts against: a login or an address. */
  readonly share: string
  /**
   * Key of the byte rate limit it counts against: a login or an address; undefined without limits.
   */
  readonly pace: string | undefined
  readonly bytesMax: number
  /**
   * Returns a larger limit; called once with the first `bytesMax` bytes when the body exceeds them.
   */
  larger?(read: string): number
  /** Counts received bytes; returns false if the sender exceeds its rate limit. */
  charge(bytes: number): boolean
}

/** A body that is being received. */
export interface Gathering {
  readonly terms: BodyTerms
  bytesMax: number
  buffer: Buffer
  bytes: number
  ageMs: number
  isSettled: boolean
  /** True once the whole body has been received, whether kept or discarded. */
  isWhole: boolean
  readonly settle: (body: Body) => void
}

/** All bodies that are being received. */
export interface Bodies {
  readonly underWay: Set<Gathering>
  /** Bytes of all buffers, in total and by share. */
  heldBytes: number
  readonly heldByShare: Map<string, number>
}

export const createBodies = (): Bodies => ({
  underWay: new Set(),
  heldBytes: 0,
  heldByShare: new Map(),
})

const NOTHING = Buffer.alloc(0)
const FIRST_BYTES = 1024

/** Starts to receive a body. */
export function gatherBody(
  bodies: Bodies,
  terms: BodyTerms,
): { readonly gather: Gathering; readonly body: Promise<Body> } {
  let settle!: (body: Body) => void
  const body = new Promise<Body>((resolve) => {
    settle = resolve
  })
  const gather: Gathering = {
    terms,
    bytesMax: terms.bytesMax,
    buffer: NOTHING,
    bytes: 0,
    ageMs: 0,
    isSettled: false,
    isWhole: false,
    settle,
  }
  bodies.underWay.add(gather)
  return { gather, body }
}

function addHeldBytes(bodies: Bodies, { terms: { share } }: Gathering, bytes: number): void {
  bodies.heldBytes += bytes
  const held = (bodies.heldByShare.get(share) ?? 0) + bytes
  if (held > 0) bodies.heldByShare.set(share, held)
  else bodies.heldByShare.delete(share)
}

/** Resolves a body with its bytes or a refusal and releases its buffer. */
export function settleBody(bodies: Bodies, gather: Gathering, body: Body): void {
  if (gather.isSettled) return
  gather.isSettled = true
  bodies.underWay.delete(gather)
  addHeldBytes(bodies, gather, -gather.buffer.byteLength)
  gather.buffer = NOTHING
  gather.settle(body)
}

/**
 * Abandons the oldest body of the largest share; returns false if that is the share of this body.
 */
function abandonLargest(bodies: Bodies, { terms: { share } }: Gathering): boolean {
  let largest = share
  for (const [other, bytes] of bodies.heldByShare) {
    if (bytes > (bodies.heldByShare.get(largest) ?? 0)) largest = other
  }
  if (largest === share) return false
  for (const gather of bodies.underWay) {
    if (gather.terms.share !== largest || gather.buffer.byteLength === 0) continue
    settleBody(bodies, gather, 'too_many')
    return true
  }
  return false
}

/** Makes room for this many bytes; returns a refusal if the memory of the share is used up. */
function makeRoom(bodies: Bodies, gather: Gathering, bytes: number): BodyRefusal | undefined {
  const { buffer, bytesMax, terms } = gather
  if (bytes <= buffer.byteLength) return undefined
  const length = Math.min(bytesMax, Math.max(FIRST_BYTES, bytes, 2 * buffer.byteLength))
  const grown = length - buffer.byteLength
  const held = bodies.heldByShare.get(terms.share) ?? 0
  if (held + grown > BODY_BYTES_UNDER_WAY_PER_ADDRESS_MAX) return 'too_many'
  while (bodies.heldBytes + grown > BODY_BYTES_UNDER_WAY_MAX)
    if (!abandonLargest(bodies, gather)) return 'too_many'
  const larger = Buffer.allocUnsafeSlow(length)
  buffer.copy(larger, 0, 0, gather.bytes)
  gather.buffer = larger
  addHeldBytes(bodies, gather, grown)
  return undefined
}

/** Returns the first `bytesMax` bytes, independent of how the body was split into chunks. */
function firstBytes({ buffer, bytes, bytesMax }: Gathering, chunk: Uint8Array): string {
  const rest = Buffer.from(chunk.subarray(0, bytesMax - bytes))
  return buffer.toString('latin1', 0, bytes) + rest.toString('latin1')
}

function refusalOf(bodies: Bodies, gather: Gathering, chunk: Uint8Array): BodyRefusal | undefined {
  const { terms } = gather
  const bytes = gather.bytes + chunk.byteLength
  if (bytes > gather.bytesMax && gather.bytesMax === terms.bytesMax && terms.larger)
    gather.bytesMax = terms.larger(firstBytes(gather, chunk))
  return bytes > gather.bytesMax ? 'too_large' : makeRoom(bodies, gather, bytes)
}

/** Abandons all bodies under the same rate limit, before more of them is read. */
function settleAllOfRate(bodies: Bodies, { terms: { pace } }: Gathering): void {
  for (const gather of bodies.underWay) {
    if (gather.terms.pace === pace) settleBody(bodies, gather, 'too_fast')
  }
}

/** Adds a chunk; copies it, as it is only valid during the call. */
export function addChunk(
  bodies: Bodies,
  gather: Gathering,
  chunk: Uint8Array,
  isLast: boolean,
): void {
  if (isLast) gather.isWhole = true
  if (chunk.byteLength > 0) {
    // Even the smallest chunk costs a call, kept or not.
    const isInPace = gather.terms.charge(Math.max(chunk.byteLength, BODY_CHUNK_BYTES_MIN))
    if (!isInPace) settleAllOfRate(bodies, gather)
    if (gather.isSettled) return
    const refusal = refusalOf(bodies, gather, chunk)
    if (refusal) {
      settleBody(bodies, gather, refusal)
      return
    }
    gather.buffer.set(chunk, gather.bytes)
    gather.bytes += chunk.byteLength
  }
  if (isLast) settleBody(bodies, gather, gather.buffer.subarray(0, gather.bytes))
}

/** Abandons bodies that are not complete in time. `elapsedMs`: since the last sweep. */
export function sweepBodies(bodies: Bodies, elapsedMs: number): void {
  for (const gather of bodies.underWay) {
    gather.ageMs += elapsedMs
    if (gather.ageMs >= BODY_WHOLE_MS) settleBody(bodies, gather, 'too_slow')
  }
}
