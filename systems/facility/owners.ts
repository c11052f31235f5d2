/**
 * Whose a facility is, from whose account it is paid, who may act for it, and whom its news reach.
 */
import { type Failure, fail } from '../../core/errors.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { playerId, usernameOf, walletOf } from '../account/rules.ts'
import { baseTreasury } from '../base/rules.ts'
import {
  factionIdOf,
  factionName,
  factionOf,
  hasPermission,
  membersOf,
  refusesPermission,
  treasuryOf,
} from '../faction/rules.ts'
import { dockedBase } from '../travel/rules.ts'
import { Facility, OF_FACTION, OF_PLAYER, OF_STATION } from './columns.ts'
import { facilityById } from './rules.ts'
import type { Owner } from './store.ts'

export const STATION: Owner = { kind: OF_STATION, player: 0, faction: 0 }
export const playerOwner = (player: Eid): Owner => ({ kind: OF_PLAYER, player, faction: 0 })
export const factionOwner = (faction: Row): Owner => ({ kind: OF_FACTION, player: 0, faction })

/** Whose a facility is now; what was before a repossession does not count. */
export function ownerOf(view: WorldView, row: Row): Owner {
  const { ownerKind, player, faction } = view.read(Facility)
  if (ownerKind[row] === OF_PLAYER) return playerOwner(player[row])
  return ownerKind[row] === OF_FACTION ? factionOwner(faction[row]) : STATION
}

export const isSameOwner = (one: Owner, other: Owner): boolean =>
  one.kind === other.kind && one.player === other.player && one.faction === other.faction

/** Ledger account that pays for what an owner has at a base. */
export function accountOf(view: WorldView, owner: Owner, base: Row): Row {
  if (owner.kind === OF_PLAYER) return walletOf(view, owner.player)
  return owner.kind === OF_FACTION ? treasuryOf(view, owner.faction) : baseTreasury(view, base)
}

/** Players an owner stands for: himself, or all members. */
export function peopleOf(view: WorldView, owner: Owner): readonly Eid[] {
  if (owner.kind === OF_PLAYER) return [owner.player]
  return owner.kind === OF_FACTION ? membersOf(view, owner.faction) : []
}

/** Wire id of an owner; empty for the station. */
export function ownerIdOf(view: WorldView, owner: Owner): string {
  if (owner.kind === OF_PLAYER) return playerId(view, owner.player)
  return owner.kind === OF_FACTION ? factionIdOf(view, owner.faction) : ''
}

export function ownerNameOf(view: WorldView, owner: Owner): string {
  if (owner.kind === OF_PLAYER) return usernameOf(view, owner.player)
  return owner.kind === OF_FACTION ? factionName(view, owner.faction) : ''
}

/** True for the owner, and for every member of the faction that owns it. */
export function isOwn(view: WorldView, player: Eid, row: Row): boolean {
  const owner = ownerOf(view, row)
  if (owner.kind === OF_PLAYER) return owner.player === player
  return owner.kind === OF_FACTION && factionOf(view, player) === owner.faction
}

/** True for whoever may change it: the owner, or a member who manages the faction's facilities. */
export const mayManage = (view: WorldView, player: Eid, row: Row): boolean =>
  isOwn(view, player, row) &&
  (ownerOf(view, row).kind === OF_PLAYER || hasPermission(view, player, 'manage_facilities'))

/** Refusals: not_owner, no_permission. */
export function refusesManaging(view: WorldView, player: Eid, row: Row): Failure | undefined {
  if (!isOwn(view, player, row)) return fail('not_owner')
  if (ownerOf(view, row).kind === OF_PLAYER) return undefined
  return refusesPermission(view, player, 'manage_facilities')
}

/** A facility at the base where the player is docked. Refusal: facility_not_found. */
export function facilityHere(view: WorldView, player: Eid, id: string): Row | Failure {
  const row = facilityById(view, id)
  const isHere = row !== 0 && view.read(Facility).base[row] === dockedBase(view, player)
  return isHere ? row : fail('facility_not_found', { facility_id: id })
}

/** A facility at this base that the player may change. */
export function managedHere(view: WorldView, player: Eid, id: string): Row | Failure {
  const row = facilityHere(view, player, id)
  if (typeof row !== 'number') return row
  return refusesManaging(view, player, row) ?? row
}

/** A facility anywhere that the player may change. */
export function managedAnywhere(view: WorldView, player: Eid, id: string): Row | Failure {
  const row = facilityById(view, id)
  if (row === 0) return fail('facility_not_found', { facility_id: id })
  return refusesManaging(view, player, row) ?? row
}
