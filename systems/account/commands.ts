/** What a player is told on logging in, and the shapes of the answers of register and login. */
import {
  ints,
  list,
  named,
  obj,
  opt,
  optional,
  type Static,
  strings,
  Type,
} from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { activeShip } from '../ship/model.ts'
import { moduleSchema, shipSchema } from '../ship/schemas.ts'
import { renderModules, renderShip } from '../ship/views.ts'
import { pendingTrades } from '../trade/views.ts'
import { poiOf, systemOf, vesselOf } from '../travel/drift-model.ts'
import { placeSchema, systemSchema } from '../travel/schemas.ts'
import { Location } from '../travel/state.ts'
import { renderPlace, renderSystem } from '../travel/views.ts'
import { playerSchema } from './schemas.ts'
import { renderPlayer } from './views.ts'

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
