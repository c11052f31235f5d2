/** Adding to what one's faction knows: submissions of members. Source: factions.md section 6. */
import { type CommandDef, mutation } from '../../core/command.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { ints, obj, strings } from '../../core/params.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/rules.ts'
import { factionOf, IN_FACTION, noteFactionLog } from '../faction/rules.ts'
import { logAction } from '../log/rules.ts'
import { keepSeen, mayKeep, type SeenExchange } from '../market/sight-rules.ts'
import { PriceNote } from './columns.ts'
import { judgeStations, judgeSystems } from './given-rules.ts'
import { levelOfService } from './level-rules.ts'
import { keepNotes, mayKeepNotes } from './note-rules.ts'
import { keepPrices } from './price-rules.ts'
import { stationsParam, systemsParam } from './schemas.ts'

const FULL = 'No more can be kept at the moment; submit less.'

const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`

/** What an answer and the logs say. */
function said(kept: number, what: string, gone: number): string {
  const lost = gone === 0 ? '' : ` The oldest gave way: ${gone}.`
  return `${count(kept, what)} written down.${lost}`
}

/** Both logs of a submission. */
function logSubmission(world: World, player: Eid, verb: string, message: string): void {
  logAction(world, player, 'faction', verb, message)
  const summary = `${usernameOf(world, player)}: ${message}`
  noteFactionLog(world, factionOf(world, player), player, { verb, summary })
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
    const message = said(notes.length, 'system', keepNotes(world, player, notes))
    logSubmission(world, player, 'intel_submitted', message)
    return ok({ count: notes.length, message, status: 'submitted' })
  },
})

/** Refusal: limit_reached. */
function refusesPrices(view: WorldView, stations: readonly SeenExchange[]): Outcome<null> {
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
  errors: ['no_trade_ledger', 'invalid_payload', 'limit_reached'],
  run(world, player, { stations }) {
    const faction = factionOf(world, player)
    if (levelOfService(world, faction, 'faction_trade_intel') === 0) return fail('no_trade_ledger')
    const judged = judgeStations(world, stations)
    if (!judged.ok) return judged
    const seen = judged.result
    const refused = refusesPrices(world, seen)
    if (!refused.ok) return refused
    const message = said(seen.length, 'station', keepStations(world, player, seen))
    logSubmission(world, player, 'trade_intel_submitted', message)
    return ok({ stations_updated: seen.length, message, status: 'submitted' })
  },
})
