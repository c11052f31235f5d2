/** Constants of the game balance, with the overrides of this world. */
import { assert } from '../../core/assert.ts'
import type { World, WorldView } from '../../core/types.ts'
import { BALANCE, type BalanceName, TUNED } from './balance-state.ts'

/** Returns the value of a balance constant, in its unit. */
export const tuned = (view: WorldView, name: BalanceName): number =>
  view.records(TUNED).get(name) ?? BALANCE[name].fallback

/** Overrides a constant, between two batches; its fallback removes the override. */
export function tune(world: World, name: BalanceName, value: number): void {
  const { fallback, min, max } = BALANCE[name]
  assert(Number.isInteger(value) && value >= min && value <= max, `${name} cannot be ${value}`)
  if (value === fallback) world.records(TUNED).delete(name)
  else world.records(TUNED).set(name, value)
}
