/**
 * Espionage: listening at a base for eight ticks, which yields a fact of its last day or nothing,
 * or gets the player spotted; and scanning POIs from afar. Source: factions.md section 6.
 */
import { type FacilityRow, PIRATES } from '../../core/catalog/index.ts'
import { type CommandDef, LATER, mutation } from '../../core/command.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { addToList } from '../../core/groups.ts'
import { Account } from '../../core/ledger.ts'
import { divFloor } from '../../core/math.ts'
import { NO_PARAMS, obj, ref, str } from '../../core/params.ts'
import { answerLater, answerSuspended, pendingOf, suspendedOf } from '../../core/pending.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import { counted } from '../../core/say.ts'
import type { SystemDef } from '../../core/system.ts'
import { HOUR_TICKS, secondsOf } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { baseId, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { activeFacility, facilityTypeAt } from '../facility/model.ts'
import { Facility, Grid } from '../facility/state.ts'
import { factionOf, factionTag, recordFactionLog } from '../faction/model.ts'
import { IN_FACTION } from '../faction/needs.ts'
import { Faction } from '../faction/state.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { CriminalRecord, Warrant } from '../law/state.ts'
import { logAction } from '../log/rules.ts'
import { LastSight, Sight, SightQuote } from '../market/state.ts'
import { Mission } from '../mission/state.ts'
import { renderEmpireShip } from '../npc/listing-model.ts'
import { empireShipsHere, npcName, npcOf, piratesHere } from '../npc/model.ts'
import { Npc } from '../npc/state.ts'
import { Cabin, Lounge, Passenger, Terminal } from '../passenger/state.ts'
import { seesPoi } from '../sensing/model.ts'
import { sensePlace } from '../sensing/rules.ts'
import { shipClassOf, shipId } from '../ship/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { lanesFrom, poiById, poiId, poiName, systemId } from '../travel/model.ts'
import { DOCKED } from '../travel/needs.ts'
import { PLACE_WRITES } from '../travel/rules.ts'
import { Poi } from '../travel/state.ts'
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

/** Chances to hear a fact, and to hear nothing, percent; otherwise the player is spotted. */
const FACT_PCT = 50
const NOTHING_PCT = 35
const DICE = hashText('intel.espionage')
const STORY = hashText('intel.story')

const scheduleReport = (world: World, player: Eid): void =>
  addToList(world.index(DUE), world.read(Spy).dueTick[player], player)

/** Schedules the reports of all listeners, after a restore. */
export function rebuildListeners(world: World): void {
  world.index(DUE).clear()
  const { alive } = world.read(Player)
  const { dueTick } = world.read(Spy)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && dueTick[player] !== 0) scheduleReport(world, player)
  }
}

function hasListeningRoom(view: WorldView, player: Eid, base: Row): boolean {
  const faction = factionOf(view, player)
  return faction !== 0 && activeFacility(view, faction, base, 'faction_espionage') !== 0
}

export const espionage: CommandDef = mutation({
  name: 'espionage',
  v2: { tool: 'game_intel', action: 'espionage' },
  summary: 'Spy at this base from a listening room of your faction; it takes eight ticks.',
  category: 'faction',
  order: 'plain',
  needs: [IN_FACTION, AT_LIBERTY, DOCKED],
  changes: ['queue'],
  params: NO_PARAMS,
  result: espionageResult,
  errors: ['no_espionage_hq', 'espionage_cooldown'],
  run(world, player) {
    const base = dockedBase(world, player)
    if (!hasListeningRoom(world, player, base)) return fail('no_espionage_hq')
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

/* Stories. Source: factions.md section 6, espionage. */

const FACT_STORIES: Readonly<Record<FactKind, readonly string[]>> = {
  ship_order: [
    'A yard clerk who drinks alone was glad of the company. {who} {when} put {sum} credits down here for one {what}.',
    'The ink on the slip was still wet enough to read upside down: one {what}, {sum} credits, ordered {when} by {who}.',
  ],
  construction: [
    'A welder complained about her shifts, and at whose expense. {who} {when} had {sum} credits of work begun here: {what}.',
    'Somebody left a site plan on the tram. It shows a {what}, begun {when} by {who}, for {sum} credits.',
  ],
  purchase: [
    'The dockers remember what breaks their backs. {who} {when} carried off {what}, {sum} credits in all.',
    'A broker whistled while he counted. {sum} credits from {who}, {when}, for {what}.',
  ],
}

const NOTHING_STORIES: readonly string[] = [
  'Four hours of a card game, and nobody lost their temper. Nothing to report.',
  'The microphone works. It has recorded a pump, a second pump, and a man who hums.',
  'Your contact sends regards, a cold, and no news.',
  'The waste bins of the harbour office held fish bones and an apology. Not to you.',
  'Everybody was discreet today. It made the room very quiet.',
]

const SPOTTED_STORIES: readonly string[] = [
  'The waiter put down a glass you had not ordered. Under it lay a photograph of you.',
  'Two people followed you home, and wanted you to know it.',
  'The umbrella you left for repair came back with your real name on the ticket.',
  'A child asked, loudly, why you had been reading the same page for an hour.',
]

const LEFT_STORIES: readonly string[] = [
  'You were gone before your contact came. The chair was still warm.',
  'The message arrived at an empty table.',
]

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

/** Returns the name of the player in a fact, unless they were anonymous. */
function whoOf(view: WorldView, fact: Fact): string {
  const player = view.rowOf(Player, fact.by)
  if (fact.isUnnamed || player === 0) return 'somebody who left no name'
  const faction = fact.faction === 0 ? 0 : view.rowOf(Faction, fact.faction)
  const tag = faction === 0 ? '' : ` [${factionTag(view, faction)}]`
  return `${usernameOf(view, player)}${tag}`
}

function whenOf(view: WorldView, { tick }: Fact): string {
  const hours = divFloor(view.tick - tick, HOUR_TICKS)
  if (hours === 0) return 'in the last hour'
  return hours === 1 ? 'an hour ago' : `${counted(hours, 'hour')} ago`
}

const pick = (texts: readonly string[], random: number): string => texts[random % texts.length]

/** Renders a fact as a story; `random` is a u32. */
function factStory(view: WorldView, fact: Fact, random: number): string {
  const text = fill(pick(FACT_STORIES[FACT_KINDS[fact.kind]], random), {
    who: whoOf(view, fact),
    when: whenOf(view, fact),
    what: fact.what,
    sum: String(fact.credits),
  })
  return text.replace(
    /(^|[.!?] )([a-z])/g,
    (_, before: string, first: string) => before + first.toUpperCase(),
  )
}

/* Listening */

/**
 * Returns the facts of a base that are news to a player: caused neither by them nor by their
 * faction.
 */
function factsFor(view: WorldView, player: Eid, base: Row): Fact[] {
  const own = view.read(Player).seq[player]
  const faction = view.read(Faction).seq[factionOf(view, player)]
  return factsAt(view, base).filter((fact) => fact.by !== own && fact.faction !== faction)
}

interface Overheard {
  readonly outcome: 'success' | 'nothing' | 'spotted'
  readonly story: string
  readonly intel_type?: FactKind
}

/** Draws what a listener hears; the draw depends on seed, tick and player. */
function listen(view: WorldView, player: Eid, base: Row): Overheard {
  const seq = view.read(Player).seq[player]
  const percent = drawBelow(100, hash32(view.seed, DICE, view.tick, seq))
  const random = hash32(view.seed, STORY, view.tick, seq)
  if (dockedBase(view, player) !== base || !hasListeningRoom(view, player, base)) {
    return { outcome: 'nothing', story: pick(LEFT_STORIES, random) }
  }
  if (percent >= FACT_PCT + NOTHING_PCT) {
    return { outcome: 'spotted', story: pick(SPOTTED_STORIES, random) }
  }
  const facts = percent < FACT_PCT ? factsFor(view, player, base) : []
  if (facts.length === 0) return { outcome: 'nothing', story: pick(NOTHING_STORIES, random) }
  const fact = facts[drawBelow(facts.length, hash32(view.seed, STORY, view.tick, seq, 1))]
  const intel_type = FACT_KINDS[fact.kind]
  return { outcome: 'success', story: factStory(view, fact, random), intel_type }
}

const SUMMARIES = {
  success: 'Heard something',
  nothing: 'Heard nothing',
  spotted: 'Was spotted listening',
} as const

/** Ends the listening of a player and answers their command. */
function endListening(world: World, player: Eid): void {
  const spy = world.write(Spy)
  const base = spy.base[player]
  spy.base[player] = 0
  spy.dueTick[player] = 0
  // A listener whose fleet left with them may be in a battle, which suspends the answer.
  const isSuspended = suspendedOf(world, player)?.command === espionage.name
  if (!isSuspended && pendingOf(world, player)?.command !== espionage.name) return
  const { outcome, story, intel_type } = listen(world, player, base)
  const summary = `${SUMMARIES[outcome]} at ${baseName(world, base)}.`
  const data = { outcome, base_id: baseId(world, base) }
  logAction(world, player, 'faction', 'espionage', summary, data)
  const faction = factionOf(world, player)
  if (faction !== 0) {
    const entry = `${usernameOf(world, player)}: ${summary}`
    recordFactionLog(world, faction, player, { verb: 'espionage', summary: entry, data })
  }
  const result = { action: 'espionage', outcome, story }
  const answer = isSuspended ? answerSuspended : answerLater
  answer(world, player, ok(intel_type === undefined ? result : { ...result, intel_type }))
}

/** Ends the listening of all players whose time is up. O(listeners due). */
export const endDueListening: SystemDef = {
  name: 'intel.listen',
  phase: 'produce',
  writes: [
    ...PLACE_WRITES,
    Account,
    Cabin,
    CriminalRecord,
    Grid,
    LastSight,
    Lounge,
    Mission,
    Passenger,
    Player,
    PriceNote,
    Sight,
    SightQuote,
    Spy,
    Terminal,
    Warrant,
  ],
  run(world) {
    const due = world.index(DUE)
    const players = due.get(world.tick) ?? []
    due.delete(world.tick)
    const { seq } = world.read(Player)
    for (const player of players.sort((a, b) => seq[a] - seq[b])) endListening(world, player)
  },
}

/* Sensors */

/** Returns the jumps between two systems, up to `max`; undefined if there are more. */
function jumpsBetween(view: WorldView, from: Row, to: Row, max: number): number | undefined {
  let edge: readonly Row[] = [from]
  const seen = new Set(edge)
  for (let jumps = 0; jumps <= max; jumps++) {
    if (edge.includes(to)) return jumps
    const next = edge.flatMap((system) => lanesFrom(view, system))
    edge = [...new Set(next)].filter((system) => !seen.has(system))
    for (const system of edge) seen.add(system)
  }
  return undefined
}

/** How a sensor reaches a POI. */
interface SensorReach {
  readonly type: FacilityRow
  readonly base: Row
  readonly jumps: number
  readonly power: number
}

/**
 * Returns how a sensor reaches a POI; undefined if it is out of range. Power falls off by one step
 * outside the sensor's own POI, and by one more per jump.
 */
function reachOf(view: WorldView, sensor: Row, poi: Eid): SensorReach | undefined {
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

/** Finds the sensor that reaches a POI with most power. Refusals: no_sensor, out_of_range. */
function bestReach(
  view: WorldView,
  faction: Row,
  poi: Eid,
): SensorReach | Failure<'no_sensor' | 'out_of_range'> {
  const sensors = serviceFacilities(view, faction, 'faction_sensor')
  if (sensors.length === 0) return fail('no_sensor')
  const reaches = sensors.flatMap((row) => reachOf(view, row, poi) ?? [])
  if (reaches.length === 0) return fail('out_of_range', { poi_id: poiId(view, poi) })
  return reaches.reduce((best, reach) => (reach.power > best.power ? reach : best))
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

export const scanPoi: CommandDef = mutation({
  name: 'faction_scan_poi',
  v2: { tool: 'game_intel', action: 'scan_poi' },
  summary: 'Scan a place from afar with the best sensor of your faction in range.',
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
    const reach = bestReach(world, factionOf(world, player), poi)
    if ('code' in reach) return reach
    const place = poiName(world, poi)
    const range = { poi, power: reach.power, max: SENSED_ROWS_MAX }
    const { contacts, hasSignature } = sensePlace(world, player, range)
    const pirates = piratesHere(world, poi).slice(0, SENSED_ROWS_MAX)
    const npcs = empireShipsHere(world, poi).slice(0, SENSED_ROWS_MAX)
    const others = pirates.length + npcs.length
    const message =
      contacts.length + others === 0
        ? `Nothing moves at ${place}.`
        : `${counted(contacts.length, 'pilot')} and ${counted(others, 'other')} detected at ${place}.`
    logAction(world, player, 'exploration', 'sensor_scan', message, { poi_id: poiId(world, poi) })
    return ok({
      poi_id: poiId(world, poi),
      poi_name: place,
      system_id: systemId(world, world.read(Poi).system[poi]),
      facility_station: baseName(world, reach.base),
      facility_level: reach.type.level,
      hops: reach.jumps,
      scan_power: reach.power,
      contacts,
      signature_detected: hasSignature,
      npcs: npcs.map((ship) => renderOfficial(world, ship)),
      pirates: pirates.map((ship) => renderPirate(world, ship)),
      message,
    })
  },
})
