/** survey_system and what it reveals. Source: travel.md sections 8, 9. */
import { beforeEach, describe, expect, test } from 'vitest'
import { balanceOf, namedAccount } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { statOf, walletOf } from '../../../systems/account/model.ts'
import { Giving, Player } from '../../../systems/account/state.ts'
import { Herd } from '../../../systems/creature/state.ts'
import { depositsOf } from '../../../systems/mining/model.ts'
import { Deposit } from '../../../systems/mining/state.ts'
import { creditsLeft } from '../../../systems/mission/model.ts'
import { seesPoi } from '../../../systems/sensing/model.ts'
import { CHART_EPOCHS } from '../../../systems/sensing/state.ts'
import { chartCredits, chartEpoch } from '../../../systems/sensing/survey-model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { xpOf } from '../../../systems/skill/model.ts'
import { depthOf } from '../../../systems/travel/depth-model.ts'
import { poiId, poisOf } from '../../../systems/travel/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'
import { counted } from '../achievement/scene.ts'
import { hullOf } from '../combat/scene.ts'
import { codeOf, fuelOf, resultOf, type Sensing, sensing, setFuel } from './scene.ts'

let scene: Sensing
let one: Eid
let two: Eid
let system: Eid
let hidden: Eid

beforeEach(async () => {
  scene = await sensing(2)
  ;[one, two] = scene.players
  const { world } = scene
  const { hidden: isHidden, depositCount } = world.read(Poi)
  system = 0
  for (let row = 1; row <= world.highOf(StarSystem) && system === 0; row++) {
    const found = poisOf(world, row).find((poi) => isHidden[poi] === 1 && depositCount[poi] > 0)
    if (found) [system, hidden] = [row, found]
  }
  for (const player of [one, two]) {
    placeInSpace(world, hullOf(world, player), world.read(StarSystem).entryPoi[system])
  }
  for (const poi of poisOf(world, system)) {
    if (isHidden[poi] === 1) world.write(Poi).difficulty[poi] = poi === hidden ? 30 : 1_000
  }
})

const survey = (by = one) => scene.small.act(by, 'survey_system')
const places = (by = one) => {
  const { system: shown } = resultOf<{ system: { pois: { id: string }[] } }>(
    scene.small.ask(by, 'get_system'),
  )
  return shown.pois.map(({ id }) => id)
}

describe('survey_system', () => {
  test('is refused no_scanner without a scanner and no_fuel below 5 units', () => {
    expect(codeOf(survey())).toBe('no_scanner')
    scene.fit(one, 'survey_scanner_ii')
    setFuel(scene, one, 4)
    expect(codeOf(survey())).toBe('no_fuel')
    expect(fuelOf(scene, one)).toBe(4)
  })

  test('reveals a hidden place that is no harder than its power, to the surveyor alone', () => {
    const { world } = scene
    scene.fit(one, 'survey_scanner_ii')
    const fuel = fuelOf(scene, one)
    const id = poiId(world, hidden)
    expect(places()).not.toContain(id)
    const result = resultOf(survey())
    expect(result).toMatchObject({
      survey_power: 45,
      newly_revealed: [{ id, resources: expect.any(Array) }],
      already_revealed: [],
      xp_gained: { scanning: 30 },
    })
    expect(fuelOf(scene, one)).toBe(fuel - 5)
    expect(xpOf(world, one, 'scanning')).toBe(30)
    expect(counted(world, one, 'surveys_made')).toBe(1)
    expect(places()).toContain(id)
    expect(places(two)).not.toContain(id)
    expect([seesPoi(world, one, hidden), seesPoi(world, two, hidden)]).toEqual([true, false])
    expect(resultOf(scene.small.ask(one, 'get_status'))).toMatchObject({
      player: { revealed_pois: { [id]: true } },
    })
  })

  test('pays once for the first survey of a system and for what it reveals', () => {
    const { world } = scene
    scene.fit(one, 'survey_scanner_ii')
    const wallet = walletOf(world, one)
    const faucet = namedAccount('missions')
    const [before, paidBefore] = [balanceOf(world, wallet), balanceOf(world, faucet)]
    // The chart pays by the depth of the system, the hidden place by its difficulty of 30.
    const due = 120 + 20 * depthOf(world, system) + 300 + 10 * 30
    const left = creditsLeft(world, one)
    expect(resultOf<{ message: string }>(survey()).message).toContain(`${due} credits`)
    expect(balanceOf(world, wallet) - before).toBe(due)
    expect(balanceOf(world, faucet) - paidBefore).toBe(-due)
    expect(creditsLeft(world, one)).toBe(left - due)
    // The pay counts as granted, so that a new account cannot pass it on.
    expect(world.read(Giving).granted[one]).toBe(due)
    survey()
    expect(balanceOf(world, wallet) - before).toBe(due)
  })

  test('pays again once charts are six hours old, but not for what it revealed', () => {
    const { world } = scene
    scene.fit(one, 'survey_scanner_ii')
    const balance = () => balanceOf(world, walletOf(world, one))
    const earned = (): number => {
      const before = balance()
      survey()
      return balance() - before
    }
    expect(earned()).toBeGreaterThan(300)
    expect(earned()).toBe(0)
    // Worlds saved before charts had an age lack this record.
    world.records(CHART_EPOCHS).delete(String(world.read(Player).seq[one]))
    expect(earned()).toBe(120 + 20 * depthOf(world, system))
    expect([0, 2_159, 2_160, 4_320].map(chartEpoch)).toEqual([0, 0, 1, 2])
  })

  test('pays more for more survey power, up to a maximum by the scale of the hull', () => {
    const { world } = scene
    const ship = hullOf(world, one)
    const plain = 120 + 20 * depthOf(world, system)
    const pay = (power: number, scale: number): number => {
      world.write(Ship).scale[ship] = scale
      return chartCredits(world, ship, system, power)
    }
    expect([pay(20, 1), pay(80, 1)]).toEqual([plain, plain])
    expect(pay(110, 2)).toBe(Math.floor((plain * 160) / 100))
    expect(pay(240, 3)).toBe(Math.floor((plain * 420) / 100))
    expect([pay(240, 1), pay(240, 2), pay(500, 3)]).toEqual([pay(80, 1), pay(160, 2), pay(240, 3)])
  })

  test('lists places revealed before with their remaining resources', () => {
    const { world } = scene
    scene.fit(one, 'survey_scanner_ii')
    survey()
    const [row] = depositsOf(world, hidden)
    const deposit = world.write(Deposit)
    deposit.unlimited[row] = 0
    deposit.max[row] = 1_000
    deposit.base[row] = 400
    deposit.baseTick[row] = world.tick + 1
    deposit.window[row] = 100_000
    const second = resultOf<{ already_revealed: { resources: object[] }[] }>(survey())
    expect(second).toMatchObject({
      newly_revealed: [],
      already_revealed: [{ id: expect.any(String) }],
    })
    expect(second.already_revealed[0].resources[0]).toMatchObject({
      remaining: 400,
      max_remaining: 1_000,
      depletion_percent: 60,
      remaining_display: expect.any(String),
    })
  })

  test('reports a place of up to twice its power as a faint signature', () => {
    const { world } = scene
    scene.fit(one, 'survey_scanner_i')
    const result = resultOf<{ faint_signatures: object[] }>(survey())
    expect(result).toMatchObject({ newly_revealed: [] })
    expect(result.faint_signatures).toEqual([
      { type: expect.any(String), hint: expect.any(String), difficulty: 'low' },
    ])
    expect(JSON.stringify(result)).not.toContain(poiId(world, hidden))
    world.write(Poi).difficulty[hidden] = 41
    expect(resultOf(survey())).toMatchObject({ faint_signatures: [] })
  })

  test('counts deep cores, and reveals the same to another player later', () => {
    const { world } = scene
    scene.fit(one, 'survey_scanner_iii')
    scene.fit(two, 'survey_scanner_iii')
    const first = resultOf(survey())
    const isDeepCore = world.texts.get(world.read(Poi).class[hidden]) === 'deep_core'
    expect(statOf(world, one, 'deep_core_pois_discovered')).toBe(isDeepCore ? 1 : 0)
    scene.small.ticks(5)
    expect(resultOf(survey(two)).newly_revealed).toEqual(first.newly_revealed)
  })
})

test('a survey estimates the wildlife of the system by species', () => {
  const { world } = scene
  scene.fit(one, 'survey_scanner_i')
  const { system: home, count } = world.read(Herd)
  const herd = [...Array(world.highOf(Herd) + 1).keys()].find((row) => count[row] > 0)!
  placeInSpace(world, hullOf(world, one), world.read(StarSystem).entryPoi[home[herd]])
  const { wildlife } = resultOf<{ wildlife: object[] }>(survey())
  expect(wildlife).toContainEqual(
    expect.objectContaining({ species: expect.any(String), estimate: expect.any(Number) }),
  )
})

describe('a hidden place', () => {
  test('cannot be addressed by players who do not know it', () => {
    const { world } = scene
    const id = poiId(world, hidden)
    expect(codeOf(scene.small.act(one, 'travel', { target_poi: id }))).toBe('invalid_poi')
    expect(codeOf(scene.small.ask(one, 'inspect', { id }))).toBe('not_found')
    expect(scene.small.ask(one, 'find_route', { target_system: id })).toMatchObject({
      result: { found: false },
    })
  })
})
