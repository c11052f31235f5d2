/** The order of a death: wreck, payout, fines and respawn, and its events. combat.md 15. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex, PIRATES, shipClassIndex, skillIndex } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { FATES, PARTICIPANT_KINDS, Participant, ShipCombat } from '../../../systems/combat/state.ts'
import { policyOf } from '../../../systems/insurance/model.ts'
import { openPolicy, quoteShip } from '../../../systems/insurance/rules.ts'
import { Policy } from '../../../systems/insurance/state.ts'
import { bountyOf } from '../../../systems/law/model.ts'
import { addBounty } from '../../../systems/law/rules.ts'
import { addNpc } from '../../../systems/npc/rules.ts'
import { NPC_KINDS } from '../../../systems/npc/state.ts'
import { wreckId, wrecksAt } from '../../../systems/salvage/model.ts'
import { Wreck } from '../../../systems/salvage/state.ts'
import { loadCargo, shipId } from '../../../systems/ship/model.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { poiId, poiName, systemId, systemName } from '../../../systems/travel/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { hullOf, payloadsTo, putAt, rowOf } from '../combat/scene.ts'
import { beside, hullOfScale, ORE, type Yard } from './stage.ts'

onSmallMap()

let yard: Yard

beforeEach(async () => {
  yard = await beside()
})

const credits = (player: number) => balanceOf(yard.world, walletOf(yard.world, player))

/** Returns the fields of an event that locate the only wreck at the scene. */
function wreckFields() {
  const { world, poi, system } = yard
  const [row] = wrecksAt(world, poi)
  return {
    wreck_id: wreckId(world, row),
    wreck_poi_id: poiId(world, poi),
    wreck_poi_name: poiName(world, poi),
    wreck_system_id: systemId(world, system),
    wreck_system_name: systemName(world, system),
  }
}

/** Gives a player an insured ship of some worth, with cargo. */
function insure(player: number): void {
  const { world, poi } = yard
  const ship = putAt(world, player, poi, {
    shipClass: hullOfScale(2),
    modules: ['autocannon_i'],
  })
  loadCargo(world, ship, namedContainer('mined'), ORE, 20)
  openPolicy(world, ship, world.read(Player).homeBase[player], quoteShip(world, player, ship))
  expect(policyOf(world, ship)).not.toBe(0)
}

describe('the death of an insured pilot', () => {
  test('leaves a wreck, pays the insurance, and notifies victim and killer', () => {
    const { world, small, one, two } = yard
    insure(two)
    yard.act(one, 'attack', { target_id: yard.id(two) })
    yard.takeEmissions()
    const before = credits(two)
    yard.doom(two, 'destroyed', one)
    small.ticks(1)
    const emissions = yard.takeEmissions()
    const [died] = payloadsTo(yard, emissions, two, 'player_died')
    const [kill] = payloadsTo(yard, emissions, one, 'player_kill')
    const paid = died.insurance_payout as number
    expect(died).toMatchObject({ ...wreckFields(), cause: 'player', killer_name: 'Tester 1' })
    expect(kill).toMatchObject({
      ...wreckFields(),
      victim: 'Tester 2',
      wreck_has_cargo: true,
      wreck_has_modules: expect.any(Boolean),
    })
    expect(paid).toBeGreaterThan(0)
    expect(credits(two)).toBe(before + paid - (died.clone_cost as number))
    expect(world.countOf(Policy)).toBe(0)
  })

  test('pays out before police collect fines and the clone is charged', () => {
    const { world, small, one, two } = yard
    insure(two)
    const wallet = walletOf(world, two)
    post(world, wallet, namedAccount('starting_grant'), credits(two))
    yard.act(one, 'attack', { target_id: yard.id(two) })
    addBounty(world, two, 0, 100)
    world.write(StarSystem).empire[yard.system] = 1
    world.write(StarSystem).police[yard.system] = 20
    yard.takeEmissions()
    world.write(Participant).kind[rowOf(world, one)] = PARTICIPANT_KINDS.indexOf('police')
    yard.doom(two, 'destroyed', one)
    small.ticks(1)
    const [died] = payloadsTo(yard, yard.takeEmissions(), two, 'player_died')
    const paid = died.insurance_payout as number
    expect(paid).toBeGreaterThan(100)
    expect(bountyOf(world, two, 0)).toBe(0)
    expect(credits(two)).toBe(paid - 100 - (died.clone_cost as number))
  })

  test('in a hidden place is reported without the place', () => {
    const { world, small, one, two, poi } = yard
    insure(two)
    world.write(Poi).hidden[poi] = 1
    yard.act(one, 'attack', { target_id: yard.id(two) })
    yard.takeEmissions()
    yard.doom(two, 'destroyed', one)
    small.ticks(1)
    const [died] = payloadsTo(yard, yard.takeEmissions(), two, 'player_died')
    expect('wreck_id' in died).toBe(true)
    for (const name of ['wreck_poi_id', 'wreck_poi_name', 'wreck_system_id', 'wreck_system_name']) {
      expect(name in died).toBe(false)
    }
  })

  test('makes the next policy more expensive', () => {
    const { world, small, one, two } = yard
    const quoteOf = () => {
      putAt(world, two, yard.poi, { shipClass: hullOfScale(2) })
      return quoteShip(world, two, hullOf(world, two)).riskPpm
    }
    const first = quoteOf()
    yard.act(one, 'attack', { target_id: yard.id(two) })
    yard.doom(two, 'destroyed', one)
    small.ticks(1)
    expect(quoteOf()).toBeGreaterThan(first)
  })
})

test('pirate_destroyed has the place of the wreck and what it holds', () => {
  const { world, small, one, poi, system } = yard
  const ship = createShip(world, { owner: 0, shipClass: shipClassIndex('reaver'), modules: [] })
  addNpc(world, ship, { kind: NPC_KINDS.indexOf('pirate'), type: 0, system })
  placeInSpace(world, ship, poi)
  loadCargo(world, ship, namedContainer('mined'), itemIndex('iron_ore'), 3)
  world.write(PlayerSkills).level[one * SKILLS_WIDTH + skillIndex('weapons')] = 3
  yard.act(one, 'attack', { target_id: shipId(world, ship) })
  yard.takeEmissions()
  const row = world.read(ShipCombat).participant[ship]
  world.write(Participant).fate[row] = FATES.indexOf('destroyed')
  world.write(Participant).killer[row] = rowOf(world, one)
  small.ticks(1)
  const [payload] = payloadsTo(yard, yard.takeEmissions(), one, 'pirate_destroyed')
  expect(payload).toMatchObject({
    ...wreckFields(),
    wreck_has_cargo: true,
    wreck_has_modules: false,
    pirate_role: PIRATES[0].role,
    is_boss: false,
  })
  const [wreck] = wrecksAt(world, poi)
  expect(world.texts.get(world.read(Wreck).killerId[wreck])).toBe(yard.id(one))
  expect(world.read(Ship).alive[ship]).toBe(0)
})
