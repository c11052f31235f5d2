/**
 * Internal commands: which channels a player is bound on, and what operators set. Only the main
 * thread sends them, never a client; starting the process unbinds everyone.
 */
import { immediate, query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { raiseIds } from '../../core/id-marks.ts'
import {
  anyObject,
  bool,
  choice,
  int,
  mapOf,
  NO_PARAMS,
  obj,
  optional,
  type Static,
} from '../../core/params.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { markPilotless, resumeControl } from '../combat/rules.ts'
import { endFeed } from '../market/rules.ts'
import { markAppearance } from '../sensing/model.ts'
import { endWatchOn } from '../sensing/rules.ts'
import { notifyMask } from '../settings/rules.ts'
import { activeShip } from '../ship/model.ts'
import { renderModules, renderShip } from '../ship/views.ts'
import { pendingTrades } from '../trade/views.ts'
import { poiOf, systemOf, vesselOf } from '../travel/location-model.ts'
import { Location } from '../travel/state.ts'
import { renderPlace, renderSystem } from '../travel/views.ts'
import { channelsAt, holdChannel, releaseAll, releaseChannels } from './presence-model.ts'
import type { stateSchema } from './schemas.ts'
import { BOUND, Bound, Player } from './state.ts'
import { renderPlayer } from './views.ts'

const CHANNELS = ['ws', 'http', 'mcp'] as const

const playerParam = int('Durable number of the player.', { min: 1 })
const nodeParam = int('Incarnation of the node; 0 is a server without a cluster.', { min: 0 })

const presence = {
  player: playerParam,
  channel: choice('Where the player has a live socket or session.', CHANNELS),
  // Optional: journal rows of releases without nodes lack it.
  node: optional(nodeParam),
}

const internal = { category: 'internal', open: true, needs: [] } as const

/** Sets the channels a player is bound on, with the tag derived from them. */
function setBound(world: World, player: Eid, channels: number): void {
  const columns = world.write(Player)
  if (channels === 0 && columns.bound[player] !== 0) columns.goneTick[player] = world.tick
  columns.bound[player] = channels
  if (channels === 0) world.untag(Player, player, Bound)
  else world.tag(Player, player, Bound)
  markAppearance(world, player)
}

/** Ends the feeds and watches that a player subscribed to on channels that are gone. */
function endSubscriptions(world: World, player: Eid, channels: number): void {
  endFeed(world, player, channels)
  endWatchOn(world, player, channels)
}

/** Reduces a player to the given channels; with none left, their ship in a battle has no pilot. */
function unbindTo(world: World, player: Eid, channels: number): void {
  const wasBound = world.read(Player).bound[player] !== 0
  setBound(world, player, channels)
  if (wasBound && channels === 0) markPilotless(world, player)
}

/** Releases channels that a node holds; those that another node holds too stay bound. */
function releaseAt(world: World, player: Eid, node: number, channels: number): void {
  const left = releaseChannels(world, player, node, channels)
  unbindTo(world, player, left)
  endSubscriptions(world, player, channels & ~left)
}

function unbindWholly(world: World, player: Eid): void {
  endSubscriptions(world, player, world.read(Player).bound[player])
  unbindTo(world, player, releaseAll(world, player))
}

/** Returns true where an earlier login must yield the channel to a newer one on another node. */
const isTakenElsewhere = (view: WorldView, player: Eid, channels: number): boolean =>
  channels === BOUND.ws && (view.read(Player).bound[player] & channels) !== 0

export const bind = immediate({
  ...internal,
  name: 'internal:bind',
  summary: 'A player has logged in on a channel.',
  params: obj({
    ...presence,
    again: optional(bool('The player was bound there before their node was presumed gone.')),
  }),
  result: anyObject(),
  errors: ['player_not_found', 'session_invalid'],
  run(world, _player, { player: number, channel, node = 0, again }) {
    const player = world.rowOf(Player, number)
    if (player === 0) return fail('player_not_found')
    if (again) {
      if ((channelsAt(world, player, node) & BOUND[channel]) !== 0) return ok({})
      if (isTakenElsewhere(world, player, BOUND[channel])) return fail('session_invalid')
    }
    // A newer socket replaces the older one, so the feed of the older one ends.
    if (channel === 'ws') endSubscriptions(world, player, BOUND.ws)
    setBound(world, player, holdChannel(world, player, node, BOUND[channel]))
    world.write(Player).lastLoginMs[player] = world.wallMs
    notifyMask(world, player)
    const reconnected = resumeControl(world, player)
    return ok({
      ...renderLogin(world, player),
      ...(reconnected ? { reconnected } : {}),
      mask: world.read(Player).muteMask[player],
    })
  },
})

/** Answers logins to a past world, whose columns may only change as its journal says. */
export const seeLogin = query({
  ...internal,
  name: 'internal:see_login',
  summary: 'What a login would answer, without logging in.',
  params: obj({ player: playerParam }),
  result: anyObject(),
  errors: ['player_not_found'],
  run(view, _player, { player: number }) {
    const player = view.rowOf(Player, number)
    if (player === 0) return fail('player_not_found')
    return ok({ ...renderLogin(view, player), mask: view.read(Player).muteMask[player] })
  },
})

export const unbind = immediate({
  ...internal,
  name: 'internal:unbind',
  summary: 'A player has no live socket or session on a channel any more.',
  params: obj(presence),
  result: NO_PARAMS,
  errors: ['player_not_found'],
  run(world, _player, { player: number, channel, node = 0 }) {
    const player = world.rowOf(Player, number)
    if (player === 0) return fail('player_not_found')
    releaseAt(world, player, node, BOUND[channel])
    return ok({})
  },
})

export const unbindNode = immediate({
  ...internal,
  name: 'internal:unbind_node',
  summary: 'A node is gone: nobody is connected there.',
  params: obj({ node: nodeParam }),
  result: NO_PARAMS,
  errors: [],
  run(world, _player, { node }) {
    for (const player of boundPlayers(world)) {
      const channels = channelsAt(world, player, node)
      if (channels !== 0) releaseAt(world, player, node, channels)
    }
    return ok({})
  },
})

export const endLogins = immediate({
  ...internal,
  name: 'internal:end_logins',
  summary: 'The password of a player was reset: all their sockets and sessions have ended.',
  params: obj({ player: playerParam }),
  result: NO_PARAMS,
  errors: ['player_not_found'],
  run(world, _player, { player: number }) {
    const player = world.rowOf(Player, number)
    if (player === 0) return fail('player_not_found')
    unbindWholly(world, player)
    return ok({})
  },
})

export const unbindAll = immediate({
  ...internal,
  name: 'internal:unbind_all',
  summary: 'The process has started: nobody is connected.',
  params: NO_PARAMS,
  result: NO_PARAMS,
  errors: [],
  run(world) {
    for (const player of boundPlayers(world)) unbindWholly(world, player)
    return ok({})
  },
})

export const raiseIdMarks = immediate({
  ...internal,
  name: 'internal:raise_ids',
  summary: 'The world was rolled back: ids issued before are not issued again.',
  params: obj({ marks: mapOf(int('Highest number issued for a kind of id.')) }),
  result: NO_PARAMS,
  errors: [],
  run(world, _player, { marks }) {
    raiseIds(world, marks)
    return ok({})
  },
})

/** Hides a player's identity, which no command of players can. Source: travel.md section 8. */
export const setAnonymous = immediate({
  ...internal,
  name: 'internal:set_anonymous',
  summary: 'An operator hides who a player is, or shows it again.',
  params: obj({ player: playerParam, anonymous: bool('True hides the identity.') }),
  result: NO_PARAMS,
  errors: ['player_not_found'],
  run(world, _player, { player: number, anonymous }) {
    const player = world.rowOf(Player, number)
    if (player === 0) return fail('player_not_found')
    world.write(Player).anonymous[player] = anonymous ? 1 : 0
    markAppearance(world, player)
    return ok({})
  },
})

/** Returns the players who are online, in durable-id order. */
export const boundPlayers = (view: WorldView): Eid[] => view.byId(Player, [Bound])

/** Rebuilds the tags from the saved column. */
export function rebuildPresence(world: World): void {
  const { alive, bound } = world.read(Player)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1) setBound(world, player, bound[player])
  }
}

/**
 * Renders the state of a player who logs in. In transit `poi` is the place they left, and
 * player.current_poi is absent.
 */
function renderLogin(view: WorldView, player: Eid): Static<typeof stateSchema> {
  const ship = activeShip(view, player)
  return {
    player: renderPlayer(view, player),
    ...(ship === 0 ? {} : { ship: renderShip(view, ship), modules: renderModules(view, ship) }),
    system: renderSystem(view, player, systemOf(view, player)),
    poi: renderPlace(
      view,
      poiOf(view, player) || view.read(Location).fromPoi[vesselOf(view, player)],
    ),
    pending_trades: pendingTrades(view, player),
  }
}
