/** Feed events of fights on the chart: who fights whom, who is destroyed. Source: WEB 2. */
import type { ArchivedTurn } from '../../core/archive-calls.ts'
import { PIRATES } from '../../core/catalog/index.ts'
import type { Static } from '../../core/params.ts'
import type { LogRow } from '../../core/public/battle-log.ts'
import type { Eid, Outbox, WorldView } from '../../core/types.ts'
import { playerById } from '../account/model.ts'
import { Player } from '../account/state.ts'
import type { playerDied } from '../combat/schemas.ts'
import { Battle } from '../combat/state.ts'
import type { pirateDestroyed } from '../npc/schemas.ts'
import { strangerSeesBattle, strangerSeesPlace, strangerSightOf } from '../sensing/model.ts'
import type { baseDestroyed } from '../siege/schemas.ts'
import { poiName, poisOf, systemById, systemName } from '../travel/model.ts'
import { Location } from '../travel/state.ts'
import { type PublicEvent, publicEvent, publicNameOf, UNKNOWN_PILOT } from './public-event-views.ts'

/** A log row of a battle that strangers may know of. */
interface ChartedTurn {
  readonly turn: ArchivedTurn
  readonly row: LogRow
}

/** Limits of the events of a kind published in a tick. */
const COMBATS_MAX = 10
const PIRATES_MAX = 10
/** Lowest rank of a pirate whose destruction is published. */
const NOTABLE_RANK_MIN = 3

/** Returns the log rows that a batch has written about battles on the chart. */
export function chartedTurns(view: WorldView, { writes }: Outbox): ChartedTurn[] {
  const found: ChartedTurn[] = []
  for (const write of writes) {
    if (write.method !== 'logBattles') continue
    for (const turn of write.args.rows) {
      const battle = turn.told ? 0 : view.rowOf(Battle, turn.battle)
      const isCharted =
        turn.told !== undefined || (battle !== 0 && strangerSeesBattle(view, battle))
      if (isCharted) found.push({ turn, row: turn.entry as LogRow })
    }
  }
  return found
}

interface Fighter {
  readonly player_id: string
  readonly username: string
  readonly side_id: number
}

/** Returns the name of a side: of its first fighter who has one, players first. */
function sideName(view: WorldView, side: readonly Fighter[]): string {
  const named = side.filter(({ username }) => username !== '')
  const player = named.find(({ player_id }) => playerById(view, player_id) !== 0)
  return (player ?? named[0])?.username ?? UNKNOWN_PILOT
}

/** Returns the event of two sides in combat; undefined if there is only one side. */
function combatOf(
  view: WorldView,
  fighters: readonly Fighter[],
  winningSide = 0,
): PublicEvent | undefined {
  const ids = [...new Set(fighters.map(({ side_id }) => side_id))].sort((a, b) => a - b)
  if (ids.length < 2) return undefined
  const sideOf = (id: number) => fighters.filter(({ side_id }) => side_id === id)
  const [attacker, defender] = ids.slice(0, 2).map((id) => sideName(view, sideOf(id)))
  const winners = sideOf(winningSide)
  const winner = winners.length > 0 ? { winner: sideName(view, winners) } : {}
  const players = fighters
    .filter(({ username }) => [attacker, defender, winner.winner].includes(username))
    .map(({ player_id }) => playerById(view, player_id))
  return publicEvent(view, 'combat', { attacker, defender, ...winner }, players)
}

/** Returns events of battles that begin and that end. */
export function combatEvents(view: WorldView, turns: readonly ChartedTurn[]): PublicEvent[] {
  const { startTick } = view.read(Battle)
  const events: PublicEvent[] = []
  for (const { turn, row } of turns) {
    const { battle_ended: ended, joins = [] } = row
    const hasBegun = !ended && startTick[view.rowOf(Battle, turn.battle)] === turn.tick
    const event = ended
      ? combatOf(view, ended.participants, ended.winning_side)
      : hasBegun && combatOf(view, joins)
    if (event) events.push(event)
    if (events.length === COMBATS_MAX) break
  }
  return events
}

type Died = Static<typeof playerDied.fields>

/** Returns whether every place of a name in a system is on the chart. */
function isNamedOnChart(view: WorldView, system: Eid, name: string): boolean {
  const pois = poisOf(view, system).filter((poi) => poiName(view, poi) === name)
  return pois.length > 0 && pois.every((poi) => strangerSeesPlace(view, poi))
}

/** Returns events of players who lost their ship in a battle on the chart, at a place on it. */
export function deathEvents(
  view: WorldView,
  { emissions }: Outbox,
  turns: readonly ChartedTurn[],
): PublicEvent[] {
  const fought = new Map<string, Eid>()
  for (const { row } of turns) {
    const system = systemById(view, row.system_id)
    if (row.kills) fought.set(systemName(view, system), system)
  }
  const events: PublicEvent[] = []
  for (const { type, payload, audience } of emissions) {
    if (type !== 'player_died' || audience.kind !== 'player') continue
    const { cause, killer_id = '', killer_name = '', combat_log: log } = payload as Died
    const system = log && log.combat_rounds > 0 ? fought.get(log.death_system) : undefined
    if (!log || !system || !isNamedOnChart(view, system, log.death_location)) continue
    const victim = publicNameOf(view, audience.row)
    const killer = killer_name === '' ? {} : { killer: killer_name }
    const data = { victim, system_name: log.death_system, cause, ...killer }
    const killers = killer_id === '' ? [] : [playerById(view, killer_id)]
    events.push(publicEvent(view, 'player_destroyed', data, [audience.row, ...killers]))
  }
  return events
}

/** Returns whether strangers see a player at a place on the chart, and by name. */
export function isSeenNamed(view: WorldView, player: Eid): boolean {
  const ship = view.read(Player).ship[player]
  return (
    ship !== 0 &&
    strangerSightOf(view, player) === 'full' &&
    strangerSeesPlace(view, view.read(Location).poi[ship])
  )
}

/** Returns events of notable pirates destroyed, by hunters who are publicly visible. */
export function pirateEvents(view: WorldView, { emissions }: Outbox): PublicEvent[] {
  const events: PublicEvent[] = []
  for (const { type, payload, audience } of emissions) {
    if (type !== 'pirate_destroyed' || audience.kind !== 'player') continue
    const { pirate_name, pirate_role, is_boss } = payload as Static<typeof pirateDestroyed.fields>
    const rank = PIRATES.find(({ role }) => role === pirate_role)?.rank ?? 0
    if ((!is_boss && rank < NOTABLE_RANK_MIN) || !isSeenNamed(view, audience.row)) continue
    const system = view.read(Location).system[view.read(Player).ship[audience.row]]
    const killer = publicNameOf(view, audience.row)
    const data = { killer, pirate_name, pirate_tier: rank, is_boss }
    const where = { system_name: systemName(view, system) }
    events.push(publicEvent(view, 'pirate_destroyed', { ...data, ...where }, [audience.row]))
    if (events.length === PIRATES_MAX) break
  }
  return events
}

/** Returns events of stations on the chart that are wrecked. */
export function wreckEvents(view: WorldView, { emissions }: Outbox): PublicEvent[] {
  const events: PublicEvent[] = []
  for (const { type, payload, audience } of emissions) {
    if (type !== 'base_destroyed' || audience.kind !== 'poi') continue
    if (!strangerSeesPlace(view, audience.row)) continue
    const { base_name, attacker_id, attacker_name } = payload as Static<typeof baseDestroyed.fields>
    const attacker = attacker_name === '' ? {} : { attacker: attacker_name }
    const players = attacker_name === '' ? [] : [playerById(view, attacker_id)]
    events.push(publicEvent(view, 'base_destroyed', { base_name, ...attacker }, players))
  }
  return events
}
