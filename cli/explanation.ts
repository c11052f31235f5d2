/**
 * What happened to one player, batch by batch, as a world is replayed: what they sent and were
 * answered, which rows of theirs changed, and why, as the batch itself tells: its log entries, the
 * stages of its battles, its events, and commands of others that name what is theirs.
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
  /** Place of a batch of immediates behind its tick; 0 for the tick itself. */
  readonly part: number
  readonly at: string
  readonly sent: readonly Sent[]
  readonly answered: readonly Answered[]
  readonly changed: readonly RowChange[]
  readonly why: readonly Cause[]
  /** Changes and causes beyond those listed; absent: none. */
  readonly leftOut?: number
}

/** ours: a player in the largest battle is in some hundred entries of a tick. */
const CAUSES_MAX = 200
const ROWS_MAX = 100

interface Explainer {
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

/** Returns a movement of the wallet that no entry accounts for. */
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

/** What a batch left that concerns players. */
interface Left {
  readonly actions: readonly ArchivedAction[]
  readonly turns: readonly ArchivedTurn[]
}

const leftIn = ({ outbox }: World): Left => ({
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
  /** Ids and name of the player, and ids of what is theirs, before the batch or behind it. */
  readonly mine: ReadonlySet<string>
  nameOf(player: number): string
}

/** Lists commands of others that name what is the player's, and what was logged of those others. */
function otherCauses({ row, batch, number, mine, nameOf }: Seen, { actions }: Left): Cause[] {
  const named = row.inputs.filter(
    ({ player, params }) => player !== 0 && player !== number && names(params, mine),
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

/** Where a market's entry of the log says it was, and by what the two sides of a trade differ. */
const TRADED = / at (.+?)(?: for [\d,]+ credits?\.| at [\d,]+ each[.;])/
const TRADES = /\b(buy|sell)(_filled)?$/

/** Returns by what a trade of the log meets its other side; undefined: it is none. */
function tradeOf({ eventType, summary, data }: ArchivedAction) {
  const side = TRADES.exec(eventType)?.[1]
  const place = TRADED.exec(summary)?.[1]
  if (!side || !place || !/^(trading|faction\.market)\./.test(eventType)) return undefined
  return { side, goods: `${String(data?.item_id)} ${place}` }
}

/** Lists what was logged of those with whom the player traded at a station: the other side. */
function partnerCauses({ number, nameOf }: Seen, { actions }: Left): Cause[] {
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

/** Lists what was logged of the player's faction that they did, or that concerns it as theirs. */
function factionCauses({ number, mine, nameOf }: Seen, { actions }: Left): Cause[] {
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

/** Lists inputs that the server itself made about the player: logins, and what operators did. */
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

/** Returns what the player is named by in a battle: of an anonymous one it is the hull. */
function combatantIds(world: World, player: Eid): string[] {
  const row = world.read(ShipCombat).participant[activeShip(world, player)]
  return row === 0 ? [] : [combatantId(world, row)]
}

const ownNames = (world: World, player: Eid): string[] =>
  player === 0
    ? []
    : [playerId(world, player), usernameOf(world, player), ...combatantIds(world, player)]

/** Begins with the world as it is now; the player need not be there yet. */
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
      const left = leftIn(world)
      const logged = left.actions.filter(
        (action) => action.player === number && action.factionId === undefined,
      )
      const changed = diffBelongings(was, after)
      const others = otherCauses(seen, left)
      const why = [
        ...serverCauses(seen),
        ...others,
        ...partnerCauses(seen, left).filter(({ text }) => others.every((one) => one.text !== text)),
        ...battleCauses(left.turns, mine, combatants),
        ...logged.map(logCause),
        ...factionCauses(seen, left),
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
