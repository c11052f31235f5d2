/**
 * Explains what happened to one player, batch by batch, while a world is replayed: what they sent,
 * the answers, which of their rows changed, and why. The reasons come from the batch: log entries,
 * the stages of battles, events, and commands of others that name something of the player.
 */
import type { ArchivedAction, ArchivedTurn } from '../core/archive-calls.ts'
import type { Engine } from '../core/engine.ts'
import type { Answer, JournalRow, PublishedBatch } from '../core/ports.ts'
import type { Eid, JournalInput, World } from '../core/types.ts'
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
  /** Which batch of immediates after its tick; 0 for the tick itself. */
  readonly part: number
  readonly at: string
  readonly sent: readonly Sent[]
  readonly answered: readonly Answered[]
  readonly changed: readonly RowChange[]
  readonly why: readonly Cause[]
  /** Changes and causes beyond those listed; absent: none. */
  readonly leftOut?: number
}

/** ours: a player in the largest battle is in about a hundred entries per tick. */
const CAUSES_MAX = 200
const ROWS_MAX = 100

interface Explainer {
  /** Explains the batch that has just been replayed; undefined if it did not concern the player. */
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

/** Returns whether a value, or one nested in it, is one of these names or ids. */
function mentions(value: unknown, mine: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return mine.has(value.toLowerCase())
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((entry) => mentions(entry, mine))
}

function logCause({ eventType, summary, data = {} }: ArchivedAction): Cause {
  const { delta, balance } = data as { delta?: number; balance?: number }
  const sum =
    delta === undefined ? '' : ` (credits ${delta > 0 ? '+' : ''}${delta}, balance ${balance})`
  return { kind: 'log', text: plain(`[${eventType}] ${summary}${sum}`), data: shown(data) }
}

/** Returns the sum of all changes to the wallet in the log. */
function loggedCredits(rows: readonly ArchivedAction[]): number {
  return rows.reduce((sum, { data }) => sum + Number(data?.delta ?? 0), 0)
}

/** Returns the part of a change to the wallet that no log entry accounts for. */
function walletGap(changed: readonly RowChange[], rows: readonly ArchivedAction[]): Cause[] {
  const wallet = changed
    .flatMap(({ table, values }) => (table === 'player' ? values : []))
    .find(({ column }) => column === 'wallet (credits)')
  const moved = wallet ? Number(wallet.after ?? 0) - Number(wallet.before ?? 0) : 0
  const rest = moved - loggedCredits(rows)
  if (rest === 0) return []
  return [{ kind: 'ledger', text: `${rest} credits of the wallet moved without a log entry` }]
}

/** What a batch wrote to the logs of players and battles. */
interface BatchLogs {
  readonly actions: readonly ArchivedAction[]
  readonly turns: readonly ArchivedTurn[]
}

const logsOf = ({ outbox }: World): BatchLogs => ({
  actions: outbox.writes.flatMap((write) =>
    write.method === 'logActions' ? (write.args.rows as readonly ArchivedAction[]) : [],
  ),
  turns: outbox.writes.flatMap((write) =>
    write.method === 'logBattles' ? (write.args.rows as readonly ArchivedTurn[]) : [],
  ),
})

interface Seen {
  readonly row: JournalRow
  readonly batch: PublishedBatch
  readonly number: number
  /** Ids and name of the player, and ids of their belongings, before or after the batch. */
  readonly mine: ReadonlySet<string>
  nameOf(player: number): string
}

/** Lists commands of others that name something of the player, and log entries of those others. */
function otherCauses({ row, batch, number, mine, nameOf }: Seen, { actions }: BatchLogs): Cause[] {
  const named = row.inputs.filter(
    ({ player, params }) => player !== 0 && player !== number && mentions(params, mine),
  )
  const sent = named.map(({ player, command, params, ref }): Cause => {
    const answer = batch.answers.find((one) => one.ref === ref)
    const how = !answer ? '' : answer.outcome.ok ? ', done' : `, refused: ${answer.outcome.code}`
    return {
      kind: 'other',
      text: plain(`${nameOf(player)} sent ${command} ${brief(params)}${how}`),
      data: { command, params: shown(params), by: nameOf(player) },
    }
  })
  const players = new Set(named.map(({ player }) => player))
  const logged = actions
    .filter((action) => players.has(action.player))
    .map((action): Cause => {
      const { text, data } = logCause(action)
      return { kind: 'other', text: `${plain(nameOf(action.player))}: ${text}`, data }
    })
  return [...sent, ...logged]
}

/** Matches the place in the summary of a market's log entry. */
const TRADED = / at (.+?)(?: for [\d,]+ credits?\.| at [\d,]+ each[.;])/
/** Matches the side of the trade in the type of the entry. */
const TRADES = /\b(buy|sell)(_filled)?$/

/** Returns side and goods of a trade in the log, to match both sides; undefined if it is none. */
function tradeOf({ eventType, summary, data }: ArchivedAction) {
  const side = TRADES.exec(eventType)?.[1]
  const place = TRADED.exec(summary)?.[1]
  if (!side || !place || !/^(trading|faction\.market)\./.test(eventType)) return undefined
  return { side, goods: `${String(data?.item_id)} ${place}` }
}

/** Lists the log entries of those who traded the player's goods there on the other side. */
function partnerCauses({ number, nameOf }: Seen, { actions }: BatchLogs): Cause[] {
  const own = actions.flatMap((one) => (one.player === number ? (tradeOf(one) ?? []) : []))
  return actions.flatMap((one): Cause[] => {
    const trade = one.player === number ? undefined : tradeOf(one)
    if (!trade || !own.some(({ side, goods }) => goods === trade.goods && side !== trade.side)) {
      return []
    }
    const { text, data } = logCause(one)
    return [{ kind: 'other', text: `${plain(nameOf(one.player))}: ${text}`, data }]
  })
}

/** Lists the log entries of factions: what the player did, and what concerns their own faction. */
function factionCauses({ number, mine, nameOf }: Seen, { actions }: BatchLogs): Cause[] {
  return actions
    .filter(({ factionId, player }) => {
      return factionId !== undefined && (player === number || mine.has(factionId.toLowerCase()))
    })
    .map((one) => {
      const { text, data } = logCause(one)
      const who = one.player === number ? '' : `${plain(nameOf(one.player))}: `
      return { kind: one.player === number ? 'log' : 'other', text: who + text, data }
    })
}

/** Lists inputs of the server that concern the player: logins, and actions of operators. */
const serverCauses = ({ row, number }: Seen): Cause[] =>
  row.inputs
    .filter(({ player, params }) => player === 0 && params.player === number)
    .map(({ command, params }) => ({
      kind: 'server',
      text: plain(`${command} ${brief(params)}`),
      data: shown(params),
    }))

const eventCauses = ({ batch, number }: Seen): Cause[] =>
  batch.emissions
    .filter(({ to }) => to.includes(number))
    .map((emission) => {
      const { type, payload } = wholeEmission(emission)
      return { kind: 'event', text: plain(`${type} ${brief(payload)}`), data: shown(payload) }
    })

/** Returns the id of the player in a battle; of an anonymous player, that of the hull. */
function combatantIds(world: World, player: Eid): string[] {
  const row = world.read(ShipCombat).participant[activeShip(world, player)]
  return row === 0 ? [] : [combatantId(world, row)]
}

const ownNames = (world: World, player: Eid): string[] =>
  player === 0
    ? []
    : [playerId(world, player), usernameOf(world, player), ...combatantIds(world, player)]

/** Explains batches from the present state of a world on; the player need not exist yet. */
export function createExplainer({ world, registry }: Engine, number: number): Explainer {
  const find = createFinder(registry)
  const rowOf = (player: number): Eid => world.rowOf(registry.players.table, player)
  const belongings = (): Belongings => {
    const player = rowOf(number)
    return player === 0 ? new Map() : find(world, player)
  }
  const nameOf = (player: number): string =>
    rowOf(player) === 0 ? `player ${player}` : usernameOf(world, rowOf(player))
  const combatants: Named = new Map()
  let before = belongings()
  return {
    observe(row, batch) {
      const was = before
      const after = belongings()
      before = after
      const ids = [...ownNames(world, rowOf(number)), ...idsOf(was), ...idsOf(after)]
      const mine = new Set(ids.map((text) => text.toLowerCase()))
      const seen: Seen = { row, batch, number, mine, nameOf }
      const logs = logsOf(world)
      const logged = logs.actions.filter(
        (action) => action.player === number && action.factionId === undefined,
      )
      const changed = diffBelongings(was, after)
      const others = otherCauses(seen, logs)
      const why = [
        ...serverCauses(seen),
        ...others,
        ...partnerCauses(seen, logs).filter(({ text }) => others.every((one) => one.text !== text)),
        ...battleCauses(logs.turns, mine, combatants),
        ...logged.map(logCause),
        ...factionCauses(seen, logs),
        ...walletGap(changed, logged),
        ...eventCauses(seen),
      ]
      const sent = sentBy(row.inputs, number)
      const answered = batch.answers.filter((answer) => answer.player === number).map(answerOf)
      if (sent.length + answered.length + changed.length + why.length === 0) return undefined
      const leftOut = Math.max(0, changed.length - ROWS_MAX) + Math.max(0, why.length - CAUSES_MAX)
      return {
        tick: row.tick,
        batch: row.batch,
        part: row.part,
        at: new Date(row.wallMs).toISOString(),
        sent,
        answered,
        changed: changed.slice(0, ROWS_MAX),
        why: why.slice(0, CAUSES_MAX),
        ...(leftOut > 0 ? { leftOut } : {}),
      }
    },
  }
}
