/**
 * Script texts and their programs: compiled once, when a text is new to the world, and shared by
 * all drones that have it. Source: drones.md section 5, "Compile once".
 */
import { assert } from '../../core/assert.ts'
import { DRONE_CODE_WORDS } from '../../core/limits.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { Drone, DroneScript, DroneWord } from './columns.ts'
import { compile } from './compile.ts'
import { ANY, type Program, WIDTH, wordsOf } from './program.ts'
import { assignSlots } from './squad.ts'
import { DRONE_TYPES } from './types.ts'
import { dropWord, holdText, wordOf } from './words.ts'

const SCRIPTS = defineIndex('drone.scripts', () => new Map<string, Row>())

/** ours: the first line tells scripts apart in a list. */
const PREVIEW_CHARACTERS_MAX = 60

export const sourceOf = (view: WorldView, script: Row): string =>
  script === 0 ? '' : view.texts.get(view.read(DroneScript).source[script])

/** What a list shows of a script. */
export function previewOf(view: WorldView, script: Row): string {
  const [line] = sourceOf(view, script).trim().split('\n', 1)
  return [...line].slice(0, PREVIEW_CHARACTERS_MAX).join('').trim()
}

/** Writes a program, its texts as words. */
function link(world: World, script: Row, program: Program): void {
  const { code } = world.write(DroneScript)
  const words = program.texts.map((text) => wordOf(world, text))
  const at = script * DRONE_CODE_WORDS
  assert(program.code.length <= DRONE_CODE_WORDS, 'a program is too long')
  for (let i = 0; i < program.code.length; i += WIDTH) {
    const [head, a, b] = program.code.slice(i, i + WIDTH)
    const [isA, isB] = wordsOf(head)
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

/** True while there is no room for another script and its words. */
export function isScriptsFull(view: WorldView, program: Program): boolean {
  return isNearlyFull(view, DroneScript) || program.texts.length > view.roomIn(DroneWord)
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

/** True when a drone of this type may run what it has: a check. */
export function suits(view: WorldView, drone: Row): boolean {
  const { script, type } = view.read(Drone)
  return script[drone] === 0 || compile(sourceOf(view, script[drone]), type[drone]).ok
}
