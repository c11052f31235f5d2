/** Which hulls are prizes, whose, and where. */
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

/** Returns the prize that a hull is; 0 none. */
export const prizeOf = (view: WorldView, ship: Eid): Row => view.index(PRIZES).get(ship) ?? 0

export const prizeId = (view: WorldView, prize: Row): string => idOf(view, Prize, prize)

/** Returns a prize by its wire id; 0 none. */
export const prizeById = (view: WorldView, id: string): Row => rowOfId(view, Prize, id)

/** Returns the prizes at a place, in the order of their capture. */
export function prizesAt(view: WorldView, poi: Eid): Row[] {
  if (view.countOf(Prize) === 0) return []
  const { seq } = view.read(Prize)
  const here = shipsAt(view, poi).map((ship) => prizeOf(view, ship))
  return here.filter((prize) => prize !== 0).sort((a, b) => seq[a] - seq[b])
}

/**
 * Returns a player's claimed prizes that are not home yet, in order of capture. O(prizes), or 1.
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

/** Returns why a prize waits; undefined unless it does. */
export const waitOf = (view: WorldView, prize: Row) =>
  WAIT_REASONS[view.read(Prize).wait[prize]] || undefined

/** Returns the player who has claimed a hull as a prize; 0 nobody. */
export function claimantOf(view: WorldView, ship: Eid): Eid {
  const prize = prizeOf(view, ship)
  return prize === 0 ? 0 : view.read(Prize).claimant[prize]
}

/** Returns the place of a hull, or the one it left. */
export function lastPoiOf(view: WorldView, ship: Eid): Eid {
  const { poi, fromPoi } = view.read(Location)
  return poi[ship] || fromPoi[ship]
}

/** Prizes, as parameters of commands refer to them. */
export const prizes: ReferenceDef = referenceById('prize', prizeById, 'prize_not_found')

export const SERVICE_ACTIONS = ['stop', 'resume', 'redirect', 'refuel', 'repair'] as const
export type ServiceAction = (typeof SERVICE_ACTIONS)[number]

/** Actions done from anywhere; the others need the player at the place of the prize, in space. */
export const REMOTE_ACTIONS: ReadonlySet<ServiceAction> = new Set(['resume', 'redirect'])

/**
 * Returns the base that captors of the server bring a prize to: the nearest of pirates by lanes, or
 * the nearest capital; of equals the older one; 0 where none can be reached.
 */
export function homeOfCaptors(view: WorldView, arePirates: boolean, poi: Eid): Eid {
  const { alive, kind, capital, poi: at } = view.read(Base)
  const { system } = view.read(Poi)
  const isHome = (base: Eid): boolean =>
    arePirates ? BASE_KINDS[kind[base]] === 'pirate' : capital[base] === 1
  let found = 0
  let least = Number.POSITIVE_INFINITY
  for (let base = 1; base <= view.highOf(Base); base++) {
    if (alive[base] === 0 || !isHome(base)) continue
    const route = routeBetween(view, system[at[base]], system[poi])
    if (route && route.length < least) [found, least] = [base, route.length]
  }
  return found
}
