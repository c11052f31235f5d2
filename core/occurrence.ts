/**
 * Occurrences: what a domain announces to the domains above it that must react at once. A plain
 * call goes down the order of domains; only what would call up is an occurrence. Observers run
 * within the statement that raises; they refuse nothing and return nothing.
 */
import { addToList } from './groups.ts'
import type { Contribution, Contributions, ExtensionPoint, ObserverDef, World } from './types.ts'

/** Something that can happen; the domain that raises it declares it. */
interface Occurrence<P = never> extends ExtensionPoint {
  /** Carries the type of the payload; never set. */
  readonly payload?: P
}

export const defineOccurrence = <P>(
  name: string,
  options: Pick<ExtensionPoint, 'order'> = {},
): Occurrence<P> => ({ name, ...options })

export const observe = <P>(
  occurrence: Occurrence<P>,
  run: (world: World, payload: P) => void,
): ObserverDef => ({ to: occurrence, run: run as ObserverDef['run'] })

/** Runs the observers. Called by the domain that declares the occurrence. */
export function raise<P>(world: World, occurrence: Occurrence<P>, payload: P): void {
  for (const run of world.observers.get(occurrence.name) ?? []) run(world, payload)
}

/**
 * Returns the contributions to each extension point; `domains` are in the order of the registry.
 * Throws where the `order` of a point does not name exactly the domains that add to it.
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
      const isSame = adding.size === order.length && order.every((one) => adding.has(one))
      if (!isSame) throw new Error(`${name}: ${[...adding]} add to it, its order is ${order}`)
      entries.sort((a, b) => order.indexOf(a.domain) - order.indexOf(b.domain))
    }
    ordered.set(
      name,
      entries.map(({ run }) => run),
    )
  }
  return ordered
}
