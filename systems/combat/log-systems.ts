/**
 * The battle log: one row a tick and battle, archive text that no rule reads. What the ships did
 * is noted before anything becomes of them, losses and the end as they happen; the rows leave at
 * the end of phase fight. Source: combat.md section 16.
 */
import {
  BATTLE_LOG_ATTACKS_MAX,
  BATTLE_LOG_ATTACKS_MIN,
  BATTLE_LOG_ATTACKS_PER_TICK,
} from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Row, World } from '../../core/types.ts'
import { boardingNotes } from '../boarding/model.ts'
import type { BoardingNote } from '../boarding/state.ts'
import { DRAFTS, type Draft, type Entry } from './feed-state.ts'
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
} from './log-entries-systems.ts'
import { battles, combatantId, combatantName, participantsOf } from './model.ts'
import { draftOf, recordInLog } from './rules.ts'
import { ATTACK_FLAGS, Attack, Battle, FATES, Participant } from './state.ts'

/** Notes how a battle ended, and what is kept of it when its rows are gone. */
export function recordEnd(world: World, battle: Row, ended: Entry, summary: Entry): void {
  const draft = draftOf(world, battle)
  draft.ended = ended
  draft.summary = summary
}

/* What was fought */

const KINDS_OF_ROW = {
  commands: renderOrders,
  autopilot: renderAutopilot,
  zone_moves: renderMove,
  regen: renderRegrowth,
  fuel: renderFuel,
} as const
const FLED = FATES.indexOf('fled')

function recordJoins(world: World, battle: Row, rows: readonly Row[]): void {
  const { joinTick, side } = world.read(Participant)
  for (const row of rows) {
    if (joinTick[row] !== world.tick) continue
    const player_id = combatantId(world, row)
    const username = combatantName(world, row)
    recordInLog(world, battle, 'joins', { player_id, username, side_id: side[row] })
  }
}

/** Attacks of a battle, as far as its share reaches; returns how many were noted. */
function recordAttacks(world: World, battle: Row, share: number): number {
  const { firstAttack, attackCount } = world.read(Battle)
  const { flags } = world.read(Attack)
  const from = firstAttack[battle]
  const end = from + Math.min(share, attackCount[battle])
  for (let entry = from; entry < end; entry++) {
    const isBurn = (flags[entry] & ATTACK_FLAGS.burn) !== 0
    if (isBurn) recordInLog(world, battle, 'burns', renderBurn(world, entry))
    else recordInLog(world, battle, 'attacks', renderAttack(world, entry))
  }
  return end - from
}

function recordTurn(world: World, battle: Row, share: number): void {
  const rows = participantsOf(world, battle)
  recordJoins(world, battle, rows)
  const columns = world.write(Battle)
  if (columns.logged[battle] >= BATTLE_LOG_ATTACKS_MAX) return
  columns.logged[battle] += recordAttacks(world, battle, share)
  const { fate } = world.read(Participant)
  for (const row of rows.slice(0, share)) {
    for (const [list, render] of Object.entries(KINDS_OF_ROW)) {
      for (const entry of render(world, row)) recordInLog(world, battle, list, entry)
    }
    for (const entry of renderFlight(world, row, fate[row] === FLED)) {
      recordInLog(world, battle, 'flee', entry)
    }
    recordInLog(world, battle, 'snapshots', renderSnapshot(world, row))
  }
}

/** Notes what the kernels did, while everybody is still there. */
export const noting: SystemDef = {
  name: 'combat.note',
  phase: 'fight',
  writes: [Battle],
  run(world) {
    world.index(DRAFTS).clear()
    const fought = battles(world)
    const share = Math.max(
      BATTLE_LOG_ATTACKS_MIN,
      divFloor(BATTLE_LOG_ATTACKS_PER_TICK, Math.max(1, fought.length)),
    )
    for (const battle of fought) recordTurn(world, battle, share)
  },
}

function rowOf(draft: Draft, boarding: readonly BoardingNote[], tick: number) {
  const { battle, id, system, lists, ended, summary } = draft
  const entry = {
    battle_id: id,
    system_id: system,
    tick,
    ...lists,
    ...(boarding.length === 0 ? {} : { boarding }),
    ...(ended === undefined ? {} : { battle_ended: ended }),
  }
  return { battle, tick, entry, ...(summary === undefined ? {} : { summary }) }
}

/** Hands the rows of the tick to the archive, in order of the battles. */
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
