/**
 * A durable batch whose messages are still arriving: main publishes those that are here while the
 * world builds the others. If the world thread ends in between, its replacement publishes the batch
 * again, and what players have been sent is left out.
 */
import type { Answer, Messages, PublishedBatch } from '../../core/ports.ts'

/** A batch as its publisher sees it. */
export interface Arriving {
  /** Players who have been sent their events. */
  readonly served: Set<number>
  /** Returns true once no further messages will arrive. */
  isOver(): boolean
  /** Returns true if the world thread has ended before the last message. */
  isCut(): boolean
  /** Resolves when there may be further messages, or none will come. */
  next(): Promise<void>
}

export interface Arrival extends Arriving {
  /** The batch; its lists grow. */
  readonly batch: PublishedBatch
  /** Refs of the answers that have been delivered. */
  readonly answered: Set<number>
}

type Head = Omit<PublishedBatch, keyof Messages>

/** An arrival and the side that fills it. */
interface Filling {
  readonly arrival: Arrival
  add(messages: Messages): void
  /** Called after the last messages have been added. */
  end(): void
  /** Called when the world thread has ended. */
  cut(): void
}

/** Begins a batch. `before`: the same batch, cut. */
function createFilling(head: Head, before: Arrival | undefined): Filling {
  const answers: Answer[] = []
  const emissions: PublishedBatch['emissions'][number][] = []
  let [isOver, isCut, hasMore] = [false, false, false]
  let wake: (() => void) | undefined
  const notify = (): void => {
    hasMore = wake === undefined
    wake?.()
    wake = undefined
  }
  return {
    arrival: {
      batch: { ...head, answers, emissions },
      answered: new Set(before?.answered),
      served: new Set(before?.served),
      isOver: () => isOver,
      isCut: () => isCut,
      next() {
        const isNow = hasMore || isOver
        hasMore = false
        return isNow ? Promise.resolve() : new Promise((resolve) => (wake = resolve))
      },
    },
    add(messages) {
      for (const answer of messages.answers) {
        if (!before?.answered.has(answer.ref)) answers.push(answer)
      }
      for (const emission of messages.emissions) emissions.push(emission)
      notify()
    },
    end() {
      isOver = true
      notify()
    },
    cut() {
      isCut = true
      isOver = true
      notify()
    },
  }
}

/** The messages of batches as they come from a world thread. */
export interface Arrivals {
  /** Takes messages of a tick, which may not be durable yet. */
  ahead(messages: Messages): void
  /** Begins a tick that is durable. */
  begin(head: Head): Arrival
  /** Takes a durable batch, or the rest of one; returns the batch if it had not begun. */
  complete(batch: PublishedBatch): Arrival | undefined
  /** Called when the world thread has ended. */
  cut(): void
}

export function createArrivals(): Arrivals {
  /** Messages of a tick that is not durable yet. */
  let ahead: Messages[] = []
  let filling: Filling | undefined
  /** The batch that was cut, until it comes again. */
  let before: Arrival | undefined
  const begin = (head: Head): Filling => {
    const begun = createFilling(head, before?.batch.batch === head.batch ? before : undefined)
    for (const messages of ahead) begun.add(messages)
    ahead = []
    before = undefined
    return begun
  }
  return {
    ahead(messages) {
      if (filling) filling.add(messages)
      else ahead.push(messages)
    },
    begin(head) {
      filling = begin(head)
      return filling.arrival
    },
    complete(batch) {
      const whole = filling ?? begin(batch)
      const hadBegun = filling !== undefined
      whole.add(batch)
      whole.end()
      filling = undefined
      return hadBegun ? undefined : whole.arrival
    },
    cut() {
      ahead = []
      if (!filling) return
      before = filling.arrival
      filling.cut()
      filling = undefined
    },
  }
}
