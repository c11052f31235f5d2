/**
 * Deposits of a new world, and mining in a tick: sorts the requests for the kernel, then loads
 * cargo, awards experience and answers.
 */
import { assert } from '../../core/assert.ts'
import {
  type DepositPlan,
  GOODS,
  type ItemRow,
  itemIndex,
  rarityRank,
} from '../../core/catalog/index.ts'
import { fail, ok } from '../../core/errors.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { GOODS_WRITES, namedContainer } from '../../core/goods.ts'
import { DEPOSITS_PER_POI_MAX } from '../../core/limits.ts'
import { endsOf, groupBy, rowsInUse, sortByInitiative } from '../../core/order.ts'
import { answerLater } from '../../core/pending.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef, Work } from '../../core/system.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { Player, PlayerStats } from '../account/state.ts'
import { logAction } from '../log/rules.ts'
import { recordProgress } from '../mission/rules.ts'
import { Mission } from '../mission/state.ts'
import { loadCargo } from '../ship/model.ts'
import { FAMILIES, Ship } from '../ship/state.ts'
import { awardFullPowerXp, awardPilotingXp, awardXp, XP_WRITES } from '../skill/rules.ts'
import { galaxyPlan, poisOf } from '../travel/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import { kernelsFile, lockMinimumStock } from './kernels.ts'
import { depletionPercent, depositsOf, remainingDisplay, unitsRemaining } from './model.ts'
import { miningYield } from './schemas.ts'
import { Deposit, MINE_STATUS, MineRequest } from './state.ts'

/** Checks every deposit, and that no request is left over. */
export const depositsAreSound: CheckDef = {
  name: 'I6 deposits: amounts and part-units in range; no request outlives its tick',
  run(view, full) {
    assert(view.countOf(MineRequest) === 0, 'a mine request outlives its tick')
    if (!full) return
    const deposit = view.read(Deposit)
    for (let row = 1; row <= view.highOf(Deposit); row++) {
      if (deposit.alive[row] === 0) continue
      const isSized = deposit.size[row] >= 1 && deposit.richness[row] >= 1
      assert(isSized, `deposit ${row} has no size or richness`)
      if (deposit.unlimited[row] === 1) {
        assert(deposit.baseTick[row] === 0, `unlimited deposit ${row} was written`)
        continue
      }
      const { base, max, frac, window, baseTick } = deposit
      assert(base[row] >= 0 && base[row] <= max[row], `deposit ${row} holds ${base[row]}`)
      assert(frac[row] >= 0 && frac[row] < window[row], `deposit ${row} has a part-unit too many`)
      assert(baseTick[row] <= view.tick, `deposit ${row} was written in the future`)
    }
  },
}

/* Genesis */

/** Ticks from empty to full, by rarity rank. */
const REGROWTH_WINDOW_TICKS = [8_640, 17_280, 43_200, 86_400, 172_800] as const

/** Places the deposits of a new world; all of them are full. */
export function layDeposits(world: World): void {
  for (const [index, system] of galaxyPlan(world).systems.entries()) {
    const pois = poisOf(world, index + 1)
    for (const [i, place] of system.pois.entries()) {
      const isDeepCore = place.class === 'deep_core'
      assert(place.deposits.length <= DEPOSITS_PER_POI_MAX, `${place.id} has too many deposits`)
      for (const plan of place.deposits) layDeposit(world, pois[i], plan, isDeepCore)
    }
  }
  sizeDeposits(world)
}

function layDeposit(world: World, poi: Eid, plan: DepositPlan, isDeepCore: boolean): void {
  const item = itemIndex(plan.item)
  const good = GOODS[item] as ItemRow | undefined
  assert(good?.extracted_by, `${plan.item} cannot be extracted`)
  const row = world.take(Deposit)
  const deposit = world.write(Deposit)
  const { firstDeposit, depositCount } = world.write(Poi)
  if (depositCount[poi] === 0) firstDeposit[poi] = row
  assert(row === firstDeposit[poi] + depositCount[poi], 'deposits of a place are consecutive')
  depositCount[poi]++
  deposit.poi[row] = poi
  deposit.item[row] = item
  deposit.richness[row] = plan.richness
  deposit.rank[row] = rarityRank(good.rarity)
  deposit.family[row] = FAMILIES.indexOf(good.extracted_by)
  deposit.deepCore[row] = isDeepCore ? 1 : 0
  if (plan.capacity < 0) {
    deposit.unlimited[row] = 1
    return
  }
  assert(plan.capacity >= 1, 'a limited deposit holds something')
  deposit.max[row] = plan.capacity
  deposit.base[row] = plan.capacity
  deposit.window[row] = REGROWTH_WINDOW_TICKS[deposit.rank[row]]
}

/** Copies the sizes of items from the catalogue, which kernels do not read. */
export function sizeDeposits(world: World): void {
  const deposit = world.write(Deposit)
  for (let row = 1; row <= world.highOf(Deposit); row++) {
    if (deposit.alive[row] === 1) deposit.size[row] = GOODS[deposit.item[row]].size
  }
}

/* Extraction */

/** Measured cost of a request in the kernel, rounded up, nanoseconds. */
const REQUEST_NS = 600
/** Maximum experience for one pull. Source: missions.md section 5. */
const MINING_XP_MAX = 20
/** Minimum power for a pull to train deep-core mining. Source: mining.md section 3.7. */
const DEEP_POWER_MIN = 3

/** Sorts requests by system, then place, then initiative; each system is one part. */
function prepare(world: World): Work | undefined {
  const count = world.countOf(MineRequest)
  if (count === 0) return undefined
  const { alive, poi, player } = world.read(MineRequest)
  const { system } = world.read(Poi)
  const { seq } = world.read(Player)
  const rows = rowsInUse(alive, world.highOf(MineRequest), count)
  sortByInitiative(rows, (row) => seq[player[row]], world)
  const systemOf = (row: Row): number => system[poi[row]]
  const byPlace = groupBy(rows, (row) => poi[row], world.highOf(Poi))
  const bySystem = groupBy(byPlace, systemOf, world.highOf(StarSystem))
  return {
    rows: bySystem,
    partEnds: endsOf(bySystem, systemOf),
    estimateNs: count * REQUEST_NS,
  }
}

/** Does what the kernel cannot: loads cargo, awards experience, answers. Releases the requests. */
function apply(world: World, work: Work): void {
  const { status: statuses, player } = world.read(MineRequest)
  for (const row of work.rows) {
    const status = MINE_STATUS[statuses[row]]
    assert(status !== 'asked', `mine request ${row} was not processed`)
    if (status === 'yield') loadYield(world, row)
    else if (status === 'filtered') {
      const message = 'Your extraction filter rejects everything that can be mined here.'
      answerLater(world, player[row], ok({ kind: 'filtered', filtered: true, message }))
    } else answerLater(world, player[row], refusalOf(world, row, status))
    world.release(MineRequest, row)
  }
}

/** Processes the requests to mine of the tick. */
export const extraction: SystemDef = {
  name: 'mining.extract',
  phase: 'act',
  writes: [...XP_WRITES, ...GOODS_WRITES, Deposit, MineRequest, Mission, PlayerStats],
  split: { writes: [MineRequest, Deposit], file: kernelsFile, kernel: 'extract', prepare, apply },
}

function loadYield(world: World, row: Row): void {
  const request = world.read(MineRequest)
  const player = request.player[row]
  const deposit = request.deposit[row]
  const units = request.units[row]
  const item = world.read(Deposit).item[deposit]
  const good = GOODS[item]
  assert(units > 0, 'a yield of nothing')
  loadCargo(world, request.ship[row], namedContainer('mined'), item, units)
  addStat(world, player, 'ore_mined', units)
  recordProgress(world, player, 'mine_item', { key: item, units })
  const xp_gained = awardMining(world, row, units)
  const left = request.remaining[row]
  const max = world.read(Deposit).max[deposit]
  const payload = {
    kind: 'yield',
    resource_id: good.id,
    resource_name: good.name,
    quantity: units,
    remaining: left,
    remaining_display: remainingDisplay(left),
    ...(left < 0 ? {} : { max_remaining: max }),
    ...(left < 0 || left === max ? {} : { depletion_percent: depletionPercent(left, max) }),
    xp_gained,
  }
  logAction(world, player, 'mining', 'yield', `Mined ${units} ${good.name}.`, {
    item_id: good.id,
    quantity: units,
  })
  emit(world, miningYield, payload, toPlayer(player))
  answerLater(world, player, ok(payload))
}

/** Returns the XP gained by skill. Source: mining.md section 3.7; missions.md section 5. */
function awardMining(world: World, row: Row, units: number): Record<string, number> {
  const request = world.read(MineRequest)
  const player = request.player[row]
  const ship = request.ship[row]
  const { family, rank } = world.read(Deposit)
  const deposit = request.deposit[row]
  const power = world.read(Ship).minePower[ship * FAMILIES.length + family[deposit]]
  const gained = {
    mining: awardXp(world, player, 'mining', Math.min(units, MINING_XP_MAX)),
    deep_core_mining:
      power >= DEEP_POWER_MIN ? awardXp(world, player, 'deep_core_mining', 1 + rank[deposit]) : 0,
    piloting: awardPilotingXp(world, player, { ship, ticks: 1 }),
  }
  awardFullPowerXp(world, player, 1)
  return Object.fromEntries(Object.entries(gained).filter(([, xp]) => xp > 0))
}

function refusalOf(world: World, row: Row, status: (typeof MINE_STATUS)[number]) {
  if (status === 'no_cargo_space') return fail('no_cargo_space')
  if (status === 'too_sparse') return fail('deposit_too_sparse', sparseDetails(world, row))
  if (status !== 'depleted') return fail('no_resources')
  const contested = world.read(MineRequest).deposit[row]
  if (contested === 0) return fail('depleted')
  // Other pilots emptied the deposit that was drawn; other deposits here may not be empty.
  const { id, name } = GOODS[world.read(Deposit).item[contested]]
  const message = `Other pilots mined the last ${name} in this tick; mine again.`
  return fail('depleted', { contested: true, resource_id: id }, message)
}

/**
 * Returns the details of a refusal as too sparse: the fullest such deposit, the stock that the rig
 * would need, and its power.
 */
function sparseDetails(world: World, row: Row) {
  const { ship, poi } = world.read(MineRequest)
  const { minePower, mineFine } = world.read(Ship)
  const { family, item } = world.read(Deposit)
  let best = { resource_id: '', remaining: 0, needed_stock: 0, your_power: 0 }
  for (const deposit of depositsOf(world, poi[row])) {
    const index = ship[row] * FAMILIES.length + family[deposit]
    const remaining = unitsRemaining(world, deposit)
    if (minePower[index] === 0 || remaining <= best.remaining) continue
    best = {
      resource_id: GOODS[item[deposit]].id,
      remaining,
      needed_stock: lockMinimumStock(minePower[index], mineFine[index]),
      your_power: minePower[index],
    }
  }
  return best
}
