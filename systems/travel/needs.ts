/** The needs to be docked or in space, and the moves that meet them. */
import { defineNeed, type Move } from '../../core/command.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { raise } from '../../core/occurrence.ts'
import { words } from '../../core/params.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { ShipCombat } from '../combat/state.ts'
import { convoyOf, convoyRefusal, ownMoveRefusal } from '../fleet/model.ts'
import { notifyMove } from '../fleet/rules.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { settleDebts } from '../law/rules.ts'
import { recordProgress } from '../mission/rules.ts'
import { disembark } from '../passenger/rules.ts'
import { dockedBase, inTransit, isDrifting, notDocked, shipOf } from './location-model.ts'
import { dockingRefusal, dockShip, undockShip } from './rules.ts'
import { docked, Location, Poi } from './state.ts'

/** Returns the base where the ship could dock now with its convoy, or the refusal. */
function admittingBase<E extends 'no_base' | 'not_docked'>(
  view: WorldView,
  player: Eid,
  noBase: E,
) {
  const ship = shipOf(view, player)
  if (view.read(ShipCombat).participant[ship] !== 0) return fail('in_combat')
  const base = view.read(Poi).base[view.read(Location).poi[ship]]
  if (base === 0) return fail(noBase)
  const refusal =
    ownMoveRefusal(view, player) ??
    dockingRefusal(view, player, base) ??
    convoyRefusal(
      view,
      convoyOf(view, player),
      (member) => AT_LIBERTY.check(view, member) ?? dockingRefusal(view, member, base),
    )
  return refusal ?? base
}

/**
 * Docks the ships of a player and their convoy at the base of their place. If one of them is not
 * admitted, none docks.
 */
export function dockHere<E extends 'no_base' | 'not_docked'>(world: World, player: Eid, noBase: E) {
  const base = admittingBase(world, player, noBase)
  if (typeof base === 'object') return base
  const convoy = convoyOf(world, player)
  for (const pilot of [player, ...convoy]) {
    dockShip(world, shipOf(world, pilot), base)
    addStat(world, pilot, 'times_docked', 1)
    recordProgress(world, pilot, 'dock_base', { key: base })
    settleDebts(world, pilot, base)
    raise(world, docked, { player: pilot, base })
    disembark(world, pilot, base)
  }
  notifyMove(world, player, convoy, { event: 'docked', message: 'The fleet has docked.' })
  return base
}

/** Docks automatically where the base admits the player, and does nothing elsewhere. */
export const dockIfAdmitted: Move<never> = (world, player) =>
  typeof dockHere(world, player, 'no_base') === 'number' ? 'auto_docked' : undefined

const undockingRefusal = (view: WorldView, player: Eid) =>
  ownMoveRefusal(view, player) ??
  convoyRefusal(view, convoyOf(view, player), (member) => AT_LIBERTY.check(view, member))

/** Undocks the ships of a player and their convoy. */
export function undockHere(
  world: World,
  player: Eid,
): Failure<'in_fleet' | 'detained'> | undefined {
  const refusal = undockingRefusal(world, player)
  if (refusal) return refusal
  const convoy = convoyOf(world, player)
  for (const pilot of [player, ...convoy]) undockShip(world, shipOf(world, pilot))
  notifyMove(world, player, convoy, { event: 'undocked', message: 'The fleet has undocked.' })
  return undefined
}

const autoUndock: Move<'in_fleet' | 'detained'> = (world, player) =>
  undockHere(world, player) ?? 'auto_undocked'

/** Requires the player to be docked; a mutation docks them where a base here admits them. */
export const DOCKED = defineNeed({
  name: 'docked',
  errors: words(
    'not_docked access_denied station_under_attack in_transit in_fleet in_combat detained',
  ),
  check: (view, player) => (dockedBase(view, player) === 0 ? notDocked(view, player) : undefined),
  ensure(world, player) {
    const refusal = inTransit(world, player)
    if (refusal) return refusal
    if (dockedBase(world, player) !== 0) return undefined
    const base = admittingBase(world, player, 'not_docked')
    return typeof base === 'number' ? dockIfAdmitted : base
  },
})

/** Requires the player to be in space at a place; a mutation undocks them. */
export const UNDOCKED = defineNeed({
  name: 'undocked',
  errors: ['docked', 'in_transit', 'detained', 'in_fleet', 'no_ship'],
  check: (view, player) =>
    inTransit(view, player) ?? (dockedBase(view, player) !== 0 ? fail('docked') : undefined),
  ensure(world, player, params) {
    const refusal = inTransit(world, player) ?? AT_LIBERTY.ensure(world, player, params)
    if (refusal) return refusal
    if (dockedBase(world, player) === 0) return undefined
    // A rider, or a player ashore, has no ship to leave with.
    if (shipOf(world, player) === 0) return fail('no_ship')
    return undockingRefusal(world, player) ?? autoUndock
  },
})

/** Requires the player to be in space at a place; nobody is undocked for it. */
export const IN_SPACE = defineNeed({
  ...UNDOCKED,
  name: 'in_space',
  ensure: (world, player, params) =>
    UNDOCKED.check(world, player) ?? UNDOCKED.ensure(world, player, params),
})

/** Requires the player to be adrift, or what UNDOCKED does. */
export const UNDOCKED_OR_ADRIFT = defineNeed({
  name: 'undocked_or_adrift',
  errors: UNDOCKED.errors,
  check: (view, player) =>
    isDrifting(view, shipOf(view, player)) ? undefined : UNDOCKED.check(view, player),
  ensure: (world, player, params) =>
    isDrifting(world, shipOf(world, player)) ? undefined : UNDOCKED.ensure(world, player, params),
})

/** Requires the player to be at a place, docked or not. */
export const AT_PLACE = defineNeed({
  name: 'at_place',
  errors: ['in_transit'],
  check: inTransit,
  ensure: inTransit,
})
