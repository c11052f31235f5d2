/**
 * The first hour as the guide describes it, in every empire: mining a hold of ore, selling it and
 * visiting each neighbouring system, at a profit.
 */
import { describe, expect, test } from 'vitest'
import { EMPIRE_IDS, GOODS } from '../../../core/catalog/index.ts'
import { contentsOf } from '../../../core/goods.ts'
import { balanceOf } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { depositsOf } from '../../../systems/mining/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { poiOf, shipOf, systemOf } from '../../../systems/travel/location-model.ts'
import { neighboursOf, poiId, poisOf, systemId } from '../../../systems/travel/model.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

function actOk(small: SmallWorld, pilot: Eid, command: string, params: object = {}): void {
  const outcome = small.act(pilot, command, params)
  expect(outcome, `${command} ${JSON.stringify(params)}`).toMatchObject({ ok: true })
}

/** Flies out, fills the hold, returns and sells all that was mined. */
function mineAndSell(small: SmallWorld, pilot: Eid): void {
  const { world } = small
  const station = poiOf(world, pilot)
  const belt = poisOf(world, systemOf(world, pilot)).find(
    (poi) => depositsOf(world, poi).length > 0,
  ) as Eid
  actOk(small, pilot, 'undock')
  actOk(small, pilot, 'travel', { target_poi: poiId(world, belt) })
  let pulls = 0
  let outcome = small.act(pilot, 'mine')
  for (; outcome.ok; outcome = small.act(pilot, 'mine')) pulls++
  expect(outcome).toMatchObject({ code: 'no_cargo_space' })
  expect(pulls).toBeGreaterThan(9)
  actOk(small, pilot, 'travel', { target_poi: poiId(world, station) })
  for (const { item, units } of contentsOf(world, world.read(Ship).hold[shipOf(world, pilot)])) {
    if (!('extracted_by' in GOODS[item])) continue
    actOk(small, pilot, 'sell', { item_id: GOODS[item].id, quantity: units })
  }
}

describe('the first hour', () => {
  test.each(EMPIRE_IDS)('of a pilot of %s ends with a profit', async (empire) => {
    const small = await smallWorld()
    const { world } = small
    const pilot = small.join('Beginner', empire)
    const credits = () => balanceOf(world, walletOf(world, pilot))
    const station = poiId(world, poiOf(world, pilot))
    const home = systemOf(world, pilot)
    const start = credits()
    mineAndSell(small, pilot)
    actOk(small, pilot, 'refuel')
    expect(credits()).toBeGreaterThan(start)
    const lanes = neighboursOf(world, home)
    expect(lanes.length).toBeGreaterThan(0)
    for (const { to } of lanes) {
      actOk(small, pilot, 'jump', { target_system: systemId(world, to) })
      actOk(small, pilot, 'jump', { target_system: systemId(world, home) })
      actOk(small, pilot, 'travel', { target_poi: station })
      actOk(small, pilot, 'refuel')
    }
    expect(credits()).toBeGreaterThan(start)
  })
})
