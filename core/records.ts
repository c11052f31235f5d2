/**
 * Records: keyed tables of plain objects, for what is text or rare (DESIGN 1). They iterate in the
 * order of insertion, which the journal determines. A record is changed only by `set` and `delete`;
 * a change inside its object would go unnoticed.
 */
import { assert } from './assert.ts'
import { hashText } from './rng.ts'

export interface RecordsDef<T> {
  readonly name: string
  readonly rowsMax: number
  /** Counts in the state hash only while it has records: worlds without them keep their hash. */
  readonly isRare?: true
  /** Never set: only carries the type of the records. */
  readonly make?: T
}

/** Declares a record table. `T` must be plain JSON data. */
export function defineRecords<T>(
  name: string,
  rowsMax: number,
  options: Pick<RecordsDef<T>, 'isRare'> = {},
): RecordsDef<T> {
  return { name, rowsMax, ...options }
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
  readonly isRare: boolean
  readonly table: Records<unknown>
  hash(): readonly [number, number]
  /** Returns key and JSON of each record, in order. The JSON is made once for each change. */
  image(): readonly SavedRecord[]
  load(image: readonly SavedRecord[]): void
}

/** Key and JSON of a record; each change makes a new pair. */
type SavedRecord = readonly [key: string, json: string]

interface Entry {
  value: unknown
  /** Its index in the saved list. */
  index: number
}

/** The list is compacted once it has this many more places of deleted records than records. */
const GAPS_MAX = 1_000

/**
 * Creates the saved list: the saved form of each record, in order, kept from image to image, so
 * that capturing 200,000 records copies one list. A place is empty while its record is dirty, or
 * for good once it is deleted. The hash is a sum over the records, so it does not depend on their
 * order.
 */
function createSavedList() {
  let places: (SavedRecord | undefined)[] = []
  let gaps = 0
  let low = 0
  let high = 0

  const add = ([key, json]: SavedRecord, sign: 1 | -1): void => {
    const keyHash = hashText(key)
    low = (low + sign * (hashText(json) ^ keyHash)) >>> 0
    high = (high + sign * hashText(`${json.length}${json}${key}`)) >>> 0
  }
  const compact = (entries: ReadonlyMap<string, Entry>): void => {
    const before = places
    places = []
    gaps = 0
    for (const entry of entries.values()) entry.index = places.push(before[entry.index]) - 1
  }
  return {
    hash: () => [low, high] as const,
    /** Adds an empty place at the end, and returns its index. */
    open: () => places.push(undefined) - 1,
    fill(index: number, saved: SavedRecord): void {
      assert(places[index] === undefined, 'a record is saved twice')
      places[index] = saved
      add(saved, 1)
    },
    empty(index: number): void {
      const saved = places[index]
      if (saved) add(saved, -1)
      places[index] = undefined
    },
    /** Gives up the place of a deleted record; `entries` are the remaining ones. */
    abandon(entries: ReadonlyMap<string, Entry>): void {
      gaps++
      if (gaps > entries.size + GAPS_MAX) compact(entries)
    },
    image(entries: ReadonlyMap<string, Entry>): readonly SavedRecord[] {
      if (gaps > 0) compact(entries)
      assert(places.length === entries.size, 'a record has no place among the saved ones')
      return places.slice() as SavedRecord[]
    },
    clear(): void {
      places = []
      gaps = 0
      low = 0
      high = 0
    },
  }
}

/** Creates an empty record table. */
export function createRecords(def: RecordsDef<unknown>): RecordStore {
  const entries = new Map<string, Entry>()
  const dirty = new Set<string>()
  const saved = createSavedList()

  const saveDirty = (): void => {
    for (const key of dirty) {
      const entry = entries.get(key)
      assert(entry, `record ${def.name} ${key} is dirty but gone`)
      saved.fill(entry.index, [key, JSON.stringify(entry.value)])
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
      assert(old || entries.size < def.rowsMax, `records ${def.name} are full`)
      if (old) {
        saved.empty(old.index)
        old.value = value
      } else entries.set(key, { value, index: saved.open() })
      dirty.add(key)
    },
    delete(key) {
      const old = entries.get(key)
      if (!old) return false
      saved.empty(old.index)
      dirty.delete(key)
      entries.delete(key)
      saved.abandon(entries)
      return true
    },
  }
  return {
    isRare: def.isRare === true,
    table,
    hash() {
      saveDirty()
      return saved.hash()
    },
    image() {
      saveDirty()
      return saved.image(entries)
    },
    load(image) {
      entries.clear()
      dirty.clear()
      saved.clear()
      for (const [key, json] of image) {
        const index = saved.open()
        entries.set(key, { value: JSON.parse(json), index })
        saved.fill(index, [key, json])
      }
    },
  }
}
