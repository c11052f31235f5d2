/**
 * Who stands behind an order: a player with wallet, hold and locker, or a faction with treasury and
 * stores, for which a member acts. Source: market.md sections 2, 4.
 */
import { moveItems, namedContainer, unitsIn } from '../../core/goods.ts'
import { post } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { areAllied, walletOf } from '../account/rules.ts'
import { Base } from '../base/columns.ts'
import { openLocker } from '../cargo/rules.ts'
import { factionOf, noteFactionLog, treasuryOf } from '../faction/rules.ts'
import {
  bunkerRoom,
  changeBunker,
  closeEmptyStore,
  facilityOfStore,
  openStore,
  type StorePlace,
  storeContainer,
} from '../faction/store-rules.ts'
import { creditMove, type LogData } from '../log/rules.ts'
import { FUEL, isFuel } from './fuel.ts'

export interface Party {
  /** Of a faction: the member who acts, or acted. */
  readonly player: Eid
  /** 0: the player for himself. */
  readonly faction: Row
}

export const accountOf = (view: WorldView, { player, faction }: Party): Row =>
  faction === 0 ? walletOf(view, player) : treasuryOf(view, faction)

/** What a movement is for, in the action log. */
export interface Entry {
  readonly verb: string
  readonly said: string
  readonly data?: LogData
}

/** Moves credits out of a party's account, with a line in its log. */
export function charge(world: World, party: Party, to: Row, credits: number, entry: Entry): void {
  move(world, party, { from: accountOf(world, party), to, credits, isGain: false }, entry)
}

/** Moves credits into a party's account, with a line in its log. */
export function credit(world: World, party: Party, from: Row, credits: number, entry: Entry): void {
  move(world, party, { from, to: accountOf(world, party), credits, isGain: true }, entry)
}

interface Move {
  readonly from: Row
  readonly to: Row
  readonly credits: number
  readonly isGain: boolean
}

function move(world: World, { player, faction }: Party, made: Move, entry: Entry): void {
  const { from, to, credits, isGain } = made
  const { verb, said, data = {} } = entry
  if (faction === 0) {
    creditMove(world, player, from, to, credits, 'trading', verb, said, data)
    return
  }
  post(world, from, to, credits)
  if (credits === 0) return
  const signed = isGain ? credits : -credits
  const log = { verb: `market.${verb}`, summary: said, data: { ...data, credits: signed } }
  noteFactionLog(world, faction, player, log)
}

/* Goods of factions */

/** The store that stands for a bucket: the main one where the bucket's facility is no more. */
export function storeFor(view: WorldView, faction: Row, base: Eid, bucket: number): StorePlace {
  const place = { faction, base, bucket }
  return facilityOfStore(view, place) === 0 ? { ...place, bucket: 0 } : place
}

/** Units in a faction's store. */
export function unitsInStore(view: WorldView, place: StorePlace, item: number): number {
  const container = storeContainer(view, place)
  return container === 0 ? 0 : unitsIn(view, container, item)
}

export interface Goods {
  readonly base: Eid
  readonly item: number
  readonly units: number
  /** Store of the faction. */
  readonly bucket: number
}

/** Hands over goods that lie in the exchange: to the locker, or to a store over its cap too. */
export function giveGoodsBack(world: World, { player, faction }: Party, goods: Goods): void {
  const { base, item, units, bucket } = goods
  if (units === 0) return
  const escrow = world.read(Base).escrow[base]
  const place = faction === 0 ? undefined : storeFor(world, faction, base, bucket)
  const to = place ? openStore(world, place) : openLocker(world, player, base)
  moveItems(world, escrow, to, item, units)
}

/** Hands over what was bought; fuel of a faction into its bunker. */
export function handOver(world: World, party: Party, goods: Goods): void {
  const { faction } = party
  const pumped = faction !== 0 && isFuel(goods.item) ? pump(world, faction, goods) : 0
  giveGoodsBack(world, party, { ...goods, units: goods.units - pumped })
}

/**
 * Fuel that a faction buys goes into its bunker, which has kept room for it; into the store only
 * where the bunker was lost since. Returns the units pumped.
 */
function pump(world: World, faction: Row, { base, units }: Goods): number {
  const pumped = Math.min(units, bunkerRoom(world, faction, base))
  if (pumped === 0) return 0
  const escrow = world.read(Base).escrow[base]
  moveItems(world, escrow, namedContainer('consumption'), FUEL, pumped)
  changeBunker(world, faction, base, pumped)
  return pumped
}

/** Takes goods out of a faction's store into the exchange. */
export function takeFromStore(world: World, faction: Row, goods: Goods): void {
  const { base, item, units, bucket } = goods
  if (units === 0) return
  const place = storeFor(world, faction, base, bucket)
  moveItems(world, openStore(world, place), world.read(Base).escrow[base], item, units)
  closeEmptyStore(world, place)
}

/* Who belongs together */

/**
 * True if a trade between two owners tells nothing of the market: players who stand by each other,
 * a faction and its member. Source: market.md section 4.
 */
export function areRelated(view: WorldView, one: Party, other: Party): boolean {
  if (one.faction !== 0 && other.faction !== 0) return one.faction === other.faction
  if (one.faction !== 0) return factionOf(view, other.player) === one.faction
  if (other.faction !== 0) return factionOf(view, one.player) === other.faction
  return areAllied(view, one.player, other.player)
}
