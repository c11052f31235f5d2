/**
 * The feed events of a frame, gathered from the outboxes of batches. All events since the frame
 * before are published with the tick of the frame. Reads only. Source: WEB 2.
 */
import type { LogRow } from '../../core/public/battle-log.ts'
import type { FeedMessage } from '../../core/public/events.ts'
import type { PublicChart, PublicFrame } from '../../core/public/frame.ts'
import type { TopicData } from '../../core/public/topics.ts'
import { runSteps } from '../../core/steps.ts'
import { feedStamp } from '../../core/time.ts'
import type { Outbox, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import {
  chartedTurns,
  combatEvents,
  deathEvents,
  pirateEvents,
  wreckEvents,
} from './fight-events-views.ts'
import { type PublicEvent, publicEvent } from './public-event-views.ts'
import { actionEvents, actionsOf, joinEvents } from './society-events-views.ts'
import { createGains, fillEvents } from './trade-events-views.ts'
import { renderTurn } from './turn-views.ts'

/** Events and turns kept for a frame; each kind of event also has its own limit per tick. */
const EVENTS_MAX = 512
const TURNS_MAX = 512
export const TURNS_PER_STEP = 16
/** The types of emissions to players that the feed reads. */
const READ_TYPES: ReadonlySet<string> = new Set([
  'player_died',
  'pirate_destroyed',
  'base_destroyed',
  'crafting_update',
])
/** Ticks between two summaries. */
const SUMMARY_TICKS = 60
/** Systems in a summary, players named in each, and players a system needs to be listed. */
const SYSTEMS_MAX = 20
const NAMES_MAX = 5
const CROWD_MIN = 3

export interface Events {
  /** Takes the outbox of a batch, before the next one runs. */
  observe(view: WorldView, outbox: Outbox): void
  /** Renders the turns of battles; yields between steps. `take` renders those that are left. */
  render(): Generator<void>
  take(
    view: WorldView,
    chart: PublicChart,
    presence: PublicFrame['presence'],
  ): Pick<PublicFrame, 'events'> & { readonly turns: readonly Turn[] }
}

type Turn = TopicData['battle']

/** Returns summaries of the systems with the most publicly visible players. */
function crowdEvents(
  view: WorldView,
  chart: PublicChart,
  { named, onlineBySystem }: PublicFrame['presence'],
): PublicEvent[] {
  const totals: [system: number, total: number][] = []
  for (let i = 0; i < onlineBySystem.length; i += 2) {
    if (onlineBySystem[i + 1] >= CROWD_MIN) totals.push([onlineBySystem[i], onlineBySystem[i + 1]])
  }
  totals.sort(([systemA, totalA], [systemB, totalB]) => totalB - totalA || systemA - systemB)
  const shown = new Map(totals.slice(0, SYSTEMS_MAX).map(([system]) => [system, [] as number[]]))
  for (let i = 0; i < named.length; i += 2) {
    const list = shown.get(chart.pois[named[i] >> 1].system)
    if (list && list.length < NAMES_MAX) list.push(view.rowOf(Player, named[i + 1]))
  }
  return totals.slice(0, SYSTEMS_MAX).map(([system, total]) => {
    const players = shown.get(system) ?? []
    const names = players.map((player) => usernameOf(view, player))
    const data = { system_name: chart.systems[system].name, total, players: names }
    return publicEvent(view, 'system_activity', data, players)
  })
}

function messageOf(view: WorldView, event: PublicEvent, index: number): FeedMessage {
  const { type, data, names } = event
  const named = Object.keys(names).length > 0 ? { player_info: names } : {}
  return { type, data, timestamp: feedStamp(view.wallMs, index), tick: view.tick, ...named }
}

/** Creates the collector of feed events, with none pending. */
export function createEvents(): Events {
  let pending: PublicEvent[] = []
  let rows: LogRow[] = []
  let turns: Turn[] = []
  function* render(): Generator<void> {
    for (const [index, row] of rows.entries()) {
      turns.push(renderTurn(row))
      if (index % TURNS_PER_STEP === TURNS_PER_STEP - 1) yield
    }
    rows = []
  }
  let summaryTick: number | undefined
  const gains = createGains()
  return {
    render,
    observe(view, all) {
      const outbox = { ...all, emissions: all.emissions.filter(({ type }) => READ_TYPES.has(type)) }
      const charted = chartedTurns(view, outbox)
      const actions = actionsOf(outbox)
      gains.observe(view, outbox, actions)
      const fresh = [
        ...joinEvents(view, outbox),
        ...actionEvents(view, actions),
        ...combatEvents(view, charted),
        ...deathEvents(view, outbox, charted),
        ...pirateEvents(view, outbox),
        ...wreckEvents(view, outbox),
        ...fillEvents(view, outbox),
      ]
      if (fresh.length > 0) pending = [...pending, ...fresh].slice(-EVENTS_MAX)
      if (charted.length > 0) rows = [...rows, ...charted.map(({ row }) => row)].slice(-TURNS_MAX)
    },
    take(view, chart, presence) {
      summaryTick ??= view.tick
      if (view.tick - summaryTick >= SUMMARY_TICKS) {
        summaryTick = view.tick
        pending.push(...gains.take(view), ...crowdEvents(view, chart, presence))
      }
      runSteps(render())
      const events = pending.map((event, index) => messageOf(view, event, index))
      const taken = { events, turns }
      pending = []
      turns = []
      return taken
    },
  }
}
