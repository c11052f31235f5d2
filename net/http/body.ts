/**
 * Request bodies under way: one growing buffer each, bounded by size, by pace, by the time it takes
 * to be whole, and by what an address and all together may hold. A body that breaks a bound is
 * given up at once: its bytes are let go and nothing more of it is kept.
 * Source: RELIABILITY 5 (A1), DESIGN 5.
 */
import {
  BODY_BYTES_UNDER_WAY_MAX,
  BODY_BYTES_UNDER_WAY_PER_ADDRESS_MAX,
  BODY_CHUNK_BYTES_MIN,
  BODY_WHOLE_MS,
} from '../../core/limits.ts'

/** Why there is no body: its client is gone, or it broke the bound of that name. */
export type BodyRefusal = 'aborted' | 'too_large' | 'too_slow' | 'too_fast' | 'too_many'
export type Body = Buffer | BodyRefusal

/** What a body is held against; made from the head of its request. */
export interface BodyTerms {
  /** Key of the address it comes from. */
  readonly address: string
  /** Whose share of the bytes under way it takes: a login's, or that of an address. */
  readonly share: string
  /** Key of the pace it is sent at: a login, or the address of strangers; none without limits. */
  readonly pace: string | undefined
  readonly bytesMax: number
  /** Returns a larger bound, asked once with the first `bytesMax` when the body outgrows them. */
  larger?(read: string): number
  /** Counts bytes as they come in; false when their sender is over its pace. */
  charge(bytes: number): boolean
}

export interface Gathering {
  readonly terms: BodyTerms
  bytesMax: number
  buffer: Buffer
  bytes: number
  ageMs: number
  isSettled: boolean
  /** All of it has come in, whether it was kept or not. */
  isWhole: boolean
  readonly settle: (body: Body) => void
}

export interface Bodies {
  readonly underWay: Set<Gathering>
  /** Bytes that buffers hold, of all and by share. */
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

/** Begins to gather a body. */
export function gatherBody(
  bodies: Bodies,
  terms: BodyTerms,
): { readonly gather: Gathering; readonly body: Promise<Body> } {
  let settleBody!: (body: Body) => void
  const body = new Promise<Body>((resolve) => {
    settleBody = resolve
  })
  const gather: Gathering = {
    terms,
    bytesMax: terms.bytesMax,
    buffer: NOTHING,
    bytes: 0,
    ageMs: 0,
    isSettled: false,
    isWhole: false,
    settle: settleBody,
  }
  bodies.underWay.add(gather)
  return { gather, body }
}

function hold(bodies: Bodies, { terms: { share } }: Gathering, bytes: number): void {
  bodies.heldBytes += bytes
  const held = (bodies.heldByShare.get(share) ?? 0) + bytes
  if (held > 0) bodies.heldByShare.set(share, held)
  else bodies.heldByShare.delete(share)
}

/** Ends a body with all of its bytes or a refusal; its buffer no longer counts. */
export function settleBody(bodies: Bodies, gather: Gathering, body: Body): void {
  if (gather.isSettled) return
  gather.isSettled = true
  bodies.underWay.delete(gather)
  hold(bodies, gather, -gather.buffer.byteLength)
  gather.buffer = NOTHING
  gather.settle(body)
}

/** Gives up the body longest under way of the largest share; false when that is this one's. */
function giveUpLargest(bodies: Bodies, { terms: { share } }: Gathering): boolean {
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

/** Makes room for this many bytes; a refusal when their share of the memory is used up. */
function makeRoom(bodies: Bodies, gather: Gathering, bytes: number): BodyRefusal | undefined {
  const { buffer, bytesMax, terms } = gather
  if (bytes <= buffer.byteLength) return undefined
  const length = Math.min(bytesMax, Math.max(FIRST_BYTES, bytes, 2 * buffer.byteLength))
  const grown = length - buffer.byteLength
  const held = bodies.heldByShare.get(terms.share) ?? 0
  if (held + grown > BODY_BYTES_UNDER_WAY_PER_ADDRESS_MAX) return 'too_many'
  while (bodies.heldBytes + grown > BODY_BYTES_UNDER_WAY_MAX)
    if (!giveUpLargest(bodies, gather)) return 'too_many'
  const larger = Buffer.allocUnsafeSlow(length)
  buffer.copy(larger, 0, 0, gather.bytes)
  gather.buffer = larger
  hold(bodies, gather, grown)
  return undefined
}

/** Returns the first `bytesMax` bytes, the same however the body was cut. */
function beginningOf({ buffer, bytes, bytesMax }: Gathering, chunk: Uint8Array): string {
  const rest = Buffer.from(chunk.subarray(0, bytesMax - bytes))
  return buffer.toString('latin1', 0, bytes) + rest.toString('latin1')
}

function refusalOf(bodies: Bodies, gather: Gathering, chunk: Uint8Array): BodyRefusal | undefined {
  const { terms } = gather
  const bytes = gather.bytes + chunk.byteLength
  if (bytes > gather.bytesMax && gather.bytesMax === terms.bytesMax && terms.larger)
    gather.bytesMax = terms.larger(beginningOf(gather, chunk))
  return bytes > gather.bytesMax ? 'too_large' : makeRoom(bodies, gather, bytes)
}

/** Gives up all that are sent at the pace of this one, before more of them is read. */
function settlePace(bodies: Bodies, { terms: { pace } }: Gathering): void {
  for (const gather of bodies.underWay) {
    if (gather.terms.pace === pace) settleBody(bodies, gather, 'too_fast')
  }
}

/** Adds a chunk, which is only valid during the call: it is copied. */
export function addChunk(
  bodies: Bodies,
  gather: Gathering,
  chunk: Uint8Array,
  isLast: boolean,
): void {
  if (isLast) gather.isWhole = true
  if (chunk.byteLength > 0) {
    // A chunk costs a call however small it is, and whether it is kept or not.
    const isInPace = gather.terms.charge(Math.max(chunk.byteLength, BODY_CHUNK_BYTES_MIN))
    if (!isInPace) settlePace(bodies, gather)
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

/** Gives up bodies that are not whole in time. `elapsedMs` since the last look. */
export function sweepBodies(bodies: Bodies, elapsedMs: number): void {
  for (const gather of bodies.underWay) {
    gather.ageMs += elapsedMs
    if (gather.ageMs >= BODY_WHOLE_MS) settleBody(bodies, gather, 'too_slow')
  }
}
