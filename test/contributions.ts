/** Lets a test add to an occurrence, a guard or a grant of its own world, as a domain would. */
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

/** The maps of a world are those of its registry, which other worlds share. */
type Open = { -readonly [K in 'observers' | 'guards' | 'grants']: World[K] }

export function addObserver(world: Open, def: ObserverDef): void {
  world.observers = added(world.observers, def)
}

export function addGuard(world: Open, def: GuardDef): void {
  world.guards = added(world.guards, def)
}

export function addGrant(world: Open, def: GrantDef): void {
  world.grants = added(world.grants, def)
}
