/**
 * Keyed sections of the public frame: the value last sent for each key is remembered, so that only
 * changes are sent, and no more at once than a frame has room for.
 */
import { PUBLIC_SECTIONS_BYTES_MIN, PUBLIC_WHOLE_BYTES_MAX } from '../../core/limits.ts'
import type { DocPatches, DocSection, JsonOf, Patch, PublicDocs } from '../../core/public/frame.ts'

interface SectionState {
  /** The value sent last, or about to be sent, by key. */
  readonly known: Map<string, string>
  /** Keys to be sent, in the order in which they changed. */
  readonly pending: Set<string>
  /** Characters of what is known. */
  characters: number
  /**
   * Keys of a section too large to be sent whole: sent again in turn, after what has changed.
   * Undefined once all have been sent.
   */
  resend: Iterator<string> | undefined
  /** Keys that changed and were sent since `resend` began: it skips them. */
  readonly meanwhile: Set<string>
}

export interface Docs {
  /** Sets the value of a key, to be sent if it has changed. */
  update<S extends DocSection>(section: S, key: string, value: PublicDocs[S]): void
  /** Removes a key, which is sent as gone. */
  forget(section: DocSection, key: string): void
  /**
   * Takes the patches to be sent, up to about `bytes`; for a full frame everything, while there
   * is room.
   */
  take(isFull: boolean, bytes?: number): DocPatches
}

/** Bytes that a key and its text take besides their characters. */
const ENTRY_BYTES = 8

/** The sections, in the order in which they are sent. */
const SECTIONS: readonly DocSection[] = [
  'stations',
  'factions',
  'factionRecords',
  'players',
  'playerRecords',
  'boards',
  'world',
]

/** The bytes that are left in a frame. */
interface Room {
  bytes: number
}

/** Yields pending keys, then those sent again. */
function* keysOf(state: SectionState): Generator<string> {
  const { pending, meanwhile, resend } = state
  for (const key of pending) {
    pending.delete(key)
    if (resend) meanwhile.add(key)
    yield key
  }
  if (!resend) return
  for (let next = resend.next(); !next.done; next = resend.next()) {
    if (!meanwhile.delete(next.value)) yield next.value
  }
  meanwhile.clear()
  state.resend = undefined
}

/** Takes pending keys, then those sent again, while there is room; at least one. */
function takePending(state: SectionState, left: Room): Patch<never> | undefined {
  const set: (readonly [string, JsonOf<never>])[] = []
  const gone: string[] = []
  const keys = keysOf(state)
  while (left.bytes >= 0 || set.length + gone.length === 0) {
    const { done, value: key } = keys.next()
    if (done) break
    const text = state.known.get(key)
    left.bytes -= key.length + (text?.length ?? 0) + ENTRY_BYTES
    if (text === undefined) gone.push(key)
    else set.push([key, text])
  }
  return set.length + gone.length === 0 ? undefined : { isWhole: false, set, gone }
}

/**
 * Takes all of a section if it fits into the room left; else what is pending, and the rest in
 * turn: readers may have missed any of it.
 */
function takeWhole(state: SectionState, left: Room): Patch<never> | undefined {
  const { pending, meanwhile, known, characters: bytes } = state
  meanwhile.clear()
  if (bytes > left.bytes) {
    state.resend = known.keys()
    return takePending(state, { bytes: PUBLIC_SECTIONS_BYTES_MIN })
  }
  left.bytes -= bytes
  pending.clear()
  state.resend = undefined
  return { isWhole: true, set: [...known], gone: [] }
}

/** Creates the store of keyed sections, with nothing in it. */
export function createDocs(): Docs {
  const sections = new Map<DocSection, SectionState>(
    SECTIONS.map((section) => [
      section,
      {
        known: new Map(),
        pending: new Set(),
        characters: 0,
        resend: undefined,
        meanwhile: new Set(),
      },
    ]),
  )
  const sectionOf = (section: DocSection): SectionState => sections.get(section) as SectionState
  return {
    update(section, key, value) {
      const state = sectionOf(section)
      const text = JSON.stringify(value)
      const before = state.known.get(key)
      if (before === text) return
      state.characters += text.length - (before === undefined ? -key.length : before.length)
      state.known.set(key, text)
      state.pending.add(key)
    },
    forget(section, key) {
      const state = sectionOf(section)
      const before = state.known.get(key)
      if (before === undefined) return
      state.characters -= key.length + before.length
      state.known.delete(key)
      state.pending.add(key)
    },
    take(isFull, bytes = PUBLIC_SECTIONS_BYTES_MIN) {
      const patches: Partial<Record<DocSection, Patch<never>>> = {}
      const left = { bytes: isFull ? PUBLIC_WHOLE_BYTES_MAX : bytes }
      for (const section of SECTIONS) {
        const state = sectionOf(section)
        const patch = isFull ? takeWhole(state, left) : takePending(state, left)
        if (patch) patches[section] = patch
      }
      return patches
    },
  }
}
