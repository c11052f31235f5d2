/**
 * The feed of a place: what is there on asking for it, then what each tick changed. What all
 * watchers share is made once a place and tick; each has their own view of cloaks. Source:
 * travel.md section 8.
 */

import { immediate } from '../../core/command.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { emit } from '../../core/event.ts'
import { append } from '../../core/groups.ts'
import { NEARBY_PLAYERS_MAX, OBSERVED_ROWS_MAX } from '../../core/limits.ts'
import { bool, NO_PARAMS, named, obj, optional, type Static, strings } from '../../core/params.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { channelOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { Ship } from '../ship/state.ts'
import { dockedBase, inTransit, poiOf, shipOf, systemOf } from '../travel/drift-model.ts'
import { playersIn, poiId, shipsAt, systemId } from '../travel/model.ts'
import { renderShown } from '../travel/nearby-views.ts'
import { burnFuel } from '../travel/rules.ts'
import { Poi } from '../travel/state.ts'
import { showTo } from '../travel/views.ts'
import {
  cloakedPlayers,
  cloakOf,
  contactsOf,
  feelsSignature,
  gatheringAt,
  hasScanner,
  isFelt,
  isMadeOut,
  scanPowerOf,
  sweepPlace,
  watchedPlaces,
  watchersOf,
} from './model.ts'
import {
  endSweep,
  endWatch,
  makeOut,
  notifyScanned,
  renderContact,
  startWatch,
  takeChanges,
} from './rules.ts'
import { type observationFields, observationResult, observationUpdate } from './schemas.ts'
import {
  beginTelling,
  bringUpToDate,
  type Changes,
  idsIn,
  type News,
} from './sent-state-commands.ts'
import { type Contact, type Entry, type Seen, SWEPT, Watch } from './state.ts'
import { pilotOfShip, renderAgent, renderSeen, rowsIn } from './views.ts'

/* Asking for it */

/** Why a watch cannot sweep; nothing where it can. Refusals: docked, no_scanner, no_fuel. */
function sweepRefusal(
  view: WorldView,
  player: Eid,
): Failure<'docked' | 'no_fuel' | 'no_scanner'> | undefined {
  const ship = shipOf(view, player)
  if (dockedBase(view, player) !== 0) return fail('docked')
  if (!hasScanner(view, ship)) return fail('no_scanner')
  return view.read(Ship).fuel[ship] > 0 ? undefined : fail('no_fuel', { need: 1, have: 0 })
}

/** Everyone at a place but the viewer, by list. */
function hereOf(view: WorldView, player: Eid, poi: Eid) {
  const shown = showTo(gatheringAt(view, poi), player, NEARBY_PLAYERS_MAX)
  const seen: Seen[] = []
  for (const ship of shipsAt(view, poi)) {
    if (seen.length === OBSERVED_ROWS_MAX) break
    const one = pilotOfShip(view, ship) === 0 ? renderSeen(view, ship) : undefined
    if (one) seen.push(one)
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

function agentsOf(view: WorldView, player: Eid, system: Eid): Entry[] {
  const agents: Seen[] = []
  for (const other of playersIn(view, system)) {
    if (agents.length === OBSERVED_ROWS_MAX) break
    const entry = other === player ? undefined : renderAgent(view, shipOf(view, other))
    if (entry) agents.push(entry)
  }
  return rowsIn(agents, 'nearby')
}

/** Cloaked ships here that the player has in the sights. */
function contactsHere(view: WorldView, player: Eid, poi: Eid): Contact[] {
  return gatheringAt(view, poi)
    .cloaked.filter((other) => isMadeOut(view, player, other))
    .map((other) => renderContact(view, player, other))
}

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
  errors: ['in_transit', 'docked', 'no_scanner', 'no_fuel'],
  run(world, player, { active_scan = false }) {
    const refused = inTransit(world, player) ?? (active_scan && sweepRefusal(world, player))
    if (refused) return refused
    const poi = poiOf(world, player)
    const unknown_signature = feelsSignature(world, player, gatheringAt(world, poi).cloaked)
    const channel = channelOf(world.running.framing)
    beginTelling(world, poi)
    startWatch(world, player, {
      poi,
      channel,
      isActive: active_scan,
      hasSignature: unknown_signature,
    })
    return ok({
      action: 'subscribe_observation',
      poi_id: poiId(world, poi),
      system_id: systemId(world, systemOf(world, player)),
      ...hereOf(world, player, poi),
      system_agents: agentsOf(world, player, systemOf(world, player)),
      unknown_signature,
      cloaked_contacts: contactsHere(world, player, poi),
      active_scan,
      message: 'You watch this place until you leave it.',
    })
  },
})

export const unsubscribeObservation = immediate({
  name: 'unsubscribe_observation',
  v2: { tool: 'game', action: 'unsubscribe_observation' },
  summary: 'Watch no place any more.',
  category: 'navigation',
  params: NO_PARAMS,
  result: named('UnsubscribeObservationResponse', strings('action', 'message')),
  needs: [],
  errors: [],
  run(world, player) {
    const message = endWatch(world, player) ? 'You watch no more.' : 'You watched no place.'
    return ok({ action: 'unsubscribe_observation', message })
  },
})

const idOfContact = (view: WorldView, observer: Eid, number: number): string => {
  const player = view.rowOf(Player, number)
  return player === 0 ? '' : renderContact(view, observer, player).target_id
}

function sweepOn(world: World, player: Eid, poi: Eid): void {
  const { locked } = contactsOf(world, player)
  const { seq } = world.read(Player)
  if (sweepRefusal(world, player)) {
    const lost = locked.map((number) => idOfContact(world, player, number))
    endSweep(world, player)
    world.index(SWEPT).set(player, { resolved: [], lost, isOver: true })
    return
  }
  burnFuel(world, shipOf(world, player), 1)
  const { found } = sweepPlace(world, player, poi)
  const held = found.slice(0, OBSERVED_ROWS_MAX)
  const numbers = held.map((other) => seq[other])
  const resolved = held.filter((other) => !locked.includes(seq[other]))
  const lost = locked.filter((number) => !numbers.includes(number))
  if (locked.length + numbers.length > 0) makeOut(world, player, held, numbers)
  const contacts = resolved.map((other) => renderContact(world, player, other))
  for (const [i, other] of resolved.entries()) {
    notifyScanned(world, player, other, contacts[i].revealed_info)
  }
  if (contacts.length + lost.length === 0) return
  const gone = lost.map((number) => idOfContact(world, player, number))
  world.index(SWEPT).set(player, { resolved: contacts, lost: gone, isOver: false })
}

/** True while a watcher is where they watch. */
const isThere = (view: WorldView, player: Eid, poi: Eid): boolean => poiOf(view, player) === poi

/** Watches that sweep look for cloaked ships, for a unit of fuel. Source: travel.md section 10. */
export function sweepWatches(world: World): void {
  const { active } = world.read(Watch)
  for (const poi of watchedPlaces(world)) {
    for (const player of watchersOf(world, poi)) {
      if (active[player] === 1 && isThere(world, player, poi)) sweepOn(world, player, poi)
    }
  }
}

/* Telling */

/** What all watchers of a place are told alike. */
interface Common {
  readonly poi: Eid
  readonly nearby: Changes
  readonly agents: Changes
  /** Ids among the changed: a watcher is not told of themselves. */
  readonly hasChanged: boolean
}

function commonOf(news: News, poi: Eid): Common {
  const [nearby, agents] = [news.nearby(poi), news.agents(poi)]
  const lists = [nearby.changed, nearby.departed, agents.changed, agents.departed]
  return { poi, nearby, agents, hasChanged: lists.some((list) => list.length > 0) }
}

/** Lists of ships that no player flies. */
const OTHERS = ['pirates', 'empire_npcs', 'creatures', 'prizes', 'arena_npcs'] as const
type Pair = `${(typeof OTHERS)[number]}_${'changed' | 'departed'}`
type Pairs = Pick<Static<typeof observationFields>, Pair>

/** The pairs of ships of the server in which there is news. */
function othersOf(changes: Changes): Pairs {
  const pairs: Partial<Record<Pair, unknown>> = {}
  for (const list of OTHERS) {
    const [rows, ids] = [rowsIn(changes.changed, list), idsIn(changes, list)]
    if (rows.length > 0) pairs[`${list}_changed`] = rows
    if (ids.length > 0) pairs[`${list}_departed`] = ids
  }
  return pairs as Pairs
}

function payloadOf(world: World, { poi, nearby, agents }: Common) {
  return {
    poi_id: poiId(world, poi),
    system_id: systemId(world, world.read(Poi).system[poi]),
    tick: world.tick,
    nearby_changed: rowsIn(nearby.changed, 'nearby'),
    nearby_departed: idsIn(nearby, 'nearby'),
    system_changed: rowsIn(agents.changed, 'nearby'),
    system_departed: idsIn(agents, 'nearby'),
    ...othersOf(nearby),
    cloaked_resolved: [] as Contact[],
    cloaked_lost: [] as string[],
  }
}

type Payload = ReturnType<typeof payloadOf>

/** The same without what a watcher themselves looks like. */
function without(payload: Payload, id: string | undefined): Payload {
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
    0 && OTHERS.every((list) => !(`${list}_changed` in payload || `${list}_departed` in payload))

/** Cloaks of a place, the weakest first: a scanner feels those a little above its power. */
type Cloaks = readonly { readonly player: Eid; readonly cloak: number }[]

interface Place {
  readonly common: Common
  /** Ships noted as changed. */
  readonly ships: ReadonlySet<Eid>
  readonly cloaks: Cloaks
}

/** As `feelsSignature`, in the time of a search. */
function feelsOneOf(view: WorldView, viewer: Eid, cloaks: Cloaks): boolean {
  if (cloaks.length === 0) return false
  const power = scanPowerOf(view, viewer)
  let low = 0
  let high = cloaks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (cloaks[middle].cloak < power) low = middle + 1
    else high = middle
  }
  const at = cloaks[low]?.player === viewer ? low + 1 : low
  return at < cloaks.length && isFelt(power, cloaks[at].cloak)
}

/**
 * Tells the watchers of a place: those to whom cloaks look the same together, the others one by
 * one. O(watchers + changes).
 */
function notifyPlace(world: World, { common, ships, cloaks }: Place): void {
  const { poi, hasChanged } = common
  const shared = payloadOf(world, common)
  const groups = new Map<string, Eid[]>()
  const { active, signature } = world.write(Watch)
  for (const player of watchersOf(world, poi)) {
    const feels = feelsOneOf(world, player, cloaks)
    const swept = world.index(SWEPT).get(player)
    const isNews = feels !== (signature[player] === 1) || swept !== undefined
    signature[player] = feels ? 1 : 0
    if (!hasChanged && !isNews) continue
    const head = { unknown_signature: feels, active_scan: active[player] === 1 }
    const ship = shipOf(world, player)
    if (!swept && !ships.has(ship)) {
      const key = `${head.unknown_signature} ${head.active_scan}`
      append(groups, key, player)
      continue
    }
    const own = ships.has(ship) ? without(shared, renderSeen(world, ship)?.id) : shared
    if (isEmpty(own) && !isNews) continue
    const payload = {
      ...own,
      ...head,
      cloaked_resolved: [...(swept?.resolved ?? [])],
      cloaked_lost: [...(swept?.lost ?? [])],
    }
    emit(world, observationUpdate, payload, { kind: 'player', row: player })
  }
  for (const [key, rows] of groups) {
    const [unknown_signature, active_scan] = key.split(' ').map((word) => word === 'true')
    const payload = { ...shared, unknown_signature, active_scan }
    emit(world, observationUpdate, payload, { kind: 'players', rows })
  }
}

/** Cloaks by place. O(cloaked players), sorted. */
function cloaksByPlace(view: WorldView): Map<Eid, Cloaks> {
  const sorted = cloakedPlayers(view)
    .map((player) => ({ player, cloak: cloakOf(view, player) }))
    .sort((a, b) => a.cloak - b.cloak)
  const places = new Map<Eid, Cloaks[number][]>()
  for (const entry of sorted) {
    const poi = poiOf(view, entry.player)
    append(places, poi, entry)
  }
  return places
}

/** Tells watchers what the tick changed; runs after whatever moves a ship or changes one. */
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
    const news = bringUpToDate(world, watched, ships)
    if (watched.length > 0) {
      const cloaks = cloaksByPlace(world)
      const changed = new Set(ships)
      for (const poi of watched) {
        const common = commonOf(news, poi)
        notifyPlace(world, { common, ships: changed, cloaks: cloaks.get(poi) ?? [] })
      }
    }
    world.index(SWEPT).clear()
  },
}
