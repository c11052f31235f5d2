/** What a player is told on logging in, and the shapes of the answers of register and login. */
import { query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import {
  gameState,
  ints,
  list,
  NO_PARAMS,
  named,
  obj,
  opt,
  optional,
  ref,
  type Static,
  str,
  strings,
  Type,
} from '../../core/params.ts'
import { type Eid, SECTIONS, type Section, type WorldView } from '../../core/types.ts'
import { garagedById } from '../fitting/model.ts'
import { recoverySchema } from '../prize/schemas.ts'
import { renderRecoveries } from '../prize/views.ts'
import { activeShip, ownShipById } from '../ship/model.ts'
import { getShipSchema, moduleSchema, shipSchema } from '../ship/schemas.ts'
import { renderGetShip, renderModules, renderShip } from '../ship/views.ts'
import { pendingTrades } from '../trade/views.ts'
import { poiOf, systemOf, vesselOf } from '../travel/location-model.ts'
import { placeSchema, systemSchema } from '../travel/schemas.ts'
import { Location } from '../travel/state.ts'
import { renderPlace, renderSystem } from '../travel/views.ts'
import { playerSchema, playerStatusSchema } from './schemas.ts'
import { renderPlayer, renderPlayerStatus } from './views.ts'

const goods = list(obj({ ...strings('item_id'), ...ints('quantity') }))

const pendingTrade = named('PendingTrade', {
  ...strings('id', 'offerer_id', 'target_id', 'poi_id', 'status', 'created_at', 'expires_at'),
  ...ints('offer_credits', 'request_credits'),
  offer_items: goods,
  request_items: goods,
})

/** State that register and login both hand over. */
const state = {
  player: playerSchema,
  ship: shipSchema,
  modules: optional(list(moduleSchema)),
  system: systemSchema,
  poi: placeSchema,
}

export const registerSchema = named('RegisterResponse', {
  ...strings('password', 'player_id', 'message'),
  ...opt(strings('username', 'empire', 'session_id')),
  ...state,
})

const loginFields = {
  ...strings('message'),
  ...opt(strings('username', 'empire', 'player_id', 'session_id')),
  ...state,
  ship: optional(shipSchema),
  pending_trades: list(pendingTrade),
  unread_chat: optional(obj(ints('system', 'local', 'faction', 'private'))),
  recent_chat: optional(list(Type.Unknown())),
  release_info: optional(
    obj({ ...strings('version', 'release_date'), notes: list(Type.String()) }),
  ),
}

export const loginSchema = named('LoginResponse', loginFields)

/** A poll answers with its status until the human has decided, then as a login. */
export const loginLinkPollSchema = Type.Union([
  obj({ ...strings('status'), ...opt(ints('interval')) }),
  loginSchema,
])

const stateSchema = obj({
  ...state,
  ship: optional(shipSchema),
  pending_trades: list(pendingTrade),
})

/**
 * State of a player who logs in. Under way, `poi` is the place last left; player.current_poi is
 * absent then.
 */
export function renderLogin(view: WorldView, player: Eid): Static<typeof stateSchema> {
  const ship = activeShip(view, player)
  const at = view.read(Location)
  return {
    player: renderPlayer(view, player),
    ...(ship === 0 ? {} : { ship: renderShip(view, ship), modules: renderModules(view, ship) }),
    system: renderSystem(view, player, systemOf(view, player)),
    poi: renderPlace(view, poiOf(view, player) || at.fromPoi[vesselOf(view, player)]),
    pending_trades: pendingTrades(view, player),
  }
}

/*
 * What a player can ask about the own state. v1 answers with records, v2 with sections of the
 * state.
 */

export const getStatus = query({
  name: 'get_status',
  summary: 'Your player, ship and modules, and your prizes on their way home.',
  category: 'status',
  params: NO_PARAMS,
  result: obj({
    player: playerStatusSchema,
    prize_recoveries: list(recoverySchema),
    ...opt({ ship: shipSchema, modules: list(moduleSchema) }),
  }),
  errors: [],
  needs: [],
  run(view, player) {
    const ship = activeShip(view, player)
    return ok({
      player: renderPlayerStatus(view, player),
      prize_recoveries: renderRecoveries(view, player),
      ...(ship === 0 ? {} : { ship: renderShip(view, ship), modules: renderModules(view, ship) }),
    })
  },
})

const shipParams = obj({
  ship_id: optional(
    ref('own_ship', str('A ship of yours; the one you fly if absent.', { min: 1 })),
  ),
})

/**
 * A ship of the player or their faction's garages; without an id the one flown; 0 for any other.
 */
function ownShip(view: WorldView, player: Eid, id: string | undefined): Eid {
  if (id === undefined) return activeShip(view, player)
  return ownShipById(view, player, id) || garagedById(view, player, id)
}

const shipBase = {
  name: 'get_ship',
  summary: 'A ship of yours with its class and modules.',
  category: 'status',
  params: shipParams,
  errors: ['ship_not_found'],
  needs: [],
} as const

export const getShip = query({
  ...shipBase,
  result: getShipSchema,
  run(view, player, { ship_id }) {
    const ship = ownShip(view, player, ship_id)
    return ship === 0 ? fail('ship_not_found') : ok(renderGetShip(view, ship))
  },
})

/** Sections describe the ship flown; another ship is told under `details` alone. */
export const getShipV2 = query({
  ...shipBase,
  v1: false,
  v2: { tool: 'game', action: 'get_ship', rename: { ship_id: 'id' } },
  result: gameState(),
  run(view, player, { ship_id }) {
    const ship = ownShip(view, player, ship_id)
    if (ship === 0) return fail('ship_not_found')
    const details = renderGetShip(view, ship)
    const isFlown = ship === activeShip(view, player)
    return ok(isFlown ? { ...sections(view, player, ['ship', 'modules']), details } : { details })
  },
})

function sections(view: WorldView, player: Eid, names: readonly Section[]) {
  const shown = names.map((name) => [name, view.section(name, player)] as const)
  return Object.fromEntries(shown.filter(([, section]) => section !== undefined))
}

/** A v2 query that answers with sections of the state. */
const stateQuery = (action: string, summary: string, names: readonly Section[]) =>
  query({
    name: action,
    v1: false,
    v2: { tool: 'game', action },
    summary,
    category: 'status',
    params: NO_PARAMS,
    result: gameState(),
    errors: [],
    needs: [],
    run: (view, player) => ok(sections(view, player, names)),
  })

/** All sections, and beside them the prizes on their way home. Source: newer.md section 5. */
const wholeState = (action: string) => {
  const summary = 'Your whole state: all eight sections, and your prizes on their way home.'
  return query({
    ...stateQuery(action, summary, SECTIONS),
    params: NO_PARAMS,
    run: (view, player) =>
      ok({
        ...sections(view, player, SECTIONS),
        prize_recoveries: renderRecoveries(view, player),
      }),
  })
}

export const stateQueries = [
  wholeState('get_status'),
  wholeState('get_state'),
  stateQuery('get_player', 'Your player record.', ['player']),
  stateQuery('get_cargo', 'What is in your hold.', ['cargo', 'ship']),
  stateQuery('get_location', 'Where you are and who is near.', ['location']),
  stateQuery('get_queue', 'Whether an action of yours is pending.', ['queue']),
]
