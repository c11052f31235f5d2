/** Slots of a cycle: each thing that is checked every few ticks has its turn in one slot. */

/** A span of ticks: those after `from`, up to `to`. With `from` -1 every slot is due. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Returns whether a slot of a cycle falls into a span. */
export const isDue = ({ from, to }: Span, slot: number, cycle: number): boolean =>
  from < 0 || (((to - slot) % cycle) + cycle) % cycle < to - from

/** Lists the slots of a cycle that fall into a span. */
export const dueSlots = (span: Span, cycle: number): number[] =>
  Array.from({ length: cycle }, (_, slot) => slot).filter((slot) => isDue(span, slot, cycle))
