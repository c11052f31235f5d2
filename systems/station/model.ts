/**
 * Stations of factions as other domains see them: their owners, who may dock, who may use which
 * service, and at what price. Source: crafting.md section 8.
 */
import { type Failure, fail } from '../../core/errors.ts'
import { isGranted } from '../../core/guard.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { areAllied } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { Base } from '../base/state.ts'
import { Faction, Membership } from '../faction/state.ts'
import {
  admitted,
  GATED_SERVICES,
  type GatedService,
  GUESTS,
  type Guests,
  OWNED,
  SERVICE_ACCESS,
  type ServiceAccess,
  Station,
} from './state.ts'

/** Returns the faction a base belongs to; 0 for one of the server, or no base. */
export const ownerOfBase = (view: WorldView, base: Eid): Row => view.read(Station).faction[base]

export const isOutpost = (view: WorldView, base: Eid): boolean =>
  view.read(Station).outpost[base] === 1

/** Returns whether a player is a member of the faction that a base belongs to. */
export function isHost(view: WorldView, player: Eid, base: Eid): boolean {
  const owner = ownerOfBase(view, base)
  return owner !== 0 && view.read(Membership).faction[player] === owner
}

/** Returns whether a player is an ally of the leader of the faction that a base belongs to. */
const isAlly = (view: WorldView, player: Eid, base: Eid): boolean =>
  areAllied(view, player, view.read(Faction).leader[ownerOfBase(view, base)])

const NO_GUESTS: Guests = { players: [], factions: [], banned: [] }

export const guestsOf = (view: WorldView, base: Eid): Guests =>
  view.records(GUESTS).get(String(view.read(Base).seq[base])) ?? NO_GUESTS

/* Docking */

function isGuest(view: WorldView, player: Eid, base: Eid): boolean {
  const { players, factions } = guestsOf(view, base)
  const faction = view.read(Membership).faction[player]
  if (players.includes(view.read(Player).seq[player])) return true
  return faction !== 0 && factions.includes(view.read(Faction).seq[faction])
}

const DENIALS = {
  banned: 'Its faction has banned you from this base; dock elsewhere, or ask them to lift the ban.',
  members_only: 'An outpost admits members of its faction only; dock elsewhere.',
  not_public: 'This station is closed to strangers; dock elsewhere, or ask its faction for entry.',
} as const

/**
 * Refuses a player whom a faction's station does not admit: access_denied. Bases of the server
 * admit everybody. A player who is docked stays until they undock. Source: crafting.md section 8,
 * docking check order; ours: an outpost admits members only.
 */
export function entryRefusal(
  view: WorldView,
  player: Eid,
  base: Eid,
): Failure<'access_denied'> | undefined {
  const faction = ownerOfBase(view, base)
  if (faction === 0) return undefined
  const denied = (reason: keyof typeof DENIALS) =>
    fail('access_denied', { reason }, DENIALS[reason])
  if (isHost(view, player, base)) return undefined
  if (guestsOf(view, base).banned.includes(view.read(Player).seq[player])) return denied('banned')
  if (isOutpost(view, base)) return denied('members_only')
  if (view.read(Station).open[base] === 1 || isGuest(view, player, base)) return undefined
  const hasBusiness = isGranted(view, admitted, { player, base })
  return hasBusiness ? undefined : denied('not_public')
}

/* Services */

/** Returns the position of the two bits of a service. */
const shiftOf = (service: GatedService): number => 2 * GATED_SERVICES.indexOf(service)

/** Returns who may use a service of a station. */
export const accessOf = (view: WorldView, base: Eid, service: GatedService): ServiceAccess =>
  SERVICE_ACCESS[(view.read(Station).access[base] >>> shiftOf(service)) & 3]

/** Returns the access bits of a station with those of one service changed. */
export function withAccess(bits: number, service: GatedService, access: ServiceAccess): number {
  const shift = shiftOf(service)
  return ((bits & ~(3 << shift)) | (SERVICE_ACCESS.indexOf(access) << shift)) >>> 0
}

/**
 * Refuses a player who may not use a service of a base: service_restricted. Whether the base has
 * the service is checked elsewhere. Source: crafting.md section 8, set_service_access.
 */
export function serviceRefusal(
  view: WorldView,
  player: Eid,
  base: Eid,
  service: GatedService,
): Failure<'service_restricted'> | undefined {
  if (base === 0 || ownerOfBase(view, base) === 0 || isHost(view, player, base)) return undefined
  const access = accessOf(view, base, service)
  if (access === 'public' || (access === 'allies' && isAlly(view, player, base))) return undefined
  return fail('service_restricted', { service, access })
}

/* Prices */

/** Returns the price of fuel that an owner has set, credits a unit; 0: the usual price applies. */
export function fuelPriceAt(view: WorldView, base: Eid): number {
  const { fuelPrice, fuelNext, fuelTick } = view.read(Station)
  return view.tick >= fuelTick[base] ? fuelNext[base] : fuelPrice[base]
}

/**
 * Returns the repair price that an owner has set for outsiders, credits a point of hull; 0: the
 * usual price applies.
 */
export function repairPriceAt(view: WorldView, base: Eid): number {
  const { repairPrice, repairNext, repairTick } = view.read(Station)
  return view.tick >= repairTick[base] ? repairNext[base] : repairPrice[base]
}

/**
 * Returns the highest price a station pays for a unit of fuel: below its own price, both now and
 * once an announced price takes effect. Otherwise pilots would drain its treasury by buying and
 * selling.
 */
export function fuelBidMax(view: WorldView, base: Eid): number {
  const { fuelNext } = view.read(Station)
  const prices = [fuelPriceAt(view, base), fuelNext[base]].filter((price) => price > 0)
  return prices.length === 0 ? Number.MAX_SAFE_INTEGER : Math.min(...prices) - 1
}

/** Basis points in a percent. */
const BPS = 100

/**
 * Returns the listing fee at a faction's exchange, basis points; undefined where the usual fee
 * applies. Members pay none. Source: market.md section 3, fee_bps.
 */
export function stationFeeBps(
  view: WorldView,
  base: Eid,
  { player, faction }: { readonly player: Eid; readonly faction: Row },
): number | undefined {
  const owner = ownerOfBase(view, base)
  if (owner === 0) return undefined
  const trader = faction !== 0 ? faction : view.read(Membership).faction[player]
  if (trader === owner) return 0
  const pct = view.read(Station).feePct[base]
  return pct === 0 ? undefined : pct * BPS
}

/** Returns the stations and outposts of a faction, the oldest first. */
export const basesOf = (view: WorldView, faction: Row): readonly Eid[] =>
  view.index(OWNED).get(faction) ?? []

/** Returns the number of a faction's outposts, or of its stations. */
export const baseCount = (view: WorldView, faction: Row, asOutpost: boolean): number =>
  basesOf(view, faction).filter((base) => isOutpost(view, base) === asOutpost).length

/* Defaults at stations that belong to no empire. */

/** Listing fee, basis points. Source: market.md section 3. */
export const FEE_BPS_DEFAULT = 100
/** Credits a point of hull. Source: ships.md section 5. */
export const REPAIR_CREDITS = 5
