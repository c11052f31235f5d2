/**
 * The tick of drones: hops end, attacks begin, scripts are evaluated, and what they decide is done
 * at once, kind by kind, in order of the drones' numbers. Source: drones.md section 5.
 */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import {
  Container,
  contentsOf,
  GOODS_WRITES,
  namedContainer,
  Stack,
  unitsIn,
} from '../../core/goods.ts'
import { endsOf, groupBy } from '../../core/order.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef, Work } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { raiseCounter } from '../achievement/rules.ts'
import { PACKAGE_WRITES } from '../cargo/rules.ts'
import { JettisonContainer, Locker } from '../cargo/state.ts'
import { BATTLE_WRITES } from '../combat/battles-rules.ts'
import { participantOf } from '../combat/model.ts'
import { Participant } from '../combat/state.ts'
import { CHARGE_WRITES } from '../law/crimes-rules.ts'
import { Deposit } from '../mining/state.ts'
import { Note } from '../note/state.ts'
import { Npc, Outlaw, SystemNpcs } from '../npc/state.ts'
import { Wreck } from '../salvage/state.ts'
import { SHIP_WRITES } from '../ship/rules.ts'
import { Module, Ship } from '../ship/state.ts'
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
  survey,
  takePull,
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
import { type Action, DRONE_ACTIONS } from './figures-model.ts'
import { kernelsFile } from './kernels.ts'
import { land, takeArrivals } from './lifecycle-rules.ts'
import { controlOf, DRONE_ITEMS, droneSpec, dronesOf, dronesOut, scriptSlots } from './model.ts'
import { beamPower, observe } from './scene-systems.ts'
import { assignSlots, refreshWords, remember } from './script-rules.ts'
import {
  Body,
  DEPLOYED,
  DRONE_MEMORY_MAX,
  DRONES_PER_PLAYER_MAX,
  Drone,
  DroneMemo,
  DroneScript,
  DroneWord,
  HOPPING,
  IN_BAY,
  Squadron,
  Thought,
  TURNS,
  type Turns,
} from './state.ts'

/** Measured costs of an evaluation and of a pull, nanoseconds, rounded up. */
const THINK_NS = 1_200
const PULL_NS = 150
/** XP of an action that was done. Source: drones.md section 3.6. */
const ACTION_XP = 5

const MINE = DRONE_ACTIONS.indexOf('MINE')

const recordDone = (turns: Turns, player: Eid): void => {
  turns.done.set(player, (turns.done.get(player) ?? 0) + 1)
}

/* Arrivals and attacks */

export const arrive: SystemDef = {
  name: 'drone.arrive',
  phase: 'arrive',
  writes: [...PLACE_WRITES, Drone],
  run(world) {
    for (const drone of takeArrivals(world)) land(world, drone)
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
    Drone,
    Npc,
    Outlaw,
    Siege,
    StationHull,
    SystemNpcs,
  ],
  run: strikeAll,
}

/* Thinking */

/** Returns the drones whose script has a slot; reassigns slots where the skill has grown. */
function runningDrones(world: World): Uint32Array {
  const out = dronesOut(world)
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
  refreshWords(world)
  const rows = runningDrones(world)
  turns.rows = rows
  if (rows.length === 0) return undefined
  observe(world, rows)
  const { system } = world.read(Drone)
  const partEnds = endsOf(rows, (row) => system[row])
  return { rows, partEnds, estimateNs: rows.length * THINK_NS }
}

/** Writes what a script put into the memory, by evaluating it again: the kernel kept no list. */
function applyMemory(world: World, drone: Row): void {
  const { evaluate, pairs, pairCount } = evaluatorOf(world.kernelColumns)
  evaluate(drone, world.tick)
  for (let i = 0; i < pairCount(); i++) remember(world, drone, pairs[2 * i], pairs[2 * i + 1])
}

/** Applies what scripts wrote, and drops actions of drones on a hop, which nothing interrupts. */
function applyThoughts(world: World, rows: Uint32Array): void {
  const { limited: isOverBudget, writes, action } = world.write(Thought)
  const { limited, state } = world.write(Drone)
  for (let i = 0; i < rows.length; i++) {
    const drone = rows[i]
    limited[drone] = isOverBudget[drone]
    // Only counts how often scripts ran over their steps.
    if (isOverBudget[drone] === 1) world.nextNumber('drone step_limit')
    if (writes[drone] === 1) applyMemory(world, drone)
    if (state[drone] === HOPPING) action[drone] = 0
  }
}

/** Runs an action for every drone whose script chose it, by system and number. */
function doAll(world: World, name: Action, act: Do): void {
  const turns = world.index(TURNS)
  const { action } = world.read(Thought)
  const { owner } = world.read(Drone)
  const code = DRONE_ACTIONS.indexOf(name)
  for (let i = 0; i < turns.rows.length; i++) {
    const drone = turns.rows[i]
    if (action[drone] === code && act(world, drone)) recordDone(turns, owner[drone])
  }
}

type Batch = readonly (readonly [Action, Do])[]

/** Runs the actions of a batch in its order; those that no script chose are skipped. */
function doBatch(world: World, batch: Batch): void {
  const { rows } = world.index(TURNS)
  const { action } = world.read(Thought)
  let chosen = 0
  for (let i = 0; i < rows.length; i++) chosen |= 1 << action[rows[i]]
  for (const [name, act] of batch) {
    if (((chosen >>> DRONE_ACTIONS.indexOf(name)) & 1) === 1) doAll(world, name, act)
  }
}

/** Actions in the order that they are done in, before mining. Source: drones.md section 5, F4. */
const BEFORE_MINING: Batch = [
  ['MOVE', move],
  ['LOOT', loot],
  ['SALVAGE', salvage],
]
/** The same of actions after mining. */
const AFTER_MINING: Batch = [
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
    Course,
    Drone,
    DroneMemo,
    DroneWord,
    Location,
    Module,
    Note,
    Poi,
    Squadron,
    StarSystem,
    Thought,
    Wreck,
  ],
  split: {
    writes: [Drone, Squadron, Thought, DroneWord, DroneMemo, Wreck, Container, Stack],
    file: kernelsFile,
    kernel: 'think',
    prepare: prepareThoughts,
    apply(world, { rows }) {
      applyThoughts(world, rows)
      doBatch(world, BEFORE_MINING)
    },
  },
}

/* Mining */

/** Finds the drones that mine, by system, place and number; none does in a battle. */
function prepareMining(world: World): Work | undefined {
  const turns = world.index(TURNS)
  const { rows } = turns
  const { action, control, power } = world.write(Thought)
  const { owner, poi, system, body } = world.read(Drone)
  const miners = new Uint32Array(rows.length)
  let count = 0
  for (let i = 0; i < rows.length; i++) {
    const drone = rows[i]
    if (action[drone] !== MINE || roomOf(world, drone) <= 0) continue
    if (participantOf(world, body[drone]) !== 0) continue
    power[drone] = beamPower(world, drone)
    if (power[drone] === 0) continue
    control[drone] = controlOf(world, owner[drone])
    miners[count++] = drone
  }
  if (count === 0) return undefined
  const systemOf = (row: Row): number => system[row]
  const byPlace = groupBy(miners.subarray(0, count), (row) => poi[row], world.highOf(Poi))
  turns.miners = groupBy(byPlace, systemOf, world.highOf(StarSystem))
  const partEnds = endsOf(turns.miners, systemOf)
  return { rows: turns.miners, partEnds, estimateNs: count * PULL_NS }
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
      for (const drone of rows) if (takePull(world, drone)) recordDone(turns, owner[drone])
    },
  },
}

/* The other actions, and the experience of all */

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
      assert(player !== 0, 'a drone without an owner acts')
      awardXp(world, player, 'drone_control', ACTION_XP * count)
      raiseCounter(world, player, 'drone_actions', count)
    }
    done.clear()
  },
}

/** Reports what drones hit, and what hit them, before the fight has its consequences. */
export const report: SystemDef = {
  name: 'drone.report',
  phase: 'fight',
  after: 'combat.report',
  writes: [],
  run(world) {
    if (mayFight(world)) reportHits(world)
  },
}

/* Invariants */

function checkPlace(view: WorldView, drone: Row): void {
  const { state, body, poi, ship, system, hold, holdUsed } = view.read(Drone)
  const hull = body[drone]
  const isOut = state[drone] !== IN_BAY
  assert(isOut === (hull !== 0), `drone ${drone} has the wrong hull`)
  assert(isOut === (system[drone] !== 0), `drone ${drone} has the wrong system`)
  assert(isOut || ship[drone] !== 0, `drone ${drone} is in the bay of no ship`)
  if (isOut) {
    assert(view.read(Body).drone[hull] === drone, `the hull of drone ${drone} is another's`)
    assert(view.read(Location).poi[hull] === poi[drone], `drone ${drone} is not where its hull is`)
    assert((state[drone] === DEPLOYED) === (poi[drone] !== 0), `drone ${drone} is at two places`)
  }
  const held = hold[drone] === 0 ? [] : contentsOf(view, hold[drone])
  const used = held.reduce((sum, { item, units }) => sum + GOODS[item].size * units, 0)
  assert(holdUsed[drone] === used, `drone ${drone} counts ${holdUsed[drone]} of ${used} in use`)
  assert(used <= droneSpec(view, drone).hold, `drone ${drone} carries too much`)
}

function checkMemory(view: WorldView, drone: Row): void {
  const { firstMemo, memorySize } = view.read(Drone)
  const { next, key, value } = view.read(DroneMemo)
  const { size } = view.read(DroneWord)
  let sum = 0
  for (let memo = firstMemo[drone]; memo !== 0; memo = next[memo]) {
    sum += size[key[memo]] + size[value[memo]]
  }
  assert(memorySize[drone] === sum && sum <= DRONE_MEMORY_MAX, `drone ${drone} remembers too much`)
}

function checkScripts(view: WorldView, uses: ReadonlyMap<Row, number>): void {
  const script = view.read(DroneScript)
  for (let row = 1; row <= view.highOf(DroneScript); row++) {
    if (script.alive[row] === 0) continue
    assert(script.uses[row] === (uses.get(row) ?? 0), `script ${row} counts other drones`)
  }
}

export const dronesAreSound: CheckDef = {
  name: 'drones: each is in a bay or at a place; items, scripts and memories add up',
  run(view, full) {
    if (!full || view.countOf(Drone) === 0) return
    const { ship, type, script } = view.read(Drone)
    const counts = DRONE_ITEMS.map(() => 0)
    const uses = new Map<Row, number>()
    for (let player = 1; player <= view.highOf(Player); player++) {
      const drones = dronesOf(view, player)
      if (drones.length === 0) continue
      assert(drones.length <= DRONES_PER_PLAYER_MAX, `player ${player} has too many drones`)
      const { count } = view.read(Squadron)
      assert(count[player] === drones.length, `player ${player} counts other drones`)
      for (const drone of drones) {
        const shipOwner = view.read(Ship).owner[ship[drone]]
        assert(ship[drone] === 0 || shipOwner === player, `drone ${drone} is on another's ship`)
        counts[type[drone]]++
        uses.set(script[drone], (uses.get(script[drone]) ?? 0) + 1)
        checkPlace(view, drone)
        checkMemory(view, drone)
      }
    }
    for (const [index, item] of DRONE_ITEMS.entries()) {
      const units = unitsIn(view, namedContainer('drones'), item)
      assert(units === counts[index], `${units} items for ${counts[index]} drones`)
    }
    checkScripts(view, uses)
  },
}
