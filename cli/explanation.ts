/**
 * What happened to one player, batch by batch, as a world is replayed: what they sent and were
 * answered, which rows of theirs changed, and why, as the batch itself tells: its log entries, the
 * stages of its battles, its events, and commands of others that name what is theirs.
 */
import type { ArchivedAction, ArchivedTurn } from '../core/archive-calls.ts'
import type { Engine } from '../core/engine.ts'
import type { Answer, JournalRow, PublishedBatch } from '../core/ports.ts'
import type { Eid, JournalInput } from '../core/types.ts'
import { wholeEmission } from '../core/wire/packed.ts'
import { playerId, usernameOf } from '../systems/account/model.ts'
import { combatantId } from '../systems/combat/model.ts'
import { ShipCombat } from '../systems/combat/state.ts'
import { activeShip } from '../systems/ship/model.ts'
import { battleCauses, type Cause, type Named } from './battle-causes.ts'
import {
  type Belongings,
  createFinder,
  diffBelongings,
  idsOf,
  type RowChange,
} from './belongings.ts'
import { brief, plain, shown } from './shown.ts'

interface Sent {
  readonly command: string
  readonly params: unknown
  readonly channel: string
}

interface Answered {
  readonly command: string
  readonly ok: boolean
  readonly code?: string
  readonly text: string
  readonly result?: unknown
}

export interface Happening {
  readonly tick: number
  readonly batch: number
  /** Place of a batch of immediates behind its tick; 0 for the tick itself. */
  readonly part: number
  readonly at: string
  readonly sent: readonly Sent[]
  readonly answered: readonly Answered[]
  readonly changed: readonly RowChange[]
  readonly why: readonly Cause[]
}

/** ours: a player in the largest battle is in some hundred entries of a tick. */
const CAUSES_MAX = 200
const ROWS_MAX = 100

export interface Explainer {
  /** Tells of the batch that has just been replayed; undefined: nothing of it is the player's. */
  observe(row: JournalRow, batch: PublishedBatch): Happening | undefined
}

const sentBy = (inputs: readonly JournalInput[], number: number): Sent[] =>
  inputs
    .filter(({ player }) => player === number)
    .map(({ command, params, framing }) => ({ command, params: shown(params), channel: framing }))

function answerOf({ command, outcome }: Answer): Answered {
  if (!outcome.ok) {
    return {
      command,
      ok: false,
      code: outcome.code,
      text: plain(`${outcome.code}: ${outcome.message}`),
    }
  }
  const result = shown(outcome.result)
  return { command, ok: true, text: plain(brief(outcome.result)), result }
}

/** Returns true where a text, or one in a list or object, names one of these. */
function names(value: unknown, mine: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return mine.has(value.toLowerCase())
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((entry) => names(entry, mine))
}

function logCause({ eventType, summary, data = {} }: ArchivedAction): Cause {
  const { delta, balance } = data as { delta?: number; balance?: number }
  const sum =
    delta === undefined ? '' : ` (credits ${delta > 0 ? '+' : ''}${delta}, balance ${balance})`
  return { kind: 'log', text: plain(`[${eventType}] ${summary}${sum}`), data: shown(data) }
}

/** Returns the sum of what the log says of the wallet. */
function loggedCredits(rows: readonly ArchivedAction[]): number {
  return rows.reduce((sum, { data }) => sum + Number(data?.delta ?? 0), 0)
}

/** A movement of the wallet that no entry accounts for. */
function walletGap(changed: readonly RowChange[], rows: readonly ArchivedAction[]): Cause[] {
  const wallet = changed
    .flatMap(({ table, values }) => (table === 'player' ? values : []))
    .find(({ column }) => column === 'wallet (credits)')
  const moved = wallet ? Number(wallet.after ?? 0) - Number(wallet.before ?? 0) : 0
  const rest = moved - loggedCredits(rows)
  if (rest === 0) return []
  return [
    { kind: 'ledger', text: `${rest} credits of the wallet moved without an entry of the log` },
  ]
}

/** Begins with the world as it is now; the player need not be there yet. */
export function createExplainer({ world, registry }: Engine, number: number): Explainer {
  const find = createFinder(registry)
  const playerRow = (): Eid => world.rowOf(registry.players.table, number)
  const belongings = (): Belongings => {
    const player = playerRow()
    return player === 0 ? new Map() : find(world, player)
  }
  let before = belongings()
  const combatants: Named = new Map()
  /** What they are named by in a battle: of an anonymous one it is the hull. */
  const combatant = (player: Eid): string[] => {
    const row = world.read(ShipCombat).participant[activeShip(world, player)]
    return row === 0 ? [] : [combatantId(world, row)]
  }
  const nameOf = (other: number): string => {
    const row = world.rowOf(registry.players.table, other)
    return row === 0 ? `player ${other}` : usernameOf(world, row)
  }

  /** Commands of others that name the player, or what was theirs before or is now. */
  const othersOf = (
    row: JournalRow,
    { answers }: PublishedBatch,
    mine: ReadonlySet<string>,
  ): { causes: Cause[]; players: ReadonlySet<number> } => {
    const named = row.inputs.filter(
      ({ player, params }) => player !== 0 && player !== number && names(params, mine),
    )
    const causes = named.map(({ player, command, params, ref }): Cause => {
      const answer = answers.find((one) => one.ref === ref)
      const how = !answer ? '' : answer.outcome.ok ? ', done' : `, refused: ${answer.outcome.code}`
      return {
        kind: 'other',
        text: plain(`${nameOf(player)} sent ${command} ${brief(params)}${how}`),
        data: { command, params: shown(params), by: nameOf(player) },
      }
    })
    return { causes, players: new Set(named.map(({ player }) => player)) }
  }

  const serverOf = ({ inputs }: JournalRow): Cause[] =>
    inputs
      .filter(({ player, params }) => player === 0 && params.player === number)
      .map(({ command, params }) => ({
        kind: 'server',
        text: plain(`${command} ${brief(params)}`),
        data: shown(params),
      }))

  return {
    observe(row, batch) {
      const after = belongings()
      const was = before
      before = after
      const player = playerRow()
      const changed = was.size === 0 && after.size === 0 ? [] : diffBelongings(was, after)
      const own = player === 0 ? [] : [playerId(world, player), usernameOf(world, player)]
      const fighters = player === 0 ? [] : combatant(player)
      const mine = new Set(
        [...own, ...fighters, ...idsOf(was), ...idsOf(after)].map((text) => text.toLowerCase()),
      )
      const { writes } = world.outbox
      const actions = writes.flatMap((write) =>
        write.method === 'logActions' ? (write.args.rows as readonly ArchivedAction[]) : [],
      )
      const turns = writes.flatMap((write) =>
        write.method === 'logBattles' ? (write.args.rows as readonly ArchivedTurn[]) : [],
      )
      const ownRows = actions.filter((one) => one.player === number && one.factionId === undefined)
      const { causes: others, players } = othersOf(row, batch, mine)
      const theirs = actions
        .filter((one) => players.has(one.player))
        .map((one): Cause => {
          const { text, data } = logCause(one)
          return { kind: 'other', text: `${plain(nameOf(one.player))}: ${text}`, data }
        })
      const events = batch.emissions
        .filter(({ to }) => to.includes(number))
        .map((emission): Cause => {
          const { type, payload } = wholeEmission(emission)
          return { kind: 'event', text: plain(`${type} ${brief(payload)}`), data: shown(payload) }
        })
      const why = [
        ...serverOf(row),
        ...others,
        ...theirs,
        ...battleCauses(turns, mine, combatants),
        ...ownRows.map(logCause),
        ...walletGap(changed, ownRows),
        ...events,
      ]
      const sent = sentBy(row.inputs, number)
      const answered = batch.answers.filter((one) => one.player === number).map(answerOf)
      if (sent.length + answered.length + changed.length + why.length === 0) return undefined
      const { tick, part } = row
      const at = new Date(row.wallMs).toISOString()
      return {
        ...{ tick, batch: row.batch, part, at, sent, answered },
        changed: changed.slice(0, ROWS_MAX),
        why: why.slice(0, CAUSES_MAX),
      }
    },
  }
}
