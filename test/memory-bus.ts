/** A bus in memory that loses or duplicates the messages a test chooses. */
import type { Bus } from '../core/bus.ts'

export interface MemoryBus extends Bus {
  /** Returns how often a message arrives; replies have the subject `reply`. */
  copies: (subject: string) => number
  up: boolean
}

type Take = Parameters<Bus['subscribe']>[1]

export function memoryBus(): MemoryBus {
  const takers = new Map<string, Set<Take>>()
  const deliver = (
    subject: string,
    bytes: Uint8Array,
    reply: (bytes: Uint8Array) => void,
  ): void => {
    const count = bus.up ? bus.copies(subject) : 0
    for (let copy = 0; copy < count; copy++) {
      for (const take of takers.get(subject) ?? []) take(bytes, reply)
    }
  }
  const bus: MemoryBus = {
    copies: () => 1,
    up: true,
    publish: (subject, bytes) => void queueMicrotask(() => deliver(subject, bytes, () => {})),
    subscribe(subject, take) {
      const known = takers.get(subject) ?? new Set()
      takers.set(subject, known.add(take))
      return () => void known.delete(take)
    },
    request: (subject, bytes, timeoutMs) =>
      new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error('no answer')), timeoutMs)
        deliver(subject, bytes, (answer) => {
          if (bus.copies('reply') > 0) resolve(answer)
        })
      }),
    isUp: () => bus.up,
    largest: () => 0,
    close: async () => {},
  }
  return bus
}
