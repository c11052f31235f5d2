/**
 * Scripts of drones: their texts and programs, compiled once when a text is new to the world, and
 * shared by all drones that use it; which of them run; what they remember; and the words that
 * scripts and memories name. Source: drones.md sections 3.5, 5.
 */
import { assert } from '../../core/assert.ts'
import { itemIndex } from '../../core/catalog/index.ts'
import { codePointLength } from '../../core/text-rules.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseById } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { poiById } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'
import { compile, sourceOf } from './compile-model.ts'
import { DRONE_TYPES } from './figures-model.ts'
import { dronesOf, memosOf, scriptSlots, textOf, wordOf } from './model.ts'
import { ANY, areWords, type Program, WIDTH } from './program-model.ts'
import {
  DRONE_CODE_WORDS,
  DRONE_MEMORY_MAX,
  Drone,
  DroneMemo,
  DroneScript,
  DroneWord,
  IN_BAY,
  SCRIPTS,
  Squadron,
  WORDS,
} from './state.ts'

/* Memory: keys and values in order of first writing */

/** Writes a value under a key; what would not fit is silently dropped. */
export function remember(world: World, drone: Row, key: Row, value: Row): void {
  const { size } = world.read(DroneWord)
  const { memorySize, firstMemo } = world.write(Drone)
  const memo = world.write(DroneMemo)
  let last = 0
  let row = firstMemo[drone]
  while (row !== 0 && memo.key[row] !== key) {
    last = row
    row = memo.next[row]
  }
  const before = row === 0 ? 0 : size[key] + size[memo.value[row]]
  const after = memorySize[drone] - before + size[key] + size[value]
  if (after > DRONE_MEMORY_MAX) return
  if (row === 0) {
    if (isNearlyFull(world, DroneMemo)) return
    row = world.take(DroneMemo)
    if (last === 0) firstMemo[drone] = row
    else memo.next[last] = row
    memo.key[row] = key
    holdWord(world, key)
  }
  holdWord(world, value)
  dropWord(world, memo.value[row])
  memo.value[row] = value
  memorySize[drone] = after
}

/** Empties the memory of a drone. */
export function forgetAll(world: World, drone: Row): void {
  const { key, value } = world.read(DroneMemo)
  for (const memo of memosOf(world, drone)) {
    dropWord(world, key[memo])
    dropWord(world, value[memo])
    world.release(DroneMemo, memo)
  }
  const columns = world.write(Drone)
  columns.firstMemo[drone] = 0
  columns.memorySize[drone] = 0
}

/* Scripts */

/** Writes a program into its row, with words in place of its texts. */
function link(world: World, script: Row, program: Program): void {
  const { code } = world.write(DroneScript)
  const words = program.texts.map((text) => wordOf(world, text))
  const start = script * DRONE_CODE_WORDS
  assert(program.code.length <= DRONE_CODE_WORDS, 'a program is too long')
  for (let i = 0; i < program.code.length; i += WIDTH) {
    const [head, a, b] = program.code.slice(i, i + WIDTH)
    const [isA, isB] = areWords(head)
    code[start + i] = head
    code[start + i + 1] = isA ? linkedWord(words, a) : a
    code[start + i + 2] = isB ? linkedWord(words, b) : b
  }
}

function linkedWord(words: readonly Row[], index: number): Row {
  if (index === ANY) return ANY
  assert(words[index] >= 0, 'a program names a word that is not there')
  return words[index]
}

/** Adds a use of a script, creating its row if it is new. The caller has checked the room. */
function holdScript(world: World, source: string, program: Program): Row {
  const scripts = world.index(SCRIPTS)
  const existing = scripts.get(source)
  if (existing !== undefined) {
    world.write(DroneScript).uses[existing]++
    return existing
  }
  const script = world.take(DroneScript)
  world.write(DroneScript).uses[script] = 1
  world.setText(DroneScript, 'source', script, source)
  for (const text of program.texts) holdText(world, text)
  link(world, script, program)
  scripts.set(source, script)
  return script
}

/**
 * Replaces the script of a drone, or removes it by an empty text. Its memory is kept. The caller
 * has compiled the new one, and checked that there is room.
 */
export function setScript(world: World, drone: Row, source: string, program: Program): void {
  const { script, limited, owner } = world.write(Drone)
  const before = script[drone]
  script[drone] = source === '' ? 0 : holdScript(world, source, program)
  dropScript(world, before)
  limited[drone] = 0
  assignSlots(world, owner[drone])
}

/** Compiles a stored text, for any type of drone that may run it. */
function programOf(source: string): Program {
  const type = DRONE_TYPES.findIndex((_, index) => compile(source, index).ok)
  const compiled = compile(source, type)
  assert(compiled.ok, 'a stored script does not compile')
  return compiled.program
}

/** Drops a use of a script; the last one releases it with its words. */
export function dropScript(world: World, script: Row): void {
  if (script === 0) return
  const { uses } = world.write(DroneScript)
  assert(uses[script] >= 1, `script ${script} is dropped twice`)
  uses[script]--
  if (uses[script] > 0) return
  const source = sourceOf(world, script)
  for (const text of programOf(source).texts) dropWord(world, Math.max(0, wordOf(world, text)))
  world.index(SCRIPTS).delete(source)
  world.release(DroneScript, script)
}

/** Compiles the stored scripts, after a restore. */
export function rebuildScripts(world: World): void {
  const scripts = world.index(SCRIPTS)
  scripts.clear()
  const { alive } = world.read(DroneScript)
  for (let script = 1; script <= world.highOf(DroneScript); script++) {
    if (alive[script] === 0) continue
    const source = sourceOf(world, script)
    scripts.set(source, script)
    link(world, script, programOf(source))
  }
}

/**
 * Reassigns the script slots: to drones that are out and have a script, the longest out first.
 * Called when one is deployed or gone, when a script changes, and when the skill has grown.
 */
export function assignSlots(world: World, player: Eid): void {
  const { deployedTick, seq, script, state } = world.read(Drone)
  const { running, limited } = world.write(Drone)
  const slots = scriptSlots(world, player)
  world.write(Squadron).slots[player] = slots
  const all = dronesOf(world, player)
  const able = all
    .filter((drone) => state[drone] !== IN_BAY && script[drone] !== 0)
    .sort((a, b) => deployedTick[a] - deployedTick[b] || seq[a] - seq[b])
  const chosen = new Set(able.slice(0, slots))
  for (const drone of all) {
    running[drone] = chosen.has(drone) ? 1 : 0
    if (!chosen.has(drone)) limited[drone] = 0
  }
}

/* Words: one row a text, kept while a script or memory holds it */

/** Returns the place that a text names by its id or that of its base; 0 none. */
function placeOf(view: WorldView, text: string): Row {
  const poi = poiById(view, text)
  if (poi !== 0) return poi
  const base = baseById(view, text)
  return base === 0 ? 0 : view.read(Base).poi[base]
}

/** Finds out which place and item a word is the id of. */
function resolve(world: World, word: Row): void {
  const columns = world.write(DroneWord)
  const text = textOf(world, word)
  columns.poi[word] = placeOf(world, text)
  columns.good[word] = itemIndex(text) + 1
}

/** Adds a use of a text, creating its row if it is new. The caller has checked the room. */
export function holdText(world: World, text: string): void {
  if (text === '') return
  const { byText } = world.index(WORDS)
  const existing = byText.get(text)
  if (existing !== undefined) {
    world.write(DroneWord).uses[existing]++
    return
  }
  const word = world.take(DroneWord)
  const columns = world.write(DroneWord)
  world.setText(DroneWord, 'said', word, text)
  columns.uses[word] = 1
  columns.size[word] = codePointLength(text)
  byText.set(text, word)
  resolve(world, word)
}

function holdWord(world: World, word: Row): void {
  if (word === 0) return
  const { uses, alive } = world.write(DroneWord)
  assert(alive[word] === 1, `word ${word} does not exist`)
  uses[word]++
}

/** Drops a use of a word; the last one releases it. */
export function dropWord(world: World, word: Row): void {
  if (word === 0) return
  const { uses } = world.write(DroneWord)
  assert(uses[word] >= 1, `word ${word} is dropped twice`)
  uses[word]--
  if (uses[word] > 0) return
  world.index(WORDS).byText.delete(textOf(world, word))
  world.release(DroneWord, word)
}

/** Resolves all words again when the map has gained or lost places or bases. */
export function refreshWords(world: World): void {
  const words = world.index(WORDS)
  const [places, bases] = [world.countOf(Poi), world.countOf(Base)]
  if (words.places === places && words.bases === bases) return
  words.places = places
  words.bases = bases
  const { alive } = world.read(DroneWord)
  for (let word = 1; word <= world.highOf(DroneWord); word++) {
    if (alive[word] === 1) resolve(world, word)
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
  refreshWords(world)
}
