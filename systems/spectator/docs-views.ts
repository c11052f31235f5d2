/**
 * Keyed sections of the public frame: what was told of each key is remembered, so that only what
 * has changed is told again, and no more at once than a frame has room for.
 */
import { PUBLIC_SECTIONS_BYTES_MIN, PUBLIC_WHOLE_BYTES_MAX } from '../../core/limits.ts'
import type { DocPatches, DocSection, Patch, PublicDocs, Told } from '../../core/public/frame.ts'

interface Teller {
  /** What was told last, by key, or is about to be. */
  readonly known: Map<string, string>
  /** Keys to be told, in the order in which they changed. */
  readonly pending: Set<string>
  /** Characters of what is known. */
  characters: number
  /**
   * Keys of a section too large to be told whole: told again in turn, after what has changed, but
   * for those told meanwhile. Absent: all have been.
   */
  again: Iterator<string> | undefined
  readonly meanwhile: Set<string>
}

export interface Docs {
  tell<S extends DocSection>(section: S, key: string, value: PublicDocs[S]): void
  forget(section: DocSection, key: string): void
  /**
   * Takes what is to be told, up to about so many bytes; of a full frame everything, where it has
   * room.
   */
  take(isFull: boolean, bytes?: number): DocPatches
}

/** What a key and its text take beside their characters. */
const ENTRY_BYTES = 8

/** In the order in which they are told. */
const SECTIONS: readonly DocSection[] = [
  'stations',
  'factions',
  'factionRecords',
  'players',
  'playerRecords',
  'boards',
  'world',
]

interface Room {
  bytes: number
}

/** Goes through pending keys, then those told again, as long as somebody asks. */
function* keysOf(teller: Teller): Generator<string> {
  const { pending, meanwhile, again } = teller
  for (const key of pending) {
    pending.delete(key)
    if (again) meanwhile.add(key)
    yield key
  }
  if (!again) return
  for (let next = again.next(); !next.done; next = again.next()) {
    if (!meanwhile.delete(next.value)) yield next.value
  }
  meanwhile.clear()
  teller.again = undefined
}

/** Takes pending keys, then those told again, while there is room; at least one. */
function takePending(teller: Teller, left: Room): Patch<never> | undefined {
  const set: (readonly [string, Told<never>])[] = []
  const gone: string[] = []
  const keys = keysOf(teller)
  while (left.bytes >= 0 || set.length + gone.length === 0) {
    const { done, value: key } = keys.next()
    if (done) break
    const text = teller.known.get(key)
    left.bytes -= key.length + (text?.length ?? 0) + ENTRY_BYTES
    if (text === undefined) gone.push(key)
    else set.push([key, text])
  }
  return set.length + gone.length === 0 ? undefined : { isWhole: false, set, gone }
}

/**
 * Takes all of a section where the room that is left has place for it; else what is pending, and
 * the rest in turn: who reads may have missed any of it.
 */
function takeWhole(teller: Teller, left: Room): Patch<never> | undefined {
  const { pending, meanwhile, known, characters: bytes } = teller
  meanwhile.clear()
  if (bytes > left.bytes) {
    teller.again = known.keys()
    return takePending(teller, { bytes: PUBLIC_SECTIONS_BYTES_MIN })
  }
  left.bytes -= bytes
  pending.clear()
  teller.again = undefined
  return { isWhole: true, set: [...known], gone: [] }
}

export function createDocs(): Docs {
  const tellers = new Map<DocSection, Teller>(
    SECTIONS.map((section) => [
      section,
      {
        ...{ known: new Map(), pending: new Set(), characters: 0 },
        ...{ again: undefined, meanwhile: new Set() },
      },
    ]),
  )
  const tellerOf = (section: DocSection): Teller => tellers.get(section) as Teller
  return {
    tell(section, key, value) {
      const teller = tellerOf(section)
      const text = JSON.stringify(value)
      const before = teller.known.get(key)
      if (before === text) return
      teller.characters += text.length - (before === undefined ? -key.length : before.length)
      teller.known.set(key, text)
      teller.pending.add(key)
    },
    forget(section, key) {
      const teller = tellerOf(section)
      const before = teller.known.get(key)
      if (before === undefined) return
      teller.characters -= key.length + before.length
      teller.known.delete(key)
      teller.pending.add(key)
    },
    take(isFull, bytes = PUBLIC_SECTIONS_BYTES_MIN) {
      const patches: Partial<Record<DocSection, Patch<never>>> = {}
      const left = { bytes: isFull ? PUBLIC_WHOLE_BYTES_MAX : bytes }
      for (const section of SECTIONS) {
        const teller = tellerOf(section)
        const patch = isFull ? takeWhole(teller, left) : takePending(teller, left)
        if (patch) patches[section] = patch
      }
      return patches
    },
  }
}
