/** Lets a test add an observer, a guard or a grant to its own world, as a domain would. */
import type {
  Contribution,
  Contributions,
  GrantDef,
  GuardDef,
  ObserverDef,
  World,
} from '../core/types.ts'

const added = <F>(all: Contributions<F>, { to, run }: Contribution<F>): Contributions<F> =>
  new Map([...all, [to.name, [...(all.get(to.name) ?? []), run]]])

/** A world whose maps can be replaced: those of its registry are shared with other worlds. */
type WritableWorld = { -readonly [K in 'observers' | 'guards' | 'grants']: World[K] }

export function addObserver(world: WritableWorld, def: ObserverDef): void {
  world.observers = added(world.observers, def)
}

export function addGuard(world: WritableWorld, def: GuardDef): void {
  world.guards = added(world.guards, def)
}

export function addGrant(world: WritableWorld, def: GrantDef): void {
  world.grants = added(world.grants, def)
}
