/**
 * Decisions of a domain in which the domains above it have a say. A guard refuses: the first
 * refusal wins. A grant allows: one is enough. Both only read.
 */
import type { ErrorCode, Failure } from './errors.ts'
import type { ExtensionPoint, GrantDef, GuardDef, WorldView } from './types.ts'

interface Grant<A> extends ExtensionPoint {
  /** Carries the type of the subject; never set. */
  readonly about?: A
}
interface Guard<A, E extends ErrorCode> extends Grant<A> {
  /** Carries the codes of its refusals; never set. */
  readonly code?: E
}

/** Declares a guard, in the domain that decides. */
export const defineGuard = <A, E extends ErrorCode>(
  name: string,
  options: Pick<ExtensionPoint, 'order'> = {},
): Guard<A, E> => ({ name, ...options })

/** Declares a grant, in the domain that decides. */
export const defineGrant = <A>(name: string): Grant<A> => ({ name })

/** Adds a refusal to a guard, for `DomainDef.guards`. */
export const guard = <A, E extends ErrorCode>(
  to: Guard<A, E>,
  run: (view: WorldView, about: A) => Failure<E> | undefined,
): GuardDef => ({ to, run: run as GuardDef['run'] })

/** Adds a permission to a grant, for `DomainDef.grants`. */
export const grant = <A>(to: Grant<A>, run: (view: WorldView, about: A) => boolean): GrantDef => ({
  to,
  run: run as GrantDef['run'],
})

/** Returns the first refusal; undefined if no domain refuses. */
export function firstRefusal<A, E extends ErrorCode>(
  view: WorldView,
  to: Guard<A, E>,
  about: A,
): Failure<E> | undefined {
  for (const run of view.guards.get(to.name) ?? []) {
    const refusal = run(view, about)
    if (refusal) return refusal as Failure<E>
  }
  return undefined
}

/** Returns whether any domain grants it. */
export const isGranted = <A>(view: WorldView, to: Grant<A>, about: A): boolean =>
  (view.grants.get(to.name) ?? []).some((run) => run(view, about))
