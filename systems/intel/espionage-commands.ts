/**
 * Listening at a base: eight ticks in which nothing else can be ordered, then a fact of its last
 * day, nothing, or somebody who looked back. Source: factions.md section 6.
 */

import { type FacilityRow, PIRATES } from '../../core/catalog/index.ts'
import { type CommandDef, LATER, mutation } from '../../core/command.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { append } from '../../core/groups.ts'
import { Account } from '../../core/ledger.ts'
import { NO_PARAMS, obj, ref, str } from '../../core/params.ts'
import { answerLater, pendingOf } from '../../core/pending.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { SystemDef } from '../../core/system.ts'
import { secondsOf } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { baseId, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { activeFacility, facilityTypeAt } from '../facility/model.ts'
import { Facility, Grid } from '../facility/state.ts'
import { factionOf, recordFactionLog } from '../faction/model.ts'
import { IN_FACTION } from '../faction/needs.ts'
import { Faction } from '../faction/state.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { CriminalRecord, Warrant } from '../law/state.ts'
import { logAction } from '../log/rules.ts'
import { LastSight, Sight, SightQuote } from '../market/state.ts'
import { Mission } from '../mission/state.ts'
import { empireShipsHere, npcName, npcOf, piratesHere, renderEmpireShip } from '../npc/model.ts'
import { Npc } from '../npc/state.ts'
import { Cabin, Lounge, Passenger, Terminal } from '../passenger/state.ts'
import { seesPoi } from '../sensing/model.ts'
import { sensePlace } from '../sensing/rules.ts'
import { shipClassOf, shipId } from '../ship/model.ts'
import { dockedBase } from '../travel/drift-model.ts'
import { lanesFrom, poiById, poiId, poiName, systemId } from '../travel/model.ts'
import { DOCKED } from '../travel/needs.ts'
import { PLACE_WRITES } from '../travel/rules.ts'
import { Poi } from '../travel/state.ts'
import { notifyFact, notifyLeft, notifyNothing, notifySpotted } from './commands.ts'
import { factsAt, serviceFacilities } from './model.ts'
import { espionageResult, sensorResult } from './schemas.ts'
import {
  DUE,
  ESPIONAGE_COOLDOWN_TICKS,
  ESPIONAGE_TICKS,
  FACT_KINDS,
  type Fact,
  type FactKind,
  PriceNote,
  SENSED_ROWS_MAX,
  Spy,
} from './state.ts'

/** Of a hundred: so many hear a fact, and so many more nothing; the rest are spotted. */
const FACT_PCT = 50
const NOTHING_PCT = 35
const DICE = hashText('intel.espionage')
const STORY = hashText('intel.story')

function scheduleReport(world: World, player: Eid): void {
  const due = world.index(DUE)
  const tick = world.read(Spy).dueTick[player]
  append(due, tick, player)
}

export function rebuildListeners(world: World): void {
  world.index(DUE).clear()
  const { alive } = world.read(Player)
  const { dueTick } = world.read(Spy)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && dueTick[player] !== 0) scheduleReport(world, player)
  }
}

const hasRoom = (view: WorldView, player: Eid, base: Row): boolean =>
  factionOf(view, player) !== 0 &&
  activeFacility(view, factionOf(view, player), base, 'faction_espionage') !== 0

export const espionage: CommandDef = mutation({
  name: 'espionage',
  v2: { tool: 'game_intel', action: 'espionage' },
  summary: 'Listen at this base from a hidden room of your faction; it takes eight ticks.',
  category: 'faction',
  order: 'plain',
  needs: [IN_FACTION, AT_LIBERTY, DOCKED],
  changes: ['queue'],
  params: NO_PARAMS,
  result: espionageResult,
  errors: ['no_espionage_hq', 'espionage_cooldown'],
  run(world, player) {
    const base = dockedBase(world, player)
    if (!hasRoom(world, player, base)) return fail('no_espionage_hq')
    const wait = world.read(Spy).freeTick[player] - world.tick
    if (wait > 0) {
      return fail('espionage_cooldown', { ticks: wait, wait_seconds: secondsOf(world, wait) })
    }
    const spy = world.write(Spy)
    spy.base[player] = base
    spy.dueTick[player] = world.tick + ESPIONAGE_TICKS
    spy.freeTick[player] = world.tick + ESPIONAGE_COOLDOWN_TICKS
    scheduleReport(world, player)
    return LATER
  },
})

/** Facts of a base that are news to a player: neither their own doing nor their faction's. */
function factsFor(view: WorldView, player: Eid, base: Row): Fact[] {
  const own = view.read(Player).seq[player]
  const faction = view.read(Faction).seq[factionOf(view, player)]
  return factsAt(view, base).filter((fact) => fact.by !== own && fact.faction !== faction)
}

interface Heard {
  readonly outcome: 'success' | 'nothing' | 'spotted'
  readonly story: string
  readonly intel_type?: FactKind
}

/** What a listener hears; the dice are those of the tick and the player. */
function listen(view: WorldView, player: Eid, base: Row): Heard {
  const seq = view.read(Player).seq[player]
  const roll = drawBelow(100, hash32(view.seed, DICE, view.tick, seq))
  const random = hash32(view.seed, STORY, view.tick, seq)
  if (dockedBase(view, player) !== base || !hasRoom(view, player, base)) {
    return { outcome: 'nothing', story: notifyLeft(random) }
  }
  if (roll >= FACT_PCT + NOTHING_PCT) return { outcome: 'spotted', story: notifySpotted(random) }
  const news = roll < FACT_PCT ? factsFor(view, player, base) : []
  if (news.length === 0) return { outcome: 'nothing', story: notifyNothing(random) }
  const fact = news[drawBelow(news.length, hash32(view.seed, STORY, view.tick, seq, 1))]
  const intel_type = FACT_KINDS[fact.kind]
  return { outcome: 'success', story: notifyFact(view, fact, random), intel_type }
}

const SAID = {
  success: 'Heard something',
  nothing: 'Heard nothing',
  spotted: 'Was seen listening',
} as const

function comeBack(world: World, player: Eid): void {
  const spy = world.write(Spy)
  const base = spy.base[player]
  spy.base[player] = 0
  spy.dueTick[player] = 0
  if (pendingOf(world, player)?.command !== espionage.name) return
  const { outcome, story, intel_type } = listen(world, player, base)
  const summary = `${SAID[outcome]} at ${baseName(world, base)}.`
  const data = { outcome, base_id: baseId(world, base) }
  logAction(world, player, 'faction', 'espionage', summary, data)
  const faction = factionOf(world, player)
  if (faction !== 0) {
    const said = `${usernameOf(world, player)}: ${summary}`
    recordFactionLog(world, faction, player, { verb: 'espionage', summary: said, data })
  }
  const told = { action: 'espionage', outcome, story }
  answerLater(world, player, ok(intel_type === undefined ? told : { ...told, intel_type }))
}

/** Ends the listening that is due in this tick. O(listeners due). */
export const listening: SystemDef = {
  name: 'intel.listen',
  phase: 'produce',
  writes: [
    ...PLACE_WRITES,
    ...[Account, Cabin, CriminalRecord, Grid, LastSight, Lounge, Mission, Passenger],
    ...[Player, PriceNote, Sight, SightQuote, Spy, Terminal, Warrant],
  ],
  run(world) {
    const due = world.index(DUE)
    const players = due.get(world.tick)
    if (!players) return
    due.delete(world.tick)
    const { seq } = world.read(Player)
    for (const player of players.sort((a, b) => seq[a] - seq[b])) comeBack(world, player)
  },
}

/* Looking at a place from afar, with the sensors of one's faction. Source: factions.md 6. */

/** Jumps between two systems, up to `most`; undefined where it is further. */
function jumpsBetween(view: WorldView, from: Row, to: Row, most: number): number | undefined {
  let edge: readonly Row[] = [from]
  const seen = new Set(edge)
  for (let jumps = 0; jumps <= most; jumps++) {
    if (edge.includes(to)) return jumps
    const next = edge.flatMap((system) => lanesFrom(view, system))
    edge = [...new Set(next)].filter((system) => !seen.has(system))
    for (const system of edge) seen.add(system)
  }
  return undefined
}

interface Look {
  readonly type: FacilityRow
  readonly base: Row
  readonly jumps: number
  readonly power: number
}

/** Falloff counts from the sensor's own place, then its system, then jump by jump. */
function lookOf(view: WorldView, sensor: Row, poi: Eid): Look | undefined {
  const type = facilityTypeAt(view, sensor)
  const { system } = view.read(Poi)
  const base = view.read(Facility).base[sensor]
  const home = view.read(Base).poi[base]
  const jumps = jumpsBetween(view, system[home], system[poi], type.capacity ?? 0)
  if (jumps === undefined) return undefined
  const steps = home === poi ? 0 : 1 + jumps
  const power = (type.scan_power ?? 0) - (type.scan_falloff ?? 0) * steps
  return { type, base, jumps, power }
}

/** The sensor that sees most of a place; of equals the oldest. Refuses: no_sensor, out_of_range. */
function bestLook(
  view: WorldView,
  faction: Row,
  poi: Eid,
): Look | Failure<'no_sensor' | 'out_of_range'> {
  const sensors = serviceFacilities(view, faction, 'faction_sensor')
  if (sensors.length === 0) return fail('no_sensor')
  const looks = sensors.flatMap((row) => lookOf(view, row, poi) ?? [])
  if (looks.length === 0) return fail('out_of_range', { poi_id: poiId(view, poi) })
  return looks.reduce((best, look) => (look.power > best.power ? look : best))
}

const renderPirate = (view: WorldView, ship: Eid) => ({
  id: shipId(view, ship),
  name: npcName(view, ship),
  role: PIRATES[view.read(Npc).type[npcOf(view, ship)]].tier,
  ship_class: shipClassOf(view, ship).id,
})

function renderOfficial(view: WorldView, ship: Eid) {
  const { npc_id: id, name, empire, role } = renderEmpireShip(view, ship)
  return { id, name, empire, role, ship_class: shipClassOf(view, ship).id }
}

const reportMessage = (contacts: number, others: number, place: string): string =>
  contacts + others === 0
    ? `Nothing moves at ${place}.`
    : `${contacts} pilots and ${others} others made out at ${place}.`

export const scanPoi: CommandDef = mutation({
  name: 'faction_scan_poi',
  v2: { tool: 'game_intel', action: 'scan_poi' },
  summary: 'Look at a place from afar with the best sensor of your faction in reach.',
  category: 'faction',
  order: 'plain',
  needs: [IN_FACTION],
  changes: [],
  params: obj({ poi_id: ref('place', str('Id of the place.', { min: 1, example: 'sol_belt' })) }),
  result: sensorResult,
  errors: ['no_sensor', 'out_of_range', 'invalid_poi'],
  run(world, player, { poi_id }) {
    const poi = poiById(world, poi_id.trim())
    if (poi === 0 || !seesPoi(world, player, poi)) return fail('invalid_poi', { poi_id })
    const look = bestLook(world, factionOf(world, player), poi)
    if ('code' in look) return look
    const place = poiName(world, poi)
    const asked = { poi, power: look.power, most: SENSED_ROWS_MAX }
    const { contacts, isSignature } = sensePlace(world, player, asked)
    const pirates = piratesHere(world, poi).slice(0, SENSED_ROWS_MAX)
    const npcs = empireShipsHere(world, poi).slice(0, SENSED_ROWS_MAX)
    const message = reportMessage(contacts.length, pirates.length + npcs.length, place)
    logAction(world, player, 'exploration', 'sensor_scan', message, { poi_id: poiId(world, poi) })
    return ok({
      poi_id: poiId(world, poi),
      poi_name: place,
      system_id: systemId(world, world.read(Poi).system[poi]),
      facility_station: baseName(world, look.base),
      facility_level: look.type.level,
      hops: look.jumps,
      scan_power: look.power,
      contacts,
      signature_detected: isSignature,
      npcs: npcs.map((ship) => renderOfficial(world, ship)),
      pirates: pirates.map((ship) => renderPirate(world, ship)),
      message,
    })
  },
})
