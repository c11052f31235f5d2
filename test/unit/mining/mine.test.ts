/** Mining over real ticks: mining.md sections 3, 7, 8. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { namedContainer, unitsIn } from '../../../core/goods.ts'
import type { Eid } from '../../../core/types.ts'
import { statOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { depositsOf, unitsRemaining } from '../../../systems/mining/model.ts'
import { Deposit } from '../../../systems/mining/state.ts'
import { cargoUnits, loadCargo, modulesOf, unitsThatFit } from '../../../systems/ship/model.ts'
import { fitModule, recompute, unfitModule } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { xpOf } from '../../../systems/skill/model.ts'
import { shipOf, systemOf } from '../../../systems/travel/location-model.ts'
import { poisOf } from '../../../systems/travel/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Poi } from '../../../systems/travel/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let start: SmallWorld
let small: SmallWorld
let miners: Eid[]
let belt: Eid

beforeAll(async () => {
  start = await smallWorld({ players: 8 })
})

beforeEach(async () => {
  small = await start.reload()
  miners = Array.from({ length: 8 }, (_, i) => small.world.rowOf(Player, i + 1))
  const { world } = small
  const family = world.read(Deposit).family
  belt = poisOf(world, systemOf(world, miners[0])).find((poi) =>
    depositsOf(world, poi).some((row) => family[row] === 0),
  ) as Eid
  for (const miner of miners) placeInSpace(world, shipOf(world, miner), belt)
})

/** Makes each deposit of the belt hold this many of 1,000 units. */
function fill(units: number): void {
  const deposit = small.world.write(Deposit)
  for (const row of depositsOf(small.world, belt)) {
    deposit.unlimited[row] = 0
    deposit.max[row] = 1000
    deposit.base[row] = units
    deposit.frac[row] = 0
    deposit.window[row] = 172_800
    deposit.baseTick[row] = small.world.tick
  }
}

/** Refits a miner's ship with only these modules. */
function refit(miner: Eid, ...modules: string[]): void {
  const { world } = small
  const ship = shipOf(world, miner)
  for (const row of modulesOf(world, ship)) unfitModule(world, row)
  for (const id of modules) fitModule(world, ship, itemIndex(id))
  recompute(world, ship)
}

const unitsLeft = () => depositsOf(small.world, belt).map((row) => unitsRemaining(small.world, row))
const mine = (player: Eid) => ({ player, command: 'mine' })

describe('mine', () => {
  test('loads the goods, trains skills and notifies the miner', () => {
    const { world } = small
    const [miner] = miners
    small.takeEmissions()
    const outcome = small.act(miner, 'mine') as { ok: true; result: Record<string, unknown> }
    expect(outcome.result).toMatchObject({ kind: 'yield' })
    const item = GOODS.findIndex((good) => good.id === outcome.result.resource_id)
    const units = outcome.result.quantity as number
    expect(units).toBeGreaterThan(0)
    expect(cargoUnits(world, shipOf(world, miner), item)).toBe(units)
    expect(unitsIn(world, namedContainer('mined'), item)).toBe(-units)
    expect(statOf(world, miner, 'ore_mined')).toBe(units)
    expect(xpOf(world, miner, 'mining')).toBe(units)
    expect(xpOf(world, miner, 'piloting')).toBe(5)
    expect(small.takeEmissions().filter(({ type }) => type === 'mining_yield')).toMatchObject([
      { payload: { quantity: units }, to: [1] },
    ])
  })

  test('undocks no ship that is in space already', () => {
    const { world } = small
    const home = world.read(Player).homeBase[miners[0]]
    expect(home).not.toBe(0)
    small.act(miners[0], 'undock')
    const answer = small.answer(miners[0], 'mine')
    expect(answer.autoUndocked).toBeUndefined()
  })

  test('is refused at a place without deposits, without a rig, and with the wrong rig', () => {
    const { world } = small
    const [miner] = miners
    const ship = shipOf(world, miner)
    const bare = poisOf(world, systemOf(world, miner)).find(
      (poi) => world.read(Poi).depositCount[poi] === 0,
    ) as Eid
    const code = () => (small.act(miner, 'mine') as { code?: string }).code
    placeInSpace(world, ship, bare)
    expect(code()).toBe('not_at_asteroid')
    placeInSpace(world, ship, belt)
    refit(miner)
    expect(code()).toBe('no_mining_equipment')
    refit(miner, 'gas_harvester_i')
    expect(code()).toBe('no_resources')
  })

  test('is refused if deposits are depleted or too sparse, and if the hold is full', () => {
    const { world } = small
    const [miner] = miners
    const ship = shipOf(world, miner)
    fill(0)
    expect(small.act(miner, 'mine')).toMatchObject({ code: 'depleted' })
    fill(120)
    refit(miner, 'mining_laser_iii')
    // The stock needed is 26 · 20 · 1000 / 4000.
    expect(small.act(miner, 'mine')).toMatchObject({
      code: 'deposit_too_sparse',
      details: { remaining: 120, needed_stock: 130, your_power: 26 },
    })
    refit(miner, 'mining_laser_i')
    const cell = itemIndex('fuel_cell')
    loadCargo(world, ship, namedContainer('supply'), cell, unitsThatFit(world, ship, cell))
    expect(small.act(miner, 'mine')).toMatchObject({ code: 'no_cargo_space' })
  })

  test('succeeds without yield if a filter holds everything back', () => {
    const { world } = small
    const [miner] = miners
    refit(miner, 'mining_laser_i', 'extraction_filter')
    const mask = world.read(Ship).filterMask[shipOf(world, miner)]
    expect(mask).not.toBe(0)
    for (const row of depositsOf(world, belt))
      world.write(Deposit).rank[row] = 31 - Math.clz32(mask)
    expect(small.act(miner, 'mine')).toMatchObject({ result: { kind: 'filtered', filtered: true } })
  })

  test('never takes more in one tick than the deposits hold', () => {
    // The herd at this belt grazes in the first tick, before the measurement.
    small.tick()
    fill(3)
    const before = unitsLeft().reduce((sum, units) => sum + units, 0)
    const answers = small.tick(...miners.map(mine))
    expect(answers.size).toBe(miners.length)
    const taken = [...answers.values()].map((outcome) =>
      outcome.ok ? (outcome.result as { quantity: number }).quantity : 0,
    )
    const after = unitsLeft()
    expect(Math.min(...after)).toBeGreaterThanOrEqual(0)
    expect(before - after.reduce((sum, units) => sum + units, 0)).toBe(
      taken.reduce((sum, units) => sum + units, 0),
    )
  })

  test('informs a miner without a share that the deposit was contested', () => {
    fill(0)
    const [scarce] = depositsOf(small.world, belt)
    small.world.write(Deposit).base[scarce] = 1
    const answers = small.tick(...miners.map((player) => ({ player, command: 'mine' })))
    const lost = [...answers.values()].filter((outcome) => !outcome.ok)
    expect(lost).toHaveLength(miners.length - 1)
    for (const outcome of lost) {
      expect(outcome).toMatchObject({ code: 'depleted', details: { contested: true } })
    }
    const alone = small.act(miners[0], 'mine')
    expect(alone).toMatchObject({ code: 'depleted' })
    expect(alone).not.toHaveProperty('details.contested')
  })

  test('has an outcome that does not depend on the order of arrival of the commands', async () => {
    const reloaded = await small.reload()
    fill(6)
    const deposit = reloaded.world.write(Deposit)
    for (const [name, column] of Object.entries(small.world.read(Deposit))) {
      if (name === 'length') continue
      ;(deposit as unknown as Record<string, Float64Array>)[name].set(column as never)
    }
    small.tick(...miners.map(mine))
    reloaded.tick(...[...miners].reverse().map(mine))
    expect(reloaded.hash()).toBe(small.hash())
  })

  test('draws on units that get_poi shows with the power they support', () => {
    fill(500)
    const poi = small.ask(miners[0], 'get_poi') as { ok: true; result: { resources: object[] } }
    expect(poi.result.resources[0]).toMatchObject({
      remaining: 500,
      max_remaining: 1000,
      depletion_percent: 50,
      remaining_display: '500 units',
      supported_power: 25,
    })
  })
})
