/**
 * Wraps bitecs: membership of entities in kinds and tags, and queries over them. Each kind of
 * entity has a bitecs world of its own, so that its eid is the row of the kind's columns.
 * Query results come in an order that depends on earlier removals: iterate through `World.byId`.
 */
import * as bitecs from 'bitecs'
import { assert } from './assert.ts'

/** A component without columns. Membership is derived state: rebuilt after a restore. */
export interface Tag {
  readonly kind: string
  readonly name: string
}

/** Declares a tag of a kind of entity. */
export const defineTag = (kind: string, name: string): Tag => ({ kind, name })

/** The tags of the rows of one kind of entity. */
export interface Membership {
  add(row: number, tag: Tag): void
  remove(row: number, tag: Tag): void
  has(row: number, tag: Tag): boolean
  /** Returns the rows that have all of the tags, in an order that depends on earlier removals. */
  query(tags: readonly Tag[]): ArrayLike<number>
  /** Removes all tags of a row. */
  release(row: number): void
}

/**
 * Creates the membership of one kind of entity. Only rows with a tag are entities of bitecs: an
 * entity costs 309 B of heap and lengthens every full garbage collection (PERFORMANCE.md 2b), and
 * of a million ships few have a tag. bitecs hands out whatever id stands at
 * `dense[aliveCount]`, so the row is written there first.
 */
export function createMembership(): Membership {
  const index = bitecs.createEntityIndex()
  const world = bitecs.createWorld(index)
  const components = new Map<Tag, object>()
  const component = (tag: Tag): object => {
    let found = components.get(tag)
    if (!found) {
      found = {}
      components.set(tag, found)
    }
    return found
  }
  const isEntity = (row: number): boolean => bitecs.entityExists(world, row)
  return {
    add(row, tag) {
      if (!isEntity(row)) {
        index.dense[index.aliveCount] = row
        assert(bitecs.addEntity(world) === row, 'the eid differs from the row')
      }
      bitecs.addComponent(world, row, component(tag))
    },
    remove(row, tag) {
      if (!isEntity(row)) return
      bitecs.removeComponent(world, row, component(tag))
      for (const other of components.values()) {
        if (bitecs.hasComponent(world, row, other)) return
      }
      bitecs.removeEntity(world, row)
    },
    has: (row, tag) => isEntity(row) && bitecs.hasComponent(world, row, component(tag)),
    query: (tags) => bitecs.query(world, tags.map(component)),
    release(row) {
      if (isEntity(row)) bitecs.removeEntity(world, row)
    },
  }
}
