/**
 * Finds where an item, an ore or a hull has been seen: at exchanges the player remembers, in their
 * faction's intelligence, or for sale at bases they know. ours: otherwise a pilot who needs a part
 * would have to visit base after base.
 */
import { GOODS, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { type CommandDef, query } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { type OffsetRequest, offsetParams, rowsFrom } from '../../core/paging.ts'
import { obj, ref, str } from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseId, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { findGood } from '../cargo/model.ts'
import { factionOf } from '../faction/model.ts'
import type { ItemQuote } from '../market/schemas.ts'
import { rememberedExchanges, snapshotExchange } from '../market/sight-model.ts'
import { ASK, BID, Sight } from '../market/state.ts'
import { depositsOf, unitsRemaining } from '../mining/model.ts'
import { Deposit } from '../mining/state.ts'
import { Ship } from '../ship/state.ts'
import { findClass, knownBases, listingsAt } from '../shipyard/model.ts'
import { ShipListing } from '../shipyard/state.ts'
import { dockedBase, poiOf, systemOf } from '../travel/location-model.ts'
import { poiId, poiName, systemId, systemName } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'
import { jumpsFrom } from '../wormhole/model.ts'
import { LIVE_LEVEL, levelOfService } from './model.ts'
import { knownItems, knownPrices } from './prices-views.ts'
import { findItemResult } from './schemas.ts'
import { FIND_PAGE, PriceNote } from './state.ts'
import { knownPois, knownResources, knownSystems } from './views.ts'

/** A POI where the requested good has been seen. */
interface Finding {
  readonly kind: 'market' | 'deposit' | 'ship'
  /** POI where it is. */
  readonly poi: Eid
  readonly tick: number
  readonly source: 'self' | 'faction'
  /** Ask price; 0 if none is for sale. */
  readonly price: number
  /** Units for sale or in the deposit; -1 for an endless deposit. */
  readonly units: number
  readonly bid: number
  readonly bidUnits: number
}

const NOT_TRADED = { price: 0, units: 0, bid: 0, bidUnits: 0 } as const

function quoted(items: readonly ItemQuote[], item: number) {
  const quote = items.find((row) => row.item === item)
  if (!quote) return undefined
  const { price, units } = quote
  return { price: price[ASK], units: units[ASK], bid: price[BID], bidUnits: units[BID] }
}

/** Returns findings at exchanges that the player remembers; the one at which they dock is live. */
function ownMarkets(view: WorldView, player: Eid, item: number): Finding[] {
  const here = dockedBase(view, player)
  const seen = rememberedExchanges(view, player).filter(({ base }) => base !== here)
  const all = here === 0 ? seen : [snapshotExchange(view, here), ...seen]
  return all.flatMap(({ base, tick, items }): Finding[] => {
    const quote = quoted(items, item)
    const poi = view.read(Base).poi[base]
    return quote ? [{ kind: 'market', poi, tick, source: 'self', ...quote }] : []
  })
}

/** Returns findings at exchanges that the faction knows, if its ledger can search for items. */
function factionMarkets(view: WorldView, faction: Row, item: number): Finding[] {
  if (faction === 0 || levelOfService(view, faction, 'faction_trade_intel') < LIVE_LEVEL) return []
  const { sight } = view.read(PriceNote)
  return knownPrices(view, faction).flatMap((entry): Finding[] => {
    const quote = quoted(knownItems(view, entry), item)
    const poi = view.read(Base).poi[entry.base]
    const tick = entry.note === 0 ? view.tick : view.read(Sight).tick[sight[entry.note]]
    return quote ? [{ kind: 'market', poi, tick, source: 'faction', ...quote }] : []
  })
}

function ownDeposits(view: WorldView, player: Eid, item: number): Finding[] {
  const poi = poiOf(view, player)
  if (poi === 0) return []
  return depositsOf(view, poi)
    .filter((deposit) => view.read(Deposit).item[deposit] === item)
    .map((deposit) => ({
      kind: 'deposit' as const,
      poi,
      tick: view.tick,
      source: 'self' as const,
      ...NOT_TRADED,
      units: unitsRemaining(view, deposit),
    }))
}

/** Returns POIs where the faction knows of an ore, if its desk can search for resources. */
function factionDeposits(view: WorldView, faction: Row, item: number): Finding[] {
  if (faction === 0 || levelOfService(view, faction, 'faction_intel') < LIVE_LEVEL) return []
  return knownSystems(view, faction).flatMap((entry) =>
    knownPois(view, entry)
      .filter((poi) => knownResources(view, entry, poi).includes(GOODS[item].id))
      .map((poi): Finding => {
        const tick = entry.isLive ? view.tick : (entry.note?.tick ?? 0)
        return { kind: 'deposit', poi, tick, source: 'faction', ...NOT_TRADED }
      }),
  )
}

/** Returns hulls of a class for sale at the bases that the player knows. */
function shownHulls(view: WorldView, player: Eid, shipClass: number): Finding[] {
  const { ship, price } = view.read(ShipListing)
  const { class: classOf } = view.read(Ship)
  return knownBases(view, player).flatMap((base): Finding[] => {
    const prices = listingsAt(view, base)
      .filter((row) => classOf[ship[row]] === shipClass)
      .map((row) => price[row])
    if (prices.length === 0) return []
    const seen = { poi: view.read(Base).poi[base], tick: view.tick, source: 'self' } as const
    const offer = { price: Math.min(...prices), units: prices.length, bid: 0, bidUnits: 0 }
    return [{ kind: 'ship', ...seen, ...offer }]
  })
}

/** Returns only the latest finding of each POI and kind. */
function newest(findings: readonly Finding[]): Finding[] {
  const byPlace = new Map<string, Finding>()
  for (const finding of findings) {
    const key = `${finding.kind} ${finding.poi}`
    const before = byPlace.get(key)
    if (!before || before.tick < finding.tick) byPlace.set(key, finding)
  }
  return [...byPlace.values()]
}

function render(view: WorldView, { kind, poi, tick, source, ...offer }: Finding, jumps: number) {
  const { system, base } = view.read(Poi)
  const { price, units, bid, bidUnits } = offer
  return {
    kind,
    source,
    system_id: systemId(view, system[poi]),
    system_name: systemName(view, system[poi]),
    poi_id: poiId(view, poi),
    poi_name: poiName(view, poi),
    ...(base[poi] === 0
      ? {}
      : { base_id: baseId(view, base[poi]), base_name: baseName(view, base[poi]) }),
    ...(jumps < 0 ? {} : { jumps }),
    ...(price === 0 ? {} : { price }),
    ...(units <= 0 ? {} : { quantity: units }),
    ...(bid === 0 ? {} : { bid_price: bid, bid_quantity: bidUnits }),
    seen_at_tick: tick,
    age_ticks: view.tick - tick,
  }
}

/** Renders a page of findings, the nearest first, then the cheapest. */
function renderPage(
  view: WorldView,
  player: Eid,
  findings: readonly Finding[],
  request: OffsetRequest,
) {
  const jumpsTo = jumpsFrom(view, player, systemOf(view, player))
  const { system } = view.read(Poi)
  const rows = findings.map((finding) => ({ finding, jumps: jumpsTo(system[finding.poi]) }))
  const unreachable = ({ jumps }: { readonly jumps: number }) => (jumps < 0 ? 1 : 0)
  rows.sort(
    (a, b) =>
      unreachable(a) - unreachable(b) ||
      a.jumps - b.jumps ||
      a.finding.price - b.finding.price ||
      a.finding.poi - b.finding.poi,
  )
  const { limit, offset, items } = rowsFrom(rows, request, FIND_PAGE)
  return {
    count: items.length,
    total: rows.length,
    limit,
    offset,
    found: items.map(({ finding, jumps }) => render(view, finding, jumps)),
  }
}

const NOWHERE = say`Neither you nor your faction has seen it: visit the exchanges of more stations, or join a faction with a trade ledger. {catalog} with type items and its id shows what makes it; {get_poi} shows the deposits where you are.`

export const findItem: CommandDef = query({
  name: 'find_item',
  v2: { tool: 'game', action: 'find_item', rename: { item_id: 'id' } },
  summary:
    'Find where you or your faction have seen an item, an ore or a hull: price, jumps and age.',
  category: 'trading',
  needs: [],
  params: obj({
    item_id: ref(
      'item',
      str(say`An item, an ore or a ship class, by id or name; {catalog} lists them.`, {
        min: 1,
        example: 'iron_ore',
      }),
      { isOpen: true },
    ),
    ...offsetParams(FIND_PAGE.max),
  }),
  result: findItemResult,
  errors: ['unknown_item'],
  run(view, player, params) {
    const text = params.item_id.trim()
    const good = findGood(text)
    const shipClass = findClass(text)
    if (!good.ok && !shipClass.ok) return good
    const faction = factionOf(view, player)
    const findings = newest([
      ...(good.ok ? ownMarkets(view, player, good.result) : []),
      ...(good.ok ? factionMarkets(view, faction, good.result) : []),
      ...(good.ok ? ownDeposits(view, player, good.result) : []),
      ...(good.ok ? factionDeposits(view, faction, good.result) : []),
      ...(shipClass.ok ? shownHulls(view, player, shipClass.result) : []),
    ])
    const id = good.ok
      ? GOODS[good.result].id
      : shipClass.ok
        ? SHIP_CLASSES[shipClass.result].id
        : ''
    const page = renderPage(view, player, findings, params)
    const message =
      page.total === 0 ? NOWHERE : `${counted(page.total, 'place')} known, the nearest first.`
    return ok({ item_id: id, ...page, message })
  },
})
