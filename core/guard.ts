/**
 * Questions that domains above the asker have a say in. A guard refuses: the first refusal wins. A
 * grant allows: one yes is enough. Both only look.
 */
import type { Failure } from './errors.ts'
import type { GrantDef, GuardDef, Opening, WorldView } from './types.ts'

interface Question<A> extends Opening {
  /** Holds the type of what is asked about; never there. */
  readonly about?: A
}
export type Guard<A = never> = Question<A>
export type Grant<A = never> = Question<A>

export const defineGuard = <A>(name: string, options: Pick<Opening, 'order'> = {}): Guard<A> => ({
  name,
  ...options,
})

export const defineGrant = <A>(name: string): Grant<A> => ({ name })

export const guard = <A>(
  to: Guard<A>,
  run: (view: WorldView, about: A) => Failure | undefined,
): GuardDef => ({ to, run: run as GuardDef['run'] })

export const grant = <A>(to: Grant<A>, run: (view: WorldView, about: A) => boolean): GrantDef => ({
  to,
  run: run as GrantDef['run'],
})

/** Returns the first refusal of those who guard; undefined where nobody refuses. */
export function firstRefusal<A>(view: WorldView, to: Guard<A>, about: A): Failure | undefined {
  for (const run of view.guards.get(to.name) ?? []) {
    const refusal = run(view, about)
    if (refusal) return refusal
  }
  return undefined
}

/** Returns true where somebody grants it. */
export const isGranted = <A>(view: WorldView, to: Grant<A>, about: A): boolean =>
  (view.grants.get(to.name) ?? []).some((run) => run(view, about))
