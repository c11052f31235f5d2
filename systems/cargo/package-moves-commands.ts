/**
 * Recipients of goods, credits and ships, and storage moves of packages. Source: trade-storage.md
 * sections 1, 3, 5.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import { fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { playerById } from '../account/model.ts'
import { baseById, baseName } from '../base/model.ts'
import { factionByText, factionOf, factionQualifier, namesFaction } from '../faction/model.ts'
import { transferWithFaction } from '../faction/transfer-rules.ts'
import { logAction } from '../log/rules.ts'
import { activeShip, freeSpace } from '../ship/model.ts'
import { poiById } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'
import { donatePackage, stationGiftRefusal } from './donations-commands.ts'
import { givePackage } from './giving-commands.ts'
import { footprintOf, isPackageIn, isStorageNearlyFull, type Place, packageRoom } from './model.ts'
import { containerAt, describePackage, movePackage, packageById, packageId } from './rules.ts'
import type { Moved, StorageMove } from './schemas.ts'

/**
 * Moves a package between hold and locker. Refusals: package_storage_full, storage_full,
 * no_cargo_space.
 */
function transferPackage(
  world: World,
  move: StorageMove,
  pkg: Row,
  to: Place,
): Outcome<Moved, 'no_cargo_space' | 'package_storage_full' | 'storage_full'> {
  const { player, base } = move
  const ship = activeShip(world, player)
  if (to === 'cargo') {
    const [need, fits] = [footprintOf(world, pkg), freeSpace(world, ship)]
    if (fits < need) return fail('no_cargo_space', { need, fits })
    movePackage(world, pkg, { kind: 'cargo', ship })
  } else {
    if (packageRoom(world, player, base) === 0) return fail('package_storage_full')
    if (isStorageNearlyFull(world)) return fail('storage_full')
    movePackage(world, pkg, { kind: 'locker', player, base })
  }
  const verb = to === 'cargo' ? 'withdraw' : 'deposit'
  const did = to === 'cargo' ? 'Took' : 'Stored'
  const message = `${did} ${describePackage(world, pkg)} at ${baseName(world, base)}.`
  const item_id = packageId(world, pkg)
  logAction(world, player, 'storage', verb, message, { item_id, quantity: 1 })
  const common = { item_id, quantity: 1, cargo_space: freeSpace(world, ship), message }
  return ok(
    to === 'cargo'
      ? { action: 'withdraw_items', ...common, cargo_total: 1, storage_remaining: 0 }
      : { action: 'deposit_items', ...common, cargo_remaining: 0, storage_total: 1 },
  )
}

/**
 * Moves the package that the item id names. Refusals: invalid_payload (more than 1),
 * insufficient_items (it is not there), package_storage_full, storage_full, no_cargo_space,
 * wrong_empire, freight_locked, invalid_target, and those of transferWithFaction.
 */
export function moveNamedPackage(
  world: World,
  move: StorageMove,
  from: Place,
  to: Place | Recipient,
) {
  if (move.quantity !== 1) {
    return invalidFields({ field: 'quantity', expected: '1 package' })
  }
  const pkg = packageById(world, move.item_id)
  const place = containerAt(world, move.player, move.base, from)
  if (pkg === 0 || place === 0 || !isPackageIn(world, place, pkg)) {
    return fail('insufficient_items', { need: 1, have: 0 })
  }
  if (typeof to !== 'object') return transferPackage(world, move, pkg, to)
  if (to.kind === 'player') return givePackage(world, move, to.player, pkg)
  if (to.kind === 'empire') return donatePackage(world, move, to.empire, pkg)
  if (to.kind === 'station') return stationGiftRefusal()
  return transferWithFaction(world, move)
}

/** Who receives a gift. */
export type Recipient =
  | { readonly kind: 'player'; readonly player: Eid }
  | { readonly kind: 'faction'; readonly faction: Row }
  /** Index into EMPIRES. */
  | { readonly kind: 'empire'; readonly empire: number }
  | { readonly kind: 'station'; readonly base: Eid }

const STATION_PREFIX = 'station:'

/** Returns whether a text names a station: `station:` and an id. */
export const namesStation = (text: string): boolean => text.toLowerCase().startsWith(STATION_PREFIX)

/** Finds a station by the id of its base or of its place. Refusal: station_not_found. */
function stationByText(view: WorldView, text: string): Outcome<Recipient, 'station_not_found'> {
  const id = text.slice(STATION_PREFIX.length).trim()
  const poi = poiById(view, id)
  const base = baseById(view, id) || (poi === 0 ? 0 : view.read(Poi).base[poi])
  return base === 0 ? fail('station_not_found', { station_id: id }) : ok({ kind: 'station', base })
}

/** Returns the index of an empire by its id or its full name; -1 for none. */
function empireByText(text: string): number {
  const word = text.toLowerCase()
  return EMPIRES.findIndex(({ id, name }) => id === word || name.toLowerCase() === word)
}

/**
 * Returns the recipient that a text names: `faction` (the player's own), `faction:TAG`,
 * `station:<id>`, an empire, or a player by id or name. Refusals: not_in_faction,
 * faction_not_found, station_not_found, player_not_found, invalid_target (oneself).
 */
export function recipientOf(view: WorldView, player: Eid, text: string) {
  if (namesFaction(text)) {
    const named = factionQualifier(text)
    const faction = named === undefined ? factionOf(view, player) : factionByText(view, named)
    if (faction !== 0) return ok({ kind: 'faction', faction })
    return named === undefined
      ? fail('not_in_faction')
      : fail('faction_not_found', { faction: named })
  }
  if (namesStation(text)) return stationByText(view, text)
  const empire = empireByText(text)
  if (empire >= 0) return ok({ kind: 'empire', empire })
  const other = playerById(view, text)
  if (other === 0) return fail('player_not_found', { player: text })
  return other === player
    ? fail('invalid_target', { target: text })
    : ok({ kind: 'player', player: other })
}
