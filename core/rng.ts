/**
 * Counter-based random numbers: a pure hash of (seed, tick, purpose, ids). There is no generator to
 * advance, so adding a draw in one system cannot change another's luck, and the number of worker
 * threads cannot matter.
 */
const C1 = 0x85ebca6b
const C2 = 0xc2b2ae35

function mix(h: number): number {
  h ^= h >>> 16
  h = Math.imul(h, C1)
  h ^= h >>> 13
  h = Math.imul(h, C2)
  return h ^ (h >>> 16)
}

/** Returns a u32 from up to five integers (each taken modulo 2^32, its high part folded in). */
export function hash32(seed: number, a: number, b = 0, c = 0, d = 0): number {
  return hashLast(hashNext(hashPrefix(seed, a, b), c), fold(d))
}

/**
 * Computes `hash32` in steps, for loops that draw many numbers with the same first arguments:
 * `hashLast(hashNext(hashPrefix(seed, a, b), c), d)` is `hash32(seed, a, b, c, d)` for d < 2^32.
 */
export function hashPrefix(seed: number, a: number, b: number): number {
  let h = mix((seed ^ 0x9e3779b9) | 0)
  h = mix((h + Math.imul(fold(a), 0x27d4eb2f)) | 0)
  return mix((h + Math.imul(fold(b), 0x165667b1)) | 0)
}

/** Continues `hashPrefix`. */
export const hashNext = (prefix: number, c: number): number =>
  mix((prefix + Math.imul(fold(c), 0x9e3779b1)) | 0)

/** Completes `hashNext`. */
export const hashLast = (next: number, d: number): number =>
  mix((next + Math.imul(d, 0x85ebca77)) | 0) >>> 0

function fold(n: number): number {
  return n >= 0 && n <= 0xffffffff ? n | 0 : ((n % 0x100000000) ^ Math.floor(n / 0x100000000)) | 0
}

/**
 * Returns a u32 of a text: the purpose of a draw, or a content hash that need not resist attacks.
 * FNV-1a, then mixed.
 */
export function hashText(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    h ^= text.charCodeAt(i)
    h = Math.imul(h, 0x01000193)
  }
  return mix(h) >>> 0
}

/** Returns a draw from 0 to bound-1. Its bias is below bound/2^32. */
export function drawBelow(bound: number, random: number): number {
  return Math.floor((random * bound) / 0x100000000)
}

/**
 * Returns the rank of a player in a tick: mutations run in ascending order of it, ties by player
 * number (DESIGN 2). It differs every tick, so nobody is always first, and a faster connection
 * gains nothing.
 */
export function initiative(seed: number, tick: number, playerNumber: number): number {
  return hash32(seed, tick, INITIATIVE, playerNumber)
}

const INITIATIVE = hashText('initiative')
