/** A shipper, two possible carriers, their packages, and the two bases of their contracts. */
import { itemIndex } from '../../../core/catalog/index.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseId, hasService } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import type { PackageHolder } from '../../../systems/cargo/model.ts'
import { movePackage, packageById, packageId } from '../../../systems/cargo/rules.ts'
import { setDue } from '../../../systems/freight/beacons-rules.ts'
import { shipmentById } from '../../../systems/freight/model.ts'
import { Shipment } from '../../../systems/freight/state.ts'
import { openBook } from '../../../systems/market/book-rules.ts'
import { recordTrade } from '../../../systems/market/rules.ts'
import { activeShip } from '../../../systems/ship/model.ts'
import { routeBetween } from '../../../systems/travel/model.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { Poi } from '../../../systems/travel/state.ts'
import { oncePerMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { freighter, packAt } from '../package/stage.ts'

export const ORE = itemIndex('iron_ore')

export interface Scene {
  readonly small: SmallWorld
  readonly shipper: Eid
  readonly carrier: Eid
  readonly third: Eid
  readonly origin: Eid
  readonly destination: Eid
}

type Result = Record<string, unknown>

/** Returns a public base with missions and storage that lanes lead to from another system. */
export function farBase(
  world: World,
  from: Eid,
  isSuitable: (base: Eid) => boolean = () => true,
): Eid {
  const { alive, pirateRepRequired, poi } = world.read(Base)
  const { system, hidden } = world.read(Poi)
  for (let base = 1; base <= world.highOf(Base); base++) {
    const isOpen = alive[base] === 1 && pirateRepRequired[base] === 0 && hidden[poi[base]] === 0
    if (!isOpen || system[poi[base]] === system[poi[from]] || !isSuitable(base)) continue
    if (!hasService(world, base, 'missions') || !hasService(world, base, 'storage')) continue
    if (routeBetween(world, system[poi[from]], system[poi[base]])) return base
  }
  throw new Error('there is no such base')
}

async function make(): Promise<Scene> {
  const small = await smallWorld()
  const { world } = small
  // Late enough for a test to set deadlines that have long passed.
  world.tick = 10_000
  const [shipper, carrier, third] = ['Shipper', 'Carrier', 'Third'].map((name) => {
    const player = small.join(name)
    freighter(world, player)
    post(world, namedAccount('starting_grant'), walletOf(world, player), 100_000)
    return player
  })
  const origin = farBase(world, world.read(Player).homeBase[shipper])
  for (const player of [shipper, carrier, third]) dockAt(world, player, origin)
  return { small, shipper, carrier, third, origin, destination: farBase(world, origin) }
}

const firstScene = oncePerMap(make)

/** Returns the scene in its first state, reloaded for each test. */
export async function freshScene(): Promise<Scene> {
  const scene = await firstScene()
  return { ...scene, small: await scene.small.reload() }
}

export const dockAt = (world: World, player: Eid, base: Eid): void =>
  dockShip(world, activeShip(world, player), base)

export const wallet = ({ small }: Scene, player: Eid): number =>
  balanceOf(small.world, walletOf(small.world, player))

export const insurer = ({ small }: Scene): number =>
  balanceOf(small.world, namedAccount('freight_insurance'))

/** Records trades of ore at the origin, which make this price per unit its value. */
export function tradeOre({ small, origin }: Scene, price: number, fills = 3): void {
  const book = openBook(small.world, origin, ORE)
  for (let i = 0; i < fills; i++) recordTrade(small.world, book, 500, 500 * price)
}

/** Makes a package of ore, by default in the shipper's locker at the origin. Returns its id. */
export function aPackage(scene: Scene, to?: PackageHolder): string {
  const { small, shipper, origin } = scene
  const place = to ?? ({ kind: 'locker', player: shipper, base: origin } as const)
  return packageId(small.world, packAt(small.world, place, { units: 20 }))
}

/** Returns the definition behind an action on v2. */
function actionOf({ small }: Scene, player: Eid, action: string) {
  const def = small.registry.commands.get(`v2:game_shipping/${action}`)
  if (!def || !('run' in def)) throw new Error(`no action ${action}`)
  const unmet = def.needs.map((need) => need.check(small.world, player)).find(Boolean)
  return { def, unmet }
}

/** Runs an action that must succeed, between two ticks, since a tick takes much longer. */
export function done(scene: Scene, player: Eid, action: string, params: object = {}): Result {
  const { def, unmet } = actionOf(scene, player, action)
  const outcome = unmet ?? def.run(scene.small.world, player, params as never)
  if (typeof outcome === 'symbol' || !outcome.ok) {
    throw new Error(`${action}: ${JSON.stringify(outcome)}`)
  }
  return outcome.result as Result
}

/**
 * Runs an action that must be refused, between two ticks; the hashes before and after it must be
 * equal.
 */
export function refused(scene: Scene, player: Eid, action: string, params: object = {}) {
  const { def, unmet } = actionOf(scene, player, action)
  if (unmet) return unmet.code
  const { small } = scene
  const before = small.hash()
  const outcome = def.run(small.world, player, params as never)
  if (typeof outcome === 'symbol' || outcome.ok) throw new Error(`${action} was not refused`)
  if (small.hash() !== before) throw new Error(`${action} changed something`)
  if (!def.errors.includes(outcome.code)) throw new Error(`${action} does not list ${outcome.code}`)
  return outcome.code
}

/** Posts a contract of the shipper; returns its id. */
export function posted(scene: Scene, params: object = {}, player = scene.shipper): string {
  const { small, destination } = scene
  const answer = done(scene, player, 'post', {
    destination_base_id: baseId(small.world, destination),
    base_reward: 1_000,
    ...params,
    package_id: (params as Result).package_id ?? aPackage(scene),
  })
  return (answer.contract as Result).id as string
}

/** Puts the package of a contract into the hold of the ship a player flies. */
export function load(scene: Scene, player: Eid, packageWire: string): void {
  const { world } = scene.small
  const ship = activeShip(world, player)
  movePackage(world, packageById(world, packageWire), { kind: 'cargo', ship })
}

/** Posts a contract, lets the carrier accept it and load the package; returns its ids. */
export function underWay(scene: Scene, params: object = {}) {
  const package_id = aPackage(scene)
  const shipment_id = posted(scene, { package_id, ...params })
  done(scene, scene.carrier, 'accept', { shipment_id })
  load(scene, scene.carrier, package_id)
  return { shipment_id, package_id, row: rowOf(scene, shipment_id) }
}

export const rowOf = ({ small }: Scene, id: string): Row => shipmentById(small.world, id)

/** Makes the next timer of a contract fall due in the next tick, as if the time had passed. */
export function comeDue({ small }: Scene, row: Row): void {
  const { world } = small
  const columns = world.write(Shipment)
  if (columns.deadlineTick[row] !== 0) {
    // The carrier is called at the deadline and 1,440 ticks after it, and defaults after 2,880.
    columns.deadlineTick[row] = world.tick + 1 - [0, 1_440, 2_880][columns.calls[row]]
    columns.targetTick[row] = Math.min(columns.targetTick[row], columns.deadlineTick[row] - 1)
  }
  setDue(world, row, world.tick + 1)
}

/**
 * Takes the events of a type that were sent to a player since the last call, unpublished ones
 * included.
 */
export function takePayloads({ small }: Scene, player: Eid, type: string): Result[] {
  const number = small.world.read(Player).seq[player]
  const { emissions } = small.world.outbox
  const unpublished = emissions.filter(
    ({ audience }) => 'rows' in audience && audience.rows.includes(player),
  )
  const all = [...small.takeEmissions().filter(({ to }) => to.includes(number)), ...unpublished]
  emissions.length = 0
  // The emissions of a tick stay in its outbox until the next one: each is returned once.
  const payloads = all.filter((emission) => emission.type === type).map(({ payload }) => payload)
  return [...new Set(payloads as Result[])]
}

export const statusOf = (scene: Scene, player: Eid, shipment_id: string): Result =>
  done(scene, player, 'get', { shipment_id }).contract as Result
