/**
 * The battle log: one row for a battle and tick, for the archive; no rule reads it. What ships did
 * is recorded while all still exist, losses and the end as they happen; the rows are sent to the
 * archive at the end of phase fight. Source: combat.md section 16.
 */
import type { ArchivedTurn } from '../../core/archive-calls.ts'
import {
  BATTLE_LOG_ATTACKS_MAX,
  BATTLE_LOG_ATTACKS_MIN,
  BATTLE_LOG_ATTACKS_PER_TICK,
} from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import type { SystemDef } from '../../core/system.ts'
import { usernameKey } from '../../core/text-rules.ts'
import type { Row, World } from '../../core/types.ts'
import { boardingNotes } from '../boarding/model.ts'
import type { BoardingNote } from '../boarding/state.ts'
import { recordInLog } from './log-model.ts'
import { battles, combatantId, combatantName, participantsOf } from './model.ts'
import { type BattleLogDraft, DRAFTS } from './report-state.ts'
import { ATTACK_FLAGS, Attack, Battle, Participant } from './state.ts'
import {
  renderAttack,
  renderAutopilot,
  renderBurn,
  renderFlight,
  renderFuel,
  renderMove,
  renderOrders,
  renderRegrowth,
  renderSnapshot,
} from './views.ts'

/** Lists of the log that have at most one entry for each participant, in their order in a row. */
const RENDERERS = {
  autopilot: renderAutopilot,
  zone_moves: renderMove,
  regen: renderRegrowth,
  fuel: renderFuel,
  flee: renderFlight,
} as const

function recordJoins(world: World, battle: Row, rows: readonly Row[]): void {
  const { joinTick, side } = world.read(Participant)
  for (const row of rows) {
    if (joinTick[row] !== world.tick) continue
    const player_id = combatantId(world, row)
    const username = combatantName(world, row)
    recordInLog(world, battle, 'joins', { player_id, username, side_id: side[row] })
  }
}

/** Records at most `max` attacks of a battle; returns how many it has recorded. */
function recordAttacks(world: World, battle: Row, max: number): number {
  const { firstAttack, attackCount } = world.read(Battle)
  const { flags } = world.read(Attack)
  const from = firstAttack[battle]
  const end = from + Math.min(max, attackCount[battle])
  for (let entry = from; entry < end; entry++) {
    const isBurn = (flags[entry] & ATTACK_FLAGS.burn) !== 0
    if (isBurn) recordInLog(world, battle, 'burns', renderBurn(world, entry))
    else recordInLog(world, battle, 'attacks', renderAttack(world, entry))
  }
  return end - from
}

/** Records a tick of a battle, with at most `max` attacks and as many ships. */
function recordFight(world: World, battle: Row, max: number): void {
  const rows = participantsOf(world, battle)
  recordJoins(world, battle, rows)
  const columns = world.write(Battle)
  if (columns.logged[battle] >= BATTLE_LOG_ATTACKS_MAX) return
  columns.logged[battle] += recordAttacks(world, battle, max)
  for (const row of rows.slice(0, max)) {
    for (const order of renderOrders(world, row)) recordInLog(world, battle, 'commands', order)
    for (const [list, render] of Object.entries(RENDERERS)) {
      const entry = render(world, row)
      if (entry) recordInLog(world, battle, list, entry)
    }
    recordInLog(world, battle, 'snapshots', renderSnapshot(world, row))
  }
}

/** Records what the kernels did, while all ships still exist. */
export const recording: SystemDef = {
  name: 'combat.note',
  phase: 'fight',
  writes: [Battle],
  run(world) {
    world.index(DRAFTS).clear()
    const fought = battles(world)
    const max = Math.max(
      BATTLE_LOG_ATTACKS_MIN,
      divFloor(BATTLE_LOG_ATTACKS_PER_TICK, Math.max(1, fought.length)),
    )
    for (const battle of fought) recordFight(world, battle, max)
  },
}

/** Returns the name keys by which a battle is found. */
const keysOf = (names: readonly string[]): string[] => [...new Set(names.map(usernameKey))].sort()

function rowOf(
  draft: BattleLogDraft,
  boarding: readonly BoardingNote[],
  tick: number,
): ArchivedTurn {
  const { battle, id, system, lists, isCharted, ended, summary, publicSummary } = draft
  const entry = {
    battle_id: id,
    system_id: system,
    tick,
    ...lists,
    ...(boarding.length === 0 ? {} : { boarding }),
    ...(ended === undefined ? {} : { battle_ended: ended }),
  }
  return {
    battle,
    tick,
    kills: isCharted ? (lists.kills?.length ?? 0) : 0,
    entry,
    ...(summary === undefined ? {} : { summary }),
    ...(publicSummary === undefined
      ? {}
      : { told: publicSummary, names: keysOf(publicSummary.player_names ?? []) }),
  }
}

/** Writes the rows of the tick to the archive, in the order of the battles. */
export const logging: SystemDef = {
  name: 'combat.log',
  phase: 'fight',
  writes: [],
  run(world) {
    const drafts = [...world.index(DRAFTS)].sort(([, a], [, b]) => a.battle - b.battle)
    world.index(DRAFTS).clear()
    if (drafts.length === 0) return
    const rows = drafts.map(([battle, draft]) =>
      rowOf(draft, boardingNotes(world, battle), world.tick),
    )
    world.outbox.writes.push({ method: 'logBattles', args: { rows } })
  },
}
