/**
 * Texts that scripts and memories name: one row a text, kept while something holds it, and which
 * place and item each is the id of.
 */
import { assert } from '../../core/assert.ts'
import { itemIndex } from '../../core/catalog/index.ts'
import { codePointLength } from '../../core/text-rules.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Base } from '../base/columns.ts'
import { baseById } from '../base/rules.ts'
import { Poi } from '../travel/columns.ts'
import { poiById } from '../travel/rules.ts'
import { DroneWord } from './columns.ts'

const WORDS = defineIndex('drone.words', () => ({
  byText: new Map<string, Row>(),
  /** Places and bases there were when words were looked up on the map. */
  places: 0,
  bases: 0,
}))

/** Row of a text that something holds; 0 for the empty text, -1 for any other. */
export const wordOf = (view: WorldView, text: string): Row =>
  text === '' ? 0 : (view.index(WORDS).byText.get(text) ?? -1)

export const textOf = (view: WorldView, word: Row): string =>
  word === 0 ? '' : view.texts.get(view.read(DroneWord).said[word])

/** The place that a word names by its id or that of its base. */
function placeOf(view: WorldView, text: string): Row {
  const poi = poiById(view, text)
  if (poi !== 0) return poi
  const base = baseById(view, text)
  return base === 0 ? 0 : view.read(Base).poi[base]
}

function lookUp(world: World, word: Row): void {
  const columns = world.write(DroneWord)
  const text = textOf(world, word)
  columns.poi[word] = placeOf(world, text)
  columns.good[word] = itemIndex(text) + 1
}

/** Holds a text once more; returns its row. The caller has made sure of room in the table. */
export function holdText(world: World, text: string): Row {
  if (text === '') return 0
  const { byText } = world.index(WORDS)
  const found = byText.get(text) ?? 0
  if (found !== 0) {
    world.write(DroneWord).uses[found]++
    return found
  }
  const word = world.take(DroneWord)
  const columns = world.write(DroneWord)
  world.setText(DroneWord, 'said', word, text)
  columns.uses[word] = 1
  columns.size[word] = codePointLength(text)
  byText.set(text, word)
  lookUp(world, word)
  return word
}

export function holdWord(world: World, word: Row): void {
  if (word === 0) return
  const { uses, alive } = world.write(DroneWord)
  assert(alive[word] === 1, `word ${word} is held and gone`)
  uses[word]++
}

/** Lets go of a word; nothing else holding it, it is gone. */
export function dropWord(world: World, word: Row): void {
  if (word === 0) return
  const { uses } = world.write(DroneWord)
  assert(uses[word] >= 1, `word ${word} is dropped twice`)
  uses[word]--
  if (uses[word] > 0) return
  world.index(WORDS).byText.delete(textOf(world, word))
  world.release(DroneWord, word)
}

/** Looks all words up again when the map has places or bases that it had not, or lost some. */
export function keepPlaces(world: World): void {
  const words = world.index(WORDS)
  const [places, bases] = [world.countOf(Poi), world.countOf(Base)]
  if (words.places === places && words.bases === bases) return
  words.places = places
  words.bases = bases
  const { alive } = world.read(DroneWord)
  for (let word = 1; word <= world.highOf(DroneWord); word++) {
    if (alive[word] === 1) lookUp(world, word)
  }
}

export function rebuildWords(world: World): void {
  const words = world.index(WORDS)
  words.byText.clear()
  words.places = 0
  const { alive } = world.read(DroneWord)
  for (let word = 1; word <= world.highOf(DroneWord); word++) {
    if (alive[word] === 1) words.byText.set(textOf(world, word), word)
  }
  keepPlaces(world)
}
