/**
 * A battle as the public web API shows it, if it began at a charted place. Source: WEB 1.3, 3.
 */
import type { Capture, EndedParticipant } from '../../core/public/battle-log.ts'
import type { BattleSummary } from '../../core/public/past.ts'
import { isoTime } from '../../core/time.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { poiId, systemId, systemName } from '../travel/model.ts'
import { capturesOf, endedParticipants } from './log-model.ts'
import { battleId, battleKindOf } from './model.ts'
import type { Ending } from './report-state.ts'
import { Battle } from './state.ts'

/** Category of a battle by the kind that the players fight; the first kind present counts. */
const FOES = [
  ['pirate', 'pirate'],
  ['police', 'police'],
  ['creature', 'wildlife'],
] as const

/** Returns the public category of a battle, by the kinds that fought. */
function categoryOf(all: readonly EndedParticipant[]): string {
  const players = all.filter(({ kind }) => kind === 'player')
  if (players.length === 0) return 'npc'
  if (new Set(players.map(({ side_id }) => side_id)).size > 1) return 'pvp'
  const foe = FOES.find(([kind]) => all.some((one) => one.kind === kind))
  return foe ? foe[1] : 'pve'
}

/** Returns the names of those who have one: ships of the anonymous have none. */
const namesOf = (all: readonly EndedParticipant[]): string[] =>
  all.map(({ username }) => username).filter((name) => name !== '')

function sidesOf(all: readonly EndedParticipant[]): BattleSummary['sides'] {
  const ids = [...new Set(all.map(({ side_id }) => side_id))].sort((a, b) => a - b)
  return ids.map((side_id) => ({
    side_id,
    participants: namesOf(all.filter((one) => one.side_id === side_id)),
  }))
}

function topDamage(all: readonly EndedParticipant[]): Pick<BattleSummary, 'top_damage'> {
  const named = all.filter(({ username }) => username !== '')
  const max = Math.max(0, ...named.map(({ damage_dealt }) => damage_dealt))
  const top = named.find(({ damage_dealt }) => damage_dealt === max)
  return top && max > 0 ? { top_damage: { username: top.username, damage: max } } : {}
}

const renderCapture = (capture: Capture): BattleSummary['captures'][number] => ({
  tick: capture.tick,
  ship_class: capture.ship_class,
  ...(capture.former_owner_username === '' ? {} : { from: capture.former_owner_username }),
  ...(capture.captor_username === '' ? {} : { to: capture.captor_username }),
})

/** Renders a charted battle (strangerSeesBattle) as it is, or as it ends now. */
export function renderPublicBattle(view: WorldView, battle: Row, ending?: Ending): BattleSummary {
  const { system, origin, startTick, damage, destroyed, captured } = view.read(Battle)
  const all = endedParticipants(view, battle)
  return {
    battle_id: battleId(view, battle),
    system_id: systemId(view, system[battle]),
    system_name: systemName(view, system[battle]),
    origin_poi: poiId(view, origin[battle]),
    status: ending ? 'completed' : 'active',
    category: battleKindOf(view, battle) === 'arena' ? 'arena' : categoryOf(all),
    start_tick: startTick[battle],
    duration_ticks: view.tick - startTick[battle] + 1,
    participant_count: all.length,
    sides: sidesOf(all),
    total_damage: damage[battle],
    ships_destroyed: destroyed[battle],
    ships_captured: captured[battle],
    captures: capturesOf(view, battle).map(renderCapture),
    destroyed_names: namesOf(all.filter(({ survived }) => !survived)),
    player_names: namesOf(all.filter(({ kind }) => kind === 'player')),
    ...topDamage(all),
    ...(ending ? { outcome: ending.reason, ended_at: isoTime(view.wallMs) } : {}),
    ...(ending && ending.winner > 0 ? { winning_side: ending.winner } : {}),
  }
}
