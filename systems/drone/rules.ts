/**
 * Script texts and their programs: compiled once, when a text is new to the world, and shared by
 * all drones that have it. Source: drones.md section 5, "Compile once".
 */

import { assert } from '../../core/assert.ts'
import { itemIndex } from '../../core/catalog/index.ts'
import { append } from '../../core/groups.ts'
import { codePointLength } from '../../core/text-rules.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseById } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { poiById } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'
import { compile, sourceOf } from './compile-model.ts'
import { ANY, WIDTH } from './evaluate-kernels.ts'
import {
  dronesAt,
  dronesOf,
  memosOf,
  operandKinds,
  type Program,
  scriptSlots,
  textOf,
  wordOf,
} from './model.ts'
import { DRONE_TYPES } from './pull-kernels.ts'
import {
  DEPLOYED,
  DRONE_CODE_WORDS,
  DRONE_MEMORY_MAX,
  Drone,
  DroneMemo,
  DroneScript,
  DroneWord,
  HOPPING,
  IN_BAY,
  ROSTER,
  SCRIPTS,
  Squadron,
  WORDS,
} from './state.ts'

/*
 * What a drone remembers: keys and values of its scripts, in order of first writing. Source:
 * drones.md section 3.5.
 */

/** Writes a value under a key; what would not fit is dropped without a word. */
export function remember(world: World, drone: Row, key: Row, value: Row): void {
  const { size } = world.read(DroneWord)
  const { memorySize, firstMemo } = world.write(Drone)
  const memo = world.read(DroneMemo)
  let last = 0
  let found = firstMemo[drone]
  while (found !== 0 && memo.key[found] !== key) {
    last = found
    found = memo.next[found]
  }
  const before = found === 0 ? 0 : size[key] + size[memo.value[found]]
  const after = memorySize[drone] - before + size[key] + size[value]
  if (after > DRONE_MEMORY_MAX) return
  if (found === 0) {
    if (isNearlyFull(world, DroneMemo)) return
    found = world.take(DroneMemo)
    const columns = world.write(DroneMemo)
    if (last === 0) firstMemo[drone] = found
    else columns.next[last] = found
    columns.key[found] = key
    holdWord(world, key)
  }
  const columns = world.write(DroneMemo)
  holdWord(world, value)
  dropWord(world, columns.value[found])
  columns.value[found] = value
  memorySize[drone] = after
}

/** Forgets everything. */
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

/** A drone came out, or is out no more. */
export function recordRoster(world: World): void {
  world.index(ROSTER).isValid = false
}

/*
 * Who is out: deployed drones in the order in which they act, how many a place has, who arrives
 * when. Derived from the table; kept by lives-rules.ts alone.
 */

export function countAt(world: World, poi: Eid, change: 1 | -1): void {
  const { places } = world.index(ROSTER)
  const count = dronesAt(world, poi) + change
  if (count === 0) places.delete(poi)
  else places.set(poi, count)
}

export function scheduleArrival(world: World, drone: Row, tick: number): void {
  const { due } = world.index(ROSTER)
  append(due, tick, drone)
}

/** Drones whose hop ends in this tick, in order of their numbers; expected no longer. */
export function takeDrones(world: World): Row[] {
  const { due } = world.index(ROSTER)
  const rows = due.get(world.tick)
  if (!rows) return []
  due.delete(world.tick)
  const { alive, state, arriveTick, seq } = world.read(Drone)
  const there = rows.filter(
    (row) => alive[row] === 1 && state[row] === HOPPING && arriveTick[row] === world.tick,
  )
  return [...new Set(there)].sort((a, b) => seq[a] - seq[b])
}

export function rebuildRoster(world: World): void {
  const kept = world.index(ROSTER)
  kept.isValid = false
  kept.places.clear()
  kept.due.clear()
  const { alive, state, poi, dest, arriveTick } = world.read(Drone)
  for (let row = 1; row <= world.highOf(Drone); row++) {
    if (alive[row] === 0 || state[row] === IN_BAY) continue
    countAt(world, state[row] === DEPLOYED ? poi[row] : dest[row], 1)
    if (state[row] === HOPPING) scheduleArrival(world, row, arriveTick[row])
  }
}

/** Writes a program, its texts as words. */
function link(world: World, script: Row, program: Program): void {
  const { code } = world.write(DroneScript)
  const words = program.texts.map((text) => wordOf(world, text))
  const at = script * DRONE_CODE_WORDS
  assert(program.code.length <= DRONE_CODE_WORDS, 'a program is too long')
  for (let i = 0; i < program.code.length; i += WIDTH) {
    const [head, a, b] = program.code.slice(i, i + WIDTH)
    const [isA, isB] = operandKinds(head)
    code[at + i] = head
    code[at + i + 1] = isA ? linked(words, a) : a
    code[at + i + 2] = isB ? linked(words, b) : b
  }
}

function linked(words: readonly Row[], at: number): Row {
  if (at === ANY) return ANY
  assert(words[at] >= 0, 'a program names a word that is not there')
  return words[at]
}

/** Holds a script once more; returns its row. The caller has made sure of room. */
function holdScript(world: World, source: string, program: Program): Row {
  const scripts = world.index(SCRIPTS)
  const found = scripts.get(source) ?? 0
  if (found !== 0) {
    world.write(DroneScript).uses[found]++
    return found
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
 * Gives a drone another script, or takes its own: an empty text. Its memory is kept. The caller has
 * compiled it, and made sure of room.
 */
export function setScript(world: World, drone: Row, source: string, program: Program): void {
  const { script, limited, owner } = world.write(Drone)
  const before = script[drone]
  script[drone] = source === '' ? 0 : holdScript(world, source, program)
  dropScript(world, before)
  limited[drone] = 0
  assignSlots(world, owner[drone])
}

/** The program of a text that some drone may run. */
function programOf(source: string): Program {
  const type = DRONE_TYPES.findIndex((_, index) => compile(source, index).ok)
  const compiled = compile(source, type)
  assert(compiled.ok, 'a stored script does not compile')
  return compiled.program
}

/** Lets go of a script, with its words when nothing else holds it. */
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

/** Compiles what is stored, after a restore. */
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
 * Gives out the slots anew: to drones that are out and have a script, the longest out first. To be
 * called when one comes out or is gone, when a script changes, and when the skill has grown.
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
  const lucky = new Set(able.slice(0, slots))
  for (const drone of all) {
    running[drone] = lucky.has(drone) ? 1 : 0
    if (!lucky.has(drone)) limited[drone] = 0
  }
}

/*
 * Texts that scripts and memories name: one row a text, kept while something holds it, and which
 * place and item each is the id of.
 */

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

function holdWord(world: World, word: Row): void {
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
