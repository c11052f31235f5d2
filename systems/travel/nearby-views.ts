/** Renders players for those near them. What may be seen is decided in sensing/model.ts. */
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { NEARBY_OFFLINE_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import { colorText } from '../../core/text-rules.ts'
import type { Eid, IndexKey, WorldView } from '../../core/types.ts'
import { shareTexts } from '../../core/wire/packed.ts'
import { isBound, playerId, usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { ShipCombat } from '../combat/state.ts'
import { renderFactionTag } from '../faction/model.ts'
import { aliasOf, type Gathering, isAbsentFor, seePlayer } from '../sensing/model.ts'
import { shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { shipOf } from './location-model.ts'
import {
  LOOKS,
  type NearbyPlayer,
  type nearbyPlayerSchema,
  type SharedEntries,
} from './nearby-state.ts'
import type { onlinePlayerSchema } from './schemas.ts'
import { Location } from './state.ts'

/** Renders a player near the viewer; undefined for one they do not see. */
export function nearbyPlayer(
  view: WorldView,
  viewer: Eid,
  player: Eid,
): Static<typeof nearbyPlayerSchema> | undefined {
  const sight = seePlayer(view, viewer, player)
  if (sight === 'nothing') return undefined
  const ship = shipOf(view, player)
  const docked = view.read(Location).base[ship] !== 0
  const shipClass = SHIP_CLASSES[view.read(Ship).class[ship]].id
  const offline = isBound(view, player) ? {} : { offline: true }
  const inCombat = view.read(ShipCombat).participant[ship] !== 0
  if (sight === 'anonymous') {
    return {
      player_id: aliasOf(view, player),
      username: '',
      ship_class: shipClass,
      anonymous: true,
      in_combat: inCombat,
      docked,
      ...offline,
    }
  }
  const row = view.read(Player)
  return {
    player_id: playerId(view, player),
    username: usernameOf(view, player),
    ship_class: shipClass,
    ship_name: shipName(view, ship),
    status_message: view.texts.get(row.statusMessage[player]),
    clan_tag: view.texts.get(row.clanTag[player]),
    ...renderFactionTag(view, player),
    primary_color: colorText(row.primaryColor[player]),
    secondary_color: colorText(row.secondaryColor[player]),
    anonymous: false,
    in_combat: inCombat,
    docked,
    ...offline,
  }
}

/** Renders a player met on arrival, as everybody sees them; undefined for one who is not seen. */
export function onlinePlayer(
  view: WorldView,
  player: Eid,
): Static<typeof onlinePlayerSchema> | undefined {
  const near = nearbyPlayer(view, 0, player)
  if (!near) return undefined
  const { username = '', clan_tag, primary_color, secondary_color, status_message } = near
  const offline = near.offline ? { offline: true } : {}
  if (near.anonymous) return { username, anonymous: true, ...offline }
  return { username, clan_tag, primary_color, secondary_color, status_message, ...offline }
}

/** Renders those of the players whom the viewer sees. */
export const renderShown = (view: WorldView, viewer: Eid, players: readonly Eid[]) =>
  players.flatMap((player) => nearbyPlayer(view, viewer, player) ?? [])

/**
 * Returns the entry of a row in lists that many viewers see alike. The entry and its text are made
 * once for all of them, so this is for queries and sections, while no command runs.
 */
export function sharedEntry<Entry extends object>(
  view: WorldView,
  key: IndexKey<SharedEntries<Entry>>,
  row: Eid,
  render: (view: WorldView, row: Eid) => Entry | undefined,
): Entry | undefined {
  const shared = view.index(key)
  if (shared.writes !== view.writes) {
    shared.entries.clear()
    shared.writes = view.writes
  }
  const { entries } = shared
  if (!entries.has(row)) {
    const entry = render(view, row)
    entries.set(row, entry && shareTexts(entry))
  }
  return entries.get(row)
}

const publicLook = (view: WorldView, player: Eid) => nearbyPlayer(view, 0, player)

/**
 * Renders players as `renderShown` does, for queries and sections, while no command runs: everybody
 * in a crowd sees the same players.
 */
export function renderCrowd(view: WorldView, viewer: Eid, players: readonly Eid[]): NearbyPlayer[] {
  const shown: NearbyPlayer[] = []
  for (const player of players) {
    if (isAbsentFor(view, viewer, player)) continue
    const entry = sharedEntry(view, LOOKS, player, publicLook)
    if (entry) shown.push(entry)
  }
  return shown
}

/* Who of a gathering is shown */

/** The part of a gathering that is shown to a viewer. */
interface Shown {
  /** Online players first; offline ones only up to a limit. */
  readonly players: readonly Eid[]
  /** Number of players that the viewer could see. */
  readonly count: number
  /** Whether online players were left out. */
  readonly truncated: boolean
  /** Number of offline players left out. */
  readonly offlineCollapsed: number
}

/** Selects up to `max` others to show to a viewer. Source: travel.md section 9, get_nearby. */
export function showTo(gathering: Gathering, viewer: Eid, max: number): Shown {
  const online = firstOthers(gathering.online, viewer, max)
  const room = Math.min(NEARBY_OFFLINE_MAX, max - online.length)
  const offline = firstOthers(gathering.offline, viewer, room)
  const onlineCount = countOthers(gathering.online, viewer)
  const offlineCount = countOthers(gathering.offline, viewer)
  return {
    players: [...online, ...offline],
    count: onlineCount + offlineCount,
    truncated: onlineCount > online.length,
    offlineCollapsed: offlineCount - offline.length,
  }
}

const firstOthers = (rows: readonly Eid[], viewer: Eid, max: number): Eid[] =>
  rows
    .slice(0, max + 1)
    .filter((row) => row !== viewer)
    .slice(0, max)

const countOthers = (rows: readonly Eid[], viewer: Eid): number =>
  rows.length - (rows.includes(viewer) ? 1 : 0)
