/**
 * Occurrences: what a domain says has happened, for the domains above it that must react at once.
 * A plain call goes down the order of domains; only what would call up is an occurrence. Observers
 * run within the statement that raises, may refuse nothing and give nothing back.
 */
import type { Contribution, Contributions, ObserverDef, Opening, World } from './types.ts'

/** Something that can happen; the domain that raises it declares it. */
interface Occurrence<P = never> extends Opening {
  /** Holds the type of what is told; never there. */
  readonly payload?: P
}

export const defineOccurrence = <P>(
  name: string,
  options: Pick<Opening, 'order'> = {},
): Occurrence<P> => ({ name, ...options })

export const observe = <P>(
  occurrence: Occurrence<P>,
  run: (world: World, payload: P) => void,
): ObserverDef => ({ to: occurrence, run: run as ObserverDef['run'] })

/** Tells those who observe; belongs to the domain that declares the occurrence. */
export function raise<P>(world: World, occurrence: Occurrence<P>, payload: P): void {
  for (const run of world.observers.get(occurrence.name) ?? []) run(world, payload)
}

/**
 * Returns what domains, given in the order of the registry, add to each opening. Throws where the
 * `order` of one and the domains that add to it are not the same.
 */
export function orderContributions<D extends { readonly name: string }, F>(
  domains: readonly D[],
  addsOf: (domain: D) => readonly Contribution<F>[] | undefined,
): Contributions<F> {
  const found = new Map<string, { to: Opening; domain: string; run: F }[]>()
  for (const domain of domains) {
    for (const { to, run } of addsOf(domain) ?? [])
      found.set(to.name, [...(found.get(to.name) ?? []), { to, domain: domain.name, run }])
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
    const runs = entries.map(({ run }) => run)
    ordered.set(name, runs)
  }
  return ordered
}
