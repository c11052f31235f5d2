/**
 * Queues of jobs: one for each facility, one for each workshop (a player at a base). A queue has
 * two lanes, in which its jobs have positions: first those of its owner and their faction, then
 * those of others. The lists are derived from the table, in an order that depends on durable
 * numbers alone. Source: crafting.md sections 3, 11.
 */
import { assert } from '../../core/assert.ts'
import { clamp } from '../../core/math.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { Base } from '../base/state.ts'
import { Facility } from '../facility/state.ts'
import { Job, QUEUED, QUEUES, type Queue, RUNNING } from './state.ts'
import { queueKey, queueOfJob } from './venue-model.ts'

/* Order */

/** Compares jobs of one queue. */
function compareJobs(view: WorldView, a: Row, b: Row): number {
  const { lane, position, seq } = view.read(Job)
  return lane[a] - lane[b] || position[a] - position[b] || seq[a] - seq[b]
}

/** Compares two queues of facilities, or two of workshops. */
function compareQueues(view: WorldView, a: Queue, b: Queue): number {
  if (a.facility !== 0) {
    const { seq } = view.read(Facility)
    return seq[a.facility] - seq[b.facility]
  }
  const { seq } = view.read(Player)
  const { seq: seqOfBase } = view.read(Base)
  return seq[a.player] - seq[b.player] || seqOfBase[a.base] - seqOfBase[b.base]
}

/** Returns where an entry belongs in a sorted list; `compare` compares another entry with it. */
function insertionIndex<T>(list: readonly T[], compare: (other: T) => number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(list[middle]) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Inserts an entry into a sorted list. */
function insert<T>(list: T[], entry: T, compare: (other: T) => number): void {
  list.splice(insertionIndex(list, compare), 0, entry)
}

/** Returns the list that a queue is in while it has jobs. */
function queuesLike(view: WorldView, { facility }: Queue): Queue[] {
  const { facilities, workshops } = view.index(QUEUES)
  return facility !== 0 ? facilities : workshops
}

/* Changing */

/** Returns the queue of a job, and opens it where this is its first. */
function openQueue(world: World, job: Row): Queue {
  const { byKey } = world.index(QUEUES)
  const { facility, player, base } = world.read(Job)
  const key = queueKey(facility[job], player[job], base[job])
  const existing = byKey.get(key)
  if (existing) return existing
  const queue: Queue = {
    facility: facility[job],
    player: facility[job] === 0 ? player[job] : 0,
    base: base[job],
    jobs: [],
    work: [0, 0],
    current: 0,
  }
  byKey.set(key, queue)
  insert(queuesLike(world, queue), queue, (other) => compareQueues(world, other, queue))
  return queue
}

function closeQueue(world: World, queue: Queue): void {
  world.index(QUEUES).byKey.delete(queueKey(queue.facility, queue.player, queue.base))
  const list = queuesLike(world, queue)
  const index = insertionIndex(list, (other) => compareQueues(world, other, queue))
  assert(list[index] === queue, 'a queue is not among those with jobs')
  list.splice(index, 1)
}

/** Adds a job, whose columns are filled, to its queue and its owner's list. */
export function enterQueue(world: World, job: Row): void {
  const queue = openQueue(world, job)
  const { player, lane, seq, status, need, runsTotal, runsDone } = world.read(Job)
  insert(queue.jobs, job, (other) => compareJobs(world, other, job))
  queue.work[lane[job]] += need[job] * (runsTotal[job] - runsDone[job])
  if (status[job] === RUNNING) queue.current = job
  const { byPlayer } = world.index(QUEUES)
  const own = byPlayer.get(player[job])
  if (own) insert(own, job, (other) => seq[other] - seq[job])
  else byPlayer.set(player[job], [job])
}

/** Removes a job from its queue and its owner's list, before its row is released. */
export function leaveQueue(world: World, job: Row): void {
  const queue = queueOfJob(world, job)
  const { player, lane, need, runsTotal, runsDone } = world.read(Job)
  const index = queue.jobs.indexOf(job)
  assert(index >= 0, `job ${job} is not in its queue`)
  queue.jobs.splice(index, 1)
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
 * Moves a job to a place among the movable jobs of its lane, counted from 1; the other jobs keep
 * their positions. Returns its position in the lane.
 */
export function moveAmong(
  world: World,
  job: Row,
  place: number,
  isMovable: (other: Row) => boolean,
): number {
  const queue = queueOfJob(world, job)
  const { lane, position } = world.write(Job)
  const laneJobs = queue.jobs.filter((other) => lane[other] === lane[job])
  const movable = laneJobs.filter((other) => other !== job && isMovable(other))
  movable.splice(clamp(place, 1, movable.length + 1) - 1, 0, job)
  const sorted = laneJobs.map((other) => (isMovable(other) ? (movable.shift() ?? other) : other))
  for (const [index, row] of sorted.entries()) position[row] = index + 1
  queue.jobs.sort((a, b) => compareJobs(world, a, b))
  return position[job]
}

/** Sets the job that a queue works on; the previous one, if it is not done, is queued again. */
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
