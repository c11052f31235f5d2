/**
 * The form of a compiled script: instructions of three values each, one after the other. Jumps lead
 * only forwards, so a program always ends; costs are in the instructions, so the budget is exact.
 *
 *   head = op | fn << 4 | compare << 8 | cost << 12 | jump << 16
 *
 *   op     in the head                            a                 b
 *   end                                           -                 -
 *   if     fn, compare, cost; jumps when false    literal or word   modulus or word
 *   jump   jump                                   -                 -
 *   else   cost                                   -                 -
 *   set    cost                                   key word          value word
 *   act    fn = action, cost                      word              -
 *
 * Source: drones.md sections 3.5, 5; the layout is ours.
 */

/** Values an instruction takes. */
export const WIDTH = 3

/** Codes of the instructions. */
export const OP = { end: 0, if: 1, jump: 2, else: 3, set: 4, act: 5 } as const

/** Functions of conditions by their code. */
export const FN = {
  cargo_full: 0,
  traveling: 1,
  at: 2,
  enemy_nearby: 3,
  pirate_nearby: 4,
  in_battle: 5,
  resource_available: 6,
  ally_hull_below: 7,
  hull_pct: 8,
  cargo_pct: 9,
  owner_hull_pct: 10,
  tick: 11,
  mem: 12,
} as const
export type FunctionName = keyof typeof FN

/** Comparisons by their code. */
export const COMPARISONS = ['', '==', '!=', '<', '<=', '>', '>='] as const

/** Operand of resource_available() without an item. */
export const ANY = 0xffffffff

/** A compiled script. */
export interface Program {
  /** Words are indexes into `texts` until the program is linked. */
  readonly code: readonly number[]
  /** Every text it names, once. */
  readonly texts: readonly string[]
}

/** Returns whether operands a and b of an instruction are words. */
export function areWords(head: number): readonly [boolean, boolean] {
  const op = head & 15
  const fn = (head >>> 4) & 15
  if (op === OP.set) return [true, true]
  if (op === OP.act) return [true, false]
  const isNamed = fn === FN.at || fn === FN.mem || fn === FN.resource_available
  return [op === OP.if && isNamed, op === OP.if && fn === FN.mem]
}
