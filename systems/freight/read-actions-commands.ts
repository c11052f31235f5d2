/** Actions of `shipping` that only read. Source: crafting.md section 10. */
import { fail, ok } from '../../core/errors.ts'
import { words } from '../../core/params.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseById } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { factionByText } from '../faction/model.ts'
import { playerMeant } from '../sensing/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { type Actor, actorAt, actorsOf, factionActor, isSame, playerActor } from './actor-model.ts'
import { candidateOf, carrierRefusal, carrierShown, requestedContract } from './carry-commands.ts'
import {
  contractsOf,
  type FreightAction,
  type FreightRequest,
  freightAction,
  oldestFirst,
  postedAt,
  type SortOrder,
} from './model.ts'
import { planShipment } from './rules.ts'
import {
  activeSchema,
  contractSchema,
  listSchema,
  profileSchema,
  quoteSchema,
  trackSchema,
} from './schemas.ts'
import { SERVICE_LEVELS, SHIPMENT_BEACONS_MAX, SHIPMENTS_LISTED_MAX, Shipment } from './state.ts'
import {
  isParty,
  renderDebts,
  renderQuote,
  renderShipment,
  renderStanding,
  renderTrack,
} from './views.ts'

/* Lists */

const PER_PAGE = 50

/** Returns the parties whose id, name or tag is a text: a player, a faction, or both. */
function shippersByText(view: WorldView, player: Eid, text: string): Actor[] {
  const named = playerMeant(view, player, text.trim())
  const faction = factionByText(view, text.trim())
  return [
    ...(named === 0 ? [] : [playerActor(view, named)]),
    ...(faction === 0 ? [] : [factionActor(view, faction)]),
  ]
}

/** Returns the rows that pass the filters of a request. */
function filtered(
  view: WorldView,
  player: Eid,
  rows: readonly Row[],
  request: FreightRequest,
): Row[] {
  const { filter_destination: to, filter_service_level: level, filter_shipper: by } = request
  const { destination, service } = view.read(Shipment)
  const base = to === undefined ? 0 : baseById(view, to.trim())
  const number = base === 0 ? 0 : view.read(Base).seq[base]
  const shippers = by === undefined ? [] : shippersByText(view, player, by)
  return rows.filter(
    (row) =>
      (to === undefined || destination[row] === number) &&
      (level === undefined || SERVICE_LEVELS[service[row]] === level) &&
      (by === undefined ||
        shippers.some((shipper) => isSame(shipper, actorAt(view, row, 'shipper')))),
  )
}

function sorted(view: WorldView, rows: readonly Row[], sort: SortOrder): Row[] {
  const { reward, bonus, hops, seq } = view.read(Shipment)
  const by: Readonly<Record<SortOrder, (row: Row) => number>> = {
    reward: (row) => -(reward[row] + bonus[row]),
    distance: (row) => hops[row],
    age: () => 0,
  }
  const key = by[sort]
  return [...rows].sort((a, b) => key(a) - key(b) || seq[a] - seq[b])
}

const EMPTY = {
  no_shipments: 'No package is posted here.',
  no_matching_shipments: 'No package posted here passes your filters.',
  no_eligible_shipments: 'Packages posted here are for other carriers, or for higher tiers.',
} as const

function renderEmptyReason(here: number, matching: number, eligible: number) {
  if (eligible > 0) return {}
  const nothing = here === 0 ? 'no_shipments' : 'no_eligible_shipments'
  const code = here > 0 && matching === 0 ? 'no_matching_shipments' : nothing
  return { empty_reason_code: code, empty_reason: EMPTY[code] }
}

function list(view: WorldView, player: Eid, request: FreightRequest) {
  const carrier = carrierShown(view, player, request.eligible_as)
  if ('code' in carrier) return carrier
  const base = dockedBase(view, player)
  const here = postedAt(view, view.read(Base).seq[base])
  const matching = filtered(view, player, here, request)
  const candidate = candidateOf(view, carrier, player)
  const open = matching.filter((row) => carrierRefusal(view, row, candidate) === undefined)
  const { page = 1, sort = 'reward' } = request
  const per_page = Math.min(SHIPMENTS_LISTED_MAX, request.per_page ?? PER_PAGE)
  const rows = sorted(view, open, sort).slice((page - 1) * per_page, page * per_page)
  return ok({
    action: 'list',
    shipments: rows.map((row) => ({
      contract: renderShipment(view, player, row),
      eligible: true,
    })),
    page,
    per_page,
    total: open.length,
    ...renderEmptyReason(here.length, matching.length, open.length),
  })
}

/** Lists the live contracts to which a player or their faction is party, the oldest first. */
function active(view: WorldView, player: Eid) {
  const roles = ['shipped', 'carried', 'expected'] as const
  const contracts = actorsOf(view, player).flatMap((actor) =>
    roles.flatMap((role) => contractsOf(view, role, actor)),
  )
  const rows = oldestFirst(view, new Set(contracts))
  return ok({
    action: 'active',
    total: rows.length,
    shipments: rows.slice(0, SHIPMENTS_LISTED_MAX).map((row) => renderShipment(view, player, row)),
  })
}

/* One contract, one carrier */

function get(view: WorldView, player: Eid, request: FreightRequest) {
  const row = requestedContract(view, player, request)
  if (typeof row !== 'number') return row
  return ok({ action: 'get', contract: renderShipment(view, player, row) })
}

/** Shows the parties of a contract where its package was moved. */
function track(view: WorldView, player: Eid, request: FreightRequest) {
  const row = requestedContract(view, player, request)
  if (typeof row !== 'number') return row
  if (!isParty(view, player, row)) return fail('shipment_not_found', { ...request })
  return ok({
    action: 'track',
    contract: renderShipment(view, player, row),
    events: renderTrack(view, player, row, request.limit ?? SHIPMENT_BEACONS_MAX),
  })
}

function profile(view: WorldView, player: Eid, request: FreightRequest) {
  const carrier = carrierShown(view, player, request.carrier)
  if ('code' in carrier) return carrier
  return ok({
    action: 'profile',
    ...renderStanding(view, player, carrier),
    debts: renderDebts(view, player, carrier),
  })
}

function quote(view: WorldView, player: Eid, request: FreightRequest) {
  const plan = planShipment(view, player, request, true)
  if (!plan.ok) return plan
  return ok({ action: 'quote', quote: renderQuote(view, player, plan.result) })
}

/** Codes with which quote and post can be refused. */
export const PLAN_ERRORS = words(
  'no_missions_service not_in_faction no_permission no_faction_market package_not_found',
  'freight_locked no_faction_storage bucket_not_found station_not_found same_base invalid_base',
  'invalid_recipient no_storage_service reward_required amount_too_large invalid_payload',
  'service_restricted',
)

/** Optional parameters of quote and post. */
export const PLAN_PARAMS = words(
  'insured invited_carrier_id invited_carrier_type recipient_id recipient_type service_level',
  'shipper source source_bucket_id speed_bonus visibility',
)

export const READING: readonly FreightAction[] = [
  freightAction({
    name: 'quote',
    kind: 'query',
    summary: 'Show what a contract for a package would cost, and its insurable value.',
    required: ['destination_base_id', 'package_id'],
    optional: ['base_reward', ...PLAN_PARAMS],
    needs: [DOCKED],
    errors: PLAN_ERRORS,
    result: quoteSchema,
    run: quote,
  }),
  freightAction({
    name: 'list',
    kind: 'query',
    summary: 'List packages you may carry from the base where you are docked.',
    optional: words(
      'eligible_as filter_destination filter_service_level filter_shipper page per_page sort',
    ),
    needs: [DOCKED],
    errors: ['not_in_faction'],
    result: listSchema,
    run: list,
  }),
  freightAction({
    name: 'get',
    kind: 'query',
    summary: 'Show a freight contract that you are party to, or may accept.',
    optional: ['package_id', 'shipment_id'],
    needs: [],
    errors: ['shipment_not_found', 'invalid_payload'],
    result: contractSchema,
    run: get,
  }),
  freightAction({
    name: 'track',
    kind: 'query',
    summary: 'Show where the package of a contract of yours was moved.',
    optional: ['limit', 'package_id', 'shipment_id'],
    needs: [],
    errors: ['shipment_not_found', 'invalid_payload'],
    result: trackSchema,
    run: track,
  }),
  freightAction({
    name: 'profile',
    kind: 'query',
    summary: 'Show you or your faction as a carrier: tier, limits and debts.',
    optional: ['carrier'],
    needs: [],
    errors: ['not_in_faction'],
    result: profileSchema,
    run: profile,
  }),
  freightAction({
    name: 'active',
    kind: 'query',
    summary: 'List the live freight contracts of you and your faction.',
    needs: [],
    errors: [],
    result: activeSchema,
    run: active,
  }),
]
