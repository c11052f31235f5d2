/** The commands of looting, towing, selling and scrapping wrecks. Source: salvage.md section 8. */
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { mutation, query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { contentsOf } from '../../core/goods.ts'
import { WRECKS_LISTED_MAX } from '../../core/limits.ts'
import { itemId, NO_PARAMS, obj, optional, quantity, ref, str, words } from '../../core/params.ts'
import { say, withArticle } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { hasService } from '../base/model.ts'
import { containersAt } from '../cargo/model.ts'
import { JettisonContainer } from '../cargo/state.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { logAction } from '../log/rules.ts'
import { activeShip, shipId } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { dockedBase, poiOf, systemOf } from '../travel/location-model.ts'
import { poiName } from '../travel/model.ts'
import { DOCKED, UNDOCKED } from '../travel/needs.ts'
import { derelictsAround } from './derelict-model.ts'
import { findWreck, isAdrift, loot } from './loot-commands.ts'
import {
  isTowing,
  towedShip,
  towedWreck,
  towPenaltyPct,
  wreckId,
  wreckModules,
  wrecksAt,
  wreckTypeOf,
} from './model.ts'
import { AT_WRECK } from './needs.ts'
import {
  lootSchema,
  releaseSchema,
  scrapSchema,
  sellSchema,
  towSchema,
  wrecksSchema,
} from './schemas.ts'
import { Wreck } from './state.ts'
import { dropTow, tieWreck } from './tow-rules.ts'
import { renderAdrift, renderReported, renderWreck } from './views.ts'
import { scrapTow, sellTow } from './yard-commands.ts'

const lootShape = {
  summary: 'Take goods and modules out of a wreck or container here, or out of the wreck in tow.',
  category: 'salvage',
  order: 'plain',
  params: obj({
    wreck_id: optional(
      ref('wreck', str('Wreck or container; the wreck in tow if absent.', { min: 1 })),
    ),
    item_id: optional(itemId('Take this good only.')),
    module_id: optional(
      ref('module', str(say`Take this module only: its id as {get_wrecks} lists it.`, { min: 1 }), {
        isOpen: true,
      }),
    ),
    quantity: optional(quantity('Units of the good; all there is if absent.')),
  }),
  result: lootSchema,
  needs: [AT_WRECK],
  changes: ['ship', 'cargo'],
  errors: words(
    'invalid_payload wreck_id_required wreck_not_found already_towed wreck_empty item_not_found',
    'module_not_found hazard_not_supported no_cargo_space limit_reached',
  ),
  run: loot,
} as const

export const lootWreck = mutation({
  ...lootShape,
  name: 'loot_wreck',
  v2: { tool: 'game_salvage', action: 'loot', rename: { wreck_id: 'id' } },
})

/** Offers `loot_wreck` at the address of the storage tool too; in v2 only. */
export const lootV2 = mutation({
  ...lootShape,
  name: 'loot',
  v1: false,
  v2: { tool: 'game_storage', action: 'loot' },
})

/* Towing */

function towRefusal(view: WorldView, player: Eid, wreck: Row) {
  const ship = activeShip(view, player)
  if (view.read(Wreck).tug[wreck] === ship) return fail('already_towing')
  if (wreckTypeOf(view, wreck) !== 'ship') return fail('not_towable')
  if (view.read(Player).cloaked[player] === 1) return fail('cloaked')
  if (towPenaltyPct(view, ship) < 0) return fail('no_tow_rig')
  if (isTowing(view, ship)) return fail('already_towing')
  const { scale } = SHIP_CLASSES[view.read(Wreck).class[wreck]]
  const max_scale = view.read(Ship).scale[ship]
  return scale > max_scale ? fail('too_large', { scale, max_scale }) : undefined
}

export const towWreck = mutation({
  name: 'tow_wreck',
  v2: { tool: 'game_salvage', action: 'tow', rename: { wreck_id: 'id' } },
  summary: 'Take the wreck of a ship here in tow; it slows you down.',
  category: 'salvage',
  order: 'plain',
  params: obj({
    wreck_id: ref('wreck', str(say`The wreck, as {get_wrecks} lists it.`, { min: 1 })),
  }),
  result: towSchema,
  needs: [UNDOCKED],
  changes: ['player'],
  errors: words(
    'wreck_not_found already_towed already_towing not_towable cloaked no_tow_rig too_large',
  ),
  run(world, player, { wreck_id }) {
    if (isAdrift(world, player, wreck_id)) return fail('not_towable')
    const wreck = findWreck(world, player, wreck_id)
    if (!wreck.ok) return wreck
    return towRefusal(world, player, wreck.result) ?? ok(tow(world, player, wreck.result))
  },
})

function tow(world: World, player: Eid, wreck: Row) {
  const ship = activeShip(world, player)
  tieWreck(world, ship, wreck)
  const { value, cargo, class: shipClass, policyId } = world.read(Wreck)
  const { id, name } = SHIP_CLASSES[shipClass[wreck]]
  const units = contentsOf(world, cargo[wreck]).reduce((sum, held) => sum + held.units, 0)
  const message = `The wreck of ${withArticle(name)} is in tow.`
  const wreck_id = wreckId(world, wreck)
  logAction(world, player, 'salvage', 'tow', message, { wreck_id, ship_class: id })
  return {
    action: 'tow_wreck',
    wreck_id,
    ship_class: id,
    salvage_value: value[wreck],
    cargo_count: units,
    module_count: wreckModules(world, wreck).length,
    insured: world.texts.get(policyId[wreck]) !== '',
    speed_penalty: `${towPenaltyPct(world, ship)}%`,
    message: say`${message} {dock} with it at a base with a salvage_yard, then {sell_wreck} or {scrap_wreck} it there.`,
  }
}

export const releaseTow = mutation({
  name: 'release_tow',
  v2: { tool: 'game_salvage', action: 'release' },
  summary: 'Let go of the wreck in tow; it rests where you are.',
  category: 'salvage',
  order: 'plain',
  params: NO_PARAMS,
  result: releaseSchema,
  needs: [UNDOCKED],
  changes: ['player'],
  errors: ['not_towing'],
  run(world, player) {
    const ship = activeShip(world, player)
    const wreck = towedWreck(world, ship)
    if (wreck === 0) {
      if (towedShip(world, ship) === 0) return fail('not_towing')
      const id = shipId(world, towedShip(world, ship))
      const message = say`A ship of your own is in tow: dock where it is to stay, then {deposit_items} with {deposit_items.item_id} ${id} and quantity 1.`
      return fail('not_towing', undefined, message)
    }
    const wreck_id = wreckId(world, wreck)
    dropTow(world, ship)
    const message = `Released the wreck at ${poiName(world, poiOf(world, player))}.`
    logAction(world, player, 'salvage', 'release', message, { wreck_id })
    return ok({ action: 'release_tow', wreck_id, message })
  },
})

/* Selling and scrapping */

export const sellWreck = mutation({
  name: 'sell_wreck',
  v2: { tool: 'game_salvage', action: 'sell' },
  summary: 'Sell the wreck in tow, with its cargo, to the salvage yard here.',
  category: 'salvage',
  order: 'plain',
  params: NO_PARAMS,
  result: sellSchema,
  needs: [DOCKED, AT_LIBERTY],
  changes: ['player', 'skills', 'missions'],
  errors: words(
    'not_towing no_salvage_yard service_restricted yard_broke amount_too_large limit_reached',
  ),
  run: sellTow,
})

export const scrapWreck = mutation({
  name: 'scrap_wreck',
  v2: { tool: 'game_salvage', action: 'scrap' },
  summary: 'Take the wreck in tow apart at the salvage yard here; all of it goes into storage.',
  category: 'salvage',
  order: 'plain',
  params: NO_PARAMS,
  result: scrapSchema,
  needs: [DOCKED],
  changes: ['player', 'skills', 'missions'],
  errors: words('not_towing no_salvage_yard service_restricted skill_too_low limit_reached'),
  run: scrapTow,
})

/* Listing */

/** Limit of the derelicts that a yard reports; the nearest come first. */
const REPORTED_MAX = 40

/**
 * Renders the derelicts that the salvage yard where a player is docked reports; undefined without
 * one.
 */
function reportedTo(view: WorldView, player: Eid) {
  const base = dockedBase(view, player)
  if (base === 0 || !hasService(view, base, 'salvage_yard')) return undefined
  const ship = activeShip(view, player)
  const reported = derelictsAround(view, systemOf(view, player), REPORTED_MAX)
  return reported.map((derelict) => renderReported(view, ship, derelict))
}

type Listed = ReturnType<typeof renderWreck> | ReturnType<typeof renderAdrift>

/**
 * Lists the newest wrecks and containers at a place; within a tick, wrecks come first. Merges two
 * lists that are in order of age already, so it reads no more rows than it lists.
 */
function newestAt(view: WorldView, poi: Eid, max: number): { listed: Listed[]; total: number } {
  const { createdTick: lostTick } = view.read(Wreck)
  const { createdTick: openedTick } = view.read(JettisonContainer)
  const wrecks = wrecksAt(view, poi)
  const containers = containersAt(view, poi)
  const listed: Listed[] = []
  let wrecksLeft = wrecks.length
  let containersLeft = containers.length
  while (listed.length < max && wrecksLeft + containersLeft > 0) {
    const wreck = wrecks[wrecksLeft - 1]
    const container = containers[containersLeft - 1]
    const isWreckNext =
      containersLeft === 0 || (wrecksLeft > 0 && lostTick[wreck] >= openedTick[container])
    if (isWreckNext) {
      listed.push(renderWreck(view, wreck))
      wrecksLeft--
    } else {
      listed.push(renderAdrift(view, container))
      containersLeft--
    }
  }
  return { listed, total: wrecks.length + containers.length }
}

export const getWrecks = query({
  name: 'get_wrecks',
  v2: { tool: 'game_salvage', action: 'wrecks' },
  summary:
    'Wrecks and containers where you are, newest first, and before them what you tow; docked at ' +
    'a salvage yard also the derelicts reported to it.',
  category: 'salvage',
  params: NO_PARAMS,
  result: wrecksSchema,
  needs: [],
  errors: [],
  run(view, player) {
    const tow = towedWreck(view, activeShip(view, player))
    const own = tow === 0 ? [] : [renderWreck(view, tow)]
    const { listed, total } = newestAt(view, poiOf(view, player), WRECKS_LISTED_MAX - own.length)
    const wrecks = [...own, ...listed]
    const count = wrecks.length
    const reported = reportedTo(view, player)
    return ok({
      action: 'get_wrecks',
      count,
      total: total + own.length,
      wrecks,
      ...(reported && { reported }),
    })
  },
})
