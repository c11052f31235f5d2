/**
 * A simple model of feeds: computes the frames that recipients must get, from a list of objects for
 * each feed. Also a client that applies patches.
 */
import type { PublishedEmission } from '../core/ports.ts'
import type { FeedShape, HeadField } from '../core/types.ts'
import { ABSENT, packingOf } from '../core/wire/feed.ts'

type Fields = Record<string, unknown>

interface Listed {
  readonly fixed: Fields
  code: number
}

export interface FeedModel {
  /** Applies an emission; returns each recipient's frame. */
  follow(emission: PublishedEmission, shape: FeedShape): Fields[]
}

const slices = (codes: Int32Array, width: number): number[][] =>
  Array.from({ length: codes.length / width }, (_, i) => [
    ...codes.subarray(i * width, (i + 1) * width),
  ])

export function createFeedModel(): FeedModel {
  const lists = new Map<string, Listed[]>()
  return {
    follow({ type, payload, to, feed }, shape) {
      if (!feed) throw new Error(`${type} is no feed`)
      const key = `${type}/${feed.feed}`
      const list = feed.isFull ? [] : [...(lists.get(key) ?? [])]
      const { moves } = feed
      for (const place of [...(moves?.gone ?? [])].reverse()) list.splice(place, 1)
      moves?.added.forEach((place, i) => {
        list.splice(place, 0, { fixed: moves.fixed[i], code: moves.codes[i] })
      })
      feed.changed.forEach((place, i) => {
        list[place] = { ...list[place], code: feed.codes[i] }
      })
      lists.set(key, list)
      const keys = list.map(({ fixed }) => fixed[shape.key])
      const entries = list.map(({ fixed, code }) => ({
        ...decode(shape.moving, unpacked(shape, code), keys),
        ...fixed,
      }))
      const heads = slices(feed.heads, Object.keys(shape.head).length)
      return to.map((_, i) => ({
        type,
        payload: { ...decode(shape.head, heads[i], keys), ...payload, [shape.list]: entries },
      }))
    },
  }
}

const unpacked = (shape: FeedShape, packed: number): number[] =>
  packingOf(shape).map(({ shift, absent }) => {
    const code = Math.floor(packed / 2 ** shift) % (absent + 1)
    return code === absent ? ABSENT : code
  })

function decode(
  fields: Readonly<Record<string, HeadField>>,
  codes: readonly number[],
  keys: readonly unknown[],
): Fields {
  const values: Fields = {}
  Object.entries(fields).forEach(([name, field], i) => {
    if (codes[i] !== ABSENT) values[name] = meaning(field, codes[i], keys)
  })
  return values
}

function meaning(field: HeadField, code: number, keys: readonly unknown[]): unknown {
  if (field.kind === 'number') return code
  if (field.kind === 'flag') return code === 1
  return field.kind === 'words' ? field.words[code] : keys[code]
}

interface PatchPart {
  readonly gone?: number[]
  readonly added?: [number, Fields][]
  readonly changed?: Record<string, (number | null)[]>
}

/** Returns a client's list after a patch. Source: docs/messagepack.md. */
export function patched(list: readonly Fields[], patch: PatchPart, shape: FeedShape): Fields[] {
  const next = list.map((entry) => ({ ...entry }))
  for (const place of [...(patch.gone ?? [])].reverse()) next.splice(place, 1)
  for (const [place, entry] of patch.added ?? []) next.splice(place, 0, entry)
  const { step = [], ...columns } = patch.changed ?? {}
  let place = 0
  step.forEach((by, i) => {
    place += Number(by)
    for (const [name, column] of Object.entries(columns)) {
      const code = column[i]
      if (code === null) delete next[place][name]
      else next[place][name] = meaning(shape.moving[name], code, [])
    }
  })
  return next
}
