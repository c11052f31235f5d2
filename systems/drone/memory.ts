/**
 * What a drone remembers: keys and values of its scripts, in order of first writing. Source:
 * drones.md section 3.5.
 */
import { DRONE_MEMORY_MAX } from '../../core/limits.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { Drone, DroneMemo, DroneWord } from './columns.ts'
import { dropWord, holdWord, textOf } from './words.ts'

/** Words by key. */
function memosOf(view: WorldView, drone: Row): Row[] {
  const { next } = view.read(DroneMemo)
  const rows: Row[] = []
  for (let row = view.read(Drone).firstMemo[drone]; row !== 0; row = next[row]) rows.push(row)
  return rows
}

/** What it remembers, as texts. */
export function memoryOf(view: WorldView, drone: Row): Record<string, string> {
  const { key, value } = view.read(DroneMemo)
  const pairs = memosOf(view, drone).map((memo) => [
    textOf(view, key[memo]),
    textOf(view, value[memo]),
  ])
  return Object.fromEntries(pairs)
}

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
