/** Constants of the balance, as the world has them. */
import { assert } from '../../core/assert.ts'
import type { World, WorldView } from '../../core/types.ts'
import { BALANCE, type BalanceName, TUNED } from './balance-state.ts'

/** Returns a constant of the balance, in its unit. */
export const tuned = (view: WorldView, name: BalanceName): number =>
  view.records(TUNED).get(name) ?? BALANCE[name].fallback

/** Sets a constant, between two batches; the value of the rules leaves no trace. */
export function tune(world: World, name: BalanceName, value: number): void {
  const { fallback, min, max } = BALANCE[name]
  assert(Number.isInteger(value) && value >= min && value <= max, `${name} cannot be ${value}`)
  if (value === fallback) world.records(TUNED).delete(name)
  else world.records(TUNED).set(name, value)
}
