/**
 * The feed of a place: everything there at first, then what each tick changed. What all watchers
 * share is rendered once per place and tick; each has their own view of cloaks. Source: travel.md
 * section 8.
 */
import { immediate } from '../../core/command.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { emit } from '../../core/event.ts'
import { addToList } from '../../core/groups.ts'
import { NEARBY_PLAYERS_MAX, OBSERVED_ROWS_MAX } from '../../core/limits.ts'
import { bool, NO_PARAMS, named, obj, optional, type Static, strings } from '../../core/params.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { channelBit, subscriptionRefusal } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { Ship } from '../ship/state.ts'
import { dockedBase, inTransit, poiOf, shipOf, systemOf } from '../travel/location-model.ts'
import { playersIn, poiId, shipsAt, systemId } from '../travel/model.ts'
import { renderShown, showTo } from '../travel/nearby-views.ts'
import { burnFuel } from '../travel/rules.ts'
import { Poi } from '../travel/state.ts'
import {
  cloakedPlayers,
  cloakOf,
  contactsOf,
  gatheringAt,
  hasDetected,
  hasScanner,
  isSensed,
  scanPowerOf,
  sensesSignature,
  sweepPlace,
  watchedPlaces,
  watchersOf,
} from './model.ts'
import {
  addContacts,
  endSweep,
  endWatch,
  notifyScanned,
  renderContact,
  startWatch,
  takeChanges,
} from './rules.ts'
import { type observationFields, observationResult, observationUpdate } from './schemas.ts'
import { beginSentState, type Changes, idsIn, updateSentState } from './sent-state-commands.ts'
import { type Contact, type Entry, type Seen, SWEPT, Watch } from './state.ts'
import { pilotOfShip, renderAgent, renderSeen, rowsIn } from './views.ts'

/* Subscribing */

/** Refuses an active watch by a ship that cannot sweep. */
function sweepRefusal(
  view: WorldView,
  player: Eid,
): Failure<'docked' | 'no_fuel' | 'no_scanner'> | undefined {
  const ship = shipOf(view, player)
  if (dockedBase(view, player) !== 0) return fail('docked')
  if (!hasScanner(view, ship)) return fail('no_scanner')
  return view.read(Ship).fuel[ship] > 0 ? undefined : fail('no_fuel', { need: 1, have: 0 })
}

/** Renders everything at a place except the viewer, by list. */
function renderHere(view: WorldView, player: Eid, poi: Eid) {
  const shown = showTo(gatheringAt(view, poi), player, NEARBY_PLAYERS_MAX)
  const seen: Seen[] = []
  for (const ship of shipsAt(view, poi)) {
    if (seen.length === OBSERVED_ROWS_MAX) break
    const entry = pilotOfShip(view, ship) === 0 ? renderSeen(view, ship) : undefined
    if (entry) seen.push(entry)
  }
  return {
    nearby: renderShown(view, player, shown.players),
    pirates: rowsIn(seen, 'pirates'),
    empire_npcs: rowsIn(seen, 'empire_npcs'),
    creatures: rowsIn(seen, 'creatures'),
    prizes: rowsIn(seen, 'prizes'),
    arena_npcs: rowsIn(seen, 'arena_npcs'),
  }
}

/** Renders the players online in a system, except the viewer. */
function renderAgents(view: WorldView, player: Eid, system: Eid): Entry[] {
  const agents: Seen[] = []
  for (const other of playersIn(view, system)) {
    if (agents.length === OBSERVED_ROWS_MAX) break
    const entry = other === player ? undefined : renderAgent(view, shipOf(view, other))
    if (entry) agents.push(entry)
  }
  return rowsIn(agents, 'nearby')
}

/** Renders the cloaked ships at a place that the player has detected. */
const renderContacts = (view: WorldView, player: Eid, poi: Eid): Contact[] =>
  gatheringAt(view, poi)
    .cloaked.filter((other) => hasDetected(view, player, other))
    .map((other) => renderContact(view, player, other))

export const subscribeObservation = immediate({
  name: 'subscribe_observation',
  v2: { tool: 'game', action: 'subscribe_observation' },
  summary: 'Watch this place and its system: all of it now, then observation_update with changes.',
  category: 'navigation',
  params: obj({
    active_scan: optional(bool('True sweeps for cloaked ships, a unit of fuel a tick.')),
  }),
  result: observationResult,
  needs: [],
  errors: ['in_transit', 'docked', 'no_scanner', 'no_fuel', 'restarting'],
  run(world, player, { active_scan = false }) {
    const { framing } = world.running
    const refusal =
      subscriptionRefusal(world, player, framing) ??
      inTransit(world, player) ??
      (active_scan && sweepRefusal(world, player))
    if (refusal) return refusal
    const poi = poiOf(world, player)
    const system = systemOf(world, player)
    const unknown_signature = sensesSignature(world, player, gatheringAt(world, poi).cloaked)
    beginSentState(world, poi)
    startWatch(world, player, {
      poi,
      channel: channelBit(framing),
      isActive: active_scan,
      hasSignature: unknown_signature,
    })
    return ok({
      action: 'subscribe_observation',
      poi_id: poiId(world, poi),
      system_id: systemId(world, system),
      ...renderHere(world, player, poi),
      system_agents: renderAgents(world, player, system),
      unknown_signature,
      cloaked_contacts: renderContacts(world, player, poi),
      active_scan,
      message: 'You watch this place until you leave it.',
    })
  },
})

export const unsubscribeObservation = immediate({
  name: 'unsubscribe_observation',
  v2: { tool: 'game', action: 'unsubscribe_observation' },
  summary: 'Stop watching a place.',
  category: 'navigation',
  params: NO_PARAMS,
  result: named('UnsubscribeObservationResponse', strings('action', 'message')),
  needs: [],
  errors: [],
  run(world, player) {
    const message = endWatch(world, player)
      ? 'You have stopped watching.'
      : 'You were not watching a place.'
    return ok({ action: 'unsubscribe_observation', message })
  },
})

/* Sweeping */

/** Returns the id of a contact by the player's number. */
const contactId = (view: WorldView, observer: Eid, number: number): string => {
  const player = view.rowOf(Player, number)
  return player === 0 ? '' : renderContact(view, observer, player).target_id
}

/** Sweeps the place of an active watch, or ends the sweep where it cannot continue. */
function sweepFor(world: World, player: Eid, poi: Eid): void {
  const { locked } = contactsOf(world, player)
  const { seq } = world.read(Player)
  if (sweepRefusal(world, player)) {
    const lost = locked.map((number) => contactId(world, player, number))
    endSweep(world, player)
    world.index(SWEPT).set(player, { resolved: [], lost })
    return
  }
  burnFuel(world, shipOf(world, player), 1)
  const detected = sweepPlace(world, player, poi).detected.slice(0, OBSERVED_ROWS_MAX)
  const numbers = detected.map((other) => seq[other])
  const fresh = detected.filter((other) => !locked.includes(seq[other]))
  const lostNumbers = locked.filter((number) => !numbers.includes(number))
  if (locked.length + numbers.length > 0) addContacts(world, player, detected, numbers)
  const resolved = fresh.map((other) => renderContact(world, player, other))
  for (const [i, other] of fresh.entries()) {
    notifyScanned(world, player, other, resolved[i].revealed_info)
  }
  if (resolved.length + lostNumbers.length === 0) return
  const lost = lostNumbers.map((number) => contactId(world, player, number))
  world.index(SWEPT).set(player, { resolved, lost })
}

/** Returns whether a watcher is at the place they watch. */
const isThere = (view: WorldView, player: Eid, poi: Eid): boolean => poiOf(view, player) === poi

/** Sweeps for the active watches, for a unit of fuel each. Source: travel.md section 10. */
export function sweepWatches(world: World): void {
  const { active } = world.read(Watch)
  for (const poi of watchedPlaces(world)) {
    for (const player of watchersOf(world, poi)) {
      if (active[player] === 1 && isThere(world, player, poi)) sweepFor(world, player, poi)
    }
  }
}

/* Updates */

/** Lists of the server's ships. */
const SERVER_LISTS = ['pirates', 'empire_npcs', 'creatures', 'prizes', 'arena_npcs'] as const
type ServerField = `${(typeof SERVER_LISTS)[number]}_${'changed' | 'departed'}`
type ServerFields = Pick<Static<typeof observationFields>, ServerField>

/** Renders the lists of the server's ships that have changed. */
function renderServerLists(changes: Changes): ServerFields {
  const fields: Partial<Record<ServerField, unknown>> = {}
  for (const list of SERVER_LISTS) {
    const rows = rowsIn(changes.changed, list)
    const ids = idsIn(changes, list)
    if (rows.length > 0) fields[`${list}_changed`] = rows
    if (ids.length > 0) fields[`${list}_departed`] = ids
  }
  return fields as ServerFields
}

/** Renders the part of an update that all watchers of a place share. */
function sharedPayload(world: World, poi: Eid, nearby: Changes, agents: Changes) {
  return {
    poi_id: poiId(world, poi),
    system_id: systemId(world, world.read(Poi).system[poi]),
    tick: world.tick,
    nearby_changed: rowsIn(nearby.changed, 'nearby'),
    nearby_departed: idsIn(nearby, 'nearby'),
    system_changed: rowsIn(agents.changed, 'nearby'),
    system_departed: idsIn(agents, 'nearby'),
    ...renderServerLists(nearby),
    cloaked_resolved: [] as Contact[],
    cloaked_lost: [] as string[],
  }
}

type Payload = ReturnType<typeof sharedPayload>

/** Removes a watcher's own rows from what they are sent. */
function withoutPlayer(payload: Payload, id: string | undefined): Payload {
  const others = (rows: Payload['nearby_changed']) => rows.filter((row) => row.player_id !== id)
  return {
    ...payload,
    nearby_changed: others(payload.nearby_changed),
    system_changed: others(payload.system_changed),
  }
}

const isEmpty = (payload: Payload): boolean =>
  payload.nearby_changed.length +
    payload.nearby_departed.length +
    payload.system_changed.length +
    payload.system_departed.length ===
    0 &&
  SERVER_LISTS.every((list) => !(`${list}_changed` in payload || `${list}_departed` in payload))

/** Cloaks at a place, the weakest first, as the binary search of `sensesCloak` needs them. */
type Cloaks = readonly { readonly player: Eid; readonly cloak: number }[]

interface PlaceUpdate {
  readonly poi: Eid
  readonly nearby: Changes
  readonly agents: Changes
  /** Ships that changed, anywhere. */
  readonly ships: ReadonlySet<Eid>
  readonly cloaks: Cloaks
}

/** Returns the same as `sensesSignature`, by binary search: power senses cloaks just above it. */
function sensesCloak(view: WorldView, viewer: Eid, cloaks: Cloaks): boolean {
  if (cloaks.length === 0) return false
  const power = scanPowerOf(view, viewer)
  let low = 0
  let high = cloaks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (cloaks[middle].cloak < power) low = middle + 1
    else high = middle
  }
  const index = cloaks[low]?.player === viewer ? low + 1 : low
  return index < cloaks.length && isSensed(power, cloaks[index].cloak)
}

/**
 * Sends the watchers of a place its changes: one shared payload to those who see the same, one each
 * to the others. O(watchers + changes).
 */
function notifyPlace(world: World, update: PlaceUpdate): void {
  const { poi, nearby, agents, ships, cloaks } = update
  const lists = [nearby.changed, nearby.departed, agents.changed, agents.departed]
  const hasChanged = lists.some((list) => list.length > 0)
  const shared = sharedPayload(world, poi, nearby, agents)
  const groups = new Map<string, Eid[]>()
  const { active, signature } = world.write(Watch)
  for (const player of watchersOf(world, poi)) {
    const unknown_signature = sensesCloak(world, player, cloaks)
    const swept = world.index(SWEPT).get(player)
    const hasOwnChange = unknown_signature !== (signature[player] === 1) || swept !== undefined
    signature[player] = unknown_signature ? 1 : 0
    if (!hasChanged && !hasOwnChange) continue
    const active_scan = active[player] === 1
    const ship = shipOf(world, player)
    if (!swept && !ships.has(ship)) {
      addToList(groups, `${unknown_signature} ${active_scan}`, player)
      continue
    }
    const own = ships.has(ship) ? withoutPlayer(shared, renderSeen(world, ship)?.id) : shared
    if (isEmpty(own) && !hasOwnChange) continue
    const payload = {
      ...own,
      unknown_signature,
      active_scan,
      cloaked_resolved: [...(swept?.resolved ?? [])],
      cloaked_lost: [...(swept?.lost ?? [])],
    }
    emit(world, observationUpdate, payload, { kind: 'player', row: player })
  }
  for (const [key, rows] of groups) {
    const [unknown_signature, active_scan] = key.split(' ').map((text) => text === 'true')
    const payload = { ...shared, unknown_signature, active_scan }
    emit(world, observationUpdate, payload, { kind: 'players', rows })
  }
}

/** Returns the cloaks by place, the weakest first. O(cloaked players). */
function cloaksByPlace(view: WorldView): Map<Eid, Cloaks> {
  const sorted = cloakedPlayers(view)
    .map((player) => ({ player, cloak: cloakOf(view, player) }))
    .sort((a, b) => a.cloak - b.cloak)
  const places = new Map<Eid, Cloaks[number][]>()
  for (const entry of sorted) addToList(places, poiOf(view, entry.player), entry)
  return places
}

/** Sends watchers what the tick changed; runs after everything that moves or changes a ship. */
export const notifyWatchers: SystemDef = {
  name: 'sensing.tell',
  phase: 'settle',
  writes: [Watch],
  run(world) {
    const ships = takeChanges(world)
    for (const poi of watchedPlaces(world)) {
      for (const player of watchersOf(world, poi)) {
        if (!isThere(world, player, poi)) endWatch(world, player)
      }
    }
    const watched = watchedPlaces(world)
    const changes = updateSentState(world, watched, ships)
    if (watched.length > 0) {
      const cloaks = cloaksByPlace(world)
      const changed = new Set(ships)
      for (const poi of watched) {
        notifyPlace(world, {
          poi,
          nearby: changes.nearby(poi),
          agents: changes.agents(poi),
          ships: changed,
          cloaks: cloaks.get(poi) ?? [],
        })
      }
    }
    world.index(SWEPT).clear()
  },
}
