/** Commands of commissions: quote, order, supply, cancel. Source: ships.md sections 7, 10. */
import { GOODS, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { mutation, query } from '../../core/command.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { balanceOf } from '../../core/ledger.ts'
import {
  bool,
  itemId,
  obj,
  optional,
  quantity,
  ref,
  type Static,
  str,
  words,
} from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { baseById, baseId, baseName } from '../base/model.ts'
import { findGood } from '../cargo/model.ts'
import { recordFact } from '../intel/rules.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { sellableUnits } from '../market/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { advance, cancel, openCommission, payFunded } from './commission-rules.ts'
import { billOf, gatheredUnits, requiredOf, shortfall } from './materials-model.ts'
import { takeMaterials } from './materials-rules.ts'
import {
  blockerTexts,
  type Charge,
  type CommissionRequest,
  commissionById,
  commissionId,
  commissionsOf,
  findBuildable,
  modeOf,
  type Quote,
  statusOf,
} from './model.ts'
import { yardRefusal } from './needs.ts'
import { judgeCommission, quoteOf } from './quote-rules.ts'
import { openEscrow } from './rules.ts'
import {
  cancelledSchema,
  commissionedSchema,
  quoteSchema,
  statusSchema,
  suppliedSchema,
} from './schemas.ts'
import { countReady, etaOf, shortagesOf } from './sourcing-rules.ts'
import { Commission } from './state.ts'
import { renderCommission, renderGoods, renderMaterials, renderShortages } from './views.ts'

const shared = { category: 'shipyard' } as const

const shipClassParam = () =>
  ref(
    'ship_class',
    str('Id or name of a ship class; catalog with type ships and commissionable lists them.', {
      min: 1,
      example: 'footnote',
    }),
  )
const commissionParam = () =>
  ref(
    'commission',
    str(say`Id of a commission of yours; {commission_status} lists them.`, { min: 1 }),
  )

/* Quotes and status */

function quoteMessage(quote: Quote, shipClass: number): string {
  const { blockers, canBuy, canProvide, buying, providing } = quote
  const { name } = SHIP_CLASSES[shipClass]
  const hard = blockers.filter((blocker) => blocker !== 'materials' && blocker !== 'credits')
  if (hard.length > 0) {
    return `This yard does not build ${name} for you: ${blockerTexts(hard, shipClass)}.`
  }
  if (canBuy) return `${name} costs ${counted(buying.total, 'credit')} here, taxes included.`
  if (canProvide) {
    return `With your materials ${name} costs ${counted(providing.total, 'credit')}.`
  }
  return `${name} costs ${counted(buying.total, 'credit')} here; you lack ${blockers.join(', ')}.`
}

export const commissionQuote = query({
  ...shared,
  name: 'commission_quote',
  v2: { tool: 'game_ship', action: 'commission_quote', rename: { ship_class: 'id' } },
  summary: 'What the yard of this base would ask for a ship, and what is missing.',
  params: obj({
    ship_class: shipClassParam(),
    bare_hull: optional(bool('Without the default modules.')),
    source_missing_materials: optional(bool('You bring what you have, the yard buys the rest.')),
  }),
  result: quoteSchema,
  needs: [DOCKED],
  errors: ['no_shipyard', 'service_restricted', 'unknown_class'],
  run(view, player, params) {
    const base = dockedBase(view, player)
    const refused = yardRefusal(view, player, base)
    if (refused) return refused
    const found = findBuildable(params.ship_class)
    if (!found.ok) return found
    const bare = params.bare_hull === true
    const request = { player, base, shipClass: found.result, bare }
    const quote = quoteOf(view, request, params.source_missing_materials === true)
    const shortages = quote.hasExchange
      ? shortagesOf(view, base, shortfall(billOf(found.result, bare), quote.buying.brings))
      : []
    const ahead = countReady(view, base)
    const eta = etaOf(view, { base, shipClass: found.result, ahead }, shortages)
    const { id, name } = SHIP_CLASSES[found.result]
    return ok({
      message: quoteMessage(quote, found.result),
      ship_class: id,
      ship_name: name,
      can_commission: quote.blockers.length === 0,
      blockers: [...quote.blockers],
      credits_only_available: quote.hasExchange,
      credits_only_total: quote.buying.total,
      provide_materials_total: quote.providing.total,
      can_afford_credits_only: quote.canBuy,
      can_afford_provide_materials: quote.canProvide,
      material_cost: quote.buying.material,
      labor_cost: quote.buying.labor,
      yard_margin: quote.buying.margin,
      sales_tax: quote.buying.tax,
      build_materials: renderGoods(billOf(found.result, bare)),
      build_time: quote.ticks,
      ...renderShortages(view, shortages, eta),
      player_credits: quote.credits,
      shipyard_tier_here: quote.tierHere,
      shipyard_tier_required: quote.tierRequired,
    })
  },
})

export const commissionStatus = query({
  ...shared,
  name: 'commission_status',
  v2: { tool: 'game_ship', action: 'commission_status' },
  summary: 'Your open commissions: what they lack, or when they are done.',
  params: obj({ base_id: optional(ref('base', str('Only those at this base.', { min: 1 }))) }),
  result: statusSchema,
  needs: [],
  errors: ['station_not_found'],
  run(view, player, { base_id }): Outcome<Static<typeof statusSchema>, 'station_not_found'> {
    const base = base_id === undefined ? 0 : baseById(view, base_id)
    if (base_id !== undefined && base === 0) return fail('station_not_found', { base_id })
    const { base: yard } = view.read(Commission)
    const rows = commissionsOf(view, player).filter((row) => base === 0 || yard[row] === base)
    return ok({ count: rows.length, commissions: rows.map((row) => renderCommission(view, row)) })
  },
})

/* Ordering */

/** Takes the payment for a commission and opens it. */
function placeCommission(
  world: World,
  request: CommissionRequest,
  charge: Charge,
): { row: Row; paid: number } {
  const { player, base, shipClass, mode } = request
  if (mode === 'fund_from_faction') {
    const paid = payFunded(world, request, charge)
    return { row: openCommission(world, request, charge, paid), paid }
  }
  const { id, name } = SHIP_CLASSES[shipClass]
  const { total, tax } = charge
  const summary = `Commissioned ${name} at ${baseName(world, base)} for ${counted(total, 'credit')}.`
  const wallet = walletOf(world, player)
  const escrow = openEscrow(world, base)
  const data = { ship_class: id, tax }
  creditMove(world, player, wallet, escrow, total, 'ship', 'commission', summary, data)
  addStat(world, player, 'credits_spent', total)
  recordFact(world, { base, kind: 'ship_order', player, what: name, credits: total })
  return { row: openCommission(world, request, charge), paid: total }
}

const STATUS_MESSAGES = {
  sourcing: say`The yard buys what is missing every hundred ticks; {supply_commission} is faster.`,
  pending: 'All materials are there; the ship waits for a free bay.',
  building: 'The ship is being built.',
} as const

export const commissionShip = mutation({
  ...shared,
  name: 'commission_ship',
  v2: { tool: 'game_ship', action: 'commission_ship', rename: { ship_class: 'id' } },
  summary: 'Have the yard of this base build you a ship.',
  order: 'plain',
  params: obj({
    ship_class: shipClassParam(),
    bare_hull: optional(bool('Without the default modules, which are not charged then.')),
    fund_from_faction: optional(bool('Your faction pays, at a yard of its own.')),
    provide_materials: optional(bool('You bring all materials: aboard, or in storage here.')),
    source_missing_materials: optional(bool('You bring what you have, the yard buys the rest.')),
  }),
  result: commissionedSchema,
  needs: [DOCKED, AT_LIBERTY],
  changes: ['player', 'ship', 'cargo'],
  errors: words(
    'invalid_payload no_shipyard unknown_class commission_blocked',
    'missing_materials no_credits not_in_faction no_permission limit_reached ship_limit',
    'service_restricted no_faction_storage missing_faction_materials faction_no_credits',
    'amount_too_large',
  ),
  run(world, player, params) {
    const mode = modeOf(params)
    if (typeof mode !== 'string') return mode
    const base = dockedBase(world, player)
    const refused = yardRefusal(world, player, base)
    if (refused) return refused
    const found = findBuildable(params.ship_class)
    if (!found.ok) return found
    const bare = params.bare_hull === true
    const request = { player, base, shipClass: found.result, bare, mode }
    const judged = judgeCommission(world, request)
    if (!judged.ok) return judged
    const charge = judged.result
    const { row, paid } = placeCommission(world, request, charge)
    const { id, name } = SHIP_CLASSES[found.result]
    const status = statusOf(world, row)
    return ok({
      commission_id: commissionId(world, row),
      ship_class: id,
      ship_name: name,
      status,
      message: `${name} is commissioned. ${STATUS_MESSAGES[status]}`,
      credits_left: balanceOf(world, walletOf(world, player)),
      credits_paid: paid,
      material_cost: charge.material,
      labor_cost: charge.labor,
      yard_margin: charge.margin,
      sales_tax: charge.tax,
      build_time: quoteOf(world, request, false).ticks,
    })
  },
})

/* Supplying, cancelling */

/** Returns an open commission of the player. Refusal: commission_not_found. */
function findOwn(view: WorldView, player: Eid, id: string): Outcome<Row, 'commission_not_found'> {
  const row = commissionById(view, id)
  const isOwn = row !== 0 && view.read(Commission).player[row] === player
  return isOwn ? ok(row) : fail('commission_not_found', { commission_id: id })
}

/** Returns the part of a donation that the commission takes, or refuses it. */
function judgeSupply(view: WorldView, player: Eid, row: Row, text: string, quantity: number) {
  const { base } = view.read(Commission)
  if (base[row] !== dockedBase(view, player))
    return fail('wrong_station', { base_id: baseId(view, base[row]) })
  if (statusOf(view, row) !== 'sourcing') return fail('not_sourcing')
  const good = findGood(text)
  if (!good.ok) return good
  const item = good.result
  const required = requiredOf(view, row).find((held) => held.item === item)?.units ?? 0
  const missing = required - gatheredUnits(view, row, item)
  if (missing <= 0) return fail('not_needed', { item_id: text })
  const units = Math.min(quantity, missing)
  const have = Math.min(units, sellableUnits(view, player, base[row], item))
  if (have < units) return fail('insufficient_items', { item_id: text, need: units, have })
  return ok({ item, units })
}

export const supplyCommission = mutation({
  ...shared,
  name: 'supply_commission',
  v2: { tool: 'game_ship', action: 'supply_commission', rename: { commission_id: 'id' } },
  summary: 'Give a commission of yours a material it lacks; nothing is paid for it.',
  order: 'plain',
  params: obj({
    commission_id: commissionParam(),
    item_id: itemId(),
    quantity: quantity('Units to give; no more than it lacks are taken.'),
  }),
  result: suppliedSchema,
  needs: [DOCKED],
  changes: ['player', 'ship', 'cargo'],
  errors: words(
    'commission_not_found wrong_station not_sourcing unknown_item not_needed',
    'insufficient_items',
  ),
  run(world, player, params) {
    const found = findOwn(world, player, params.commission_id)
    if (!found.ok) return found
    const row = found.result
    const judged = judgeSupply(world, player, row, params.item_id, params.quantity)
    if (!judged.ok) return judged
    const { item, units } = judged.result
    takeMaterials(world, row, [judged.result], { player, source: 'donated' })
    advance(world, row)
    const { id: item_id, name } = GOODS[item]
    const status = statusOf(world, row)
    const message = `Gave ${units} ${name} to the yard. ${STATUS_MESSAGES[status]}`
    const data = { commission_id: params.commission_id, item_id, quantity: units }
    logAction(world, player, 'ship', 'commission_supplied', message, data)
    return ok({
      commission_id: commissionId(world, row),
      commission_status: status,
      item_id,
      item_name: name,
      supplied: units,
      all_sourced: status !== 'sourcing',
      materials: renderMaterials(world, row),
      credits: balanceOf(world, walletOf(world, player)),
      message,
    })
  },
})

export const cancelCommission = mutation({
  ...shared,
  name: 'cancel_commission',
  v2: { tool: 'game_ship', action: 'cancel_commission', rename: { commission_id: 'id' } },
  summary: 'Cancel a commission: all unspent credits back before the yard begins, half after.',
  order: 'plain',
  params: obj({ commission_id: commissionParam() }),
  result: cancelledSchema,
  needs: [],
  changes: ['player'],
  errors: ['commission_not_found'],
  run(world, player, params): Outcome<Static<typeof cancelledSchema>, 'commission_not_found'> {
    const found = findOwn(world, player, params.commission_id)
    if (!found.ok) return found
    const row = found.result
    const { base, class: shipClass, funder } = world.read(Commission)
    const place = baseName(world, base[row])
    const { name } = SHIP_CLASSES[shipClass[row]]
    const wasSourcing = statusOf(world, row) === 'sourcing'
    const isFunded = funder[row] !== 0
    const { refund, returned } = cancel(world, row)
    const note = isFunded
      ? `Materials are back in the store of your faction at ${place}, half the labor in its treasury.`
      : wasSourcing
        ? `Materials are in your storage at ${place}; donations stay with the yard.`
        : `Materials you provided are in your storage at ${place}; the yard keeps the rest.`
    const message = `Cancelled ${name}; ${counted(refund, 'credit')} came back.`
    const data = { commission_id: params.commission_id, refund }
    logAction(world, player, 'ship', 'commission_cancelled', message, data)
    return ok({
      message,
      refund,
      credits_total: balanceOf(world, walletOf(world, player)),
      materials_returned: renderGoods(returned),
      materials_note: note,
    })
  },
})
