/**
 * The tick of drones: hops end, attacks begin, scripts are thought about, and what they decide is
 * done at once, kind by kind, in order of the drones' numbers. Source: drones.md section 5.
 */

import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { Container, GOODS_WRITES, namedContainer, Stack } from '../../core/goods.ts'
import { endsOf, groupBy } from '../../core/order.ts'
import type { SystemDef, Work } from '../../core/system.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { isBound } from '../account/model.ts'
import { raiseCounter } from '../achievement/rules.ts'
import { PACKAGE_WRITES } from '../cargo/rules.ts'
import { JettisonContainer, Locker } from '../cargo/state.ts'
import { BATTLE_WRITES } from '../combat/battles-rules.ts'
import { participantOf } from '../combat/model.ts'
import { Participant } from '../combat/state.ts'
import { CHARGE_WRITES } from '../law/crimes-rules.ts'
import { depletionPercent, remainingDisplay } from '../mining/model.ts'
import { miningYield } from '../mining/schemas.ts'
import { Deposit } from '../mining/state.ts'
import { Note } from '../note/state.ts'
import { Outlaw, SystemNpcs } from '../npc/state.ts'
import { Wreck } from '../salvage/state.ts'
import { SHIP_WRITES } from '../ship/rules.ts'
import { Module } from '../ship/state.ts'
import { Siege, StationHull } from '../siege/state.ts'
import { awardXp, XP_WRITES } from '../skill/rules.ts'
import { PLACE_WRITES } from '../travel/rules.ts'
import { Course, Location, Poi, StarSystem } from '../travel/state.ts'
import {
  type Do,
  deposit,
  jettison,
  loot,
  move,
  repair,
  roomOf,
  salvage,
  scan,
  stow,
  survey,
  transfer,
} from './actions-systems.ts'
import { evaluatorOf } from './evaluate-kernels.ts'
import {
  advance,
  attack,
  mayFight,
  reportHits,
  retreat,
  stance,
  strikeAll,
} from './fights-systems.ts'
import { kernelsFile } from './kernels.ts'
import { land } from './lives-rules.ts'
import { droneId, roster, scriptSlots } from './model.ts'
import { ACTIONS, type Action } from './pull-kernels.ts'
import { assignSlots, keepPlaces, remember, takeDrones } from './rules.ts'
import { controlOf, observe } from './scene-systems.ts'
import {
  Drone,
  DroneMemo,
  DroneWord,
  HOPPING,
  Squadron,
  Thought,
  TURNS,
  type Turns,
} from './state.ts'

/* What a mining drone has pulled goes into its hold, and its owner hears of it. */

/** Takes the pull of a drone aboard; false when it came to nothing. Source: mining.md section 6. */
function deliver(world: World, drone: Row): boolean {
  const { deposit, units } = world.read(Thought)
  if (deposit[drone] === 0 || units[drone] === 0) return false
  const item = world.read(Deposit).item[deposit[drone]]
  stow(world, drone, namedContainer('mined'), { item, units: units[drone] })
  const { owner } = world.read(Drone)
  if (isBound(world, owner[drone])) notifyOwner(world, drone, item)
  return true
}

function notifyOwner(world: World, drone: Row, item: number): void {
  const { deposit, units, left } = world.read(Thought)
  const good = GOODS[item]
  const max = world.read(Deposit).max[deposit[drone]]
  const remaining = left[drone]
  const payload = {
    kind: 'yield',
    drone_id: droneId(world, drone),
    resource_id: good.id,
    resource_name: good.name,
    quantity: units[drone],
    remaining,
    remaining_display: remainingDisplay(remaining),
    ...(remaining < 0 ? {} : { max_remaining: max }),
    ...(remaining < 0 || remaining === max
      ? {}
      : { depletion_percent: depletionPercent(remaining, max) }),
  }
  emit(world, miningYield, payload, toPlayer(world.read(Drone).owner[drone]))
}

/** Measured cost of an evaluation and of a pull, nanoseconds, on the slow side. */
const THINK_NS = 1_200
const PULL_NS = 150
/** XP of an action that was done. Source: drones.md section 3.6. */
const ACTION_XP = 5

const MINE = ACTIONS.indexOf('MINE')

const recordDone = (turns: Turns, player: Eid): void => {
  turns.done.set(player, (turns.done.get(player) ?? 0) + 1)
}

/* Arrivals and attacks */

export const arrive: SystemDef = {
  name: 'drone.arrive',
  phase: 'arrive',
  writes: [...PLACE_WRITES, Drone],
  run(world) {
    for (const drone of takeDrones(world)) land(world, drone)
  },
}

export const engage: SystemDef = {
  name: 'drone.engage',
  phase: 'engage',
  writes: [
    ...SHIP_WRITES,
    ...PLACE_WRITES,
    ...BATTLE_WRITES,
    ...CHARGE_WRITES,
    ...[Drone, Outlaw, Siege, StationHull, SystemNpcs],
  ],
  run: strikeAll,
}

/* Thinking */

/** Drones whose script has a slot; slots are given out anew to those whose skill has grown. */
function thinkers(world: World): Uint32Array {
  const out = roster(world)
  const { owner, running } = world.read(Drone)
  const { slots } = world.read(Squadron)
  let last = 0
  for (let i = 0; i < out.length; i++) {
    const player = owner[out[i]]
    if (player === last) continue
    last = player
    if (slots[player] !== scriptSlots(world, player)) assignSlots(world, player)
  }
  const rows = new Uint32Array(out.length)
  let count = 0
  for (let i = 0; i < out.length; i++) if (running[out[i]] === 1) rows[count++] = out[i]
  return rows.subarray(0, count)
}

function prepareThoughts(world: World): Work | undefined {
  const turns = world.index(TURNS)
  turns.rows = new Uint32Array(0)
  turns.miners = turns.rows
  turns.done.clear()
  if (world.countOf(Drone) === 0) return undefined
  keepPlaces(world)
  const rows = thinkers(world)
  turns.rows = rows
  if (rows.length === 0) return undefined
  observe(world, rows)
  const { system } = world.read(Drone)
  return {
    rows,
    partEnds: endsOf(rows, (row) => system[row]),
    estimateNs: rows.length * THINK_NS,
  }
}

/** Writes what a script put into the memory: it is evaluated again, which gives the same. */
function applyMemory(world: World, drone: Row): void {
  const { evaluate, writes, written } = evaluatorOf(world.kernelColumns)
  evaluate(drone, world.tick)
  for (let i = 0; i < written(); i++) remember(world, drone, writes[2 * i], writes[2 * i + 1])
}

/** A hop goes on whatever a script wants; so it may want nothing. */
function sortOut(world: World, rows: Uint32Array): void {
  const { limited: isOver, writes, action } = world.write(Thought)
  const { limited, state } = world.write(Drone)
  for (let i = 0; i < rows.length; i++) {
    const drone = rows[i]
    limited[drone] = isOver[drone]
    if (isOver[drone] === 1) world.nextNumber('drone step_limit')
    if (writes[drone] === 1) applyMemory(world, drone)
    if (state[drone] === HOPPING) action[drone] = 0
  }
}

/** Has every drone whose script says so do it, in order of their numbers within a system. */
function doAll(world: World, name: Action, act: Do): void {
  const turns = world.index(TURNS)
  const { action } = world.read(Thought)
  const { owner } = world.read(Drone)
  const code = ACTIONS.indexOf(name)
  for (let i = 0; i < turns.rows.length; i++) {
    const drone = turns.rows[i]
    if (action[drone] === code && act(world, drone)) recordDone(turns, owner[drone])
  }
}

/** Which actions scripts have come to, as bits: those nobody does are not looked for. */
function wanted(world: World): number {
  const { rows } = world.index(TURNS)
  const { action } = world.read(Thought)
  let bits = 0
  for (let i = 0; i < rows.length; i++) bits |= 1 << action[rows[i]]
  return bits
}

function doBatch(world: World, batch: readonly (readonly [Action, Do])[]): void {
  const bits = wanted(world)
  for (const [name, act] of batch) {
    if (((bits >>> ACTIONS.indexOf(name)) & 1) === 1) doAll(world, name, act)
  }
}

/** Source: drones.md section 5, order of batches: F4 up to MINE, and what follows it. */
const BEFORE_MINING: readonly (readonly [Action, Do])[] = [
  ['MOVE', move],
  ['LOOT', loot],
  ['SALVAGE', salvage],
]
const AFTER_MINING: readonly (readonly [Action, Do])[] = [
  ['TRANSFER', transfer],
  ['DEPOSIT', deposit],
  ['JETTISON', jettison],
  ['REPAIR', repair],
  ['SCAN', scan],
  ['SURVEY', survey],
  ['ADVANCE', advance],
  ['RETREAT', retreat],
  ['STANCE', stance],
  ['ATTACK', attack],
]

export const think: SystemDef = {
  name: 'drone.think',
  phase: 'decide',
  writes: [
    ...PACKAGE_WRITES,
    ...[Course, Drone, DroneMemo, DroneWord, Location, Module, Note, Poi, Squadron],
    ...[StarSystem, Thought, Wreck],
  ],
  split: {
    writes: [Drone, Squadron, Thought, DroneWord, DroneMemo, Wreck, Container, Stack],
    file: kernelsFile,
    kernel: 'think',
    prepare: prepareThoughts,
    apply(world, { rows }) {
      sortOut(world, rows)
      doBatch(world, BEFORE_MINING)
    },
  },
}

/* Mining */

/** Those that mine, by system, place and number; in a battle nobody does. */
function prepareMining(world: World): Work | undefined {
  const turns = world.index(TURNS)
  const { rows } = turns
  const { action, control } = world.write(Thought)
  const { owner, poi, system, body } = world.read(Drone)
  const miners = new Uint32Array(rows.length)
  let count = 0
  for (let i = 0; i < rows.length; i++) {
    const drone = rows[i]
    if (action[drone] !== MINE || roomOf(world, drone) <= 0) continue
    if (participantOf(world, body[drone]) !== 0) continue
    control[drone] = controlOf(world, owner[drone])
    miners[count++] = drone
  }
  if (count === 0) return undefined
  const systemOf = (row: Row): number => system[row]
  const found = miners.subarray(0, count)
  turns.miners = groupBy(found, (row) => poi[row], world.highOf(Poi))
  const bySystem = groupBy(turns.miners, systemOf, world.highOf(StarSystem))
  turns.miners = bySystem
  return { rows: bySystem, partEnds: endsOf(bySystem, systemOf), estimateNs: count * PULL_NS }
}

export const mine: SystemDef = {
  name: 'drone.mine',
  phase: 'decide',
  after: 'drone.think',
  writes: [...GOODS_WRITES, Deposit, Drone, Thought],
  split: {
    writes: [Thought, Deposit],
    file: kernelsFile,
    kernel: 'pull',
    prepare: prepareMining,
    apply(world, { rows }) {
      const turns = world.index(TURNS)
      const { owner } = world.read(Drone)
      for (const drone of rows) if (deliver(world, drone)) recordDone(turns, owner[drone])
    },
  },
}

/* The rest, and what is learnt */

export const act: SystemDef = {
  name: 'drone.act',
  phase: 'decide',
  after: 'drone.mine',
  writes: [...XP_WRITES, ...GOODS_WRITES, Drone, JettisonContainer, Locker, Participant],
  run(world) {
    const { rows, done } = world.index(TURNS)
    if (rows.length === 0) return
    doBatch(world, AFTER_MINING)
    for (const [player, count] of done) {
      assert(player !== 0, 'a drone of nobody acts')
      awardXp(world, player, 'drone_control', ACTION_XP * count)
      raiseCounter(world, player, 'drone_actions', count)
    }
    done.clear()
  },
}

/** What drones hit, and what hit them, before anything becomes of them. */
export const report: SystemDef = {
  name: 'drone.report',
  phase: 'fight',
  after: 'combat.report',
  writes: [],
  run(world) {
    if (mayFight(world)) reportHits(world)
  },
}
