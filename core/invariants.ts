/**
 * Runs the registered checks. A check that fails has found a bug, so it ends the batch. Source:
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
 * Checks the references of a column. A message is made only for one that dangles: making one for
 * each row would cost more than the check.
 */
function checkReferences(store: Store, name: string, width: number, target: Store): void {
  const column = store.columns[name]
  const alive = store.columns.alive
  const targetAlive = target.columns.alive
  const end = (store.high + 1) * width
  for (let i = width; i < end; i++) {
    const to = column[i]
    if (to === 0 || targetAlive[to] === 1) continue
    // A released row may refer to another one; that is rare, so only now is the row looked up.
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
 * Returns the tables of which a row in use refers to a row of this table. Reads every column that
 * refers to the table: for rare commands only.
 */
export function tablesReferringTo(world: World, { name }: TableDef, row: Row): string[] {
  const refers = ({ def, columns, high }: Store): boolean =>
    Object.entries(def.columns).some(([key, { ref, width }]) => {
      if (ref !== name) return false
      const end = (high + 1) * width
      for (let i = columns[key].indexOf(row, width); i !== -1 && i < end; ) {
        if (columns.alive[divFloor(i, width)] !== 0) return true
        i = columns[key].indexOf(row, i + 1)
      }
      return false
    })
  return [...world.stores.values()].filter(refers).map(({ def }) => def.name)
}

/**
 * Runs all checks. Each runs in full every `checkEvery` ticks (1: always), on different ticks, so
 * that no tick pays for all of them. Returns how many ran in full.
 */
export const checkInvariants = (
  world: World,
  registry: Pick<Registry, 'checks'>,
  own: readonly CheckDef[],
  checkEvery: number,
): number => runSteps(checkSteps(world, [...own, ...registry.checks], checkEvery))

/** Runs checks like `checkInvariants`, in steps of one check or of a part of a long one. */
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
 * Returns the first row and the step of a check that is costly per row: it visits every row of a
 * small table, and a share of a large one that moves on from tick to tick, so that it costs about
 * the same however large the world is.
 */
export function sampleOf(view: WorldView, table: TableDef): { first: Row; step: number } {
  const step = Math.max(1, Math.ceil(view.countOf(table) / CHECKED_ROWS_MAX))
  return { first: 1 + (view.tick % step), step }
}
