/**
 * The bus of a simulation: a queue in each direction between two ends, on the virtual clock. Armed
 * faults lose, duplicate, delay and reorder messages, cut ends off, and restart the bus.
 * Source: SCALE 8.
 */
import type { Bus } from '../../core/bus.ts'
import type { Dice } from '../../core/dice.ts'
import type { FaultPlan } from './faults.ts'
import type { Process } from './process.ts'
import type { Stage } from './stage.ts'

const DELAY_MS_MAX = 3_000
/** Longest delay of a message that arrives out of order: more than a tick. */
const LATE_MS_MAX = 6_000
const CUT_MS_MAX = 12_000
const AWAY_MS_MAX = 6_000
const CUTS = ['in', 'out', 'both'] as const

type Take = Parameters<Bus['subscribe']>[1]

/** The connection of a process to the bus. */
interface End {
  /** Name of its machine, which a partition cuts off as a whole. */
  readonly place: string
  readonly process: Process
  readonly takers: Map<string, Set<Take>>
}

interface Cut {
  readonly place: string
  readonly way: (typeof CUTS)[number]
  readonly untilMs: number
}

export interface SimBus {
  /** Opens the end of a process at a place. */
  connect(place: string, process: Process): Bus
  /** Cuts a place off, both ways, until the bus is healed. */
  cut(place: string): void
  /** Lets faults strike: ends may be cut off, and the bus may restart. */
  step(): void
  /** Ends all partitions and outages. */
  heal(): void
}

interface BusOptions {
  readonly stage: Stage
  readonly plan: FaultPlan
  readonly dice: Dice
  /** Called with each message as it leaves a process. */
  sent(subject: string, bytes: Uint8Array): void
}

interface State {
  readonly options: BusOptions
  readonly ends: Set<End>
  /** Arrival time of the last message by direction; messages in order never arrive before it. */
  readonly ways: Map<string, number>
  cuts: Cut[]
  awayUntilMs: number
  /** Number of restarts; messages in transit across one are lost. */
  life: number
}

const isAway = ({ options, awayUntilMs }: State): boolean => options.stage.nowMs() < awayUntilMs

const isCut = ({ cuts }: State, from: End, to: End): boolean =>
  cuts.some(
    ({ place, way }) =>
      (place === from.place && way !== 'in') || (place === to.place && way !== 'out'),
  )

/** Sends a message in one direction; it may be lost, duplicated, delayed or reordered. */
function transmit(state: State, from: End, to: End, arrive: () => void): void {
  const { stage, plan, dice } = state.options
  const { life } = state
  const deliver = (): void => {
    if (state.life === life && !isCut(state, from, to)) to.process.enter(arrive)
  }
  if (isAway(state) || plan.strikes('bus_drop')) return
  const way = `${from.place}>${to.place}`
  const copies = plan.strikes('bus_duplicate') ? 2 : 1
  for (let copy = 0; copy < copies; copy++) {
    const delayMs = plan.strikes('bus_delay') ? 1 + dice.below(DELAY_MS_MAX) : 0
    let atMs = Math.max(stage.nowMs() + delayMs, state.ways.get(way) ?? 0)
    state.ways.set(way, atMs)
    if (copy > 0 || plan.strikes('bus_reorder')) atMs += 1 + dice.below(LATE_MS_MAX)
    if (atMs <= stage.nowMs()) stage.post(deliver)
    else stage.worldClock.at(atMs, deliver)
  }
}

/** Sends to all subscribers, each with a way to answer; returns how many there are. */
function broadcast(
  state: State,
  from: End,
  { subject, bytes }: { readonly subject: string; readonly bytes: Uint8Array },
  answered: (bytes: Uint8Array) => void,
): number {
  let listeners = 0
  for (const to of state.ends) {
    if (to.process.isOver) continue
    for (const take of to.takers.get(subject) ?? []) {
      listeners += 1
      transmit(state, from, to, () => {
        if (!to.takers.get(subject)?.has(take)) return
        take(bytes, (answer) => transmit(state, to, from, () => answered(answer)))
      })
    }
  }
  return listeners
}

function open(state: State, place: string, process: Process): Bus {
  const { stage, sent } = state.options
  const end: End = { place, process, takers: new Map() }
  state.ends.add(end)
  return {
    publish(subject, bytes) {
      if (isAway(state)) return
      sent(subject, bytes)
      broadcast(state, end, { subject, bytes }, () => {})
    },
    subscribe(subject, take) {
      const known = end.takers.get(subject) ?? new Set()
      end.takers.set(subject, known.add(take))
      return () => void known.delete(take)
    },
    request(subject, bytes, timeoutMs) {
      if (isAway(state)) return Promise.reject(new Error('the bus is away'))
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('no answer')), timeoutMs)
        const listeners = broadcast(state, end, { subject, bytes }, (answer) => {
          clearTimeout(timer)
          resolve(answer)
        })
        if (listeners === 0) stage.post(() => process.enter(() => reject(new Error('nobody'))))
      })
    },
    isUp: () => !isAway(state),
    largest: () => 0,
    async close() {
      state.ends.delete(end)
    },
  }
}

export function createSimBus(options: BusOptions): SimBus {
  const { stage, plan, dice } = options
  const state: State = {
    options,
    ends: new Set(),
    ways: new Map(),
    cuts: [],
    awayUntilMs: 0,
    life: 0,
  }
  return {
    connect: (place, process) => open(state, place, process),
    cut: (place) => void state.cuts.push({ place, way: 'both', untilMs: Number.POSITIVE_INFINITY }),
    step() {
      const nowMs = stage.nowMs()
      for (const end of [...state.ends]) if (end.process.isOver) state.ends.delete(end)
      state.cuts = state.cuts.filter(({ untilMs }) => untilMs > nowMs)
      if (state.ends.size > 0 && plan.strikes('bus_partition')) {
        const { place } = dice.pick([...state.ends])
        const untilMs = nowMs + 1 + dice.below(CUT_MS_MAX)
        state.cuts.push({ place, way: dice.pick(CUTS), untilMs })
      }
      if (isAway(state) || !plan.strikes('bus_restart')) return
      state.life += 1
      state.awayUntilMs = nowMs + 1 + dice.below(AWAY_MS_MAX)
    },
    heal() {
      state.cuts = []
      state.awayUntilMs = 0
    },
  }
}
