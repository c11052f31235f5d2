/**
 * Runs the registered checks; what a check finds is a bug, so it ends the batch. Source:
 * RELIABILITY 4.
 */
import { assert } from './assert.ts'
import type { TableDef } from './columns.ts'
import { CHECKED_ROWS_MAX } from './limits.ts'
import { divFloor } from './math.ts'
import type { CheckDef, Registry } from './registry.ts'
import { runSteps } from './steps.ts'
import type { Row, Store, World, WorldView } from './types.ts'

/**
 * Checks I6: every reference names a row in use. Reads every ref column of tables that may have
 * changed, or whose targets may have, since the last time: full checks only.
 */
function referencesHold(world: World): void {
  for (const store of world.stores.values()) {
    for (const [name, def] of Object.entries(store.def.columns)) {
      if (!def.ref) continue
      const target = world.stores.get(def.ref)
      assert(target, `${store.def.name}.${name} refers to the unknown table ${def.ref}`)
      if (store.unchecked || target.unchecked) checkReferences(store, name, def.width, target)
    }
  }
  for (const store of world.stores.values()) store.unchecked = false
}

/**
 * Checks references. Words are made only for what dangles: a sentence a row would cost more than
 * the check.
 */
function checkReferences(store: Store, name: string, width: number, target: Store): void {
  const column = store.columns[name]
  const alive = store.columns.alive
  const there = target.columns.alive
  const end = (store.high + 1) * width
  for (let i = width; i < end; i++) {
    const to = column[i]
    if (to === 0 || there[to] === 1) continue
    // Rows that are gone may refer to others that are: few look at the row itself.
    const row = divFloor(i, width)
    if (alive[row] !== 0) dangles(store, name, row, { to, target })
  }
}

function dangles(
  store: Store,
  name: string,
  row: number,
  { to, target }: { to: number; target: Store },
): never {
  assert(false, `${store.def.name} ${row}: ${name} dangles at row ${to} of ${target.def.name}`)
}

/**
 * Runs all checks. Each takes its costly form every `checkEvery` ticks (1: always), and
 * each on another tick of those, so that no tick pays for all of them. Returns how many took it.
 */
export const checkInvariants = (
  world: World,
  registry: Pick<Registry, 'checks'>,
  own: readonly CheckDef[],
  checkEvery: number,
): number => runSteps(checkSteps(world, [...own, ...registry.checks], checkEvery))

/** Does the same in steps of one check, or of a part of a long one. */
export function* checkSteps(
  world: World,
  checks: readonly CheckDef[],
  checkEvery: number,
): Generator<void, number> {
  let due = world.tick
  let full = 0
  for (const check of checks) {
    const isFull = due++ % checkEvery === 0
    if (isFull) full++
    if (isFull && check.steps) yield* check.steps(world)
    else check.run(world, isFull)
    yield
  }
  if (due % checkEvery !== 0) return full
  referencesHold(world)
  return full + 1
}

/**
 * Returns where a check that is costly a row starts and how it steps: every row of a small table, a
 * share of a large one that moves on from tick to tick, so that a check costs about the same
 * however large the world is.
 */
export function sampleOf(view: WorldView, table: TableDef): { first: Row; step: number } {
  const step = Math.max(1, Math.ceil(view.countOf(table) / CHECKED_ROWS_MAX))
  return { first: 1 + (view.tick % step), step }
}
