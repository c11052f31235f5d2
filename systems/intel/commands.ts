/** Adding to what one's faction knows: submissions of members. Source: factions.md section 6. */
import { type CommandDef, mutation } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { divFloor } from '../../core/math.ts'
import { ints, obj, strings } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { factionOf, factionTag, recordFactionLog } from '../faction/model.ts'
import { IN_FACTION } from '../faction/needs.ts'
import { Faction } from '../faction/state.ts'
import { logAction } from '../log/rules.ts'
import type { SeenExchange } from '../market/schemas.ts'
import { keepSeen, mayKeep } from '../market/sight-model.ts'
import { levelOfService, mayKeepNotes } from './model.ts'
import { keepNotes, keepPrices } from './rules.ts'
import { stationsParam, systemsParam } from './schemas.ts'
import { judgeStations, judgeSystems } from './shared-model.ts'
import { FACT_KINDS, type Fact, type FactKind, PriceNote } from './state.ts'

const FULL = 'No more can be kept at the moment; submit less.'

const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`

/** What an answer and the logs say. */
function submissionMessage(kept: number, what: string, gone: number): string {
  const lost = gone === 0 ? '' : ` The oldest gave way: ${gone}.`
  return `${count(kept, what)} written down.${lost}`
}

/** Both logs of a submission. */
function logSubmission(world: World, player: Eid, verb: string, message: string): void {
  logAction(world, player, 'faction', verb, message)
  const summary = `${usernameOf(world, player)}: ${message}`
  recordFactionLog(world, factionOf(world, player), player, { verb, summary })
}

export const submitIntel: CommandDef = mutation({
  name: 'faction_submit_intel',
  v2: { tool: 'game_intel', action: 'submit_intel' },
  summary: 'Write down what you know of systems for your faction; the newest of each is kept.',
  category: 'faction',
  order: 'plain',
  needs: [IN_FACTION],
  changes: [],
  params: obj({ systems: systemsParam }),
  result: obj({ ...ints('count'), ...strings('message', 'status') }),
  errors: ['no_intel_facility', 'invalid_payload', 'too_long', 'limit_reached'],
  run(world, player, { systems }) {
    const faction = factionOf(world, player)
    if (levelOfService(world, faction, 'faction_intel') === 0) return fail('no_intel_facility')
    const judged = judgeSystems(world, systems)
    if (!judged.ok) return judged
    const notes = judged.result
    if (!mayKeepNotes(world, faction, notes)) return fail('limit_reached', undefined, FULL)
    const message = submissionMessage(notes.length, 'system', keepNotes(world, player, notes))
    logSubmission(world, player, 'intel_submitted', message)
    return ok({ count: notes.length, message, status: 'submitted' })
  },
})

/** Refusal: limit_reached. */
function pricesRefusal(view: WorldView, stations: readonly SeenExchange[]) {
  const quotes = stations.reduce((sum, { items }) => sum + items.length, 0)
  const isRoom = view.roomIn(PriceNote) >= stations.length && mayKeep(view, quotes, stations.length)
  return isRoom ? ok(null) : fail('limit_reached', undefined, FULL)
}

function keepStations(world: World, player: Eid, stations: readonly SeenExchange[]): number {
  let gone = 0
  for (const seen of stations) {
    const sight = keepSeen(world, seen)
    const { base, items } = seen
    gone += keepPrices(world, player, { base, sight, quotes: items.length, isGiven: true })
  }
  return gone
}

export const submitTradeIntel: CommandDef = mutation({
  name: 'faction_submit_trade_intel',
  v2: { tool: 'game_intel', action: 'submit_trade_intel' },
  summary: 'Write down prices of stations for your faction; the newest of each station are kept.',
  category: 'faction',
  order: 'plain',
  needs: [IN_FACTION],
  changes: [],
  params: obj({ stations: stationsParam }),
  result: obj({ ...ints('stations_updated'), ...strings('message', 'status') }),
  errors: ['no_trade_ledger', 'invalid_payload', 'too_long', 'limit_reached'],
  run(world, player, { stations }) {
    const faction = factionOf(world, player)
    if (levelOfService(world, faction, 'faction_trade_intel') === 0) return fail('no_trade_ledger')
    const judged = judgeStations(world, stations)
    if (!judged.ok) return judged
    const seen = judged.result
    const refused = pricesRefusal(world, seen)
    if (!refused.ok) return refused
    const message = submissionMessage(seen.length, 'station', keepStations(world, player, seen))
    logSubmission(world, player, 'trade_intel_submitted', message)
    return ok({ stations_updated: seen.length, message, status: 'submitted' })
  },
})

/* What a listener brings home, in words. Source: factions.md section 6, espionage. */

const SOURCES: Readonly<Record<FactKind, readonly string[]>> = {
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

const NOTHING: readonly string[] = [
  'Four hours of a card game, and nobody lost their temper. Nothing to report.',
  'The microphone works. It has recorded a pump, a second pump, and a man who hums.',
  'Your contact sends regards, a cold, and no news.',
  'The waste bins of the harbour office held fish bones and an apology. Not to you.',
  'Everybody was discreet today. It made the room very quiet.',
]

const SPOTTED: readonly string[] = [
  'The waiter put down a glass you had not ordered. Under it lay a photograph of you.',
  'Two people followed you home, and wanted you to know it.',
  'The umbrella you left for repair came back with your real name on the ticket.',
  'A child asked, loudly, why you had been reading the same page for an hour.',
]

const LEFT: readonly string[] = [
  'You were gone before your contact came. The chair was still warm.',
  'The message arrived at an empty table.',
]

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

/** Who did it, as a listener learns it: those who do not show their name are not named. */
function whoOf(view: WorldView, fact: Fact): string {
  const player = view.rowOf(Player, fact.by)
  if (fact.isUnnamed || player === 0) return 'somebody who left no name'
  const faction = fact.faction === 0 ? 0 : view.rowOf(Faction, fact.faction)
  const tag = faction === 0 ? '' : ` [${factionTag(view, faction)}]`
  return `${usernameOf(view, player)}${tag}`
}

function whenOf(view: WorldView, { tick }: Fact): string {
  const hours = divFloor(view.tick - tick, HOUR_TICKS)
  if (hours === 0) return 'within the hour'
  return hours === 1 ? 'an hour ago' : `${counted(hours, 'hour')} ago`
}

const one = (texts: readonly string[], random: number): string => texts[random % texts.length]

/** A fact as a story; `random` is a u32. */
export function notifyFact(view: WorldView, fact: Fact, random: number): string {
  const text = fill(one(SOURCES[FACT_KINDS[fact.kind]], random), {
    who: whoOf(view, fact),
    when: whenOf(view, fact),
    what: fact.what,
    sum: String(fact.credits),
  })
  return text.replace(/(^|[.!?] )([a-z])/g, (_, before: string, first: string) => {
    return before + first.toUpperCase()
  })
}

export const notifyNothing = (random: number): string => one(NOTHING, random)
export const notifySpotted = (random: number): string => one(SPOTTED, random)
export const notifyLeft = (random: number): string => one(LEFT, random)
