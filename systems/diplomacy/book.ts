/** Records of pairs of factions, found by the pair and by either of the two. */
import { addKey, type KeySets, removeKey } from '../../core/key-sets.ts'
import type { RecordsDef } from '../../core/records.ts'
import type { World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import type { Pair } from './columns.ts'

export const keyOf = ({ from, to }: Pair): string => `${from}:${to}`

/** The pair in the order of what has no direction. */
export const unordered = (one: number, other: number): Pair =>
  one < other ? { from: one, to: other } : { from: other, to: one }

export interface PairBook<T extends Pair> {
  get(view: WorldView, pair: Pair): Readonly<T> | undefined
  /** Those in which the faction comes first, or second; in the order in which they were made. */
  outgoing(view: WorldView, faction: number): readonly Readonly<T>[]
  incoming(view: WorldView, faction: number): readonly Readonly<T>[]
  countOutgoing(view: WorldView, faction: number): number
  /** True where the faction is in no pair at all: asked before a key is made. */
  isBare(view: WorldView, faction: number): boolean
  isFull(view: WorldView): boolean
  /** Enters one; of a pair that has one already the new takes its place. */
  set(world: World, entry: T): void
  /** True if there was one. */
  drop(world: World, pair: Pair): boolean
  /** Drops everything of a faction. */
  dropAll(world: World, faction: number): void
  rebuild(world: World): void
}

/** `name` is that of its index. */
export function pairBook<T extends Pair>(name: string, records: RecordsDef<T>): PairBook<T> {
  const INDEX = defineIndex(name, () => ({ out: new Map() as KeySets, into: new Map() as KeySets }))
  const listed = (view: WorldView, keys: ReadonlySet<string> | undefined): Readonly<T>[] =>
    [...(keys ?? [])].flatMap((key) => view.records(records).get(key) ?? [])
  const enter = (world: World, entry: Pair): void => {
    const { out, into } = world.index(INDEX)
    addKey(out, entry.from, keyOf(entry))
    addKey(into, entry.to, keyOf(entry))
  }
  const book: PairBook<T> = {
    get: (view, pair) => view.records(records).get(keyOf(pair)),
    outgoing: (view, faction) => listed(view, view.index(INDEX).out.get(faction)),
    incoming: (view, faction) => listed(view, view.index(INDEX).into.get(faction)),
    countOutgoing: (view, faction) => view.index(INDEX).out.get(faction)?.size ?? 0,
    isBare: (view, faction) =>
      !view.index(INDEX).out.has(faction) && !view.index(INDEX).into.has(faction),
    isFull: (view) => view.records(records).size >= records.rowsMax,
    set(world, entry) {
      const isNew = !world.records(records).has(keyOf(entry))
      world.records(records).set(keyOf(entry), entry)
      if (isNew) enter(world, entry)
    },
    drop(world, pair) {
      const { out, into } = world.index(INDEX)
      removeKey(out, pair.from, keyOf(pair))
      removeKey(into, pair.to, keyOf(pair))
      return world.records(records).delete(keyOf(pair))
    },
    dropAll(world, faction) {
      for (const entry of [...book.outgoing(world, faction), ...book.incoming(world, faction)]) {
        book.drop(world, entry)
      }
    },
    rebuild(world) {
      const { out, into } = world.index(INDEX)
      out.clear()
      into.clear()
      for (const [, entry] of world.records(records).entries()) enter(world, entry)
    },
  }
  return book
}
