/**
 * Occurrences: what a domain announces to domains above it that must react at once. Domains call
 * those below them directly; only a call upwards is an occurrence. Observers run within the call of
 * `raise`; they cannot refuse, and return nothing.
 */
import { addToList } from './groups.ts'
import type { Contribution, Contributions, ExtensionPoint, ObserverDef, World } from './types.ts'

/** Something that can happen; the domain that raises it declares it. */
interface Occurrence<P = never> extends ExtensionPoint {
  /** Carries the type of the payload; never set. */
  readonly payload?: P
}

/** Declares an occurrence, in the domain that raises it. */
export const defineOccurrence = <P>(
  name: string,
  options: Pick<ExtensionPoint, 'order'> = {},
): Occurrence<P> => ({ name, ...options })

/** Observes an occurrence, for `DomainDef.observers`. */
export const observe = <P>(
  occurrence: Occurrence<P>,
  run: (world: World, payload: P) => void,
): ObserverDef => ({ to: occurrence, run: run as ObserverDef['run'] })

/** Runs the observers of an occurrence. Called by the domain that declares it. */
export function raise<P>(world: World, occurrence: Occurrence<P>, payload: P): void {
  for (const run of world.observers.get(occurrence.name) ?? []) run(world, payload)
}

/**
 * Returns the contributions to each extension point; `domains` are in the order of the registry.
 * Throws if the `order` of a point does not name exactly the domains that contribute to it.
 */
export function orderContributions<D extends { readonly name: string }, F>(
  domains: readonly D[],
  addsOf: (domain: D) => readonly Contribution<F>[] | undefined,
): Contributions<F> {
  const found = new Map<string, { to: ExtensionPoint; domain: string; run: F }[]>()
  for (const domain of domains) {
    for (const { to, run } of addsOf(domain) ?? [])
      addToList(found, to.name, { to, domain: domain.name, run })
  }
  const ordered = new Map<string, F[]>()
  for (const [name, entries] of found) {
    const { order } = entries[0].to
    if (order) {
      const adding = new Set(entries.map(({ domain }) => domain))
      const isSame = adding.size === order.length && order.every((each) => adding.has(each))
      if (!isSame) throw new Error(`${name}: its order is ${order}, not that of ${[...adding]}`)
      entries.sort((a, b) => order.indexOf(a.domain) - order.indexOf(b.domain))
    }
    ordered.set(
      name,
      entries.map(({ run }) => run),
    )
  }
  return ordered
}
