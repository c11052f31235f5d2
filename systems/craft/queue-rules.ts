/**
 * Queues of jobs: one a facility, one a workshop (a player at a base). The lists are derived from
 * the table; a tick looks only at the queues there are, in an order that everyone computes alike.
 * Source: crafting.md sections 3, 11.
 */
import { assert } from '../../core/assert.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { Base } from '../base/state.ts'
import { Facility } from '../facility/state.ts'
import { Job, QUEUED, QUEUES, type Queue, RUNNING } from './state.ts'
import { keyOf, queueOfJob } from './venue-model.ts'

/* Order */

/** Below 0 if job `a` comes before job `b` of the same queue. */
function byOrder(view: WorldView, a: Row, b: Row): number {
  const { lane, position, seq } = view.read(Job)
  return lane[a] - lane[b] || position[a] - position[b] || seq[a] - seq[b]
}

function byPlace(view: WorldView, a: Queue, b: Queue): number {
  if (a.facility !== 0) {
    const { seq } = view.read(Facility)
    return seq[a.facility] - seq[b.facility]
  }
  const { seq } = view.read(Player)
  const { seq: numberOf } = view.read(Base)
  return seq[a.player] - seq[b.player] || numberOf[a.base] - numberOf[b.base]
}

/** Where an entry belongs in a sorted list. */
function placeIn<T>(list: readonly T[], compare: (other: T) => number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(list[middle]) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/* Changing */

function openQueue(world: World, job: Row): Queue {
  const { byKey, facilities, workshops } = world.index(QUEUES)
  const { facility, player, base } = world.read(Job)
  const key = keyOf(facility[job], player[job], base[job])
  const found = byKey.get(key)
  if (found) return found
  const owner = facility[job] === 0 ? player[job] : 0
  const place = { facility: facility[job], player: owner, base: base[job] }
  const queue: Queue = { ...place, jobs: [], work: [0, 0], current: 0 }
  byKey.set(key, queue)
  const active = facility[job] !== 0 ? facilities : workshops
  const at = placeIn(active, (other) => byPlace(world, other, queue))
  active.splice(at, 0, queue)
  return queue
}

function closeQueue(world: World, queue: Queue): void {
  const { byKey, facilities, workshops } = world.index(QUEUES)
  byKey.delete(keyOf(queue.facility, queue.player, queue.base))
  const active = queue.facility !== 0 ? facilities : workshops
  const at = placeIn(active, (other) => byPlace(world, other, queue))
  assert(active[at] === queue, 'a queue is not among those with jobs')
  active.splice(at, 1)
}

/** Puts a job, whose columns are filled, into its queue and its owner's list. */
export function enterQueue(world: World, job: Row): void {
  const queue = openQueue(world, job)
  const { player, lane, seq, status, need, runsTotal, runsDone } = world.read(Job)
  queue.jobs.splice(
    placeIn(queue.jobs, (other) => byOrder(world, other, job)),
    0,
    job,
  )
  queue.work[lane[job]] += need[job] * (runsTotal[job] - runsDone[job])
  if (status[job] === RUNNING) queue.current = job
  const { byPlayer } = world.index(QUEUES)
  const own = byPlayer.get(player[job])
  if (!own) byPlayer.set(player[job], [job])
  else
    own.splice(
      placeIn(own, (other) => seq[other] - seq[job]),
      0,
      job,
    )
}

/** Takes a job out of its queue and its owner's list, before its row is given back. */
export function leaveQueue(world: World, job: Row): void {
  const queue = queueOfJob(world, job)
  const { player, lane, need, runsTotal, runsDone } = world.read(Job)
  const at = queue.jobs.indexOf(job)
  assert(at >= 0, `job ${job} is not in its queue`)
  queue.jobs.splice(at, 1)
  queue.work[lane[job]] -= need[job] * (runsTotal[job] - runsDone[job])
  if (queue.current === job) queue.current = 0
  if (queue.jobs.length === 0) closeQueue(world, queue)
  const { byPlayer } = world.index(QUEUES)
  const own = byPlayer.get(player[job])
  assert(own, `the owner of job ${job} has no jobs`)
  if (own.length === 1) byPlayer.delete(player[job])
  else own.splice(own.indexOf(job), 1)
}

/** Counts runs of a job as completed. */
export function countRuns(world: World, queue: Queue, job: Row, runs: number): void {
  const { lane, need, runsDone, runsTotal } = world.write(Job)
  runsDone[job] += runs
  assert(runsDone[job] <= runsTotal[job], `job ${job} has run too often`)
  queue.work[lane[job]] -= need[job] * runs
}

/**
 * Puts a job at a place, from 1, among those of its lane that may be moved; the others stay where
 * they are. Returns its place in the whole lane.
 */
export function moveAmong(
  world: World,
  job: Row,
  place: number,
  mayMove: (other: Row) => boolean,
): number {
  const queue = queueOfJob(world, job)
  const { lane, position } = world.write(Job)
  const line = queue.jobs.filter((other) => lane[other] === lane[job])
  const movable = line.filter((other) => other !== job && mayMove(other))
  movable.splice(Math.min(Math.max(place, 1), movable.length + 1) - 1, 0, job)
  const sorted = line.map((other) => (mayMove(other) ? (movable.shift() ?? other) : other))
  for (const [index, row] of sorted.entries()) position[row] = index + 1
  queue.jobs.sort((a, b) => byOrder(world, a, b))
  return position[job]
}

/** Writes which job a queue is at: the one before waits again. */
export function setCurrent(world: World, queue: Queue, job: Row): void {
  const { alive, status } = world.write(Job)
  const before = queue.current
  if (before !== 0 && before !== job && alive[before] === 1 && status[before] === RUNNING) {
    status[before] = QUEUED
  }
  queue.current = job
  if (job !== 0) status[job] = RUNNING
}

/** Fills the lists from the table, after a restore. */
export function rebuildQueues(world: World): void {
  const { byKey, facilities, workshops, byPlayer } = world.index(QUEUES)
  byKey.clear()
  byPlayer.clear()
  facilities.length = 0
  workshops.length = 0
  const { alive } = world.read(Job)
  for (let job = 1; job <= world.highOf(Job); job++) if (alive[job] === 1) enterQueue(world, job)
}
