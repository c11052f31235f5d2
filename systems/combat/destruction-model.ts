/**
 * Losses before they happen: how a ship is destroyed, by whom, who shares in it, and what it costs.
 */
import type { Static } from '../../core/params.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { masterOf } from '../drone/model.ts'
import type { Incident } from '../law/model.ts'
import { hasCargo, hasModules, wreckId } from '../salvage/model.ts'
import { Wreck } from '../salvage/state.ts'
import { seesPoi } from '../sensing/model.ts'
import { shipClassOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { poiId, poiName, systemId, systemName } from '../travel/model.ts'
import { Location, Poi } from '../travel/state.ts'
import { destructionOf } from './crimes-model.ts'
import {
  combatantId,
  combatantName,
  kindOf,
  type ParticipantKind,
  pilotOf,
  publicIdentity,
} from './model.ts'
import type { combatLogSchema } from './schemas.ts'
import { DamageClaim, Participant } from './state.ts'

/** A ship about to be lost; described before any row of the battle is released. */
export interface Death {
  /** Its participant; 0 outside battles. */
  readonly row: Row
  readonly ship: Eid
  /** 0 for an NPC. */
  readonly player: Eid
  readonly id: string
  readonly name: string
  /** Where the wreck drifts: for a traveller the place it departed from. */
  readonly poi: Eid
  readonly isSelfDestruct: boolean
  readonly killer: Killer | undefined
  /** For a pirate: players besides the killer who share in the kill. */
  readonly hunters: readonly Eid[]
  /** The kill as the law judges it. */
  readonly incident: Incident | undefined
  readonly log: Static<typeof combatLogSchema>
}

interface Killer {
  readonly row: Row
  readonly player: Eid
  readonly id: string
  readonly name: string
  readonly kind: ParticipantKind
  readonly shipClass: string
}

function killerOf(view: WorldView, row: Row): Killer | undefined {
  const { killer: killerOfRow, ship } = view.read(Participant)
  const killer = killerOfRow[row]
  if (killer === 0 || killer === row) return undefined
  return {
    row: killer,
    player: pilotOf(view, killer) || masterOf(view, ship[killer]),
    id: combatantId(view, killer),
    name: combatantName(view, killer),
    kind: kindOf(view, killer),
    shipClass: shipClassOf(view, ship[killer]).id,
  }
}

/** Describes the loss of a participant; `hits` counts those of its last tick by weapon name. */
export function describeDeath(
  view: WorldView,
  row: Row,
  { isSelfDestruct, hits = {} }: { isSelfDestruct: boolean; hits?: Record<string, number> },
): Death {
  const part = view.read(Participant)
  const ship = part.ship[row]
  const { poi, fromPoi, system } = view.read(Location)
  const place = poi[ship] || fromPoi[ship]
  const killer = isSelfDestruct ? undefined : killerOf(view, row)
  const byText = killer === undefined ? '' : ` by ${killer.name || 'an unknown ship'}`
  return {
    row,
    ship,
    player: pilotOf(view, row),
    id: combatantId(view, row),
    name: combatantName(view, row),
    poi: place,
    isSelfDestruct,
    killer,
    hunters: huntersOf(view, row, killer?.player ?? 0),
    incident: killer && destructionOf(view, killer.row, row),
    log: {
      combat_rounds: view.tick - part.joinTick[row] + 1,
      death_location: poiName(view, place),
      death_system: systemName(view, system[ship]),
      hull_damage: part.hullTaken[row],
      shield_damage: part.taken[row] - part.hullTaken[row],
      total_damage: part.taken[row],
      message: isSelfDestruct ? 'The ship destroyed itself.' : `The ship was destroyed${byText}.`,
      ...(killer === undefined ? {} : { attacker_ship: killer.shipClass }),
      ...(Object.keys(hits).length === 0 ? {} : { weapons_used: hits }),
    },
  }
}

/** Describes a ship that its pilot destroys outside battles; adrift it leaves no wreck. */
export function describeScuttling(view: WorldView, ship: Eid): Death {
  const { poi, system } = view.read(Location)
  const player = view.read(Ship).owner[ship]
  const { id, name } = publicIdentity(view, player, ship)
  return {
    row: 0,
    ship,
    player,
    id,
    name,
    poi: poi[ship],
    isSelfDestruct: true,
    killer: undefined,
    hunters: [],
    incident: undefined,
    log: {
      combat_rounds: 0,
      death_location: poi[ship] === 0 ? 'deep space' : poiName(view, poi[ship]),
      death_system: systemName(view, system[ship]),
      hull_damage: 0,
      shield_damage: 0,
      total_damage: 0,
      message: 'The ship destroyed itself.',
    },
  }
}

const FEE_FIRST_CREDITS = 500
const FEE_MAX_CREDITS = 50_000

/** Returns the fee in credits of the n-th self-destruct of a day. */
export function selfDestructFee(n: number): number {
  if (n <= 1) return 0
  return Math.min(FEE_MAX_CREDITS, FEE_FIRST_CREDITS * 2 ** (n - 2))
}

/* Shares in a kill */

/** Share of all damage that makes a hunter, %. */
const SHARE_PCT = 20
/** Most hunters of one pirate, its killer included. */
const HUNTERS_MAX = 5

/** Returns the claims of players who have hurt a pirate. */
export function claimsOn(view: WorldView, row: Row): Row[] {
  const { next } = view.read(DamageClaim)
  const claims: Row[] = []
  for (let claim = view.read(Participant).mauled[row]; claim !== 0; claim = next[claim]) {
    claims.push(claim)
  }
  return claims
}

/**
 * Returns the players besides the killer who did at least a fifth of the damage to a pirate, most
 * damage first, then by number.
 */
export function huntersOf(view: WorldView, row: Row, killer: Eid): Eid[] {
  const { player, points } = view.read(DamageClaim)
  const { seq } = view.read(Player)
  const total = view.read(Participant).taken[row]
  return claimsOn(view, row)
    .filter((claim) => player[claim] !== killer && 100 * points[claim] >= SHARE_PCT * total)
    .sort((a, b) => points[b] - points[a] || seq[player[a]] - seq[player[b]])
    .slice(0, killer === 0 ? HUNTERS_MAX : HUNTERS_MAX - 1)
    .map((claim) => player[claim])
}

/** A player's share of the bounty of a pirate: `points` out of the sum of all shares. */
interface BountyShare {
  readonly player: Eid
  readonly points: number
}

/**
 * Returns who shares in the bounty of a pirate that a player has destroyed: all who did at least a
 * fifth of the damage, each in proportion to theirs, in the order of their first hits; the killer
 * alone if nobody did as much. Source: balance.md 8.
 */
export function bountyShares(view: WorldView, row: Row, killer: Eid): BountyShare[] {
  const { player, points } = view.read(DamageClaim)
  const hunters = new Set(huntersOf(view, row, 0))
  const shares = claimsOn(view, row)
    .filter((claim) => hunters.has(player[claim]))
    .map((claim) => ({ player: player[claim], points: points[claim] }))
  return shares.length > 0 ? shares.reverse() : [{ player: killer, points: 1 }]
}

/* Wrecks */

/** Names a wreck, and its place if the viewer knows it. */
export function wreckPlace(view: WorldView, viewer: Eid, wreck: Row) {
  if (wreck === 0) return {}
  const poi = view.read(Wreck).poi[wreck]
  if (!seesPoi(view, viewer, poi)) return { wreck_id: wreckId(view, wreck) }
  const system = view.read(Poi).system[poi]
  return {
    wreck_id: wreckId(view, wreck),
    wreck_poi_id: poiId(view, poi),
    wreck_poi_name: poiName(view, poi),
    wreck_system_id: systemId(view, system),
    wreck_system_name: systemName(view, system),
  }
}

/** Describes a wreck to the killer; empty if none is left. */
export function describeWreck(view: WorldView, killer: Eid, wreck: Row) {
  if (wreck === 0) return {}
  return {
    ...wreckPlace(view, killer, wreck),
    wreck_has_cargo: hasCargo(view, wreck),
    wreck_has_modules: hasModules(view, wreck),
  }
}
