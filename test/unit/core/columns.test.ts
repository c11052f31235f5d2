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
const NOTES = defineRecords<{ said: string }>('notes', 10)

const world = () =>
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
  test('a row comes clean, and a released one only after the tick', () => {
    const w = world()
    const first = w.take(Thing)
    w.write(Thing).size[first] = 9
    w.write(Extra).power[first * 3 + 2] = 4
    w.release(Thing, first)
    expect(w.take(Thing)).toBe(2)
    w.recycle()
    expect(w.take(Thing)).toBe(first)
    expect(w.read(Thing).size[first]).toBe(0)
    expect(w.read(Extra).power[first * 3 + 2]).toBe(0)
  })

  test('a durable number is never used again', () => {
    const w = world()
    const first = w.take(Thing)
    const id = idOf(w, Thing, first)
    w.release(Thing, first)
    w.recycle()
    const again = w.take(Thing)
    expect(again).toBe(first)
    expect(idOf(w, Thing, again)).not.toBe(id)
    expect(rowOfId(w, Thing, id)).toBe(0)
  })

  test('a released row gives its texts back', () => {
    const w = world()
    const row = w.take(Thing)
    w.setText(Thing, 'label', row, 'hello')
    const label = w.read(Thing).label[row]
    expect(w.texts.get(label)).toBe('hello')
    w.release(Thing, row)
    expect(w.texts.get(label)).toBe('')
  })

  test('a full table is a bug, not a silent overflow', () => {
    const w = world()
    expect(() => {
      for (let i = 0; i < 2_000; i++) w.take(Lot)
    }).toThrow(/full/)
  })

  test('queries come in durable-id order, whatever was removed before', () => {
    const w = world()
    const rows = Array.from({ length: 8 }, () => w.take(Thing))
    for (const row of rows) w.tag(Thing, row, Lit)
    w.untag(Thing, rows[2], Lit)
    w.release(Thing, rows[0])
    w.recycle()
    const back = w.take(Thing)
    w.tag(Thing, back, Lit)
    expect(w.byId(Thing, [Lit])).toEqual([...rows.slice(1, 2), ...rows.slice(3), back])
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
  test('the hash of the text table does not depend on the way to its content', () => {
    const a = createTextTable()
    const b = createTextTable()
    const one = a.put(0, 'one')
    a.put(one, 'two')
    b.put(0, 'two')
    expect(a.hash()).toEqual(b.hash())
    const c = createTextTable()
    c.load(a.image())
    expect(c.hash()).toEqual(a.hash())
  })

  test('the hash of records is that of their content, and loading is the identity', () => {
    const a = createRecords(NOTES)
    a.table.set('x', { said: 'a' })
    a.hash()
    a.table.set('x', { said: 'b' })
    a.table.set('y', { said: 'c' })
    a.table.delete('y')
    const b = createRecords(NOTES)
    b.table.set('x', { said: 'b' })
    expect(a.hash()).toEqual(b.hash())
    const c = createRecords(NOTES)
    c.load(a.image())
    expect(c.hash()).toEqual(a.hash())
    expect(c.image()).toEqual(a.image())
  })
})

describe('state hash', () => {
  test('moves with any column, record or text, and comes back with it', () => {
    const w = world()
    const row = w.take(Thing)
    const before = stateHash(w)
    w.write(Extra).power[row * 3] = 1
    expect(stateHash(w)).not.toBe(before)
    w.write(Extra).power[row * 3] = 0
    expect(stateHash(w)).toBe(before)
    w.setText(Thing, 'label', row, 'x')
    expect(stateHash(w)).not.toBe(before)
  })

  test('taken between a release and its recycling is forgotten with it', () => {
    const w = world()
    w.release(Thing, w.take(Thing))
    stateHash(w)
    w.recycle()
    const kept = stateHash(w)
    forgetHashes(w)
    expect(kept).toBe(stateHash(w))
  })

  test('kept by table equals the hash of every byte', () => {
    const w = world()
    for (let i = 0; i < 50; i++) {
      const row = w.take(i % 2 === 0 ? Thing : Lot)
      if (i % 2 === 0) w.write(Thing).size[row] = i
      const kept = stateHash(w)
      forgetHashes(w)
      expect(stateHash(w)).toBe(kept)
    }
  })
})
