/**
 * Occurrences: what a domain says has happened, for the domains above it that must react at once.
 * A plain call goes down the order of domains; only what would call up is an occurrence. Observers
 * run within the statement that raises, may refuse nothing and give nothing back.
 */
import type { World } from './world.ts'

/** Something that can happen; the domain that raises it declares it. */
export interface Occurrence<P = never> {
  readonly name: string
  /** Domains that react, in this order; without it in the order of the registry. */
  readonly order?: readonly string[]
  /** Holds the type of what is told; never there. */
  readonly payload?: P
}

/** What a domain does on an occurrence. */
export interface ObserverDef {
  readonly occurrence: Occurrence
  run(world: World, payload: unknown): void
}

/** Observers by the name of their occurrence, in the order in which they run. */
export type Observers = ReadonlyMap<string, readonly ObserverDef['run'][]>

export const defineOccurrence = <P>(
  name: string,
  options: Pick<Occurrence, 'order'> = {},
): Occurrence<P> => ({ name, ...options })

export const observe = <P>(
  occurrence: Occurrence<P>,
  run: (world: World, payload: P) => void,
): ObserverDef => ({
  occurrence: occurrence as Occurrence,
  run: run as ObserverDef['run'],
})

/** Tells those who observe; belongs to the domain that declares the occurrence. */
export function raise<P>(world: World, occurrence: Occurrence<P>, payload: P): void {
  for (const run of world.observers.get(occurrence.name) ?? []) run(world, payload)
}

interface Observing {
  readonly name: string
  readonly observers?: readonly ObserverDef[]
}

/**
 * Returns the observers of all domains, given in the order of the registry. Throws where an
 * occurrence's `order` and the domains that observe it are not the same.
 */
export function orderObservers(domains: readonly Observing[]): Observers {
  const found = new Map<string, { occurrence: Occurrence; domain: string; def: ObserverDef }[]>()
  for (const { name: domain, observers = [] } of domains) {
    for (const def of observers) {
      const { occurrence } = def
      const entries = found.get(occurrence.name) ?? []
      found.set(occurrence.name, [...entries, { occurrence, domain, def }])
    }
  }
  const ordered = new Map<string, ObserverDef['run'][]>()
  for (const [name, entries] of found) {
    const { order } = entries[0].occurrence
    if (order) {
      const observing = new Set(entries.map(({ domain }) => domain))
      const isSame = observing.size === order.length && order.every((one) => observing.has(one))
      if (!isSame) throw new Error(`occurrence ${name}: ${[...observing]} observe, not ${order}`)
      entries.sort((a, b) => order.indexOf(a.domain) - order.indexOf(b.domain))
    }
    ordered.set(
      name,
      entries.map(({ def }) => def.run),
    )
  }
  return ordered
}
