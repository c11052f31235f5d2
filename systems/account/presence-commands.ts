/**
 * Presence: which channels a player is bound on. Main says so by immediates of its own; a process
 * start unbinds everyone. Nothing here is offered to clients.
 */
import { immediate } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { raiseIds } from '../../core/id-marks.ts'
import { anyObject, bool, choice, int, mapOf, NO_PARAMS, obj } from '../../core/params.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { leaveControls, takeControls } from '../combat/rules.ts'
import { endFeed } from '../market/rules.ts'
import { markAppearance } from '../sensing/model.ts'
import { endWatchOn } from '../sensing/rules.ts'
import { notifyMask } from '../settings/rules.ts'
import { renderLogin } from './commands.ts'
import { BOUND, Bound, Player } from './state.ts'

const CHANNELS = ['ws', 'http', 'mcp'] as const

const params = obj({
  player: int('Durable number of the player.', { min: 1 }),
  channel: choice('Where the player has a live socket or session.', CHANNELS),
})

const internal = { category: 'internal', open: true, needs: [] } as const

/** Sets the channels a player is bound on, and the tag that follows them. */
function setBound(world: World, player: Eid, channels: number): void {
  const columns = world.write(Player)
  if (channels === 0 && columns.bound[player] !== 0) columns.goneTick[player] = world.tick
  columns.bound[player] = channels
  if (channels === 0) world.untag(Player, player, Bound)
  else world.tag(Player, player, Bound)
  markAppearance(world, player)
}

/** What was asked for on channels that are no more ends with them. */
function endFeeds(world: World, player: Eid, channels: number): void {
  endFeed(world, player, channels)
  endWatchOn(world, player, channels)
}

/** Takes channels away; with the last of them a ship in a fight is left without its pilot. */
function leave(world: World, player: Eid, channels: number): void {
  const wasBound = world.read(Player).bound[player] !== 0
  setBound(world, player, channels)
  if (wasBound && channels === 0) leaveControls(world, player)
}

export const bind = immediate({
  ...internal,
  name: 'internal:bind',
  summary: 'A player has logged in on a channel.',
  params,
  result: anyObject(),
  errors: ['player_not_found'],
  run(world, _player, { player: number, channel }) {
    const player = world.rowOf(Player, number)
    if (player === 0) return fail('player_not_found')
    // A newer socket takes the place of the older one, and that one's feed ends with it.
    if (channel === 'ws') endFeeds(world, player, BOUND.ws)
    setBound(world, player, world.read(Player).bound[player] | BOUND[channel])
    world.write(Player).lastLoginMs[player] = world.wallMs
    notifyMask(world, player)
    const reconnected = takeControls(world, player)
    return ok({
      ...renderLogin(world, player),
      ...(reconnected ? { reconnected } : {}),
      mask: world.read(Player).muteMask[player],
    })
  },
})

export const unbind = immediate({
  ...internal,
  name: 'internal:unbind',
  summary: 'A player has no live socket or session on a channel any more.',
  params,
  result: NO_PARAMS,
  errors: ['player_not_found'],
  run(world, _player, { player: number, channel }) {
    const player = world.rowOf(Player, number)
    if (player === 0) return fail('player_not_found')
    leave(world, player, world.read(Player).bound[player] & ~BOUND[channel])
    endFeeds(world, player, BOUND[channel])
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
    for (const player of boundPlayers(world)) {
      endFeeds(world, player, world.read(Player).bound[player])
      leave(world, player, 0)
    }
    return ok({})
  },
})

export const raise = immediate({
  ...internal,
  name: 'internal:raise_ids',
  summary: 'The world was wound back: ids given out before are not given again.',
  params: obj({ marks: mapOf(int('Number that ids of a kind have come to.')) }),
  result: NO_PARAMS,
  errors: [],
  run(world, _player, { marks }) {
    raiseIds(world, marks)
    return ok({})
  },
})

/**
 * Hides a player's identity from others, or shows it again. Operators alone set it. Source:
 * travel.md section 8: no command of players does.
 */
export const setAnonymous = immediate({
  ...internal,
  name: 'internal:set_anonymous',
  summary: 'An operator hides who a player is, or shows it again.',
  params: obj({ player: params.properties.player, anonymous: bool('True hides the identity.') }),
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

/** Players who are online, in durable-id order. */
export const boundPlayers = (view: WorldView): Eid[] => view.byId(Player, [Bound])

/** Tags follow the saved column. */
export function rebuildPresence(world: World): void {
  const { alive, bound } = world.read(Player)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1) setBound(world, player, bound[player])
  }
}
