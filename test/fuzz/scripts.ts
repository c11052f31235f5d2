/**
 * Drone scripts that nearly follow the grammar: each is compiled, and flown if it compiles. A
 * script is refused with a known fault at a place inside it, or runs within its budget. Source:
 * RELIABILITY 5, B8.
 */
import { createDice } from '../../core/dice.ts'
import type { Row } from '../../core/types.ts'
import { compile } from '../../systems/drone/compile-model.ts'
import {
  DRONE_ACTIONS,
  DRONE_TYPES,
  type DroneType,
  mayDo,
} from '../../systems/drone/figures-model.ts'
import { SCRIPT_FAULTS } from '../../systems/drone/lexer-model.ts'
import { OP, WIDTH } from '../../systems/drone/program-model.ts'
import { STATUSES } from '../../systems/drone/schemas.ts'
import {
  DRONE_CODE_WORDS,
  DRONE_FAULT_CHARACTERS_MAX,
  DRONE_MEMORY_MAX,
  DRONE_SCRIPT_CHARACTERS_MAX,
  Drone,
  Thought,
} from '../../systems/drone/state.ts'
import {
  deployed,
  placeId,
  show,
  teachDrones,
  write,
  type Yard,
  yard,
} from '../unit/drone/scene.ts'
import { drawScript } from './script-draws.ts'

interface ScriptsReport {
  readonly tried: number
  readonly ran: number
  /** How many scripts had each kind of fault, or ran into each status. */
  readonly counts: ReadonlyMap<string, number>
  readonly failures: readonly string[]
}

const FAILURES_MAX = 20
/** The world is made anew after this many programs, since drones get lost over time. */
const PROGRAMS_PER_YARD = 1_000
const COMPILE_MS_MAX = 1_000
/** A fault quotes at most this much of the script. */
const FAULT_CHARACTERS_MAX = DRONE_FAULT_CHARACTERS_MAX + 4

/** Tells whether all jumps of a program lead forwards and stay within it, and whether it ends. */
function isSound(code: readonly number[]): boolean {
  const end = code.length / WIDTH
  for (let index = 0; index < end; index++) {
    const head = code[index * WIDTH]
    const op = head & 15
    const isJump = op === OP.if || op === OP.jump
    if (isJump && (head >>> 16 <= index || head >>> 16 >= end)) return false
  }
  return (code[(end - 1) * WIDTH] & 15) === OP.end
}

/** Returns what is wrong with the compiler's result, if anything. */
function judgeCompiled(source: string, type: number): Verdict {
  const since = performance.now()
  const compiled = compile(source, type)
  if (performance.now() - since > COMPILE_MS_MAX) return { wrong: 'took over 1 s', outcome: 'slow' }
  const length = [...source].length
  if (compiled.ok) {
    const { code } = compiled.program
    if (length > DRONE_SCRIPT_CHARACTERS_MAX) return { wrong: 'is too long', outcome: 'ok' }
    if (code.length > DRONE_CODE_WORDS) return { wrong: `${code.length} words`, outcome: 'ok' }
    return isSound(code) ? { outcome: 'ok' } : { wrong: 'never ends', outcome: 'ok' }
  }
  const { kind, line, column, text } = compiled.fault
  if (!SCRIPT_FAULTS.includes(kind)) return { wrong: `fault ${kind}`, outcome: kind }
  const lines = source.split('\n')
  const isInside = line >= 1 && line <= lines.length && column >= 1
  if (!isInside || column > [...lines[line - 1]].length + 1)
    return { wrong: `${kind} at L${line}:C${column}`, outcome: kind }
  return [...text].length > FAULT_CHARACTERS_MAX
    ? { wrong: 'says too much', outcome: kind }
    : { outcome: kind }
}

interface Hangar {
  readonly scene: Yard
  readonly drones: Map<DroneType, Row>
}

async function newHangar(): Promise<Hangar> {
  const scene = await yard()
  teachDrones(scene.world, scene.owner, 60)
  return { scene, drones: new Map() }
}

/** Statuses after which a drone cannot try further scripts: the world is made anew. */
const ASTRAY = new Set(['in_battle', 'adrift', 'lost'])

/** Loads the drone of a type with its next script. */
function load({ scene, drones }: Hangar, type: DroneType, source: string): Row {
  const { alive } = scene.world.read(Drone)
  const known = drones.get(type) ?? 0
  const drone = alive[known] === 1 ? known : deployed(scene, type)
  drones.set(type, drone)
  write(scene.world, drone, source)
  return drone
}

interface Verdict {
  readonly outcome: string
  readonly wrong?: string
}

/** Returns what is wrong with a drone that has run, if anything. */
function judgeFlown({ scene }: Hangar, drone: Row): Verdict {
  if (scene.world.read(Drone).alive[drone] === 0) return { outcome: 'lost' }
  const { status, memory = {} } = show(scene, drone) as unknown as {
    status: string
    memory?: Record<string, string>
  }
  const { limited, action } = scene.world.read(Thought)
  const did = DRONE_ACTIONS[action[drone]]
  if (limited[drone] === 1 && did !== 'WAIT')
    return { outcome: status, wrong: 'its limit is ignored' }
  if (!mayDo(scene.world.read(Drone).type[drone], did))
    return { outcome: status, wrong: `does ${did}` }
  const used = Object.entries(memory).reduce((sum, [a, b]) => sum + a.length + b.length, 0)
  if (used > DRONE_MEMORY_MAX) return { outcome: status, wrong: `remembers ${used} characters` }
  return (STATUSES as readonly string[]).includes(status)
    ? { outcome: status }
    : { outcome: status, wrong: `status ${status}` }
}

/** Programs that fly in the same tick: at most one a type of drone. */
type Flight = Map<DroneType, string>

interface Trial {
  hangar: Hangar
  flight: Flight
  ran: number
  readonly counts: Map<string, number>
  readonly failures: string[]
}

function record(
  { counts, failures }: Trial,
  type: DroneType,
  source: string,
  { outcome, wrong }: Verdict,
): void {
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  if (wrong) failures.push(`${type} ${JSON.stringify(source.slice(0, 400))}: ${wrong}`)
}

const thrown = (error: unknown): Verdict => ({
  outcome: 'thrown',
  wrong: String((error as Error).stack).slice(0, 500),
})

/** Flies all waiting programs for a tick. */
async function takeOff(trial: Trial): Promise<void> {
  const { hangar, flight } = trial
  trial.flight = new Map()
  trial.ran += flight.size
  try {
    const out = [...flight].map(([type, source]) => ({
      type,
      source,
      drone: load(hangar, type, source),
    }))
    hangar.scene.small.ticks(1)
    const flown = out.map(({ drone }) => judgeFlown(hangar, drone))
    out.forEach(({ type, source }, index) => {
      record(trial, type, source, flown[index])
    })
    if (flown.some(({ outcome }) => ASTRAY.has(outcome))) trial.hangar = await newHangar()
  } catch (error) {
    record(trial, 'mining', [...flight.values()].join('\n---\n'), thrown(error))
    trial.hangar = await newHangar()
  }
}

async function tryOne(trial: Trial, type: DroneType, source: string): Promise<void> {
  try {
    const verdict = judgeCompiled(source, DRONE_TYPES.indexOf(type))
    if (verdict.outcome !== 'ok' || verdict.wrong) {
      record(trial, type, source, verdict)
      return
    }
  } catch (error) {
    record(trial, type, source, thrown(error))
    return
  }
  if (trial.flight.has(type)) await takeOff(trial)
  trial.flight.set(type, source)
}

/** Compiles this many random programs, and flies those that compile. */
export async function tryScripts(count: number, seed: number): Promise<ScriptsReport> {
  const dice = createDice(seed)
  const trial: Trial = {
    hangar: await newHangar(),
    flight: new Map(),
    ran: 0,
    counts: new Map(),
    failures: [],
  }
  for (let i = 0; i < count && trial.failures.length < FAILURES_MAX; i++) {
    if (i > 0 && i % PROGRAMS_PER_YARD === 0) {
      await takeOff(trial)
      trial.hangar = await newHangar()
    }
    const { scene } = trial.hangar
    const source = drawScript(dice)
      .replaceAll('BELT', placeId(scene, scene.belt))
      .replaceAll('PORT', placeId(scene, scene.port))
      .replaceAll('POST', placeId(scene, scene.open))
    await tryOne(trial, dice.pick(DRONE_TYPES), source)
  }
  await takeOff(trial)
  const { ran, counts, failures } = trial
  return { tried: count, ran, counts, failures }
}
