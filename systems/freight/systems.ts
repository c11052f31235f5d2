/**
 * Freight at the end of a tick: contracts whose package is gone end, timers expire, pending claims
 * are paid. All of it runs after everything else, so that a delivery in the last tick is in time.
 * Source: crafting.md section 11.
 */
import { assert } from '../../core/assert.ts'
import { Container } from '../../core/goods.ts'
import { grant } from '../../core/guard.ts'
import { Account, balanceOf, namedAccount } from '../../core/ledger.ts'
import { divFloor } from '../../core/math.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { packagePlace } from '../cargo/model.ts'
import { Locker, Package, packageGone, packageMoved } from '../cargo/state.ts'
import { disbanded, FactionStore } from '../faction/state.ts'
import { Ship } from '../ship/state.ts'
import { admitted } from '../station/state.ts'
import {
  type Actor,
  factionActor,
  isSame,
  keyOf,
  playerActor,
  RECOVERY_TICKS,
} from './actor-model.ts'
import {
  indexContract,
  saveDebts,
  setDue,
  takeDue,
  takeFated,
  trackGone,
  trackMoved,
  unindexContract,
} from './beacons-rules.ts'
import {
  contractsOf,
  hasContractAt,
  isIndexed,
  isLive,
  packageOf,
  policyAt,
  trackOf,
} from './model.ts'
import { debtsOf } from './plan-model.ts'
import { notifyOverdue, setActor } from './rules.ts'
import { failOverdue, forget, payClaims, resolveFate, withdrawContract } from './settle-rules.ts'
import {
  ACTOR_KINDS,
  CLAIMS,
  DEBTS,
  IN_TRANSIT,
  POSTED,
  PROFILES,
  SHIPMENT_BEACONS_MAX,
  Shipment,
  TRACKS,
} from './state.ts'

/* Invariants. Source: crafting.md section 12, Shipment. */

function checkLive(view: WorldView, row: Row): void {
  const { status, escrow, reward, bonus, premium, crate, fate, dueTick } = view.read(Shipment)
  const isPending = policyAt(view, row) === 'pending'
  const due = reward[row] + bonus[row] + (isPending ? premium[row] : 0)
  assert(balanceOf(view, escrow[row]) === due, `escrow of contract ${row} is not ${due}`)
  const pkg = packageOf(view, row)
  assert((pkg === 0) === (fate[row] !== 0), `contract ${row} has lost its package`)
  const isWaiting = status[row] === POSTED
  assert((crate[row] !== 0) === isWaiting, `contract ${row} has a wrong crate`)
  if (isWaiting) {
    assert(
      view.read(Container).packages[crate[row]] === 1,
      `the crate of contract ${row} does not hold one package`,
    )
    assert(packagePlace(view, pkg) === 'shipment', `the package of contract ${row} is elsewhere`)
  }
  assert(dueTick[row] > view.tick, `the timer of contract ${row} is overdue`)
}

function checkRow(view: WorldView, row: Row): void {
  const { status, escrow, crate, acceptedTick, endedTick } = view.read(Shipment)
  assert(isIndexed(view, row), `the index has no contract ${row}`)
  assert(
    trackOf(view, row).beacons.length <= SHIPMENT_BEACONS_MAX,
    `contract ${row} has too many beacons`,
  )
  assert((endedTick[row] === 0) === isLive(view, row), `contract ${row} has a wrong end`)
  if (status[row] === IN_TRANSIT) assert(acceptedTick[row] > 0, `nobody accepted contract ${row}`)
  if (isLive(view, row)) checkLive(view, row)
  else assert(escrow[row] === 0 && crate[row] === 0, `contract ${row} has ended but holds assets`)
}

export const freightHolds: CheckDef = {
  name: 'freight: escrow is reward and bonus, packages are in place, the insurer has no debt',
  run(view, full) {
    if (!full) return
    assert(balanceOf(view, namedAccount('freight_insurance')) >= 0, 'the insurer is overdrawn')
    const { alive } = view.read(Shipment)
    for (let row = 1; row <= view.highOf(Shipment); row++) {
      if (alive[row] === 1) checkRow(view, row)
    }
    assert(view.records(TRACKS).size <= view.countOf(Shipment), 'a track without a contract')
    for (const [key, { credits }] of view.records(CLAIMS).entries()) {
      assert(credits > 0, `the claim of contract ${key} is settled`)
    }
    for (const [key, debts] of view.records(DEBTS).entries()) {
      assert(debts.length > 0, `carrier ${key} has an empty list of debts`)
      for (const { outstanding, original } of debts) {
        assert(outstanding > 0 && outstanding <= original, `carrier ${key} owes ${outstanding}`)
      }
    }
  },
}

/* Inheritance from a disbanded faction to its last member. Source: factions.md section 3. */

/** Lists of contracts, with the role of a party in each. */
const ROLES = [
  ['shipped', 'shipper'],
  ['carried', 'carrier'],
  ['expected', 'recipient'],
  ['ended', 'shipper'],
] as const

function inheritContracts(world: World, from: Actor, to: Actor): void {
  for (const [list, role] of ROLES) {
    for (const row of contractsOf(world, list, from)) {
      unindexContract(world, row)
      setActor(world, row, role, to)
      indexContract(world, row)
    }
  }
}

function inheritClaims(world: World, from: Actor, to: Actor): void {
  const claims = world.records(CLAIMS)
  for (const [key, claim] of [...claims.entries()]) {
    if (!isSame({ kind: ACTOR_KINDS[claim.kind], number: claim.number }, from)) continue
    claims.set(key, { ...claim, kind: ACTOR_KINDS.indexOf(to.kind), number: to.number })
  }
}

/** Passes the contracts, claims and debts of a disbanded faction to its heir. */
export const inheritFreight = observe(disbanded, (world, { faction, heir }) => {
  const from = factionActor(world, faction)
  const to = playerActor(world, heir)
  inheritContracts(world, from, to)
  inheritClaims(world, from, to)
  const debts = debtsOf(world, from)
  if (debts.length > 0) {
    const all = [...debtsOf(world, to), ...debts]
    saveDebts(
      world,
      to,
      all.sort((a, b) => a.number - b.number),
    )
    saveDebts(world, from, [])
  }
  world.records(PROFILES).delete(keyOf(from))
})

/* Packages, docking, timers */

export const followPackage = observe(packageMoved, (world, { pkg }) => trackMoved(world, pkg))
export const losePackage = observe(packageGone, (world, { pkg, how }) => trackGone(world, pkg, how))

export const carriersMayDock = grant(admitted, (view, { player, base }) =>
  hasContractAt(view, player, base),
)

/** Ticks after the deadline at which the parties are warned; at the last, the contract fails. */
const OVERDUE_TICKS: readonly number[] = [0, divFloor(RECOVERY_TICKS, 2), RECOVERY_TICKS]

/** Warns the parties of a late package twice, then fails the contract. */
function processOverdue(world: World, row: Row): void {
  const { calls, deadlineTick } = world.write(Shipment)
  assert(
    world.tick === deadlineTick[row] + OVERDUE_TICKS[calls[row]],
    `the timer of contract ${row} is wrong`,
  )
  if (calls[row] === OVERDUE_TICKS.length - 1) {
    failOverdue(world, row)
    return
  }
  notifyOverdue(world, row)
  calls[row]++
  setDue(world, row, deadlineTick[row] + OVERDUE_TICKS[calls[row]])
}

function processTimer(world: World, row: Row): void {
  const status = world.read(Shipment).status[row]
  if (status === POSTED) withdrawContract(world, row, 'expired')
  else if (status === IN_TRANSIT) processOverdue(world, row)
  else forget(world, row)
}

export const settleFreight: SystemDef = {
  name: 'freight.settle',
  phase: 'settle',
  writes: [Account, Container, FactionStore, Locker, Package, Ship, Shipment],
  run(world) {
    for (const row of takeFated(world)) resolveFate(world, row)
    for (const row of takeDue(world)) processTimer(world, row)
    payClaims(world)
  },
}
