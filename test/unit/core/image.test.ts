/** Images across releases: columns by name, the catalogue by id. */
import { describe, expect, test } from 'vitest'
import { FACILITIES, GOODS, RECIPES, SHIP_CLASSES } from '../../../core/catalog/index.ts'
import {
  type ColumnDefs,
  defineComponent,
  defineEntity,
  defineTable,
  f64,
  type TableDef,
  text,
  u8,
  u16,
  u32,
} from '../../../core/columns.ts'
import { captureWorld, createImageMemory, restoreWorld } from '../../../core/image.ts'
import type { WorldImage } from '../../../core/ports.ts'
import { defineRecords, type RecordsDef } from '../../../core/records.ts'
import type { World } from '../../../core/types.ts'
import { createWorld } from '../../../core/world.ts'
import { Job } from '../../../systems/craft/state.ts'

const thing = <C extends ColumnDefs>(columns: C) => defineEntity('thing', 1_000_000, columns)
const NOTES = defineRecords<{ body: string }>('notes', 10)

function make(tables: readonly TableDef[], records: readonly RecordsDef<unknown>[] = []): World {
  return createWorld({
    players: tables[0],
    tables,
    records,
    sections: new Map(),
    catalogs: { goods: GOODS, shipClasses: SHIP_CLASSES, recipes: RECIPES, facilities: FACILITIES },
    seed: 7,
    tickMs: 10_000,
    maxEntities: 1_000,
  })
}

const imageOf = (world: World): WorldImage => captureWorld(world, createImageMemory())

function load(world: World, image: WorldImage): World {
  restoreWorld(world, image)
  return world
}

describe('an image of another release', () => {
  const Old = thing({ size: u8('size'), label: text('label'), triple: u8('three', { width: 3 }) })

  function oldImage(): WorldImage {
    const world = make([Old], [NOTES])
    for (let i = 1; i <= 5; i++) {
      const row = world.take(Old)
      world.write(Old).size[row] = 50 * i
      world.write(Old).triple.set([i, i + 1, i + 2], row * 3)
      world.setText(Old, 'label', row, `thing ${i}`)
    }
    world.release(Old, 2)
    world.recycle()
    world.records(NOTES).set('a', { body: 'b' })
    return imageOf(world)
  }

  test('a column of a wider kind or of another width keeps its values', () => {
    const Now = thing({ size: u32('size'), label: text('label'), triple: u8('', { width: 2 }) })
    const world = load(make([Now]), oldImage())
    const { size, triple } = world.write(Now)
    expect([size[1], size[3], size[4], size[5]]).toEqual([50, 150, 200, 250])
    expect([triple[6], triple[7]]).toEqual([3, 4])
    expect(world.texts.get(world.read(Now).label[5])).toBe('thing 5')
  })

  test('a column whose kind cannot hold a saved value is refused by name', () => {
    const Wide = thing({ size: u32('size') })
    const world = make([Wide])
    world.write(Wide).size[world.take(Wide)] = 300
    const image = imageOf(world)
    expect(() => load(make([Old]), image)).toThrow('thing.size can no longer hold 300')
  })

  test('new columns, components, tables and records are empty, and removed ones ignored', () => {
    const Now = thing({ size: u8('size'), colour: u16('new') })
    const Extra = defineComponent(Now, 'thing_extra', { power: u8('power') })
    const Lot = defineTable('lot', 1_000, { price: f64('price') })
    const MORE = defineRecords<number>('more', 10)
    const world = load(make([Now, Extra, Lot], [MORE]), oldImage())
    expect(world.countOf(Now)).toBe(4)
    expect(world.read(Now).colour[3]).toBe(0)
    expect(world.highOf(Extra)).toBe(5)
    expect(world.read(Extra).alive[3]).toBe(1)
    expect(world.take(Now)).toBe(2)
    expect(world.take(Lot)).toBe(1)
    expect(world.records(MORE).size).toBe(0)
  })
})

describe('a later catalogue', () => {
  const Held = defineTable('held', 1_000, {
    item: u16('', { catalog: 'goods' }),
    pair: u16('0 none', { catalog: 'goods', catalogBase: 1, width: 2 }),
  })

  function loadedWith(goods: readonly string[]): World {
    const world = make([thing({}), Held])
    const row = world.take(Held)
    world.write(Held).item[row] = goods.indexOf(GOODS[3].id)
    world.write(Held).pair.set([0, goods.indexOf(GOODS[5].id) + 1], row * 2)
    return load(make([thing({}), Held]), { ...imageOf(world), goods })
  }

  test('moves indices to the new places of their ids, in every value of a row', () => {
    const goods = GOODS.map(({ id }) => id).filter((_, i) => i !== 1 && i !== 4)
    const world = loadedWith(goods)
    expect(world.read(Held).item[1]).toBe(3)
    expect(world.read(Held).pair[2]).toBe(0)
    expect(world.read(Held).pair[3]).toBe(6)
  })

  test('keeps the recipes of saved jobs when recipes were added among the others', () => {
    expect(Job.columns.recipe).toMatchObject({ catalog: 'recipes' })
    const Order = defineTable('order', 1_000, { recipe: u16('', { catalog: 'recipes' }) })
    const world = make([thing({}), Order])
    // The catalogue before RECIPES[2] and RECIPES[7] were added.
    const recipes = RECIPES.map(({ id }) => id).filter((_, i) => i !== 2 && i !== 7)
    for (const place of [1, 4, 9]) {
      world.write(Order).recipe[world.take(Order)] = recipes.indexOf(RECIPES[place].id)
    }
    const { recipe } = load(make([thing({}), Order]), { ...imageOf(world), recipes }).read(Order)
    expect([recipe[1], recipe[2], recipe[3]]).toEqual([1, 4, 9])
  })

  test('with the ids in another order is refused', () => {
    // Saved lists are sorted by index.
    const goods = GOODS.map(({ id }) => id)
    goods.reverse()
    expect(() => loadedWith(goods)).toThrow('keep the order of older entries')
  })
})
