/**
 * Feed events of trade, mining and crafting: the largest trades of a tick, and what several players
 * mined or made together, never what one of them did. Source: WEB 2.
 */
import type { ArchivedAction } from '../../core/archive-calls.ts'
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import type { Static } from '../../core/params.ts'
import type { Outbox, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { baseById, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import type { craftingUpdate } from '../craft/schemas.ts'
import {
  shownPlaces,
  strangerSeesPlace,
  strangerSightOf,
  strangerSightReader,
} from '../sensing/model.ts'
import { Location } from '../travel/state.ts'
import { type PublicEvent, publicEvent } from './public-event-views.ts'

const FILLS_MAX = 10
/** Players in a sum, at least: fewer would reveal what one of them did. */
const GROUP_MIN = 3

const nameOf = (item: string): string => GOODS[itemIndex(item)]?.name ?? item

/** Returns events of the largest trades of a batch. */
export function fillEvents(view: WorldView, { writes }: Outbox): PublicEvent[] {
  const events: PublicEvent<'exchange_fill'>[] = []
  for (const write of writes) {
    if (write.method !== 'recordFills') continue
    const { bases, items, bought, byStation, fromStation, units, credits } = write.args
    for (let n = 0; n < items.length; n++) {
      const station_name = baseName(view, baseById(view, bases[n]))
      const data = {
        item_name: nameOf(items[n]),
        station_name,
        order_type: bought[n] ? 'buy' : 'sell',
        seller: fromStation[n] ? station_name : '',
        buyer: byStation[n] ? station_name : '',
        quantity: units[n],
        price_each: Math.round(credits[n] / units[n]),
        total: credits[n],
      }
      events.push(publicEvent(view, 'exchange_fill', data))
    }
  }
  return events.sort((a, b) => b.data.total - a.data.total).slice(0, FILLS_MAX)
}

/** What several players have brought in of one good. */
interface Brought {
  units: number
  readonly players: Set<number>
}

/** Goods by id or name, in the order of their first unit. */
type Tally = Map<string, Brought>

function addToTally(tally: Tally, good: string, units: number, player: number): void {
  let brought = tally.get(good)
  if (!brought) {
    brought = { units: 0, players: new Set() }
    tally.set(good, brought)
  }
  brought.units += units
  brought.players.add(player)
}

/**
 * Returns the sums with enough contributors to reveal none of them, largest first; `nameBy` gives
 * the name of a key of the tally.
 */
const sumsOf = (
  tally: Tally,
  nameBy: (good: string) => string,
): readonly (readonly [name: string, Brought])[] =>
  [...tally]
    .map(([good, brought]) => [nameBy(good), brought] as const)
    .filter(([, { players }]) => players.size >= GROUP_MIN)
    .sort(([nameA, a], [nameB, b]) => b.units - a.units || (nameA < nameB ? -1 : 1))

const peopleOf = (sums: ReturnType<typeof sumsOf>): number =>
  new Set(sums.flatMap(([, { players }]) => [...players])).size

/** Returns the names of stations off the chart: what is made there is not published. */
function hiddenStations(view: WorldView): string[] {
  const { alive, poi } = view.read(Base)
  const names: string[] = []
  for (let base = 1; base <= view.highOf(Base); base++) {
    if (alive[base] === 1 && !strangerSeesPlace(view, poi[base])) names.push(baseName(view, base))
  }
  return names
}

interface Gains {
  observe(view: WorldView, outbox: Outbox, actions: readonly ArchivedAction[]): void
  /** Returns summaries of what has been brought in since the last call. */
  take(view: WorldView): PublicEvent[]
}

/** Counts what players mine and make in view of strangers. */
export function createGains(): Gains {
  let mined: Tally = new Map()
  let crafted: Tally = new Map()
  const countMined = (view: WorldView, actions: readonly ArchivedAction[]): void => {
    const sight = strangerSightReader(view)
    const isShown = shownPlaces(view)
    const { poi } = view.read(Location)
    const { ship } = view.read(Player)
    for (const { eventType, player: number, data } of actions) {
      if (eventType !== 'mining.yield' || !data) continue
      const player = view.rowOf(Player, number)
      if (player === 0 || sight(player) === 'nothing') continue
      if (!isShown(poi[ship[player]])) continue
      addToTally(mined, String(data.item_id), Number(data.quantity), number)
    }
  }
  const countCrafted = (view: WorldView, { emissions }: Outbox): void => {
    let hidden: string[] | undefined
    for (const { type, payload, audience } of emissions) {
      if (type !== 'crafting_update' || audience.kind !== 'player') continue
      if (strangerSightOf(view, audience.row) === 'nothing') continue
      hidden ??= hiddenStations(view)
      const { jobs } = payload as Static<typeof craftingUpdate.fields>
      for (const { mode, venue, deposited } of jobs) {
        if (mode !== 'craft' || hidden.some((name) => venue.includes(name))) continue
        const number = view.read(Player).seq[audience.row]
        for (const { item_name, quantity } of deposited) {
          addToTally(crafted, item_name, quantity, number)
        }
      }
    }
  }
  return {
    observe(view, outbox, actions) {
      countMined(view, actions)
      countCrafted(view, outbox)
    },
    take(view) {
      const events: PublicEvent[] = []
      const ores = sumsOf(mined, nameOf)
      const goods = sumsOf(crafted, (name) => name)
      mined = new Map()
      crafted = new Map()
      if (ores.length > 0) {
        const resources = ores.map(([resource_name, { units }]) => ({
          resource_name,
          quantity: units,
        }))
        events.push(publicEvent(view, 'mining_summary', { miner_count: peopleOf(ores), resources }))
      }
      if (goods.length > 0) {
        const items = goods.map(([item_name, { units }]) => ({ item_name, count: units }))
        events.push(
          publicEvent(view, 'crafting_summary', { crafter_count: peopleOf(goods), items }),
        )
      }
      return events
    },
  }
}
