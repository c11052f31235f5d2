/**
 * Parties of contracts: players, factions, and stations as recipients. Who they are on the wire,
 * their money, where their packages go, who of them is told, and who belongs together. Source:
 * crafting.md section 10.
 */
import { assert } from '../../core/assert.ts'
import { wireId } from '../../core/entity.ts'
import { balanceOf, canReceive, namedAccount, post } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { areAllied, walletOf } from '../account/rules.ts'
import { Base } from '../base/columns.ts'
import { baseId } from '../base/rules.ts'
import { Faction } from '../faction/columns.ts'
import { factionOf, membersWith, noteFactionLog, treasuryOf } from '../faction/rules.ts'
import { facilityOfStore, openStore, type StorePlace } from '../faction/store-rules.ts'
import { creditMove, type LogData, logAction } from '../log/rules.ts'
import type { PackageHolder } from '../package/rules.ts'
import { partyOf } from '../sensing/rules.ts'
import { ACTOR_KINDS, type ActorKind, Shipment } from './columns.ts'

export interface Actor {
  readonly kind: ActorKind
  /** Durable number; 0 of nobody. */
  readonly number: number
}

export const NOBODY: Actor = { kind: 'none', number: 0 }

export const playerActor = (view: WorldView, player: Eid): Actor => ({
  kind: 'player',
  number: view.read(Player).seq[player],
})
export const factionActor = (view: WorldView, faction: Row): Actor => ({
  kind: 'faction',
  number: view.read(Faction).seq[faction],
})
export const stationActor = (view: WorldView, base: Eid): Actor => ({
  kind: 'station',
  number: view.read(Base).seq[base],
})

const TABLES = { player: Player, faction: Faction, station: Base } as const

/** Row of a party; 0 of nobody, or of one that is no more. */
export const rowOfActor = (view: WorldView, { kind, number }: Actor): Row =>
  kind === 'none' ? 0 : view.rowOf(TABLES[kind], number)

/** One letter and the number: a key of records and indexes. */
export const keyOf = ({ kind, number }: Actor): string => `${kind.charAt(0)}${number}`

export const isSame = (one: Actor, other: Actor): boolean =>
  one.kind === other.kind && one.number === other.number

export type ActorRole = 'shipper' | 'carrier' | 'recipient' | 'invited' | 'holder'

/** The party of a contract in a role. */
export function actorAt(view: WorldView, row: Row, role: ActorRole): Actor {
  const columns = view.read(Shipment)
  return { kind: ACTOR_KINDS[columns[`${role}Kind`][row]], number: columns[role][row] }
}

export function setActor(world: World, row: Row, role: ActorRole, { kind, number }: Actor): void {
  const columns = world.write(Shipment)
  columns[`${role}Kind`][row] = ACTOR_KINDS.indexOf(kind)
  columns[role][row] = number
}

/* On the wire */

/** Kind and id of a party; the anonymous appear to others under their alias. */
export function renderActor(view: WorldView, viewer: Eid, actor: Actor) {
  const row = rowOfActor(view, actor)
  const { kind, number } = actor
  assert(kind !== 'none', 'nobody is shown')
  if (kind === 'station') return { kind, id: row === 0 ? '' : baseId(view, row) }
  if (kind === 'faction' || row === 0 || row === viewer) {
    return { kind, id: wireId(view.seed, TABLES[kind].name, number) }
  }
  return { kind, id: partyOf(view, row).id }
}

/* Who is one of whom */

/** True for the player himself, and for members of a faction. */
export function speaksFor(view: WorldView, player: Eid, actor: Actor): boolean {
  const row = rowOfActor(view, actor)
  if (row === 0) return false
  if (actor.kind === 'player') return row === player
  return actor.kind === 'faction' && factionOf(view, player) === row
}

/** A party as players: itself, or who acted for it. */
export interface Deputy {
  readonly actor: Actor
  /** Number of the player who acted. */
  readonly agent: number
}

const agentOf = (view: WorldView, { actor, agent }: Deputy): Eid =>
  view.rowOf(Player, actor.kind === 'player' ? actor.number : agent)

/**
 * True for parties that could share what is paid to one of them: one account, one faction, one
 * fleet, allies. Source: crafting.md section 10, related parties.
 */
export function areRelated(view: WorldView, one: Deputy, other: Deputy): boolean {
  if (isSame(one.actor, other.actor)) return true
  const [a, b] = [agentOf(view, one), agentOf(view, other)]
  if (a !== 0 && b !== 0 && (a === b || areAllied(view, a, b))) return true
  return speaksFor(view, a, other.actor) || speaksFor(view, b, one.actor)
}

/**
 * True if a player may carry what a shipper leaves to his allies: of his fleet, his faction, or an
 * allied one. The one place that asks who is allied.
 */
export function isAlly(view: WorldView, player: Eid, shipper: Deputy): boolean {
  if (speaksFor(view, player, shipper.actor)) return true
  const faction = shipper.actor.kind === 'faction' ? rowOfActor(view, shipper.actor) : 0
  if (faction !== 0) return areAllied(view, player, view.read(Faction).leader[faction])
  const agent = agentOf(view, shipper)
  return agent !== 0 && areAllied(view, player, agent)
}

/** Who hears of a contract for a party: the player, or who looks after the treasury. */
export function hearersOf(view: WorldView, actor: Actor): Eid[] {
  const row = rowOfActor(view, actor)
  if (row === 0 || actor.kind === 'station') return []
  return actor.kind === 'player' ? [row] : membersWith(view, row, 'manage_treasury')
}

/* Money */

/** Ledger account of a player or faction; 0 of one that is no more. */
export function accountOf(view: WorldView, actor: Actor): Row {
  const row = rowOfActor(view, actor)
  if (row === 0 || actor.kind === 'station') return 0
  return actor.kind === 'player' ? walletOf(view, row) : treasuryOf(view, row)
}

export const creditsOf = (view: WorldView, actor: Actor): number =>
  balanceOf(view, accountOf(view, actor))

export const canPay = (view: WorldView, actor: Actor, credits: number): boolean => {
  const account = accountOf(view, actor)
  return account !== 0 && canReceive(view, account, credits)
}

export interface Entry {
  readonly verb: string
  readonly said: string
  readonly data?: LogData
}

/** Writes to the log of a party what was done, or what befell it. */
export function noteFor(world: World, actor: Actor, entry: Entry, agent: Eid = 0): void {
  const row = rowOfActor(world, actor)
  if (row === 0 || actor.kind === 'station') return
  const { verb, said, data = {} } = entry
  if (actor.kind === 'player') {
    logAction(world, row, 'trading', `freight_${verb}`, said, data)
    return
  }
  const by = agent !== 0 ? agent : world.read(Faction).leader[row]
  noteFactionLog(world, row, by, { verb: `freight_${verb}`, summary: said, data })
}

/** Takes credits from a party that has them. `agent` acts for a faction. */
export function charge(
  world: World,
  actor: Actor,
  to: Row,
  credits: number,
  entry: Entry & { readonly agent: Eid },
): void {
  const from = accountOf(world, actor)
  const { verb, said, data = {}, agent } = entry
  if (actor.kind === 'player') {
    const player = rowOfActor(world, actor)
    creditMove(world, player, from, to, credits, 'trading', `freight_${verb}`, said, data)
    return
  }
  post(world, from, to, credits)
  if (credits > 0) {
    noteFor(world, actor, { verb, said, data: { ...data, credits: -credits } }, agent)
  }
}

/**
 * Gives credits to a party; what nobody can take goes to the sink of fees. ours: a contract ends
 * also where a wallet is full or a faction is no more.
 */
export function pay(world: World, actor: Actor, from: Row, credits: number, entry: Entry): void {
  if (credits === 0) return
  const to = accountOf(world, actor)
  if (to === 0 || !canReceive(world, to, credits)) {
    post(world, from, namedAccount('fee_sink'), credits)
    return
  }
  const { verb, said, data = {} } = entry
  if (actor.kind === 'player') {
    const player = rowOfActor(world, actor)
    creditMove(world, player, from, to, credits, 'trading', `freight_${verb}`, said, data)
    return
  }
  post(world, from, to, credits)
  noteFor(world, actor, { verb, said, data: { ...data, credits } })
}

/* Packages */

/** Where a package of a party goes at a base: over any cap. `bucket`: the store of a faction. */
export function placeAt(world: World, actor: Actor, base: Eid, bucket = 0): PackageHolder {
  const row = rowOfActor(world, actor)
  assert(row !== 0 && actor.kind !== 'station', 'a package goes to nobody')
  if (actor.kind === 'player') return { kind: 'locker', player: row, base }
  const wanted: StorePlace = { faction: row, base, bucket }
  const place = facilityOfStore(world, wanted) === 0 ? { ...wanted, bucket: 0 } : wanted
  return { kind: 'store', faction: row, base, container: openStore(world, place) }
}
