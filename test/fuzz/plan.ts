/**
 * What B1 tries on a framing: every command with every kind of change that one of its fields
 * allows, in random order, again and again. So a new command is covered without a line here.
 */
import type { CommandDef } from '../../core/command.ts'
import type { Dice } from '../../core/dice.ts'
import { CHANGES, type Change, type Field, fieldsOf, type Variant, variantsOf } from './values.ts'

interface Planned {
  readonly def: CommandDef
  readonly change: Change
}

export interface Plan {
  /** The number of pairs of a command and a kind of change. */
  readonly size: number
  /** Returns the number of pairs taken so far, each counted once. */
  taken(): number
  next(dice: Dice): Planned
}

export const variantsFor = (field: Field, change: Change, onlyWrong: boolean): Variant[] =>
  variantsOf(field).filter(
    (variant) => variant.change === change && (variant.isWrong || !onlyWrong),
  )

export function canChange(field: Field, change: Change, onlyWrong = false): boolean {
  if (change === 'extra') return true
  if (change === 'missing') return field.required || !onlyWrong
  return variantsFor(field, change, onlyWrong).length > 0
}

function pairsOf(defs: readonly CommandDef[], isV2: boolean): Planned[] {
  return defs.flatMap((def) => {
    const fields = fieldsOf(def, isV2)
    const changes = CHANGES.filter(
      (change) => change === 'extra' || fields.some((field) => canChange(field, change)),
    )
    return changes.map((change) => ({ def, change }))
  })
}

function shuffled<T>(dice: Dice, list: readonly T[]): T[] {
  const left = [...list]
  for (let i = left.length - 1; i > 0; i--) {
    const j = dice.below(i + 1)
    ;[left[i], left[j]] = [left[j], left[i]]
  }
  return left
}

export function createPlan(defs: readonly CommandDef[], isV2: boolean): Plan {
  const pairs = pairsOf(defs, isV2)
  let left: Planned[] = []
  let count = 0
  return {
    size: pairs.length,
    taken: () => Math.min(count, pairs.length),
    next(dice) {
      if (left.length === 0) left = shuffled(dice, pairs)
      count += 1
      return left.pop() as Planned
    },
  }
}
