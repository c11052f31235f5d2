/**
 * The text table: columns hold ids, the strings are here. An id has one owner (one row of one
 * column): it is freed with that row, and never shared. Id 0 is the empty text.
 */
import { assert } from './assert.ts'
import { TEXT_CHARACTERS_MAX, TEXTS_MAX } from './limits.ts'
import { hash32, hashText } from './rng.ts'

interface TextImage {
  readonly texts: readonly string[]
  readonly free: readonly number[]
}

export interface TextTable {
  get(id: number): string
  /** Replaces the text of `id` (0: a new one) and returns the id to store. */
  put(id: number, text: string): number
  free(id: number): void
  /** Returns an order-independent content hash, which is updated as texts change. */
  hash(): readonly [number, number]
  image(): TextImage
  load(image: TextImage): void
}

export function createTextTable(): TextTable {
  let texts: string[] = ['']
  let free: number[] = []
  let low = 0
  let high = 0

  const toggle = (id: number): void => {
    const textHash = hashText(texts[id])
    low = (low ^ hash32(textHash, id, 1)) >>> 0
    high = (high ^ hash32(textHash, id, 2)) >>> 0
  }
  const release = (id: number): void => {
    if (id === 0) return
    assert(texts[id] !== '', `text ${id} is freed twice`)
    toggle(id)
    texts[id] = ''
    free.push(id)
  }
  return {
    get: (id) => texts[id] ?? '',
    put(id, text) {
      assert(text.length <= TEXT_CHARACTERS_MAX * 2, 'text is longer than any rule allows')
      if (text === '') {
        release(id)
        return 0
      }
      if (id === 0) {
        const reused = free.pop()
        id = reused ?? texts.length
        assert(id < TEXTS_MAX, 'the text table is full')
      } else toggle(id)
      texts[id] = text
      toggle(id)
      return id
    },
    free: release,
    hash: () => [low, high],
    image: () => ({ texts: [...texts], free: [...free] }),
    load(image) {
      texts = [...image.texts]
      free = [...image.free]
      low = 0
      high = 0
      for (let id = 1; id < texts.length; id++) if (texts[id] !== '') toggle(id)
    },
  }
}
