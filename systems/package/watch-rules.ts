/**
 * Who wants to know what becomes of packages: a domain that keeps an eye on some of them adds a
 * watch, in its `rebuild`. A watch only notes what it is told; it moves no goods and no credits.
 */
import { defineIndex, type Row, type World } from '../../core/world.ts'

export interface PackageWatch {
  /** It stands in another place now. */
  moved(world: World, pkg: Row): void
  /** It is about to be no more; it still stands where it stood. */
  gone(world: World, pkg: Row, how: 'opened' | 'destroyed'): void
}

const WATCHES = defineIndex<PackageWatch[]>('package.watches', () => [])

export function watchPackages(world: World, watch: PackageWatch): void {
  world.index(WATCHES).push(watch)
}

export function tellMoved(world: World, pkg: Row): void {
  for (const watch of world.index(WATCHES)) watch.moved(world, pkg)
}

export function tellGone(world: World, pkg: Row, how: 'opened' | 'destroyed'): void {
  for (const watch of world.index(WATCHES)) watch.gone(world, pkg, how)
}
