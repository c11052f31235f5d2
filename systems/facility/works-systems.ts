/**
 * Work on facilities that takes several ticks: building, upgrades, repairs and dismantling,
 * scheduled by the tick in which it ends. Source: crafting.md section 6.
 */
import { assert } from '../../core/assert.ts'
import { FACILITIES, GOODS, itemIndex, type MaterialRow } from '../../core/catalog/index.ts'
import { closeContainer, contentsOf, type Held } from '../../core/goods.ts'
import { divFloor } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseId, baseName } from '../base/model.ts'
import { CARGO_CONTAINER, type PackageHolder } from '../cargo/model.ts'
import { createPackage } from '../cargo/rules.ts'
import { cancelJobsOf } from '../craft/rules.ts'
import { PACKAGE_SIZE } from '../craft/state.ts'
import { recordFactionLog } from '../faction/model.ts'
import { notifyFaction } from '../faction/rules.ts'
import { Faction } from '../faction/state.ts'
import { openStore } from '../faction/store-model.ts'
import { logAction } from '../log/rules.ts'
import { changeState, removeFacility } from './lifecycle-rules.ts'
import { facilityId, facilityName, type Owner, ownerOf } from './model.ts'
import { stockRanch } from './ranch-rules.ts'
import { scheduleWork } from './rules.ts'
import {
  DISMANTLING,
  Facility,
  OF_FACTION,
  OF_PLAYER,
  ONLINE,
  REPAIRING,
  UNDER_CONSTRUCTION,
  WORK_DUE,
} from './state.ts'

/** Logs an action of a player on a facility, in the log of its faction too. */
export function logFacilityAction(
  world: World,
  row: Row,
  actor: Eid,
  verb: string,
  summary: string,
): void {
  const data = {
    facility_id: facilityId(world, row),
    base: baseId(world, world.read(Facility).base[row]),
  }
  const owner = ownerOf(world, row)
  logAction(world, actor, 'other', verb.replace('_', '.'), summary, data)
  if (owner.kind === OF_FACTION)
    recordFactionLog(world, owner.faction, actor, { verb, summary, data })
}

/* Notices of what happens to a facility: in its owner's log, or to the members of its faction. */

/** Events that members of a faction receive; other notices are only logged. */
const MEMBER_EVENTS = {
  built: 'facility_built',
  upgraded: 'facility_upgraded',
  dismantled: 'facility_dismantled',
  reclaimed: 'facility_reclaimed',
} as const
type OwnerNotice = keyof typeof MEMBER_EVENTS | 'repaired' | 'returned' | 'rent_warning'

const isMemberEvent = (verb: string): verb is keyof typeof MEMBER_EVENTS => verb in MEMBER_EVENTS

/**
 * Notifies the owner of something that happened without a command. A faction's log names its leader
 * as the actor, since no member did it.
 */
export function notifyOwner(
  world: World,
  owner: Owner,
  {
    verb,
    base,
    message,
  }: { readonly verb: OwnerNotice; readonly base: Row; readonly message: string },
): void {
  if (owner.kind === OF_PLAYER) {
    logAction(world, owner.player, 'other', `facility.${verb}`, message)
  } else if (owner.kind === OF_FACTION) {
    const actor = world.read(Faction).leader[owner.faction]
    if (isMemberEvent(verb)) {
      const details = { base_id: baseId(world, base) }
      notifyFaction(world, owner.faction, {
        event: MEMBER_EVENTS[verb],
        actor,
        message,
        details,
      })
    } else
      recordFactionLog(world, owner.faction, actor, { verb: `facility_${verb}`, summary: message })
  }
}

/** Yields all scheduled work as tick and facility, for the check. */
export function* worksDue(world: WorldView): IterableIterator<[number, Row]> {
  for (const [tick, rows] of world.index(WORK_DUE)) for (const row of rows) yield [tick, row]
}

/** Begins work that takes `ticks`, at least 1; returns the tick in which it ends. */
export function beginWork(world: World, row: Row, ticks: number): number {
  const { dueTick } = world.write(Facility)
  assert(dueTick[row] === 0, `facility ${row} is worked on twice`)
  dueTick[row] = world.tick + Math.max(1, ticks)
  scheduleWork(world, row)
  return dueTick[row]
}

/** Ends the work that is due, oldest facility first. */
export function endWorks(world: World): void {
  const due = world.index(WORK_DUE)
  const rows = due.get(world.tick)
  if (!rows) return
  due.delete(world.tick)
  const { seq } = world.read(Facility)
  for (const row of rows.sort((a, b) => seq[a] - seq[b])) endWork(world, row)
}

function endWork(world: World, row: Row): void {
  const { status, becomes, dueTick, type } = world.write(Facility)
  const name = facilityName(world, row)
  dueTick[row] = 0
  if (status[row] === DISMANTLING) {
    cancelJobsOf(world, row, 'all')
    packMaterials(world, row)
    notifyOfWork(world, row, 'dismantled', `${name} is dismantled; its parts are packed.`)
    removeFacility(world, row)
    return
  }
  if (becomes[row] !== 0) {
    changeState(world, row, { type: becomes[row] - 1 })
    becomes[row] = 0
    stockRanch(world, row)
    notifyOfWork(world, row, 'upgraded', `${name} is ${FACILITIES[type[row]].name} now.`)
    return
  }
  const isWork = status[row] === UNDER_CONSTRUCTION || status[row] === REPAIRING
  assert(isWork, `facility ${row} has no work that ends`)
  const verb = status[row] === REPAIRING ? 'repaired' : 'built'
  changeState(world, row, { status: ONLINE })
  if (verb === 'built') stockRanch(world, row)
  notifyOfWork(
    world,
    row,
    verb,
    `${name} at ${baseName(world, world.read(Facility).base[row])} works.`,
  )
}

function notifyOfWork(world: World, row: Row, verb: OwnerNotice, message: string): void {
  const base = world.read(Facility).base[row]
  notifyOwner(world, ownerOf(world, row), { verb, base, message })
}

/* Dismantling */

/**
 * Splits materials into packages, each filled as far as possible, item by item in the given order.
 */
export function splitIntoPackages(materials: readonly MaterialRow[]): Held[][] {
  const packages: Held[][] = []
  let open: Held[] = []
  let room = PACKAGE_SIZE
  for (const { item_id, quantity } of materials) {
    const item = itemIndex(item_id)
    const { size } = GOODS[item]
    let left = quantity
    while (left > 0) {
      const units = Math.min(left, divFloor(room, size))
      if (units === 0) {
        packages.push(open)
        open = []
        room = PACKAGE_SIZE
        continue
      }
      open.push({ item, units })
      room -= units * size
      left -= units
    }
  }
  if (open.length > 0) packages.push(open)
  return packages
}

/** Returns where the packages of a facility go: its owner's locker, or the store of its faction. */
function packageDestination(world: World, row: Row): PackageHolder {
  const { base } = world.read(Facility)
  const owner = ownerOf(world, row)
  assert(owner.kind === OF_PLAYER || owner.kind === OF_FACTION, 'a station dismantles nothing')
  if (owner.kind === OF_PLAYER) return { kind: 'locker', player: owner.player, base: base[row] }
  const container = openStore(world, { faction: owner.faction, base: base[row], bucket: 0 })
  return { kind: 'store', faction: owner.faction, base: base[row], container }
}

/** Packs the materials of a facility; its store holds a cargo container for each package. */
function packMaterials(world: World, row: Row): void {
  const { store } = world.write(Facility)
  const from = store[row]
  const goods = contentsOf(world, from)
    .filter(({ item }) => item !== CARGO_CONTAINER)
    .map(({ item, units }) => ({ item_id: GOODS[item].id, quantity: units }))
  const to = packageDestination(world, row)
  const label = `Parts of ${FACILITIES[world.read(Facility).type[row]].name}`
  for (const contents of splitIntoPackages(goods)) {
    createPackage(world, { from, contents, to, label, creator: ownerOf(world, row).player })
  }
  store[row] = 0
  closeContainer(world, from)
}
