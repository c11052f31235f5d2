/**
 * Records: keyed tables of plain objects, for what is text or rare (DESIGN 1). They iterate in the
 * order of insertion, which the journal determines; a record counts as changed only through `set`
 * and `delete`, never by writing into it.
 */
import { assert } from './assert.ts'
import { hashText } from './rng.ts'

export interface RecordsDef<T> {
  readonly name: string
  readonly rowsMax: number
  readonly make?: T
}

/** Declares a record table. `T` must be plain JSON data. */
export function defineRecords<T>(name: string, rowsMax: number): RecordsDef<T> {
  return { name, rowsMax }
}

export interface ReadonlyRecords<T> {
  readonly size: number
  get(key: string): Readonly<T> | undefined
  has(key: string): boolean
  entries(): IterableIterator<[string, Readonly<T>]>
}

export interface Records<T> extends ReadonlyRecords<T> {
  set(key: string, value: T): void
  delete(key: string): boolean
}

export interface RecordStore {
  readonly table: Records<unknown>
  hash(): readonly [number, number]
  /** Key and JSON of each record, in order. Texts are made once a change. */
  image(): [string, string][]
  load(image: readonly (readonly [string, string])[]): void
}

interface Entry {
  value: unknown
  json: string | undefined
}

/** The hash is a sum over records, so it does not depend on their order. */
export function createRecords(def: RecordsDef<unknown>): RecordStore {
  const entries = new Map<string, Entry>()
  const dirty = new Set<string>()
  let low = 0
  let high = 0

  const add = (key: string, json: string, sign: 1 | -1): void => {
    const h = hashText(key)
    low = (low + sign * (hashText(json) ^ h)) >>> 0
    high = (high + sign * hashText(`${json.length}${json}${key}`)) >>> 0
  }
  const remove = (key: string, entry: Entry): void => {
    if (!dirty.delete(key) && entry.json !== undefined) add(key, entry.json, -1)
  }
  const settle = (): void => {
    for (const key of dirty) {
      const entry = entries.get(key)
      assert(entry, `record ${def.name} ${key} is dirty but gone`)
      entry.json = JSON.stringify(entry.value)
      add(key, entry.json, 1)
    }
    dirty.clear()
  }
  const table: Records<unknown> = {
    get size() {
      return entries.size
    },
    get: (key) => entries.get(key)?.value as Readonly<unknown> | undefined,
    has: (key) => entries.has(key),
    *entries() {
      for (const [key, entry] of entries) yield [key, entry.value as Readonly<unknown>]
    },
    set(key, value) {
      const old = entries.get(key)
      if (old) remove(key, old)
      assert(old || entries.size < def.rowsMax, `records ${def.name} are full`)
      if (old) {
        old.value = value
        old.json = undefined
      } else entries.set(key, { value, json: undefined })
      dirty.add(key)
    },
    delete(key) {
      const old = entries.get(key)
      if (old) remove(key, old)
      return entries.delete(key)
    },
  }
  return {
    table,
    hash() {
      settle()
      return [low, high]
    },
    image() {
      settle()
      return [...entries].map(([key, entry]) => [key, entry.json as string])
    },
    load(image) {
      entries.clear()
      dirty.clear()
      low = 0
      high = 0
      for (const [key, json] of image) {
        entries.set(key, { value: JSON.parse(json), json })
        add(key, json, 1)
      }
    },
  }
}
