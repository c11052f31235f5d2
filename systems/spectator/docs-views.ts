/**
 * Keyed sections of the public frame: what was told of each key is remembered, so that only what
 * has changed is told again, and no more at once than a frame has room for.
 */
import { PUBLIC_SECTION_BYTES_MAX, PUBLIC_WHOLE_BYTES_MAX } from '../../core/limits.ts'
import type { DocPatches, DocSection, Patch, PublicDocs, Told } from '../../core/public/frame.ts'

interface Teller {
  /** What was told last, by key, or is about to be. */
  readonly known: Map<string, string>
  /** Keys to be told, in the order in which they changed. */
  readonly pending: Set<string>
  /** Keys of a section too large to be told whole: told again in turn, after what has changed. */
  readonly again: Set<string>
}

export interface Docs {
  tell<S extends DocSection>(section: S, key: string, value: PublicDocs[S]): void
  forget(section: DocSection, key: string): void
  /** Takes what is to be told; of a full frame everything, where it has room. */
  take(isFull: boolean): DocPatches
}

const SECTIONS: readonly DocSection[] = [
  'stations',
  'factions',
  'factionRecords',
  'players',
  'playerRecords',
  'boards',
  'world',
]

const bytesOf = (known: ReadonlyMap<string, string>): number => {
  let bytes = 0
  for (const [key, text] of known) bytes += key.length + text.length
  return bytes
}

/** Takes pending keys, then those told again, up to the room of a section; at least one. */
function takePending({ known, pending, again }: Teller): Patch<never> | undefined {
  if (pending.size + again.size === 0) return undefined
  const set: (readonly [string, Told<never>])[] = []
  const gone: string[] = []
  let room = PUBLIC_SECTION_BYTES_MAX
  for (const keys of [pending, again]) {
    for (const key of keys) {
      const text = known.get(key)
      room -= key.length + (text?.length ?? 0)
      if (room < 0 && set.length + gone.length > 0) break
      if (text === undefined) gone.push(key)
      else set.push([key, text])
      pending.delete(key)
      again.delete(key)
    }
  }
  return { isWhole: false, set, gone }
}

/**
 * Takes all of a section where the room that is left has place for it; else what is pending, and
 * the rest in turn: who reads may have missed any of it.
 */
function takeWhole(teller: Teller, left: { bytes: number }): Patch<never> | undefined {
  const bytes = bytesOf(teller.known)
  if (bytes > left.bytes) {
    for (const key of teller.known.keys()) teller.again.add(key)
    return takePending(teller)
  }
  left.bytes -= bytes
  teller.pending.clear()
  teller.again.clear()
  return { isWhole: true, set: [...teller.known], gone: [] }
}

export function createDocs(): Docs {
  const tellers = new Map<DocSection, Teller>(
    SECTIONS.map((section) => [
      section,
      { known: new Map(), pending: new Set(), again: new Set() },
    ]),
  )
  const tellerOf = (section: DocSection): Teller => tellers.get(section) as Teller
  return {
    tell(section, key, value) {
      const { known, pending } = tellerOf(section)
      const text = JSON.stringify(value)
      if (known.get(key) === text) return
      known.set(key, text)
      pending.add(key)
    },
    forget(section, key) {
      const { known, pending } = tellerOf(section)
      if (known.delete(key)) pending.add(key)
    },
    take(isFull) {
      const patches: Partial<Record<DocSection, Patch<never>>> = {}
      const left = { bytes: PUBLIC_WHOLE_BYTES_MAX }
      for (const section of SECTIONS) {
        const teller = tellerOf(section)
        const patch = isFull ? takeWhole(teller, left) : takePending(teller)
        if (patch) patches[section] = patch
      }
      return patches
    },
  }
}
