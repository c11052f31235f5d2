/** Slots of a cycle: things that are checked every few ticks have their turn in one of them. */

/** A span of ticks: those after `from`, up to `to`; all of them at the first look. */
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
