/** The queries `get_cargo` and `view_storage`. */
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { type QueryDef, query, type Touch } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { NO_PARAMS, obj, optional, ref, str, words } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { baseById, baseId, baseName, hasService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { factionQualifier, namesFaction } from '../faction/model.ts'
import { viewFactionStorageAt } from '../faction/views.ts'
import { modulesOf, shipId } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { dockedBase, notDocked } from '../travel/location-model.ts'
import { shipsAt } from '../travel/model.ts'
import { Location } from '../travel/state.ts'
import { giftsSeen } from './gift-commands.ts'
import { giftsAt } from './gift-model.ts'
import { renderGift } from './gift-views.ts'
import { lockerOf, placeByName } from './model.ts'
import { anyStorageSchema, cargoSchema, storageSchema } from './schemas.ts'
import { renderHold, renderStacks } from './views.ts'

export const getCargo: QueryDef = query({
  name: 'get_cargo',
  summary: 'List what is in the hold of your ship.',
  category: 'storage',
  needs: [],
  params: NO_PARAMS,
  result: cargoSchema,
  errors: ['no_ship'],
  run(view, player) {
    const ship = view.read(Player).ship[player]
    return ship === 0 ? fail('no_ship') : ok(renderHold(view, ship))
  },
})

/** Returns the player's ships stored at the base. */
function storedShips(view: WorldView, player: Eid, base: Eid) {
  const { owner, class: shipClass, name, cargoUsed } = view.read(Ship)
  const { base: docked } = view.read(Location)
  const flown = view.read(Player).ship[player]
  return shipsAt(view, view.read(Base).poi[base])
    .filter((ship) => owner[ship] === player && docked[ship] === base && ship !== flown)
    .map((ship) => {
      const customName = view.texts.get(name[ship])
      return {
        ship_id: shipId(view, ship),
        class_id: SHIP_CLASSES[shipClass[ship]].id,
        class_name: SHIP_CLASSES[shipClass[ship]].name,
        ...(customName === '' ? {} : { custom_name: customName }),
        modules: modulesOf(view, ship).length,
        cargo_used: cargoUsed[ship],
      }
    })
}

/** Renders what the player stores at a base, by default the one where they are docked. */
function viewStorageAt(view: WorldView, player: Eid, stationId?: string) {
  const base = stationId === undefined ? dockedBase(view, player) : baseById(view, stationId)
  if (base === 0) {
    if (stationId !== undefined) return fail('station_not_found', { station_id: stationId })
    return notDocked(view, player)
  }
  if (!hasService(view, base, 'storage')) return fail('no_storage_service')
  const items = renderStacks(view, lockerOf(view, player, base))
  const ships = storedShips(view, player, base)
  const gifts = giftsAt(view, player, base).map((gift) => renderGift(view, gift))
  return ok({
    action: 'view_storage',
    base_id: baseId(view, base),
    items,
    ships,
    ...(gifts.length === 0 ? {} : { gifts }),
    hint:
      items.length === 0 && ships.length === 0
        ? `Nothing of yours is stored at ${baseName(view, base)}.`
        : dockedBase(view, player) === base
          ? say`{withdraw_items} takes goods aboard.`
          : say`Dock at ${baseName(view, base)} and use {withdraw_items} to take goods aboard.`,
  })
}

/** Returns the command that marks the gifts listed by the query as seen; undefined without any. */
function touchGifts(view: WorldView, player: Eid, stationId?: string): Touch | undefined {
  const base = stationId === undefined ? dockedBase(view, player) : baseById(view, stationId)
  if (base === 0 || giftsAt(view, player, base).length === 0) return undefined
  return { command: giftsSeen.name, params: { base_id: baseId(view, base) } }
}

const stationParam = optional(
  ref('base', str('Base to view; absent: the one you are docked at.', { min: 1, example: 'base' })),
)

const ERRORS = ['station_not_found', 'not_docked', 'in_transit', 'no_storage_service'] as const

export const viewStorage: QueryDef = query({
  name: 'view_storage',
  summary: 'List what you have stored at a base.',
  category: 'storage',
  needs: [],
  params: obj({ station_id: stationParam }),
  result: storageSchema,
  errors: ERRORS,
  run: (view, player, params) => viewStorageAt(view, player, params.station_id),
  touch: (view, player, params) => touchGifts(view, player, params.station_id),
})

/** Returns whose storage is viewed: a bucket is always the faction's. */
const viewTarget = ({ target, bucket }: { readonly target?: string; readonly bucket?: string }) =>
  target ?? (bucket === undefined ? 'self' : 'faction')

export const viewStorageV2: QueryDef = query({
  name: 'view',
  v1: false,
  v1Name: 'view_storage',
  v2: { tool: 'game_storage', action: 'view' },
  summary: 'List what you, or your faction, have stored at a base.',
  category: 'storage',
  needs: [],
  params: obj({
    station_id: stationParam,
    target: optional(
      str('self (default), faction, or faction:<bucket>.', { min: 1, example: 'self' }),
    ),
    bucket: optional(str('Only this bucket of the faction store, by name or id.', { min: 1 })),
  }),
  result: anyStorageSchema,
  errors: [
    ...ERRORS,
    ...words('not_in_faction no_faction_storage bucket_not_found invalid_target'),
  ],
  run(view, player, params) {
    const { bucket, station_id } = params
    const target = viewTarget(params)
    if (namesFaction(target)) {
      return viewFactionStorageAt(view, player, station_id, factionQualifier(target) ?? bucket)
    }
    if (placeByName(target) !== 'storage') return fail('invalid_target', { target })
    return viewStorageAt(view, player, params.station_id)
  },
  touch: (view, player, params) =>
    namesFaction(viewTarget(params)) ? undefined : touchGifts(view, player, params.station_id),
})
