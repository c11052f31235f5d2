/** Lookups of prizes: which hulls are prizes, who has claimed them, and where they are. */
import { idOf, rowOfId } from '../../core/entity.ts'
import { type ReferenceDef, referenceById } from '../../core/reference.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { BASE_KINDS, Base } from '../base/state.ts'
import { routeBetween, shipsAt } from '../travel/model.ts'
import { Location, Poi } from '../travel/state.ts'
import {
  PlayerPrizes,
  PRIZE_STATUS,
  PRIZES,
  Prize,
  type PrizeStatus,
  WAIT_REASONS,
} from './state.ts'

/** Returns the prize row of a hull; 0 if it is no prize. */
export const prizeOf = (view: WorldView, ship: Eid): Row => view.index(PRIZES).get(ship) ?? 0

export const prizeId = (view: WorldView, prize: Row): string => idOf(view, Prize, prize)

/** Returns a prize by its wire id; 0 if there is none. */
export const prizeById = (view: WorldView, id: string): Row => rowOfId(view, Prize, id)

/** Returns the prizes at a place, in the order of their capture. */
export function prizesAt(view: WorldView, poi: Eid): Row[] {
  if (view.countOf(Prize) === 0) return []
  const { seq } = view.read(Prize)
  const here = shipsAt(view, poi).map((ship) => prizeOf(view, ship))
  return here.filter((prize) => prize !== 0).sort((a, b) => seq[a] - seq[b])
}

/**
 * Returns a player's claimed prizes that are not home yet, in the order of their capture.
 * O(prizes); O(1) for a player without any.
 */
export function prizesOf(view: WorldView, player: Eid): Row[] {
  if (view.read(PlayerPrizes).claimed[player] === 0) return []
  const { alive, claimant, seq } = view.read(Prize)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Prize); row++) {
    if (alive[row] === 1 && claimant[row] === player) rows.push(row)
  }
  return rows.sort((a, b) => seq[a] - seq[b])
}

export const statusOf = (view: WorldView, prize: Row): PrizeStatus =>
  PRIZE_STATUS[view.read(Prize).status[prize]]

/** Returns why a prize is waiting; undefined if it is not. */
export const waitReasonOf = (view: WorldView, prize: Row) =>
  WAIT_REASONS[view.read(Prize).wait[prize]] || undefined

/** Returns the player who has claimed a hull as a prize; 0 if nobody has. */
export function claimantOf(view: WorldView, ship: Eid): Eid {
  const prize = prizeOf(view, ship)
  return prize === 0 ? 0 : view.read(Prize).claimant[prize]
}

/** Returns the place of a hull; in flight, the place it departed from. */
export function lastPoiOf(view: WorldView, ship: Eid): Eid {
  const { poi, fromPoi } = view.read(Location)
  return poi[ship] || fromPoi[ship]
}

/** How parameters of commands refer to prizes. */
export const prizes: ReferenceDef = referenceById('prize', prizeById, 'prize_not_found')

export const SERVICE_ACTIONS = ['stop', 'resume', 'redirect', 'refuel', 'repair'] as const
export type ServiceAction = (typeof SERVICE_ACTIONS)[number]

/**
 * Actions that work from anywhere; for the others the player must be beside the prize, in space.
 */
export const REMOTE_ACTIONS: ReadonlySet<ServiceAction> = new Set(['resume', 'redirect'])

/**
 * Returns the base that NPC captors bring a prize to: the pirate base, or for other captors the
 * capital, that is the fewest jumps away; among equals the older one. 0 if none can be reached.
 */
export function captorBase(view: WorldView, arePirates: boolean, poi: Eid): Eid {
  const { alive, kind, capital, poi: poiOfBase } = view.read(Base)
  const { system } = view.read(Poi)
  const isHome = (base: Eid): boolean =>
    arePirates ? BASE_KINDS[kind[base]] === 'pirate' : capital[base] === 1
  let nearest = 0
  let shortest = Number.POSITIVE_INFINITY
  for (let base = 1; base <= view.highOf(Base); base++) {
    if (alive[base] === 0 || !isHome(base)) continue
    const route = routeBetween(view, system[poiOfBase[base]], system[poi])
    if (route && route.length < shortest) [nearest, shortest] = [base, route.length]
  }
  return nearest
}
