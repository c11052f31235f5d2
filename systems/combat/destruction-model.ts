/** Lookups of destruction (battles); writes only to its own columns. */
import type { Static } from '../../core/params.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { masterOf } from '../drone/model.ts'
import type { Deed } from '../law/model.ts'
import { hasCargo, hasModules, wreckId } from '../salvage/model.ts'
import { Wreck } from '../salvage/state.ts'
import { seesPoi } from '../sensing/model.ts'
import { shipClassOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { poiId, poiName, systemId, systemName } from '../travel/model.ts'
import { Location, Poi } from '../travel/state.ts'
import { destructionOf } from './crimes-model.ts'
import { TYPE_PCT } from './damage-kernels.ts'
import {
  combatantId,
  combatantName,
  kindOf,
  type ParticipantKind,
  pilotOf,
  pilotSign,
} from './model.ts'
import type { combatLogSchema } from './schemas.ts'
import { DamageClaim, Participant } from './state.ts'

const CRIT_PERMILLE = 20
const CRIT_PERMILLE_A_LEVEL = 2

/** Most that one bucket of reductions takes off. Source: spec, battle rules. */
const BUCKET_MAX_PCT = 75

/** A bucket of reductions, by the sum of what is in it, %. A negative sum counts nothing. */
export const bucketPct = (sumPct: number): number => Math.max(0, Math.min(BUCKET_MAX_PCT, sumPct))

export const critChance = (weaponsLevel: number): number =>
  CRIT_PERMILLE + CRIT_PERMILLE_A_LEVEL * weaponsLevel

/* Damage of one weapon: stages 1 to 4 */

export const typePct = (type: number): number => TYPE_PCT[type]

const FEE_FIRST_CREDITS = 500
const FEE_MOST_CREDITS = 50_000

/** A ship about to be lost; gathered before any row of the battle is given back. */
export interface Death {
  /** 0 out of a battle. */
  readonly row: Row
  readonly ship: Eid
  /** 0 for an NPC. */
  readonly player: Eid
  readonly id: string
  readonly name: string
  /** Where the wreck drifts: of a traveller the place it left. */
  readonly poi: Eid
  readonly isSelfDestruct: boolean
  readonly killer: Killer | undefined
  /** Of a pirate: players who had a good part in it, besides the killer. */
  readonly hunters: readonly Eid[]
  /** What the law makes of it, judged before anyone is gone. */
  readonly deed: Deed | undefined
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
  const killer = view.read(Participant).killer[row]
  if (killer === 0 || killer === row) return undefined
  return {
    row: killer,
    player: pilotOf(view, killer) || masterOf(view, view.read(Participant).ship[killer]),
    id: combatantId(view, killer),
    name: combatantName(view, killer),
    kind: kindOf(view, killer),
    shipClass: shipClassOf(view, view.read(Participant).ship[killer]).id,
  }
}

/** What is known of a loss before anything of it happens. */
export function describeDeath(
  view: WorldView,
  row: Row,
  { isSelfDestruct, hits = {} }: { isSelfDestruct: boolean; hits?: Record<string, number> },
): Death {
  const { ship, joinTick, taken, hullTaken } = view.read(Participant)
  const { poi, fromPoi, system } = view.read(Location)
  const place = poi[ship[row]] || fromPoi[ship[row]]
  const killer = isSelfDestruct ? undefined : killerOf(view, row)
  const by = killer === undefined ? '' : ` by ${killer.name || 'an unknown ship'}`
  return {
    row,
    ship: ship[row],
    player: pilotOf(view, row),
    id: combatantId(view, row),
    name: combatantName(view, row),
    poi: place,
    isSelfDestruct,
    killer,
    hunters: huntersOf(view, row, killer?.player ?? 0),
    deed: killer && destructionOf(view, killer.row, row),
    log: {
      combat_rounds: view.tick - joinTick[row] + 1,
      death_location: poiName(view, place),
      death_system: systemName(view, system[ship[row]]),
      hull_damage: hullTaken[row],
      shield_damage: taken[row] - hullTaken[row],
      total_damage: taken[row],
      message: isSelfDestruct ? 'The ship destroyed itself.' : `The ship was destroyed${by}.`,
      ...(killer === undefined ? {} : { attacker_ship: killer.shipClass }),
      ...(Object.keys(hits).length === 0 ? {} : { weapons_used: hits }),
    },
  }
}

/** A ship that its pilot destroys out of a battle; adrift it leaves no wreck anybody could find. */
export function describeScuttling(view: WorldView, ship: Eid): Death {
  const { poi, system } = view.read(Location)
  const player = view.read(Ship).owner[ship]
  const { id, name } = pilotSign(view, player, ship)
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
    deed: undefined,
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

/* Money */

/** Credits of the n-th self-destruct of a day. */
export function selfDestructFee(n: number): number {
  if (n <= 1) return 0
  return Math.min(FEE_MOST_CREDITS, FEE_FIRST_CREDITS * 2 ** (n - 2))
}

/** Part of all damage that makes a hunter, percent. */
const SHARE_PCT = 20
/** Hunters of one pirate, whoever destroyed it among them. */
const HUNTERS_MAX = 5

/** Players who have hurt a pirate, and how much. */
export function maulingsOf(view: WorldView, row: Row): Row[] {
  const { next } = view.read(DamageClaim)
  const rows: Row[] = []
  for (let at = view.read(Participant).mauled[row]; at !== 0; at = next[at]) rows.push(at)
  return rows
}

/**
 * Players who did a fifth of the damage to a pirate or more, besides the one who destroyed it: most
 * damage first, then by number; five with them at most.
 */
export function huntersOf(view: WorldView, row: Row, killer: Eid): Eid[] {
  const { player, points } = view.read(DamageClaim)
  const { seq } = view.read(Player)
  const total = view.read(Participant).taken[row]
  return maulingsOf(view, row)
    .filter((at) => player[at] !== killer && 100 * points[at] >= SHARE_PCT * total)
    .sort((a, b) => points[b] - points[a] || seq[player[a]] - seq[player[b]])
    .slice(0, killer === 0 ? HUNTERS_MAX : HUNTERS_MAX - 1)
    .map((at) => player[at])
}

/** Where a wreck is, as far as the viewer knows the place. */
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

/** What the killer hears of a wreck; nothing where none is left. */
export function wreckNews(view: WorldView, killer: Eid, wreck: Row) {
  if (wreck === 0) return {}
  return {
    ...wreckPlace(view, killer, wreck),
    wreck_has_cargo: hasCargo(view, wreck),
    wreck_has_modules: hasModules(view, wreck),
  }
}
