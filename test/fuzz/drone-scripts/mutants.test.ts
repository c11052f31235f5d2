/**
 * Grammar-near and hostile scripts: each is refused with one of the known faults at a place within
 * its text, or runs within the budget; none ends the process. DRONE_MUTANTS sets how many, SEED
 * which. Source: RELIABILITY 5, B8.
 */
import { beforeAll, expect, test } from 'vitest'
import { DRONE_MEMORY_MAX, DRONE_STEPS_MAX } from '../../../core/limits.ts'
import type { Row, World } from '../../../core/world.ts'
import { Drone, Thought } from '../../../systems/drone/columns.ts'
import { compile } from '../../../systems/drone/compile.ts'
import { evaluatorOf } from '../../../systems/drone/evaluate.ts'
import { SCRIPT_FAULTS } from '../../../systems/drone/lexer.ts'
import { OP, WIDTH } from '../../../systems/drone/program.ts'
import { setScript } from '../../../systems/drone/scripts.ts'
import { ACTIONS, DRONE_TYPES, mayDo } from '../../../systems/drone/types.ts'
import { bayed, deployed, teachDrones, type Yard, yard } from '../../unit/drone/scene.ts'
import { mutantOf } from './mutants.ts'

const COUNT = Number(process.env.DRONE_MUTANTS ?? 5_000)
const SEED = Number(process.env.SEED ?? 1)
/** A tick of the whole world, with all its checks, after so many. */
const TICK_EVERY = 500

let at: Yard
let world: World
let drones: Row[]
beforeAll(async () => {
  at = await yard()
  world = at.world
  teachDrones(world, at.owner)
  drones = DRONE_TYPES.map((type) => deployed(at, type))
}, 120_000)

/** Jumps of a program lead forwards and stay within it, and it ends. */
function isSound(code: readonly number[]): boolean {
  const end = code.length / WIDTH
  for (let at = 0; at < end; at++) {
    const head = code[at * WIDTH]
    const op = head & 15
    const jumps = op === OP.if || op === OP.jump
    if (jumps && (head >>> 16 <= at || head >>> 16 >= end)) return false
  }
  return (code[(end - 1) * WIDTH] & 15) === OP.end
}

/** What is wrong with how a script was taken; undefined for nothing. */
function breachOf(source: string, type: number): string | undefined {
  const compiled = compile(source, type)
  if (!compiled.ok) {
    const { kind, line, column, text } = compiled.fault
    const lines = source.split('\n')
    if (!SCRIPT_FAULTS.includes(kind) || text === '') return `unknown fault ${kind}`
    const isInside = line >= 1 && line <= lines.length && column >= 1
    return isInside && column <= [...lines[line - 1]].length + 1 ? undefined : `L${line}:C${column}`
  }
  if (!isSound(compiled.program.code)) return 'a program that does not end'
  const drone = drones[type]
  setScript(world, drone, source, compiled.program)
  const { evaluate, written } = evaluatorOf(world.kernelColumns)
  if (source === '') return undefined
  evaluate(drone, world.tick)
  const thought = world.read(Thought)
  const action = ACTIONS[thought.action[drone]]
  if (written() > DRONE_STEPS_MAX) return 'more writes than steps'
  if (thought.limited[drone] === 1 && (action !== 'WAIT' || written() > 0)) return 'limit ignored'
  return mayDo(type, action) ? undefined : `a forbidden ${action}`
}

test(`${COUNT} scripts that are nearly right are refused, or run within the budget`, () => {
  const breaches: string[] = []
  let taken = 0
  for (let number = 1; number <= COUNT; number++) {
    const type = number % DRONE_TYPES.length
    const source = mutantOf(SEED, number)
    const breach = breachOf(source, type)
    if (breach) breaches.push(`SEED=${SEED} mutant ${number}: ${breach}`)
    if (compile(source, type).ok) taken++
    if (number % TICK_EVERY === 0) at.small.ticks(1)
    for (const drone of drones) {
      if (world.read(Drone).memorySize[drone] > DRONE_MEMORY_MAX) breaches.push(`${number}: memory`)
    }
  }
  expect(breaches.slice(0, 20)).toEqual([])
  expect(taken).toBeGreaterThan(COUNT / 50)
  expect(taken).toBeLessThan(COUNT)
}, 600_000)

test('mutants that come by command are each taken or answered with script_error', () => {
  const drone = bayed(world, at.owner, 'mining')
  const drone_id = (
    at.small.ask(at.owner, 'get_drones') as { result: { drones: { id: string }[] } }
  ).result.drones[drones.length].id
  expect(drone).toBeGreaterThan(0)
  for (let number = 1; number <= 40; number++) {
    const script = mutantOf(SEED + 1, number)
    const outcome = at.small.act(at.owner, 'upload_drone_script', { drone_id, script })
    expect(outcome.ok || outcome.code === 'script_error').toBe(true)
  }
}, 120_000)
