/** Columns, rows, texts, records: what the world is made of. */
import { describe, expect, test } from 'vitest'
import {
  attach,
  defineComponent,
  defineEntity,
  defineTable,
  f64,
  layOut,
  text,
  u8,
  u32,
} from '../../../core/columns.ts'
import { idOf, rowOfId, seqOfWireId, wireId } from '../../../core/entity.ts'
import { forgetHashes, stateHash } from '../../../core/hash.ts'
import { MEMORY_PAGE_BYTES } from '../../../core/limits.ts'
import { defineTag } from '../../../core/query.ts'
import { createRecords, defineRecords } from '../../../core/records.ts'
import { createTextTable } from '../../../core/text.ts'
import { createWorld } from '../../../core/world.ts'

const Thing = defineEntity('thing', 1_000_000, { size: u32('size'), label: text('label') })
const Extra = defineComponent(Thing, 'thing_extra', { power: u8('power', { width: 3 }) })
const Lot = defineTable('lot', 1_000_000, { price: f64('price') })
const Lit = defineTag('thing', 'lit')
const NOTES = defineRecords<{ body: string }>('notes', 10)

const newWorld = () =>
  createWorld({
    players: Thing,
    tables: [Thing, Extra, Lot],
    records: [NOTES],
    sections: new Map(),
    seed: 7,
    tickMs: 10_000,
    maxEntities: 1_000,
  })

describe('layout', () => {
  test('columns of one buffer start at different offsets within a page', () => {
    const layout = layOut([Thing, Extra, Lot], 1_000)
    const offsets = layout.places.map((place) => place.byteOffset % MEMORY_PAGE_BYTES)
    expect(new Set(offsets).size).toBe(offsets.length)
    for (const offset of offsets) expect(offset % 8).toBe(0)
  })

  test('no two columns overlap, and all lie within the buffer', () => {
    const layout = layOut([Thing, Extra, Lot], 1_000)
    const tables = attach(layout, new SharedArrayBuffer(layout.bytes))
    const spans = Object.values(tables)
      .flatMap((columns) => Object.values(columns))
      .map((column) => [column.byteOffset, column.byteOffset + column.byteLength])
      .sort((a, b) => a[0] - b[0])
    for (let i = 1; i < spans.length; i++)
      expect(spans[i][0]).toBeGreaterThanOrEqual(spans[i - 1][1])
    expect(spans.at(-1)?.[1]).toBeLessThanOrEqual(layout.bytes)
  })
})

describe('rows', () => {
  test('a row is cleared when taken, and a released one is reused only after the tick', () => {
    const world = newWorld()
    const first = world.take(Thing)
    world.write(Thing).size[first] = 9
    world.write(Extra).power[first * 3 + 2] = 4
    world.release(Thing, first)
    expect(world.take(Thing)).toBe(2)
    world.recycle()
    expect(world.take(Thing)).toBe(first)
    expect(world.read(Thing).size[first]).toBe(0)
    expect(world.read(Extra).power[first * 3 + 2]).toBe(0)
  })

  test('a durable number is never used again', () => {
    const world = newWorld()
    const first = world.take(Thing)
    const id = idOf(world, Thing, first)
    world.release(Thing, first)
    world.recycle()
    const reused = world.take(Thing)
    expect(reused).toBe(first)
    expect(idOf(world, Thing, reused)).not.toBe(id)
    expect(rowOfId(world, Thing, id)).toBe(0)
  })

  test('a released row gives its texts back', () => {
    const world = newWorld()
    const row = world.take(Thing)
    world.setText(Thing, 'label', row, 'hello')
    const label = world.read(Thing).label[row]
    expect(world.texts.get(label)).toBe('hello')
    world.release(Thing, row)
    expect(world.texts.get(label)).toBe('')
  })

  test('taking a row of a full table throws', () => {
    const world = newWorld()
    expect(() => {
      for (let i = 0; i < 2_000; i++) world.take(Lot)
    }).toThrow(/full/)
  })

  test('a query lists rows in the order of their durable ids, whatever was removed before', () => {
    const world = newWorld()
    const rows = Array.from({ length: 8 }, () => world.take(Thing))
    for (const row of rows) world.tag(Thing, row, Lit)
    world.untag(Thing, rows[2], Lit)
    world.release(Thing, rows[0])
    world.recycle()
    const reused = world.take(Thing)
    world.tag(Thing, reused, Lit)
    expect(world.byId(Thing, [Lit])).toEqual([...rows.slice(1, 2), ...rows.slice(3), reused])
  })
})

describe('wire ids', () => {
  test('an id is a UUID of version 8 that leads back to its number, and to no other kind', () => {
    for (const seq of [1, 2, 77, 16_777_216, 4_294_967_296]) {
      const id = wireId(5, 'thing', seq)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(seqOfWireId(5, 'thing', id)).toBe(seq)
      expect(seqOfWireId(5, 'lot', id)).toBe(0)
      expect(seqOfWireId(6, 'thing', id)).toBe(0)
      expect(
        seqOfWireId(
          5,
          'thing',
          id.replace(/.$/, (c) => (c === '0' ? '1' : '0')),
        ),
      ).toBe(0)
    }
  })
})

describe('texts and records', () => {
  test('the hash of the text table depends on its content, not on earlier texts', () => {
    const a = createTextTable()
    const b = createTextTable()
    const id = a.put(0, 'one')
    a.put(id, 'two')
    b.put(0, 'two')
    expect(a.hash()).toEqual(b.hash())
    const c = createTextTable()
    c.load(a.image())
    expect(c.hash()).toEqual(a.hash())
  })

  test('the hash of records depends on their content, which an image restores', () => {
    const a = createRecords(NOTES)
    a.table.set('x', { body: 'a' })
    a.hash()
    a.table.set('x', { body: 'b' })
    a.table.set('y', { body: 'c' })
    a.table.delete('y')
    const b = createRecords(NOTES)
    b.table.set('x', { body: 'b' })
    expect(a.hash()).toEqual(b.hash())
    const c = createRecords(NOTES)
    c.load(a.image())
    expect(c.hash()).toEqual(a.hash())
    expect(c.image()).toEqual(a.image())
  })
})

describe('state hash', () => {
  test('changes with a column or a text, and changes back with a column', () => {
    const world = newWorld()
    const row = world.take(Thing)
    const before = stateHash(world)
    world.write(Extra).power[row * 3] = 1
    expect(stateHash(world)).not.toBe(before)
    world.write(Extra).power[row * 3] = 0
    expect(stateHash(world)).toBe(before)
    world.setText(Thing, 'label', row, 'x')
    expect(stateHash(world)).not.toBe(before)
  })

  test('taken between a release and its recycling is not kept after that', () => {
    const world = newWorld()
    world.release(Thing, world.take(Thing))
    stateHash(world)
    world.recycle()
    const kept = stateHash(world)
    forgetHashes(world)
    expect(kept).toBe(stateHash(world))
  })

  test('from the kept hashes of tables equals the hash of all bytes', () => {
    const world = newWorld()
    for (let i = 0; i < 50; i++) {
      const row = world.take(i % 2 === 0 ? Thing : Lot)
      if (i % 2 === 0) world.write(Thing).size[row] = i
      const kept = stateHash(world)
      forgetHashes(world)
      expect(stateHash(world)).toBe(kept)
    }
  })
})
