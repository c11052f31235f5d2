/**
 * bitecs behind one door: membership of entities in kinds and tags, and queries over them. Each
 * kind of entity has a bitecs world of its own, so that its eid is the row of the kind's columns.
 * Query results come in no useful order (bitecs follows removal history): iterate through `byId`.
 */
import * as bitecs from 'bitecs'
import { assert } from './assert.ts'

/** A component without columns. Membership is derived state: rebuilt after a restore. */
export interface Tag {
  readonly kind: string
  readonly name: string
}

export const defineTag = (kind: string, name: string): Tag => ({ kind, name })

export interface Membership {
  /** A new row; the most recently released one first. */
  take(): number
  release(row: number): void
  add(row: number, tag: Tag): void
  remove(row: number, tag: Tag): void
  has(row: number, tag: Tag): boolean
  /** Rows that have all tags, in no useful order. */
  query(tags: readonly Tag[]): ArrayLike<number>
  /**
   * Starts anew with the rows 1…high, of which `free` are not in use (the last of them is taken
   * first).
   */
  load(high: number, free: readonly number[]): void
}

export function createMembership(): Membership {
  let world = bitecs.createWorld()
  const components = new Map<Tag, object>()
  const component = (tag: Tag): object => {
    let found = components.get(tag)
    if (!found) {
      found = {}
      components.set(tag, found)
    }
    return found
  }
  return {
    take: () => bitecs.addEntity(world),
    release: (row) => bitecs.removeEntity(world, row),
    add: (row, tag) => {
      bitecs.addComponent(world, row, component(tag))
    },
    remove: (row, tag) => {
      bitecs.removeComponent(world, row, component(tag))
    },
    has: (row, tag) => bitecs.hasComponent(world, row, component(tag)),
    query: (tags) => bitecs.query(world, tags.map(component)),
    load(high, free) {
      world = bitecs.createWorld()
      for (let row = 1; row <= high; row++)
        assert(bitecs.addEntity(world) === row, 'eid is the row')
      for (const row of free) bitecs.removeEntity(world, row)
    },
  }
}
